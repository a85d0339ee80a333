"""Picks the few things of a batch that a later writer would miss, each told in fewer words than the text uses.

What stays is who did what to whom; speech, looks, feelings and similes fall away. No sentence of the source is
repeated: where one shows through, a shorter telling of the same takes its place, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from talekeeper.agents.builtin.cast import Cast, Member
from talekeeper.agents.builtin.narrate_en import NarrationEn
from talekeeper.agents.builtin.narrate_zh import NarrationZh, merged
from talekeeper.agents.builtin.point import Point, best
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.reported import reported
from talekeeper.agents.builtin.words import Words
from talekeeper.rules.copying import copied
from talekeeper.rules.lexicon import lexicon


def points(reading: Reading, cast: Cast, words: Words) -> list[Point]:
    """All that can be told of the batch, in story order."""
    user = next((m.title for m in cast.persons if m.speaks and _is_user(m, reading)), "")
    narration = (NarrationZh if words.language == "zh" else NarrationEn)(reading, cast, words, user)
    lines = {id(line.sentence): line for line in cast.tracker.lines}
    found: list[Point] = []
    for order, sentence in enumerate(reading.sentences):
        line = lines.get(id(sentence))
        if line:
            found.extend(narration.points(line, order))
        elif point := reported(sentence, order, cast, words):
            found.append(point)
    return found


def chosen(
    found: Sequence[Point], source: str, words: Words, limit: int, rows: Sequence[str] = ()
) -> tuple[Point, ...]:
    """The weightiest in story order, said in words of their own; one subject's neighbours share a sentence.

    A point that says one of ``rows`` (permanent changes) keeps its sentence to itself, so that the row stands in it.
    """
    own = [p for p in (_own(point, source, words) for point in found) if p is not None]
    kept = best(own, limit)
    while (seen := _shown(kept, words, rows)) and _copies(_prose(seen, words), source, words):
        kept = _less(kept, source, words, rows)
    return tuple(seen)


def _shown(kept: Sequence[Point], words: Words, rows: Sequence[str]) -> list[Point]:
    return merged(kept, rows) if words.language == "zh" else list(kept)


def _prose(kept: Sequence[Point], words: Words) -> str:
    return ("" if words.language == "zh" else " ").join(p.text for p in kept)


def _less(kept: Sequence[Point], source: str, words: Words, rows: Sequence[str]) -> list[Point]:
    """The points with the lightest told shorter, where it can be; else without it."""
    for point in sorted(kept, key=lambda p: (p.weight, -p.order)):
        for i, text in enumerate(point.others):
            fewer = [replace(p, text=text, others=p.others[i + 1 :]) if p is point else p for p in kept]
            if len(text) < len(point.text) and not _copies(_prose(_shown(fewer, words, rows), words), source, words):
                return fewer
    lightest = min(kept, key=lambda p: (p.weight, -p.order))
    return [p for p in kept if p is not lightest]


def _own(point: Point, source: str, words: Words) -> Point | None:
    text = next((t for t in (point.text, *point.others) if not _copies(t, source, words)), "")
    return replace(point, text=text) if text else None


def _copies(text: str, source: str, words: Words) -> bool:
    return next(copied(text, source, lexicon(words.language).sentence_ends), None) is not None


def _is_user(member: Member, reading: Reading) -> bool:
    return any(
        message.role == "user" and message.name in member.surfaces
        for unit in reading.units
        for message in unit.messages
    )
