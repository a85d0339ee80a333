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
from talekeeper.agents.builtin.words import Words, alternatives
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
    fresh = {a.name for a in briefing.appearing if a.type == PERSON and not a.matches}
    for appearance in briefing.appearing:
        ids = tuple(dict.fromkeys(m.node_id for m in appearance.matches if m.type == appearance.type))
        title = appearance.name
        if len(ids) == 1:
            title = next(m.title for m in appearance.matches if m.node_id == ids[0])
        elif not ids and appearance.type == PERSON and reading.aliases.get(title) in fresh:
            title = reading.aliases[title]
        key = (appearance.type, title)
        grouped.setdefault(key, []).append(appearance.name)
        nodes[key] = nodes.get(key) or ids
    people = [title for kind, title in grouped if kind == PERSON]
    posts = {title: _post_of(title, nodes.get((PERSON, title), ()), briefing, reading, words) for title in people}
    aliases = dict(reading.aliases) | _short_forms(people, reading, words) | _post_forms(posts, reading, words)
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
    """First or family names that the text uses for people known by their full name, where only one can be meant."""
    if words.language != "en":
        return {}
    bearers: dict[str, set[str]] = {}
    for title in people:
        parts = title.split()
        for short in {parts[0], parts[-1]} if len(parts) > 1 else ():
            if len(short) > 2 and short not in words.set("not_names") | words.set("honorifics") | {"Old", "Young"}:
                bearers.setdefault(short, set()).add(title)
    text = "\n".join(reading.texts)
    return {
        short: min(titles)
        for short, titles in bearers.items()
        if len(titles) == 1 and short not in people and _stands_alone(short, text)
    }


def _post_of(title: str, ids: tuple[str, ...], briefing: Briefing, reading: Reading, words: Words) -> str:
    """The post that somebody's sheet, or this text, gives them: 县衙主簿何文远 → 县衙主簿."""
    if words.language != "zh":
        return ""
    node = briefing.nodes.get(ids[0]) if len(ids) == 1 else None
    held = str(node.fields.get("identity") or "") if node else ""
    if held.endswith(words.list("posts")):
        return held
    return post_in(title, reading.texts, words)


def post_in(title: str, texts: Iterable[str], words: Words) -> str:
    """The post that a text puts right before a name; empty where it puts none."""
    post = re.compile(
        rf"(?:县衙|府衙|州衙|本县|本府|本州)?{alternatives(words.list('posts'))}(?={re.escape(title)}(?!的|家))"
    )
    return next((match.group() for text in texts if (match := post.search(text))), "")


def _post_forms(posts: Mapping[str, str], reading: Reading, words: Words) -> dict[str, str]:
    """何主簿 for 何文远 the 主簿: family name and post, where only one person here has both."""
    forms: dict[str, list[str]] = {}
    for title, post in posts.items() if words.language == "zh" else ():
        bare = next((p for p in words.list("posts") if post.endswith(p)), "")
        surname = title[:2] if title[:2] in words.set("compound_surnames") else title[:1]
        if bare and len(title) > 1:
            forms.setdefault(f"{surname}{bare}", []).append(title)
    used = "\n".join(reading.texts)
    return {
        form: titles[0] for form, titles in forms.items() if len(titles) == 1 and form in used and form not in posts
    }


def _stands_alone(short: str, text: str) -> bool:
    """Whether a short name is used without another name beside it."""
    return any(
        not re.search(r"\b[A-Z][\w'’-]+\s$", text[max(0, m.start() - 24) : m.start()])
        for m in re.finditer(rf"\b{re.escape(short)}\b(?!\s[A-Z])", text)
    )


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
