"""One thing that a batch tells, ready to stand in a summary, and the choice of the few that matter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_COMMON = frozenset({"the", "and", "that", "her", "his", "for", "with", "from", "had", "was", "were", "their"})


@dataclass(frozen=True, slots=True)
class Point:
    """A shortened sentence.

    Attributes:
        text: the sentence with its full stop; ``subject`` is the name that it opens with, or empty.
        weight: how much a later writer would miss it.
        order: place in the story; ``unit`` the batch's unit.
        tail: the subject of its last clause, which an elliptical clause after it would have.
        others: the same told in fewer words, for when the source's wording shows through.
    """

    text: str
    weight: float
    order: int
    unit: int
    source: str
    subject: str = ""
    others: tuple[str, ...] = ()
    tail: str = ""


def best(candidates: Iterable[Point], limit: int) -> list[Point]:
    """The weightiest few in story order, no two alike."""
    chosen: list[Point] = []
    for point in sorted(candidates, key=lambda p: (-p.weight, p.order)):
        if len(chosen) == limit:
            break
        if not any(alike(point.text, other.text) for other in chosen):
            chosen.append(point)
    return sorted(chosen, key=lambda p: p.order)


def alike(a: str, b: str) -> bool:
    """Whether half of the shorter one stands in the other: words that are no names, or runs of three characters."""
    if " " in a and " " in b:
        first, second = (set(re.findall(r"\b[a-z]{3,}\b", text)) - _COMMON for text in (a, b))
    else:
        first, second = ({text[i : i + 3] for i in range(len(text) - 2)} for text in (a, b))
    return bool(first and second) and len(first & second) * 2 >= min(len(first), len(second))
