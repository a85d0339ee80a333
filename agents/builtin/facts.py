"""Stable facts that the text states outright: other names, a lasting post, who holds a place, ties between two people.

Nothing is inferred. A fact without its own sentence isn't written.
"""

from __future__ import annotations

from dataclasses import dataclass

from talekeeper.agents.builtin.cast import Cast, post_in
from talekeeper.agents.builtin.found import PERSON, PLACE
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.words import Words
from talekeeper.memory.models import Evidence


@dataclass(frozen=True, slots=True)
class FieldFact:
    """A value that a field of the node titled ``title`` should have."""

    type: str
    title: str
    field: str
    value: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation between two titles, running from the doer."""

    source: str
    relation: str
    target: str
    evidence: Evidence


def field_facts(reading: Reading, cast: Cast, words: Words) -> tuple[FieldFact, ...]:
    """Aliases, identities and controllers, each at most once."""
    found: dict[tuple[str, str, str], FieldFact] = {}
    for alias, who in cast.aliases.items():
        owner, holder = cast.by_surface.get(who), cast.by_surface.get(alias)
        if owner is None or owner.narrator or (holder is not None and holder.title != owner.title):
            continue
        if alias == owner.title:
            continue
        index, at = next(((i, t.find(alias)) for i, t in enumerate(reading.texts) if alias in t), (0, 0))
        span = Evidence.of(reading.units[index], at, at + len(alias))
        found.setdefault((owner.title, "aliases", alias), FieldFact(owner.type, owner.title, "aliases", alias, span))
    for member in cast.persons if words.language == "zh" else ():
        post = post_in(member.title, reading.texts, words)
        if post:
            index, at = next(
                (i, t.find(post + member.title)) for i, t in enumerate(reading.texts) if post + member.title in t
            )
            span = Evidence.of(reading.units[index], at, at + len(post + member.title))
            found.setdefault((member.title, "identity", ""), FieldFact(PERSON, member.title, "identity", post, span))
    for key, kind, field in (("identity_pattern", PERSON, "identity"), ("controller_pattern", PLACE, "controller")):
        pattern = words.named(words.text(key))
        for unit, marked in zip(reading.units, cast.marked, strict=True):
            for match in pattern.finditer(marked.text):
                named = {name: marked.plain(value) for name, value in match.groupdict().items()}
                title = cast.title_of(named["who"] if kind == PERSON else named["place"])
                value = named["role"] if kind == PERSON else cast.title_of(named["who"])
                span = Evidence.of(unit, marked.offset(match.start()), marked.offset(match.end()))
                found.setdefault((title, field, ""), FieldFact(kind, title, field, value, span))
    return tuple(found.values())


def ties(reading: Reading, cast: Cast, words: Words) -> tuple[Tie, ...]:
    """Relations between two people of the cast, stated in so many words."""
    found: dict[tuple[str, str, str], Tie] = {}
    for relation, raw in words.data["relation_patterns"]:
        pattern = words.named(raw)
        for unit, marked in zip(reading.units, cast.marked, strict=True):
            for match in pattern.finditer(marked.text):
                a, b = (cast.title_of(marked.plain(match[end])) for end in ("a", "b"))
                if a != b and not _unreal(marked.text, match.start(), match.group(), words):
                    span = Evidence.of(unit, marked.offset(match.start()), marked.offset(match.end()))
                    found.setdefault((a, relation, b), Tie(a, relation, b, span))
    return tuple(found.values())


def _unreal(text: str, start: int, matched: str, words: Words) -> bool:
    near = text[max(0, start - 6) : start] + matched
    marks = (
        ("没", "不", "若", "如果", "想要", "要是") if words.language == "zh" else (" not ", "n't ", " if ", " never ")
    )
    return any(mark in near for mark in marks)
