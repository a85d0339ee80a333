"""Tells whether a summary repeats what somebody said in the batch (B1).

Dialogue is what stands between quotation marks. A repeat is a stretch that one utterance holds too, of at least six CJK
characters or four words, once names, common phrases and words that any sentence has are left out of the count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from talekeeper.memory.text import is_cjk
from talekeeper.rules.lexicon import Lexicon
from talekeeper.rules.scan import same_length_lower, units

WINDOW = 4
_CJK_RUN, _WORD_RUN = 6, 4
_CJK_OWN, _WORD_OWN = 4, 2
_LONGEST = 2000
_UNIT_MARK = "\x1f"
_SINGLE = "'’‘"
_STOPS = "，。！？、；：,.!?;:"
Span = tuple[int, int]


@lru_cache(maxsize=8)
def _utterances(text: str, pairs: tuple[str, ...]) -> tuple[str, ...]:
    """What stands between quotation marks, in reading order; no utterance runs over a line break."""
    found: list[Span] = []
    start = 0
    for line in text.split("\n"):
        for pair in pairs:
            if pair[0] in line:
                spans = _straight(line, pair[0]) if pair[0] == pair[1] else _paired(line, pair)
                found += [(start + first, start + last) for first, last in spans if last - first <= _LONGEST]
        start += len(line) + 1
    reported, said = 0, list[str]()
    for first, last in sorted(found):
        if first >= reported:
            reported = last
            said.append(text[first:last])
    return tuple(said)


def _paired(line: str, pair: str) -> list[Span]:
    """From each closing mark back to the nearest opening one; what was opened and never closed is no utterance."""
    spans: list[Span] = []
    end = 0
    at = line.find(pair[1])
    while at >= 0:
        if pair[1] not in _SINGLE or _closes(line, at):
            first = line.rfind(pair[0], end, at)
            if first >= 0:
                spans.append((first + 1, at))
            end = at + 1
        at = line.find(pair[1], at + 1)
    return spans


def _straight(line: str, mark: str) -> list[Span]:
    """Marks that open and close alike are taken in twos, where all of them read so; a line with an odd one is left out,
    for in it speech and narration can't be told apart."""
    places = [i for i, char in enumerate(line) if char == mark]
    if mark in _SINGLE:
        places = [i for i in places if not (_lettered(line, i - 1) and _lettered(line, i + 1))]
    twos = list(zip(places[::2], places[1::2], strict=False))
    reads = all(_opens(line, first) and _ends(line, last) for first, last in twos)
    return [(first + 1, last) for first, last in twos] if reads and len(places) % 2 == 0 else []


def _opens(line: str, at: int) -> bool:
    after, before = line[at + 1 : at + 2], line[at - 1 : at] if at else ""
    latin = _lettered(line, at - 1) and not is_cjk(before)
    return bool(after) and not after.isspace() and after not in _STOPS and not latin


def _ends(line: str, at: int) -> bool:
    before, after = line[at - 1 : at], line[at + 1 : at + 2]
    if is_cjk(before) and after and is_cjk(after):
        return False
    return not before.isspace() and not (_lettered(line, at + 1) and not is_cjk(after))


def _lettered(line: str, at: int) -> bool:
    return 0 <= at < len(line) and line[at].isalnum()


def _closes(text: str, at: int) -> bool:
    """A single mark that may end an utterance, and no apostrophe: nothing of a word follows, no space stands before."""
    return not text[at + 1 : at + 2].isalnum() and not text[at - 1 : at].isspace()


def narration(text: str, words: Lexicon) -> str:
    """The batch text without its dialogue."""
    return _narration(text, words.dialogue_pairs)


@lru_cache(maxsize=8)
def _narration(text: str, pairs: tuple[str, ...]) -> str:
    at, parts = 0, list[str]()
    for said in _utterances(text, pairs):
        start = text.index(said, at) if said else at
        parts.append(text[at:start])
        at = start + len(said)
    return "".join([*parts, text[at:]])


class _Dialogue:
    """All utterances as units, joined so that no stretch runs from one into the next."""

    def __init__(self, utterances: Iterable[str]) -> None:
        rows = [units(same_length_lower(said)) for said in utterances]
        self.whole = f"{_UNIT_MARK}{_UNIT_MARK}".join(_UNIT_MARK.join(["", *row, ""]) for row in rows)
        self.windows = {tuple(row[i : i + WINDOW]) for row in rows for i in range(len(row) - WINDOW + 1)}

    def holds(self, spelt: list[str]) -> bool:
        return _UNIT_MARK.join(["", *spelt, ""]) in self.whole


@lru_cache(maxsize=4)
def _dialogue(text: str, pairs: tuple[str, ...]) -> _Dialogue:
    return _Dialogue(_utterances(text, pairs))


def spoken_on_the_spot(text: str, batch_text: str, words: Lexicon, names: frozenset[str]) -> Iterator[Span]:
    """Spans in ``text`` that repeat dialogue of the batch."""
    if not batch_text:
        return
    said = _dialogue(batch_text, words.dialogue_pairs)
    low = same_length_lower(text)
    spelt = units(low)
    shared = [tuple(spelt[i : i + WINDOW]) in said.windows for i in range(len(spelt) - WINDOW + 1)]
    if not any(shared):
        return
    places = _places(low, spelt)
    own = _own(low, places, words, names)
    at = 0
    while at < len(shared):
        if not shared[at]:
            at += 1
            continue
        end = _reach(spelt, at, shared, said)
        if _enough(spelt[at:end], own[at:end]):
            yield places[at][0], places[end - 1][1]
            at = end
        else:
            at = max(at + 1, end - WINDOW + 1)


def _reach(spelt: list[str], at: int, shared: list[bool], said: _Dialogue) -> int:
    """The end of the longest stretch from ``at`` that stands in one utterance, by halving."""
    last = at
    while last + 1 < min(len(shared), at + _LONGEST) and shared[last + 1]:
        last += 1
    low, high = at + WINDOW, last + WINDOW
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if said.holds(spelt[at:middle]) else (low, middle - 1)
    return low


def _places(low: str, spelt: list[str]) -> list[Span]:
    found: list[Span] = []
    at = 0
    for unit in spelt:
        start = low.index(unit, at)
        at = start + len(unit)
        found.append((start, at))
    return found


def _own(low: str, places: list[Span], words: Lexicon, names: frozenset[str]) -> list[bool]:
    """For each unit, whether it counts as somebody's own word: no name, common phrase, number or plain word."""
    covered = bytearray(len(low))
    for phrase in (*names, *words.common_phrases):
        needle = same_length_lower(phrase)
        at = low.find(needle) if needle else -1
        while at >= 0:
            covered[at : at + len(needle)] = b"\1" * len(needle)
            at = low.find(needle, at + len(needle))
    plain = {*words.plain_characters, *words.plain_words}
    return [
        not covered[start] and (unit := low[start:end]) not in plain and not unit.isdigit() for start, end in places
    ]


def _enough(spelt: list[str], own: list[bool]) -> bool:
    """Six CJK characters or four words in a row, four or two of them somebody's own; mixed text by weight."""
    run = sum(1 / _CJK_RUN if is_cjk(u[0]) else 1 / _WORD_RUN for u in spelt)
    mine = sum(1 / _CJK_OWN if is_cjk(u[0]) else 1 / _WORD_OWN for u, counts in zip(spelt, own, strict=True) if counts)
    return run > 0.999 and mine > 0.999
