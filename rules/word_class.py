"""Classes of words that a text may not hold, each word with the phrases in which it is innocent.

A pack gives a class words and patterns; 说 with its exceptions 说服 and 小说 is one entry. All words and exceptions
of a language go through one Aho-Corasick automaton, so that ten classes cost one pass, and spans stay the text's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from talekeeper.rules.scan import same_length_lower, stands_alone

Span = tuple[int, int]
Hits = Mapping[str, tuple[Span, ...]]
_MOST_HITS = 2000
"""A class stops counting here; whoever reads a report needs no more."""


class WordClass(BaseModel):
    """One class: ``words`` → their exceptions, ``patterns`` (regular expressions, bounded), ``free`` phrases that
    excuse whatever they cover."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: Mapping[str, tuple[str, ...]] = {}
    patterns: tuple[str, ...] = ()
    free: tuple[str, ...] = ()

    @field_validator("words", mode="before")
    @classmethod
    def _entries(cls, given: Any) -> Any:
        """A list of words, some of them with exceptions: ``[知照, {说: [说服]}]``."""
        if not isinstance(given, list):
            return given
        entries: dict[str, tuple[str, ...]] = {}
        for item in given:
            if isinstance(item, Mapping):
                entries.update({str(word): tuple(free) for word, free in item.items()})
            else:
                entries[str(item)] = ()
        return entries

    def with_words(self, added: Iterable[str]) -> WordClass:
        """More words; ``!word`` takes one out and ``=phrase`` excuses a phrase."""
        words, free = dict(self.words), list(self.free)
        for word in added:
            if word.startswith("!"):
                words.pop(word[1:], None)
            elif word.startswith("="):
                free.append(word[1:])
            else:
                words.setdefault(word, ())
        return WordClass(words=words, patterns=self.patterns, free=tuple(free))


class WordClasses:
    """All classes of a language, ready to look for."""

    def __init__(self, classes: Mapping[str, WordClass]) -> None:
        self.classes = dict(classes)

    def extended(self, added: Mapping[str, Sequence[str]]) -> WordClasses:
        """The classes with a story's own words in some of them."""
        return WordClasses({n: c.with_words(added.get(n, ())) for n, c in self.classes.items()})

    @cached_property
    def _automaton(self) -> Any:
        """Needle → (class, entry it belongs to or empty, is it an exception)."""
        import ahocorasick

        needles: dict[str, list[tuple[str, str, bool]]] = {}
        for name, words in self.classes.items():
            for word, exceptions in words.words.items():
                needles.setdefault(same_length_lower(word), []).append((name, word, False))
                for phrase in exceptions:
                    needles.setdefault(same_length_lower(phrase), []).append((name, word, True))
            for phrase in words.free:
                needles.setdefault(same_length_lower(phrase), []).append((name, "", True))
        automaton = ahocorasick.Automaton()
        for needle, owners in needles.items():
            if needle:
                automaton.add_word(needle, (len(needle), tuple(owners)))
        automaton.make_automaton()
        return automaton

    @cached_property
    def _patterns(self) -> dict[str, tuple[re.Pattern[str], ...]]:
        return {n: tuple(re.compile(p) for p in c.patterns) for n, c in self.classes.items()}

    @cached_property
    def hits(self) -> Any:
        """``hits(text)``: class → spans of its words and patterns, in reading order, none overlapping."""
        return lru_cache(maxsize=16)(self._hits)

    def _hits(self, text: str) -> Hits:
        low = same_length_lower(text)
        found: dict[str, list[tuple[Span, str]]] = {}
        free: dict[tuple[str, str], list[Span]] = {}
        if self._automaton:
            for last, (size, owners) in self._automaton.iter(low):
                span = (last + 1 - size, last + 1)
                if not stands_alone(low, *span):
                    continue
                for name, word, excuses in owners:
                    if excuses:
                        free.setdefault((name, word), []).append(span)
                    elif len(found.setdefault(name, [])) < _MOST_HITS:
                        found[name].append((span, word))
        return {n: self._settled(n, low, found.get(n, []), free) for n in self.classes}

    def _settled(
        self, name: str, low: str, words: list[tuple[Span, str]], free: Mapping[tuple[str, str], list[Span]]
    ) -> tuple[Span, ...]:
        whole = Cover(free.get((name, ""), ()))
        excuses = {word: Cover(free.get((name, word), ())) for _, word in words}
        spans = [span for span, word in words if span not in whole and span not in excuses[word]]
        for pattern in self._patterns[name]:
            for count, match in enumerate(pattern.finditer(low)):
                if count >= _MOST_HITS:
                    break
                if match.span() not in whole:
                    spans.append(match.span())
        kept: list[Span] = []
        for span in sorted(spans, key=lambda s: (s[0], -s[1])):
            if not kept or span[0] >= kept[-1][1]:
                kept.append(span)
        return tuple(kept)


class Cover:
    """Spans that excuse what lies wholly inside one of them."""

    def __init__(self, spans: Iterable[Span]) -> None:
        widest: dict[int, int] = {}
        for start, end in spans:
            widest[start] = max(end, widest.get(start, end))
        self._starts = sorted(widest)
        reach, self._reaches = 0, list[int]()
        for start in self._starts:
            reach = max(reach, widest[start])
            self._reaches.append(reach)

    def __contains__(self, span: Span) -> bool:
        at = bisect_right(self._starts, span[0]) - 1
        return at >= 0 and self._reaches[at] >= span[1]
