"""Tells whether a text repeats a sentence of its source (N6).

Both texts are cut into units (a CJK character or a word), punctuation and case aside. A unit weighs 1/12 or 1/8 of a
whole, so that twelve characters and eight words weigh the same in mixed text. Windows of eight units are compared
through a set: linear in both lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

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
    found = units(text)
    spans = tuple((a, b) for a, b, _ in found)
    weights = accumulate((_CJK_WEIGHT if cjk else _WORD_WEIGHT for _, _, cjk in found), initial=0)
    return _Cut(
        spans, tuple(low[a:b] for a, b in spans), tuple(weights), tuple(_in_units(spans, sentences(text, ends)))
    )


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
    windows, source_windows = _windows(mine.spelt), _windows(theirs.spelt)
    wanted = dict(zip(reversed(windows), range(len(windows) - 1, -1, -1), strict=True))
    met = [w in wanted for w in source_windows]
    shared = {w for w, hit in zip(source_windows, met, strict=True) if hit}
    if not shared:
        return
    hits = _own_hits(mine, _runs(w in shared for w in windows))
    for first, last in _sentences_within(theirs, _runs(met)):
        at = wanted[source_windows[first]]
        if mine.spelt[at : at + last - first] == theirs.spelt[first:last]:
            hits.append((at, at + last - first))
    reported = -1
    for first, last in sorted(hits):
        if first >= reported:
            reported = last
            yield mine.spans[first][0], mine.spans[last - 1][1]


def _runs(flags: Iterable[bool]) -> list[int]:
    """For each window, how many in a row up to it are shared."""
    return list(accumulate(flags, lambda run, flag: run + 1 if flag else 0, initial=0))[1:]


def _sentences_within(cut: _Cut, runs: list[int]) -> Iterator[tuple[int, int]]:
    """Sentences of enough weight all of whose windows are shared."""
    for first, last in cut.sentences:
        if cut.weight(first, last) >= ENOUGH and runs[last - WINDOW] > last - WINDOW - first:
            yield first, last


def _own_hits(mine: _Cut, runs: list[int]) -> list[tuple[int, int]]:
    """Whole sentences of the text, and stretches of twice the weight."""
    hits = list(_sentences_within(mine, runs))
    for at, run in enumerate(runs):
        stretch = (at - run + 1, at + WINDOW)
        ends_here = run and (at + 1 == len(runs) or not runs[at + 1])
        if ends_here and mine.weight(*stretch) >= 2 * ENOUGH:
            hits.append(stretch)
    return hits


def _windows(spelt: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(spelt[i:] for i in range(WINDOW)), strict=False))
