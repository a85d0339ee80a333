"""Reads a child event back into facts: who did what, in a few words each, for merging into an outline."""

from __future__ import annotations

import re
from dataclasses import dataclass

from talekeeper.agents.builtin.scene import header_of
from talekeeper.agents.builtin.sentences import clauses
from talekeeper.agents.builtin.words import Words, alternatives
from talekeeper.memory.models import Node

SUBJECT_MARK = {"zh": " ", "en": ": "}
"""What stands between an outline line's subject and its facts, so that a line can be read back."""
_TEXT_LIMIT = {"zh": 18, "en": 12}
_TOPICS = 2
"""Topics of a talk that an outline still names."""
_JOINTS = frozenset(
    ("in", "on", "at", "with", "before", "after", "while", "as", "from", "for", "because", "that", "who")
)
_LEAD_ZH = re.compile(
    r"^(?P<who>[^。]+?)等?(?:在一起|在场|(?:在(?P<place>[^。]+?))?就(?P<topics>[^。]+?)交谈|(?:在[^。]+?)?交谈|在[^。]+?)。"
)
_LEAD_EN = re.compile(
    r"^(?P<who>[^.]+?)(?: and others)? "
    r"(?:(?:was|were) (?:at|present|together)|talked over (?P<topics>[^.]+?)(?= at|\.)|talked)"
    r"[^.]*\.(?:\s|$)"
)


@dataclass(frozen=True, slots=True)
class Fact:
    """What a subject did: ``text`` without the subject; ``fleeting`` when it is mere movement or talk."""

    subject: str
    text: str
    weight: float
    order: int
    fleeting: bool = False


@dataclass(frozen=True, slots=True)
class Child:
    """One child of a group, taken apart."""

    id: str
    time_from: str
    time_to: str
    place: str
    people: tuple[str, ...]
    facts: tuple[Fact, ...]
    irreversible: tuple[str, ...]


def read_child(node: Node, words: Words) -> Child:
    """A leaf or a rollup, as far as its text can be read; the node's own times fill in what the text lacks."""
    summary = str(node.fields.get("summary", ""))
    if node.depth > 0:
        return _read_rollup(node, summary, words)
    header = header_of(summary) or (node.time_from or "", "")
    body = summary.split("\n\n", 1)[1] if "\n\n" in summary else summary
    prose, *sections = re.split(r"\n\n(?=\S+:\n- )", body)
    people, lead, rest = _lead(prose, words)
    facts = [*lead]
    for sentence in re.split(r"(?<=。)" if words.language == "zh" else r"(?<=[.!?])\s+(?=[A-Z])", rest):
        facts.extend(_facts(sentence, people, words, len(facts)))
    rows = [row[2:] for s in sections if s.startswith(("不可逆", "Irreversible")) for row in s.split("\n")[1:]]
    facts = [f for f in facts if not any(alike(f.subject + f.text, row) for row in rows)]
    offset = node.position * 100
    placed = tuple(Fact(f.subject, f.text, f.weight, offset + f.order, f.fleeting) for f in facts if f.text)
    return Child(node.id, header[0], header[0], header[1], people, placed, tuple(rows))


def _lead(prose: str, words: Words) -> tuple[tuple[str, ...], list[Fact], str]:
    zh = words.language == "zh"
    match = (_LEAD_ZH if zh else _LEAD_EN).match(prose)
    if not match:
        return (), [], prose
    people = tuple(re.split("[、与]" if zh else r", | and ", match["who"]))
    lead = []
    if match["topics"]:
        topics = words.join(re.split("[、与]" if zh else r", | and ", match["topics"])[:_TOPICS])
        text = f"谈{topics}" if zh else f"talked over {topics}"
        lead.append(Fact(match["who"], text, 1.0, 0, True))
    return people, lead, prose[match.end() :]


def alike(a: str, b: str) -> bool:
    """Whether two pieces of text tell of one thing: one holds the other, or most of their letter pairs agree."""
    first, second = ({x[i : i + 2] for i in range(len(x) - 1)} for x in (a, b))
    return a in b or b in a or len(first & second) >= 0.6 * max(1, min(len(first), len(second)))


