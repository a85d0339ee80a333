"""The bracketed line of time and place that opens many messages: 【正月初八 亥时·照夜坊】, [Day 3, dusk · Inn]."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from talekeeper.agents.builtin.sentences import bodies, header_end
from talekeeper.agents.builtin.words import Words
from talekeeper.memory.models import Unit

_DATED = re.compile(r"[年月日时刻更回章]|\d|\b(?:Day|AM|PM|am|pm)\b")


@dataclass(frozen=True, slots=True)
class Stage:
    """One such line; ``start`` is where the place stands in ``Unit.text``."""

    unit: int
    time: str
    place: str
    start: int


def stages(units: Sequence[Unit], words: Words) -> list[Stage]:
    """All of them, in order."""
    found = []
    for index, unit in enumerate(units):
        for message, base in bodies(unit):
            match = words.pattern("scene_header").match(message.text)
            if match and header_end(message.text, words):
                time, place = _cut(match["v"], words)
                at = message.text.find(place) if place else 0
                found.append(Stage(index, time, place, base + at))
    return found


def _cut(value: str, words: Words) -> tuple[str, str]:
    """(time, place): the time is what counts in units, the place the last part that doesn't."""
    parts = [p.strip() for p in re.split(r"\s*[·・|｜]\s*|，|,\s(?!\d)", value) if p.strip()]
    day_parts = {sign for _, _, signs in words.data["day_parts"] for sign in signs}
    times = [p for p in parts if _DATED.search(p) or p.lower() in day_parts]
    places = [p for p in parts if p not in times and not re.search(r"[℃%°]", p)]
    return (" ".join(times), places[-1] if places else "")
