"""Tells whether a text repeats a sentence of its source (N6).

Both texts are cut into units (a CJK character or a word), punctuation and case aside. A unit weighs 1/12 or 1/8 of a
whole, so that twelve characters and eight words weigh the same in mixed text. Windows of eight units are compared
through a set: linear in both lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from talekeeper.memory.text import is_cjk
from talekeeper.rules.lexicon import Words
from talekeeper.rules.scan import same_length_lower, sentences, units

WINDOW = 8
_CJK_WEIGHT, _WORD_WEIGHT = 2, 3
ENOUGH = 24
"""Twelve CJK characters or eight words."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """A text in units: their spans and spellings, and the running sum of their weights."""

    spans: tuple[tuple[int, int], ...]
    spelt: tuple[str, ...]
    weights: tuple[int, ...]
    sentences: tuple[tuple[int, int], ...]

    def weight(self, first: int, last: int) -> int:
        return self.weights[last] - self.weights[first]


def _cut(text: str, ends: Words) -> _Cut:
    low = same_length_lower(text)
    spans = units(text)
    spelt = tuple(low[a:b] for a, b in spans)
    weights = accumulate((_CJK_WEIGHT if is_cjk(u[0]) else _WORD_WEIGHT for u in spelt), initial=0)
    return _Cut(tuple(spans), spelt, tuple(weights), tuple(_in_units(spans, sentences(text, ends))))


_source = lru_cache(maxsize=4)(_cut)


def _in_units(spans: Sequence[tuple[int, int]], found: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Sentence spans as ranges of unit indices."""
    at = 0
    for _, end in found:
        first = at
        while at < len(spans) and spans[at][0] < end:
            at += 1
        if at > first:
            yield first, at


def copied(text: str, source: str, ends: Words) -> Iterator[tuple[int, int]]:
    """Spans in ``text`` that repeat a sentence of ``source``.

    A repeat is a whole sentence of either text, found in the other, of at least twelve CJK characters or eight words;
    or any stretch twice as long, wherever it begins.
    """
    mine = _cut(text, ends)
    if mine.weight(0, len(mine.spelt)) < ENOUGH or not source:
        return
    theirs = _source(source, ends)
    windows = _windows(mine.spelt)
    wanted = dict(zip(reversed(windows), range(len(windows) - 1, -1, -1), strict=True))
    shared = {w for w in _windows(theirs.spelt) if w in wanted}
    if not shared:
        return
    flags = [w in shared for w in windows]
    reported = -1
    for first, last in _hits(mine, theirs, flags, wanted):
        if first >= reported:
            reported = last
            yield mine.spans[first][0], mine.spans[last - 1][1]


def _hits(mine: _Cut, theirs: _Cut, flags: list[bool], wanted: dict[tuple[str, ...], int]) -> list[tuple[int, int]]:
    hits: list[tuple[int, int]] = []
    run = list(accumulate(flags, lambda n, flag: n + 1 if flag else 0))
    for first, last in mine.sentences:
        if mine.weight(first, last) >= ENOUGH and run[last - WINDOW] > last - WINDOW - first:
            hits.append((first, last))
    for at, n in enumerate(run):
        ends = at + 1 == len(run) or not run[at + 1]
        if n and ends and mine.weight(at - n + 1, at + WINDOW) >= 2 * ENOUGH:
            hits.append((at - n + 1, at + WINDOW))
    theirs_windows = _windows(theirs.spelt)
    found = list(accumulate((w in wanted for w in theirs_windows), lambda n, flag: n + 1 if flag else 0))
    for first, last in theirs.sentences:
        if theirs.weight(first, last) >= ENOUGH and found[last - WINDOW] > last - WINDOW - first:
            at = wanted[theirs_windows[first]]
            stop = min(at + last - first, len(mine.spelt))
            if mine.spelt[at:stop] == theirs.spelt[first:last]:
                hits.append((at, stop))
    return sorted(set(hits))


def _windows(spelt: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(spelt[i:] for i in range(WINDOW)), strict=False))
