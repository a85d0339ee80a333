"""Looking through text in one pass, with spans that always count code points of the string that was given.

Rules meet whatever a model or a file sends: a megabyte of one character, lone surrogates, right-to-left marks. So
everything here is linear, and nothing folds a text in a way that would move a span.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from talekeeper.memory.models import Language
from talekeeper.memory.text import CJK, is_cjk

_UNIT = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")
_WORDS_IN = re.compile(f"[{CJK}]|[^\\W_{CJK}]+(?:['’\\-][^\\W_{CJK}]+)*")
_LONG_WORD = 20
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Cs", "Co", "Cn"})
_CONTROL_NAMES = {"\n": "LINE FEED", "\r": "CARRIAGE RETURN", "\t": "TAB", "\0": "NULL"}


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its break: ``text == whole[start:end]``."""

    start: int
    end: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    def stripped(self) -> tuple[int, int, str]:
        """Span and text without the white space around it."""
        left = len(self.text) - len(self.text.lstrip())
        bare = self.text.strip()
        return self.start + left, self.start + left + len(bare), bare


def lines(text: str, start: int = 0, end: int | None = None) -> list[Line]:
    """The lines of ``text[start:end]``; LF and CRLF both count as one break, nothing else does."""
    stop = len(text) if end is None else end
    found: list[Line] = []
    at = start
    while True:
        cut = text.find("\n", at, stop)
        last = stop if cut < 0 else cut
        bare = last - 1 if cut >= 0 and last > at and text[last - 1] == "\r" else last
        found.append(Line(at, bare, text[at:bare]))
        if cut < 0:
            return found
        at = cut + 1


def same_length_lower(text: str) -> str:
    """Lower case with every character in its place (the few that would grow stay as they are)."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def occurrences(text: str, words: Iterable[str], *, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Spans at which one of ``words`` stands: any case, Latin words only as whole words, longest first, no overlaps."""
    low = same_length_lower(text)
    stop = len(text) if end is None else end
    hits: list[tuple[int, int]] = []
    for word in words:
        needle = same_length_lower(word)
        at = low.find(needle, start, stop) if needle else -1
        while at >= 0:
            if stands_alone(low, at, at + len(needle)):
                hits.append((at, at + len(needle)))
            at = low.find(needle, at + len(needle), stop)
    hits.sort(key=lambda hit: (hit[0], -hit[1]))
    kept: list[tuple[int, int]] = []
    for hit in hits:
        if not kept or hit[0] >= kept[-1][1]:
            kept.append(hit)
    return kept


def stands_alone(text: str, start: int, end: int) -> bool:
    """``text[start:end]`` is no part of a longer word of a script with spaces."""
    before = start > 0 and _spaced(text[start - 1]) and _spaced(text[start])
    after = end < len(text) and _spaced(text[end]) and _spaced(text[end - 1])
    return not (before or after)


def _spaced(char: str) -> bool:
    """A letter or digit of a script that puts spaces between words."""
    return char.isalnum() and not is_cjk(char)


def outside(hits: Iterable[tuple[int, int]], free: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The hits that no span of ``free`` covers; both in reading order, neither overlapping itself."""
    shields = list(free)
    kept: list[tuple[int, int]] = []
    at = 0
    for hit in hits:
        while at < len(shields) and shields[at][1] < hit[1]:
            at += 1
        if at == len(shields) or not (shields[at][0] <= hit[0] and hit[1] <= shields[at][1]):
            kept.append(hit)
    return kept


def length(text: str, language: Language) -> int:
    """Length as a reader counts it. zh: characters and punctuation marks, a Latin word or number as one; en: words.

    A run of letters counts once more for each 20 of them, so that no endless "word" slips under a limit.
    """
    count = sum(1 + (m.end() - m.start() - 1) // _LONG_WORD for m in _WORDS_IN.finditer(text))
    if language == "zh":
        count += sum(1 for c in _WORDS_IN.sub("", text) if not c.isspace())
    return count


def units(text: str) -> list[str]:
    """Each CJK character and each other word, in reading order; punctuation and spaces are left out."""
    return _UNIT.findall(text)


_CLOSERS = "”’」』》〉)）]】\"'*_"


def sentences(text: str, ends: Iterable[str], start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Spans of sentences with their end marks; a line break ends one too. A full stop inside 3.5 or e.g.x doesn't."""
    stop = len(text) if end is None else end
    begin = start
    for match in _end_marks("".join(ends)).finditer(text, start, stop):
        at = match.end()
        if text[at - 1] == "." and at - match.start() == 1 and at < stop and not _ends_here(text[at]):
            continue
        if text[begin:at].strip():
            yield begin, at
        begin = at
    if text[begin:stop].strip():
        yield begin, stop


@cache
def _end_marks(marks: str) -> re.Pattern[str]:
    """A run of end marks and closing quotes, or a line break."""
    closers = re.escape(_CLOSERS)
    return re.compile(f"[{re.escape(marks)}\\n][{re.escape(marks)}{closers}\\n]*")


def _ends_here(following: str) -> bool:
    return following.isspace() or following in _CLOSERS or following in ".!?…"


@cache
def _named(char: str) -> str:
    name = _CONTROL_NAMES.get(char) or unicodedata.name(char, "")
    return f"U+{ord(char):04X} {name}".rstrip()


def char_name(char: str) -> str:
    """``U+00A0 NO-BREAK SPACE``; the code point alone where Unicode gives no name."""
    return _named(char)


def visible(text: str) -> str:
    """``text`` on one line with everything invisible but the plain space written as ``<U+…>``."""
    return "".join(f"<{char_name(c).split()[0]}>" if c != " " and invisible(c) else c for c in text)


def invisible(char: str) -> bool:
    """A space, control, format or unassigned character; nothing to see on paper."""
    return unicodedata.category(char) in _INVISIBLE


def clip(text: str, limit: int = 40) -> str:
    """``text`` on one line, its middle left out where it is long."""
    if len(text) > 4 * limit:
        text = text[: 2 * limit] + text[-2 * limit :]
    flat = visible(" ".join(text.split()))
    return flat if len(flat) <= limit else f"{flat[: limit - limit // 3]}…{flat[len(flat) - limit // 3 + 1 :]}"
