"""Tells whether a text repeats a sentence of its source (N6).

Both texts are cut into units (a CJK character or a word), punctuation and case aside. A unit weighs 1/12 or 1/8 of a
whole, so that twelve characters and eight words weigh the same in mixed text. Windows of eight units are compared
through a set: linear in both lengths, and little is done for the usual field, which shares no window at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

from talekeeper.memory.text import is_cjk
from talekeeper.rules.lexicon import Words
from talekeeper.rules.scan import same_length_lower, sentences, units

WINDOW = 8
_CJK_WEIGHT, _WORD_WEIGHT = 2, 3
ENOUGH = 24
"""Twelve CJK characters or eight words."""

_MOST_PLACES = 16

Window = tuple[str, ...]


class _Cut:
    """A text in units; where each stands, what it weighs and which sentences they form is worked out when asked for."""

    def __init__(self, text: str, ends: Words) -> None:
        self._low, self._ends = same_length_lower(text), ends
        self.spelt = units(self._low)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        at = 0
        for unit in self.spelt:
            start = self._low.index(unit, at)
            at = start + len(unit)
            found.append((start, at))
        return found

    @cached_property
    def _weights(self) -> list[int]:
        return list(accumulate((_CJK_WEIGHT if is_cjk(u[0]) else _WORD_WEIGHT for u in self.spelt), initial=0))

    def weight(self, first: int, last: int) -> int:
        return self._weights[last] - self._weights[first]

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Each sentence as a range of units."""
        counts = (len(units(self._low[a:b])) for a, b in sentences(self._low, self._ends))
        edges = list(accumulate(counts, initial=0))
        return list(pairwise(edges))

    def windows(self) -> list[Window]:
        return list(zip(*(self.spelt[i:] for i in range(WINDOW)), strict=False))


_source = lru_cache(maxsize=4)(_Cut)


def copied(text: str, source: str, ends: Words) -> Iterator[tuple[int, int]]:
    """Spans in ``text`` that repeat a sentence of ``source``.

    A repeat is a whole sentence of either text, found in the other, of at least twelve CJK characters or eight words;
    or any stretch twice as long, wherever it begins.
    """
    mine = _Cut(text, ends)
    windows = mine.windows()
    if not windows or not source:
        return
    theirs = _source(source, ends)
    source_windows = theirs.windows()
    shared = set(windows).intersection(source_windows)
    if not shared:
        return
    hits = _own_hits(mine, _runs(w in shared for w in windows))
    places = _places(windows)
    for first, last in _sentences_within(theirs, _runs(w in shared for w in source_windows)):
        spelt = theirs.spelt[first:last]
        at = next((i for i in places[source_windows[first]] if mine.spelt[i : i + len(spelt)] == spelt), None)
        if at is not None:
            hits.append((at, at + len(spelt)))
    reported = -1
    for first, last in sorted(hits):
        if first >= reported:
            reported = last
            yield mine.spans[first][0], mine.spans[last - 1][1]


def _places(windows: Sequence[Window]) -> dict[Window, list[int]]:
    """The first places of each window; a few are enough, for a text that repeats itself more often says so little."""
    places: dict[Window, list[int]] = {}
    for at, window in enumerate(windows):
        found = places.setdefault(window, [])
        if len(found) < _MOST_PLACES:
            found.append(at)
    return places


def _runs(flags: Iterable[bool]) -> list[int]:
    """For each window, how many in a row up to it are shared."""
    return list(accumulate(flags, lambda run, flag: run + 1 if flag else 0, initial=0))[1:]


def _sentences_within(cut: _Cut, runs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Sentences of enough weight all of whose windows are shared."""
    for first, last in cut.sentences:
        if last - first >= WINDOW and runs[last - WINDOW] > last - WINDOW - first and cut.weight(first, last) >= ENOUGH:
            yield first, last


def _own_hits(mine: _Cut, runs: Sequence[int]) -> list[tuple[int, int]]:
    """Whole sentences of the text, and stretches of twice the weight."""
    hits = list(_sentences_within(mine, runs))
    for at, run in enumerate(runs):
        stretch = (at - run + 1, at + WINDOW)
        ends_here = run and (at + 1 == len(runs) or not runs[at + 1])
        if ends_here and mine.weight(*stretch) >= 2 * ENOUGH:
            hits.append(stretch)
    return hits