def _facts(sentence: str, people: tuple[str, ...], words: Words, order: int) -> list[Fact]:
    """The clause of a sentence that says most, as a fact of its subject."""
    zh = words.language == "zh"
    subject, best = "", Fact("", "", -1.0, order)
    name = alternatives(people)
    led = re.compile(rf"[^把将对给向与和同被替是]{{0,5}}?(?P<who>{name})(?!的)" if zh else rf"(?P<who>{name})\b(?!')")
    verbs = words.any_of("weight_verbs")
    for i, clause in enumerate(clauses(sentence.strip(" 。."), words)):
        match = led.match(clause)
        subject = match["who"] if match else subject
        text = clause[match.end() :].strip() if match else clause
        if not zh and not match and not verbs.match(clause):
            continue  # an English clause without a subject of its own must open with what was done
        owned = not match and clause.startswith(people)  # "X's …": somebody's thing, not the one who acts
        if (
            not subject
            or owned
            or (zh and text.endswith(("时", "后", "之前", "的时候")))
            or text.startswith(("、", "与", "和", ",", "and "))
        ):
            continue
        text = _trimmed(text, words)
        hits = len(set(words.any_of("weight_verbs").findall(text)))
        weight = 2.0 * min(hits, 2) + 1.5 * (i == 0) + 0.5 * any(p in text for p in people) - 1.0 * (len(text) < 5)
        if subject and len(text) > 1 and weight > best.weight:
            fleeting = bool(words.any_of("fleeting").search(text))
            best = Fact(subject, text, weight - 1.0 * fleeting, order, fleeting)
    return [best] if best.text else []


def _trimmed(text: str, words: Words) -> str:
    limit = _TEXT_LIMIT[words.language]
    if words.language == "zh":
        text = re.sub("^(?:已经|已|便|乃|遂|又|也|就|终于|亲手|亲自|独自|立刻|当即|先后)+", "", text)
        return text if len(text) <= limit else ""
    parts = text.split()
    if len(parts) <= limit:
        return text
    joints = [i for i in range(4, limit + 1) if parts[i] == "and"]
    cuts = joints or [i for i in range(4, limit + 1) if parts[i] in _JOINTS]
    return " ".join(parts[: cuts[-1]] if cuts else parts[:limit])


def _read_rollup(node: Node, summary: str, words: Words) -> Child:
    head, *lines = summary.split("\n")
    match = re.match(r"(?:时间|Time):\s*(.+?)\s(?:至|to)\s(.+?);?\s*$", head)
    first, last = (match[1], match[2]) if match else (node.time_from or "", node.time_to or "")
    facts: list[Fact] = []
    rows: list[str] = []
    permanent = words.pattern("permanent")
    for i, line in enumerate(lines):
        text = re.sub(r"^\d+\)\s*", "", line).strip()
        subject, parts = _item(text, words)
        if not subject:
            rows.extend(r for r in re.split("、|; ", text) if permanent.search(r))
        for j, part in enumerate(parts):
            hits = len(set(words.any_of("weight_verbs").findall(part)))
            fleeting = bool(words.any_of("fleeting").search(part))
            order = node.position * 100 + i * 10 + j
            lasting = 6.0 * bool(permanent.search(part))
            weight = 1.0 + 2.0 * min(hits, 2) - 1.0 * fleeting + lasting
            facts.append(Fact(subject, part, weight, order, fleeting and not lasting))
    facts = [f for f in facts if not any(alike(f.subject + f.text, row) for row in rows)]
    people = tuple(dict.fromkeys(f.subject for f in facts))
    return Child(node.id, first, last, "", people, tuple(facts), tuple(rows))


def _item(text: str, words: Words) -> tuple[str, list[str]]:
    """(subject, facts) of an outline line; no subject where the line holds permanent changes as they were written."""
    subject, found, rest = text.partition(SUBJECT_MARK[words.language])
    if not found:
        return "", []
    return subject, [p for p in rest.split("，" if words.language == "zh" else "; ") if p]
