"""Reads a child event back into facts: who did what, in a few words each, for merging into an outline."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from talekeeper.agents.builtin.names_zh import GLUED
from talekeeper.agents.builtin.scene import header_of
from talekeeper.agents.builtin.sentences import clauses
from talekeeper.agents.builtin.tagger import tag
from talekeeper.agents.builtin.words import Words
from talekeeper.memory.models import Node

SUBJECT_MARK = {"zh": " ", "en": " "}
"""What stands between an outline line's subject and its facts."""
FACT_MARK = {"zh": "，", "en": "; "}
_TEXT_LIMIT = {"zh": 24, "en": 14}
_TOPICS = 2
"""Topics of a talk that an outline still names."""
_JOINTS = frozenset(
    ("in", "on", "at", "with", "before", "after", "while", "as", "from", "for", "because", "that", "who")
)
_LEAD_ZH = re.compile(
    r"^(?P<who>[^。，]+?)等?(?:在一起|在场|(?:在(?P<place>[^。，]+?))?就(?P<topics>[^。，]+?)交谈|谈起[^。，]+|(?:在[^。，]+?)?交谈|在[^。，]+?)(?:，谈的是[^。]+)?。"
)
_LEAD_EN = re.compile(
    r"^(?P<who>[^.,]+?(?:, [^.,]+?)*?)(?: and others)? "
    r"(?:(?:was|were) (?:at|present|together)|talked over (?P<topics>[^.]+?)(?= at [A-Z]|\.)|talked(?= at| about|\.))"
    r"[^.]*\.(?:\s|$)"
)
_NAME_EN = r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*"
_THING_EN = rf"(?:The|An?)\s(?:{_NAME_EN}|[a-z]+(?: [a-z]+er)?)"
_SUBJECT_EN = re.compile(rf"^(?P<who>{_THING_EN}|(?!(?:The|An?)\s){_NAME_EN}(?:(?:, | and ){_NAME_EN})*) (?=[a-z])")
_EMPTY = re.compile(
    r"^\S{0,3}(?:承诺|任务|事)(?:办到|办完|办成|完成)了?$|^(?:向\S{2,4})?(?:告知|坦白|招认)\S{0,4}$|"
    r"的\S{1,3}(?:办完|办成|办到|完成)了?$|^\w+ (?:it|them|him|her)$"
)
_NOUN_TAGS = frozenset({"n", "nz", "nw", "nr", "PER", "LOC", "ORG", "a", "an", "s", "m"})


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
    names = _names(prose) if words.language == "zh" else frozenset()
    facts = [*lead]
    for sentence in re.split(r"(?<=。)" if words.language == "zh" else r"(?<=[.!?])\s+(?=[A-Z])", rest):
        facts.extend(_facts(sentence, names, words, len(facts)))
    people = tuple(dict.fromkeys([*people, *(f.subject for f in facts if f.subject and not f.fleeting)]))
    rows = [row[2:] for s in sections if s.startswith(("不可逆", "Irreversible")) for row in s.split("\n")[1:]]
    facts = [f for f in facts if not any(alike(f.subject + f.text, row) for row in rows)]
    threads = [t for s in sections for t in re.findall(r'thread "([^"]+)"', s)]
    facts = [replace(f, weight=f.weight + 2.0 * any(_touches(f.text, t, words) for t in threads)) for f in facts]
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


def _touches(text: str, title: str, words: Words) -> bool:
    """Whether a fact tells of a thread: half of the title's letter pairs, or words, stand in it."""
    if words.language == "en":
        parts = re.findall(r"[a-z]{4,}", title.lower())
        return bool(parts) and sum(w in text.lower() for w in parts) * 2 > len(parts)
    pairs = [title[i : i + 2] for i in range(len(title) - 1)]
    return sum(pair in text for pair in pairs) * 2 > len(pairs)


