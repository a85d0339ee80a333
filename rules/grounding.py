"""Finds what reads as a name in a summary and stands in nothing that its writer was shown (E13).

Precision first: only forms that hardly anything but a name has are looked at. Chinese: a surname with a given name
where a clause begins or behind 与 and 向, before a word like 把 or 被; a surname with a title; transliterations with a
dot; a named town behind a verb of motion; Latin names. English: capitalised words that don't open a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from talekeeper.memory.text import CJK, fold_plain
from talekeeper.rules.lexicon import Lexicon
from talekeeper.rules.scan import sentences

Span = tuple[int, int]
_DOTS = "·・‧"
_DOTTED = re.compile(f"([{CJK}]{{2,6}})[{_DOTS}]([{CJK}]{{2,6}})")
_LATIN = re.compile(r"(?<![A-Za-z0-9_@/.#-])[A-Z][a-z]{2,}(?:[-'’][A-Z]?[a-z]+)*(?![A-Za-z0-9_@/-])")
_CAPITAL = re.compile(r"(?<![\w@/.#])[A-Z][\w]*(?:[-'’][\w]+)*")
_WORD = re.compile(f"[^\\W_{CJK}]+")
_POSSESSIVE = re.compile(r"['’]s?$")


class Ground:
    """Everything that a name may come from, folded."""

    def __init__(self, texts: tuple[str, ...], names: frozenset[str]) -> None:
        self.text = "\n".join([fold_plain("\n".join(texts)), _folded_names(names)])
        self.words = frozenset(_WORD.findall(self.text))

    def holds(self, name: str) -> bool:
        return fold_plain(name) in self.text


@lru_cache(maxsize=8)
def _folded_names(names: frozenset[str]) -> str:
    """A memory's names, folded once for all events that are judged by them."""
    return fold_plain("\n".join(sorted(names)))


@lru_cache(maxsize=8)
def ground(texts: tuple[str, ...], names: frozenset[str]) -> Ground:
    """The ground of one batch."""
    return Ground(texts, names)


def strangers(text: str, where: Ground, words: Lexicon) -> Iterator[Span]:
    """Spans in ``text`` of names that the ground doesn't hold."""
    if words.language == "en":
        yield from _capitalised(text, where, words)
        return
    found = [*_latin(text, where, words), *_dotted(text, where, words), *_surnamed(text, where, words)]
    found += [*_titled(text, where, words), *_towns(text, where, words)]
    reported = 0
    for start, end in sorted(found):
        if start >= reported:
            reported = end
            yield start, end


def _capitalised(text: str, where: Ground, words: Lexicon) -> Iterator[Span]:
    """Capitalised words; the first of a sentence only where another one follows it directly, as in a full name."""
    plain = {word.lower() for word in words.plain_capitals}
    for begin, stop in sentences(text, words.sentence_ends):
        found = [m for m in _CAPITAL.finditer(text, begin, stop) if m[0].strip("'’")]
        for index, match in enumerate(found):
            opens = not any(c.isalnum() for c in text[begin : match.start()])
            follows = index + 1 < len(found) and text[match.end() : found[index + 1].start()] == " "
            if opens and not (follows and found[index + 1][0].lower() not in plain):
                continue
            if opens and match[0].lower() in words.plain_words:
                continue
            if not _known_word(match[0], where, plain):
                yield match.span()


def _known_word(word: str, where: Ground, plain: set[str]) -> bool:
    bare = _POSSESSIVE.sub("", word)
    if bare.lower() in plain or len(bare) < 2 or bare.isdigit():
        return True
    parts = [fold_plain(p) for p in re.split(r"[-'’]", bare) if p]
    return all(p in where.words or p in plain or _stem_of(p, where) for p in parts)


def _stem_of(word: str, where: Ground) -> bool:
    """Plural, adjective or possessive of a word that stands: Martians from Mars is not known, Guards from guard is."""
    tails = ("s", "es", "ian", "an", "n", "ese", "ish", "i")
    return any(word.endswith(tail) and word[: -len(tail)] in where.words for tail in tails) or f"{word}s" in where.words


def _latin(text: str, where: Ground, words: Lexicon) -> Iterator[Span]:
    plain = {word.lower() for word in words.plain_capitals}
    for match in _LATIN.finditer(text):
        if not _known_word(match[0], where, plain):
            yield match.span()


def _dotted(text: str, where: Ground, words: Lexicon) -> Iterator[Span]:
    for match in _DOTTED.finditer(text):
        left, right = match[1][-2:], match[2][:2]
        if not where.holds(left) and not where.holds(right):
            start, end = match.span()
            while start < match.end(1) - 2 and text[start] not in words.transliteration:
                start += 1
            while end > match.start(2) + 2 and text[end - 1] not in words.transliteration:
                end -= 1
            yield start, end


@cache
def _surname_pattern(surnames: str, compound: tuple[str, ...], openers: str) -> re.Pattern[str]:
    double = "|".join(map(re.escape, compound)) or "(?!)"
    return re.compile(f"(?:(?<=[，。；：、！？\\s{re.escape(openers)}])|^)(?:({double})|([{re.escape(surnames)}]))")


def _surnamed(text: str, where: Ground, words: Lexicon) -> Iterator[Span]:
    pattern = _surname_pattern(words.clear_surnames, words.compound_surnames, words.name_openers)
    for match in pattern.finditer(text):
        start, family = match.start(), len(match[0])
        if text[start : start + 2] in words.common_starts or where.holds(text[start : start + family + 1]):
            continue
        for given in (2, 1):
            end = start + family + given
            name, after = text[start:end], text[end : end + 1]
            followers = words.name_followers if given == 2 or family == 2 else words.name_followers[:3]
            if len(name) == family + given and after and after in followers and _all_cjk(name):
                if name[family] in words.name_followers:
                    break
                opened = start > 0 and text[start - 1] in words.name_openers
                if (opened or name[-1] not in words.name_followers) and not where.holds(name[family:]):
                    yield start, end
                break


def _all_cjk(name: str) -> bool:
    return re.fullmatch(f"[{CJK}]+", name) is not None


@cache
def _title_pattern(surnames: str, titles: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(f"([{re.escape(surnames)}])({'|'.join(map(re.escape, titles)) or '(?!)'})")


def _titled(text: str, where: Ground, words: Lexicon) -> Iterator[Span]:
    for match in _title_pattern(words.clear_surnames, words.name_titles).finditer(text):
        if match[1] not in where.text:
            yield match.span()


@cache
def _town_pattern(verbs: tuple[str, ...], endings: str) -> re.Pattern[str]:
    return re.compile(
        f"(?:{'|'.join(map(re.escape, verbs)) or '(?!)'})了?([{CJK}]{{2,3}}[{endings or '￿'}])(?![{CJK}])"
    )


def _towns(text: str, where: Ground, words: Lexicon) -> Iterator[Span]:
    for match in _town_pattern(words.motion_verbs, words.town_endings).finditer(text):
        name = match[1]
        if any(plain in name for plain in words.plain_place_parts) or where.holds(name) or where.holds(name[:2]):
            continue
        yield match.span(1)
