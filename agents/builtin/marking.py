"""Text in which every known name is one private-use character, so that patterns about people never change.

A pattern that lists the names of the day has to be compiled anew each turn, which cost more than all reading together.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from talekeeper.agents.builtin.words import alternatives
from talekeeper.memory.models import Language

PERSON_CHARS = "\ue000-\ue7ff"
PLACE_CHARS = "\ue800-\uefff"
_PERSONS, _PLACES = 0xE000, 0xE800
_MOST = 0x800


class Marker:
    """Marks the names of one cast."""

    def __init__(self, persons: Sequence[str], places: Sequence[str], language: Language) -> None:
        self.names: dict[str, str] = {}
        for base, names in ((_PLACES, places), (_PERSONS, persons)):
            for i, name in enumerate(names[:_MOST]):
                self.names[name] = chr(base + i)
        edge = "" if language == "zh" else r"\b"
        self._pattern = re.compile(f"{edge}{alternatives(self.names)}{edge}")
        self._back = {char: name for name, char in self.names.items()}

    def mark(self, text: str) -> Marked:
        """``text`` with its names marked."""
        parts: list[str] = []
        shifts: list[tuple[int, int]] = [(0, 0)]
        at = size = 0
        for match in self._pattern.finditer(text):
            parts += [text[at : match.start()], self.names[match.group()]]
            size += match.start() - at + 1
            at = match.end()
            shifts.append((size, at))
        parts.append(text[at:])
        return Marked("".join(parts), shifts, self._back)


class Marked:
    """A marked text: ``text`` is what patterns are run on."""

    def __init__(self, text: str, shifts: list[tuple[int, int]], back: dict[str, str]) -> None:
        self.text = text
        self._shifts = shifts
        self._starts = [s for s, _ in shifts]
        self._back = back

    def plain(self, text: str | None) -> str:
        """A piece of marked text with its names written out."""
        return "".join(self._back.get(c, c) for c in text or "")

    def offset(self, at: int) -> int:
        """Where a position of the marked text stands in the original."""
        here, there = self._shifts[bisect_right(self._starts, at) - 1]
        return there + at - here