def _facts(sentence: str, names: frozenset[str], words: Words, order: int) -> list[Fact]:
    """What a sentence tells, clause by clause; what somebody reports stays with who reports it."""
    zh = words.language == "zh"
    found: list[Fact] = []
    subject = told = ""
    for i, clause in enumerate(clauses(sentence.strip(" 。."), words)):
        who, text = _subject(clause, names, words, first=i == 0)
        if told and found and zh:
            joined = f"{found[-1].text.removesuffix('真相')}{clause}"
            if len(joined) <= _TEXT_LIMIT["zh"]:
                found[-1] = replace(found[-1], text=joined, weight=found[-1].weight + 1.0)
            told = ""
            continue
        subject = who or (subject if not (i == 0 and who) else "")
        text = _trimmed(re.sub(r"^(?:and|then|but|yet)\s", "", text), words)
        if not text or not subject or text.startswith(("、", "与", "和")):
            continue
        told = text if zh and re.fullmatch(r"(?:向\S{2,4})?(?:告知|坦白|招认|供出|揭露真相)\S{0,4}", text) else ""
        weight = _weight(text, words)
        found.append(
            Fact(subject, text, weight, order + len(found), bool(words.any_of("fleeting").search(text)) and weight < 2)
        )
    return [f for f in found if not _EMPTY.search(f.text)]


def _names(prose: str) -> frozenset[str]:
    """People as the tagger sees them in the whole prose: one bad cut doesn't halve a name."""
    return frozenset(
        t.word for t in tag(prose) if t.tag == "PER" and 2 <= len(t.word) <= 4 and not {t.word[0], t.word[-1]} & GLUED
    )


def _weight(text: str, words: Words) -> float:
    hits = len(set(words.any_of("weight_verbs").findall(text)))
    turning = bool(words.any_of("turning").search(text))
    fleeting = bool(words.any_of("fleeting").search(text))
    return 1.0 + 1.0 * min(hits, 2) + 2.5 * turning - 0.8 * fleeting


def _subject(clause: str, names: frozenset[str], words: Words, *, first: bool) -> tuple[str, str]:
    """(who, the rest) of a clause; nobody where it opens with what was done."""
    if words.language == "en":
        match = _SUBJECT_EN.match(clause)
        return (match["who"], clause[match.end() :]) if match else ("", clause)
    end, person, joined = 0, False, True
    for token in tag(clause):
        joint = token.word in {"与", "、", "和"} and end > 0
        noun = token.tag in _NOUN_TAGS or token.word in words.set("groups")
        if not (joint or noun) or (person and not joint and not joined):
            break
        person, joined = person or token.tag == "PER", joint
        cut = token.tag == "PER" and len(token.word) == 3
        if cut and token.word[0] in GLUED:
            break  # 托沈砚: the tagger ran the verb into the name
        end = token.end - (1 if cut and token.word[-1] in GLUED else 0)
        if cut and end < token.end:
            break
    end = max(
        (len(n) for n in names if clause.startswith(n) and len(n) > end and n.startswith(clause[:end])), default=end
    )
    who, rest = clause[:end], clause[end:]
    if not 2 <= len(who) <= 12 or not rest or not (person or first) or rest[0] in "的上里中下、":
        return "", clause
    return who, rest


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
    if not cuts:
        return text if len(parts) <= limit + 4 else ""
    return re.sub(r"\s(?:to|of|the|a|an|his|her|their|money to)$", "", " ".join(parts[: cuts[-1]]))


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
            lasting = 6.0 * bool(permanent.search(part))
            fleeting = bool(words.any_of("fleeting").search(part)) and not words.any_of("turning").search(part)
            weight = _weight(part, words) + lasting
            facts.append(Fact(subject, part, weight, node.position * 100 + i * 10 + j, fleeting and not lasting))
    facts = [f for f in facts if not any(alike(f.subject + f.text, row) for row in rows)]
    people = tuple(dict.fromkeys(f.subject for f in facts))
    return Child(node.id, first, last, "", people, tuple(facts), tuple(rows))


def _item(text: str, words: Words) -> tuple[str, list[str]]:
    """(subject, facts) of an outline line; no subject where the line holds permanent changes as they were written."""
    if words.language == "en":
        match = _SUBJECT_EN.match(text)
        return (match["who"], [p for p in text[match.end() :].split(FACT_MARK["en"]) if p]) if match else ("", [])
    subject, found, rest = text.partition(SUBJECT_MARK["zh"])
    return (subject, [p for p in rest.split(FACT_MARK["zh"]) if p]) if found else ("", [])
