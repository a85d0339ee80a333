"""Reads a child event back into facts: who did what, in a few words each, for merging into an outline."""

from __future__ import annotations

import re
from dataclasses import dataclass

from talekeeper.agents.builtin.scene import header_of
from talekeeper.agents.builtin.sentences import clauses
from talekeeper.agents.builtin.words import Words, alternatives
from talekeeper.memory.models import Node

_TEXT_LIMIT = {"zh": 18, "en": 12}
_JOINTS = frozenset(
    ("in", "on", "at", "with", "before", "after", "while", "as", "from", "for", "because", "that", "who")
)
_LEAD_ZH = re.compile(r"^(?P<who>.+?)(?:等)?(?:独自)?在(?P<place>.+?)(?:就(?P<topics>.+?)交谈|交谈)?。")
_LEAD_EN = re.compile(
    r"^(?P<who>.+?)(?: and others)? (?:was alone at|was at|were at|was present|were present"
    r"|talked over (?P<topics>.+?) at|talked at)\b(?P<place>.*?)\.(?:\s|$)"
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
    facts.extend(Fact(*_split_row(row, people, words), 9.0, 90 + i) for i, row in enumerate(rows))
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
        text = f"谈{match['topics']}" if zh else f"talked over {match['topics']}"
        lead.append(Fact(match["who"], text, 1.0, 0, True))
    return people, lead, prose[match.end() :]


def _split_row(row: str, people: tuple[str, ...], words: Words) -> tuple[str, str]:
    """A permanent change as (subject, rest)."""
    text = row.rstrip("。. ")
    who = next((p for p in sorted(people, key=len, reverse=True) if text.startswith(p)), "")
    if who:
        return who, text[len(who) :].strip()
    if words.language == "zh":
        return text[:2], text[2:]
    first, _, rest = text.partition(" ")
    return first, rest


def _facts(sentence: str, people: tuple[str, ...], words: Words, order: int) -> list[Fact]:
    """The clause of a sentence that says most, as a fact of its subject."""
    zh = words.language == "zh"
    subject, best = "", Fact("", "", -1.0, order)
    name = alternatives(people)
    led = re.compile(rf"(?:.{{0,5}}?)(?P<who>{name})(?!的)" if zh else rf"(?P<who>{name})\b(?!')")
    for i, clause in enumerate(clauses(sentence.strip(" 。."), words)):
        match = led.match(clause)
        subject = match["who"] if match else subject
        text = clause[match.end() :].strip() if match else clause
        if not subject:
            subject, text = _split_row(clause, people, words)
        text = _trimmed(text, words)
        hits = len(set(words.any_of("weight_verbs").findall(text)))
        weight = 2.0 * min(hits, 2) + 1.5 * (i == 0) + 0.5 * any(p in text for p in people) - 1.0 * (len(text) < 5)
        if subject and len(text) > 1 and weight > best.weight:
            fleeting = bool(words.any_of("fleeting").search(text))
            best = Fact(subject, text, weight - 1.0 * fleeting, order, fleeting)
    return [best] if best.text else []


def _guess(clause: str) -> str:
    match = re.match("[\u4e00-\u9fff]{2,3}?(?=把|将|在|从|向|对|与|和|已|便|又|也|被|让|给|没|不|[一-龥])", clause)
    return match.group() if match else ""


def _trimmed(text: str, words: Words) -> str:
    limit = _TEXT_LIMIT[words.language]
    if words.language == "zh":
        text = re.sub("^(?:已经|已|便|又|也|就|终于|亲手|亲自|独自|立刻|当即|先后)+", "", text)
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
    people: list[str] = []
    for i, line in enumerate(lines):
        text = re.sub(r"^\d+\)\s*", "", line).strip()
        if not text:
            continue
        subject, parts = _item(text, words)
        people.append(subject)
        for j, part in enumerate(parts):
            hits = len(set(words.any_of("weight_verbs").findall(part)))
            fleeting = bool(words.any_of("fleeting").search(part))
            order = node.position * 100 + i * 10 + j
            facts.append(Fact(subject, part, 1.0 + 2.0 * min(hits, 2) - 1.0 * fleeting, order, fleeting))
    return Child(node.id, first, last, "", tuple(dict.fromkeys(people)), tuple(facts), ())


def _item(text: str, words: Words) -> tuple[str, list[str]]:
    """(subject, facts) of an outline line."""
    if words.language == "zh":
        subject, found, rest = text.partition("先后")
        if found:
            return subject, [p for p in rest.split("、") if p]
        subject = _guess(text)
        return subject, [text[len(subject) :]]
    match = re.match(r"(?P<who>[A-Z][\w'-]*(?:(?:, | and | )[A-Z][\w'-]*)*)\s(?P<rest>.+)", text)
    if not match:
        return text.split(" ")[0], [text.partition(" ")[2]]
    return match["who"], [p for p in match["rest"].split("; ") if p]
