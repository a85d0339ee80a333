"""Who and what is in this dispatch: found names joined with what the look-ups answered.

From here on every role speaks of titles (one for each person or place), whatever surface the text used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from talekeeper.agents.builtin.found import PERSON, PLACE
from talekeeper.agents.builtin.marking import Marked, Marker
from talekeeper.agents.builtin.reading import Reading, is_narrator
from talekeeper.agents.builtin.subjects import Tracker
from talekeeper.agents.builtin.words import Words
from talekeeper.agents.protocols import Briefing


@dataclass(frozen=True)
class Member:
    """One person or place: its title, every surface the batch uses, the node it is (if one, and only one, matched)."""

    title: str
    type: str
    surfaces: tuple[str, ...]
    node_id: str | None = None
    ambiguous: bool = False
    narrator: bool = False
    speaks: bool = False
    mentions: int = 0
    acts: bool = False


@dataclass(frozen=True)
class Cast:
    """Members in order of weight: the present first, then by mentions, then by name.

    ``aliases`` maps a short or other name that the batch uses to the name it stands for.
    """

    members: tuple[Member, ...]
    by_surface: Mapping[str, Member]
    tracker: Tracker
    marked: tuple[Marked, ...]
    marker: Marker
    aliases: Mapping[str, str]

    @property
    def persons(self) -> tuple[Member, ...]:
        return tuple(m for m in self.members if m.type == PERSON and not m.narrator)

    @property
    def places(self) -> tuple[Member, ...]:
        return tuple(m for m in self.members if m.type == PLACE)

    @property
    def present(self) -> tuple[Member, ...]:
        return tuple(m for m in self.persons if m.acts or m.speaks)

    def surfaces(self, type: str) -> list[str]:
        """All surfaces of a type, longest first."""
        return _longest_first({s for m in self.members if m.type == type and not m.narrator for s in m.surfaces})

    def title_of(self, surface: str) -> str:
        member = self.by_surface.get(surface)
        return member.title if member else surface


def build_cast(briefing: Briefing, reading: Reading, words: Words) -> Cast:
    """The cast of a dispatch; ``briefing.appearing`` rules which names exist."""
    grouped: dict[tuple[str, str], list[str]] = {}
    nodes: dict[tuple[str, str], tuple[str, ...]] = {}
    for appearance in briefing.appearing:
        ids = tuple(dict.fromkeys(m.node_id for m in appearance.matches if m.type == appearance.type))
        title = appearance.name
        if len(ids) == 1:
            title = next(m.title for m in appearance.matches if m.node_id == ids[0])
        key = (appearance.type, title)
        grouped.setdefault(key, []).append(appearance.name)
        nodes[key] = ids
    people = [title for kind, title in grouped if kind == PERSON]
    aliases = dict(reading.aliases) | _short_forms(people, reading, words)
    titles = {
        name: title
        for (kind, title), names in grouped.items()
        for name in (*names, title, *(a for a, who in aliases.items() if who in names or who == title))
        if kind == PERSON and not any(is_narrator(n, reading, words) for n in names if n in reading.speakers)
    }
    tracker = Tracker(reading, titles, words)
    shown = tracker.present()
    members = []
    for (kind, title), names in grouped.items():
        extra = [a for a, who in aliases.items() if who in names or who == title]
        surfaces = tuple(dict.fromkeys([*names, title, *extra]))
        ids = nodes[(kind, title)]
        members.append(_member(kind, title, surfaces, ids, shown, reading, words))
    user = {m.name for unit in reading.units for m in unit.messages if m.role == "user"}
    members.sort(key=lambda m: (not user & set(m.surfaces), not m.speaks, not m.acts, -m.mentions, m.title))
    by_surface = {s: m for m in reversed(members) for s in m.surfaces}
    named = [(s, m) for s, m in by_surface.items() if not m.narrator]
    persons, places = (_longest_first(s for s, m in named if m.type == kind) for kind in (PERSON, PLACE))
    marker = Marker(persons, places, words.language)
    return Cast(
        tuple(members), by_surface, tracker, tuple(marker.mark(text) for text in reading.texts), marker, aliases
    )


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda s: (-len(s), s))


def _member(
    type: str,
    title: str,
    surfaces: tuple[str, ...],
    ids: tuple[str, ...],
    shown: frozenset[str],
    reading: Reading,
    words: Words,
) -> Member:
    speakers = reading.speakers
    author = type == PERSON and any(s in speakers for s in surfaces)
    narrator = author and any(is_narrator(s, reading, words) for s in surfaces)
    speaks = author and any(_in_person(s, shown, title, reading) for s in surfaces if s in speakers)
    mentions = sum(text.count(s) for text in reading.texts for s in surfaces if not _covered(s, surfaces))
    acts = type == PERSON and title in shown
    return Member(
        title, type, surfaces, ids[0] if len(ids) == 1 else None, len(ids) > 1, narrator, speaks, mentions, acts
    )


def _covered(surface: str, surfaces: Iterable[str]) -> bool:
    return any(surface != other and surface in other for other in surfaces)


def _short_forms(people: list[str], reading: Reading, words: Words) -> dict[str, str]:
    """First names that the text uses for people known by their full name, where only one person can be meant."""
    if words.language != "en":
        return {}
    firsts: dict[str, list[str]] = {}
    for title in people:
        first, _, rest = title.partition(" ")
        if rest and len(first) > 2 and first not in words.set("not_names") | {"Old", "Young"}:
            firsts.setdefault(first, []).append(title)
    text = "\n".join(reading.texts)
    return {
        first: titles[0]
        for first, titles in firsts.items()
        if len(titles) == 1
        and first not in people
        and re.search(rf"\b{re.escape(first)}\b(?! {titles[0].split()[-1]})", text)
    }


def _in_person(name: str, shown: frozenset[str], title: str, reading: Reading) -> bool:
    """Whether a message's author is in the scene: the user always; a card when it speaks, or when nobody else acts.

    A card often tells the story of others under its own name; then being the author is no sign of being there.
    """
    mine = [m for unit in reading.units for m in unit.messages if m.name == name and m.text]
    if title in shown or any(m.role == "user" for m in mine):
        return True
    if any(s.speaker == name for s in reading.speech):
        return True
    users = {m.name for unit in reading.units for m in unit.messages if m.role == "user"}
    return not (shown - users)
