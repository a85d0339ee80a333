"""Persons and places of an English text: capitalised runs, weighed by how they are used.

English capitals are cheap evidence (every sentence starts with one), so a run counts only with a second sign: it acts,
owns, is addressed, or stands after a word that leads to places.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from talekeeper.agents.builtin.found import PERSON, PLACE, Found
from talekeeper.agents.builtin.marking import Marker
from talekeeper.agents.builtin.words import Words, alternatives

_RUN = re.compile(
    r"(?<![\w'’-])(?:[A-Z][a-zà-ÿ]+(?:['’-][A-Z][a-zà-ÿ]+)*)(?:\s(?:of\s(?:the\s)?|the\s)?[A-Z][a-zà-ÿ]+(?:['’-][A-Z][a-zà-ÿ]+)*)*"
)
_START = re.compile(r"(?:^|[.!?…:;\n*\"“”(\]]|—)\s*[\"“”*(]*$")


@dataclass
class _Use:
    """How a run of capitals is used through the batch."""

    spots: list[tuple[int, int, int]] = field(default_factory=list)
    inside: int = 0
    acts: int = 0
    owns: int = 0
    addressed: int = 0
    led: int = 0
    articled: int = 0
    titled: int = 0


def find_names(texts: Sequence[str], words: Words, chapter: bool, speakers: Sequence[str] = ()) -> list[Found]:
    """Names of a batch, in order of first mention; ``speakers`` are full names that a short form may belong to."""
    uses: dict[str, _Use] = defaultdict(_Use)
    for unit, text in enumerate(texts):
        for match in _RUN.finditer(text):
            _note(text, unit, match, words, uses)
    common = frozenset(word for text in texts for word in re.findall(r"\b[a-z]{3,}\b", text))
    found = []
    for name, use in uses.items():
        kind = _judge(name, use, words, chapter, common)
        if kind:
            unit, start, end = use.spots[0]
            count = len(use.spots)
            found.append(Found(name, PERSON if kind == "person" else PLACE, unit, start, end, count, use.acts > 0))
    return sorted(_merge_short(found, speakers), key=lambda f: (f.unit, f.start, f.name))


def _note(text: str, unit: int, match: re.Match[str], words: Words, uses: dict[str, _Use]) -> None:
    name, start = match.group(), match.start()
    stops, honorifics = words.set("not_names"), words.set("honorifics")
    at_start = bool(_START.search(text[max(0, start - 6) : start]) or start == 0)
    titled = False
    while True:  # leading words that aren't part of a name
        first, _, rest = name.partition(" ")
        lead = first.split("'")[0].split("’")[0]
        if not rest or not (lead in stops or lead in honorifics):
            break
        titled = lead in honorifics
        at_start = at_start and titled
        start += len(first) + 1
        while rest.startswith(("of ", "the ")):
            drop = rest.index(" ") + 1
            start, rest = start + drop, rest[drop:]
        name = rest
    if name.split(" ")[0] in stops | honorifics or len(name) < 3:
        return
    end = start + len(name)
    before, after = text[max(0, start - 24) : start], text[end : end + 24]
    use = uses[name]
    use.spots.append((unit, start, end))
    use.inside += not at_start
    use.titled += titled
    use.acts += bool(
        re.match(r"\s(?:\w+ly\s)?" + alternatives((*words.list("acts"), *words.list("weight_verbs"))) + r"\b", after)
    )
    use.owns += bool(re.match(r"['’]s\b", after))
    use.addressed += bool(re.search(r",\s$", before) and re.match(r"[,.!?]", after)) or bool(
        re.search(r"\b(?:[Hh]i|[Hh]ey|[Hh]ello|[Tt]hanks|[Dd]ear|[Bb]ye)[, ]+$", before)
    )
    lead = alternatives(words.list("place_leads"))
    use.led += bool(re.search(rf"\b{lead}\s(?:the\s)?$", before))
    use.articled += before.endswith(("the ", "The "))


def _judge(name: str, use: _Use, words: Words, chapter: bool, common: frozenset[str]) -> str:
    last = name.split(" ")[-1]
    placed = " " in name and last in words.set("place_suffixes")
    if placed:
        return "place" if use.inside and (use.led or use.articled or len(use.spots) >= 2) else ""
    if use.articled * 2 >= len(use.spots) or " of " in name or " the " in name:
        return ""
    human = use.acts + use.owns + use.addressed + use.titled
    if human and (use.inside or use.titled or len(use.spots) >= 2 or use.acts):
        if chapter and len(use.spots) < 2 and not use.acts:
            return ""
        if not use.inside and use.acts < 1:
            return ""
        if use.led > human:
            return "place" if use.inside and len(use.spots) >= 2 else ""
        plain = name.lower() in common or (" " in name and last.lower() in common)
        return (
            ""
            if plain or last in words.set("not_names") or (not use.inside and len(use.spots) < 2 and not use.titled)
            else "person"
        )
    if use.led and use.inside and use.led * 2 >= len(use.spots) and len(use.spots) >= 2:
        return "place"
    return ""


def _merge_short(found: list[Found], speakers: Sequence[str]) -> list[Found]:
    """``Elias`` beside ``Elias Vane`` is the same person: the fuller name stands, the short one is its alias."""
    full = dict.fromkeys([*(f.name for f in found if " " in f.name and f.type == PERSON), *speakers])
    merged = []
    for item in found:
        owners = [name for name in full if name != item.name and item.name in name.split(" ")]
        owners = owners or [s for s in speakers if len(item.name) >= 3 and s.startswith(item.name) and s != item.name]
        if item.type == PERSON and len(owners) == 1 and owners[0].startswith(item.name):
            item = replace(item, alias_of=owners[0])
        elif owners:
            continue  # a family's name alone doesn't say who
        elif any(item.name != f.name and re.search(rf"\b{re.escape(item.name)}\b", f.name) for f in found):
            continue
        merged.append(item)
    return merged


def aliases_in(texts: Sequence[str], persons: Sequence[str], words: Words) -> dict[str, str]:
    """Alias → bare name, where the text says so in words (known as …, nicknamed …)."""
    found: dict[str, str] = {}
    marker = Marker(persons, (), "en")
    for text in texts:
        marked = marker.mark(text)
        for pattern in words.list("alias_patterns"):
            for match in words.named(pattern).finditer(marked.text):
                alias, who = re.sub(r"^the ", "", marked.plain(match["alias"])), marked.plain(match["who"])
                if alias != who:
                    found.setdefault(alias, who)
    return found
