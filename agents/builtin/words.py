"""The built-in voice's word lists as one frozen object: YAML in, compiled patterns out.

Lists are data so that a language can be tuned without touching code; this module alone knows their file format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import yaml

from talekeeper.memory.models import Language

_NAMELESS = r"(?!x)x"
"""A pattern that never matches: what ``{P}`` becomes where no name is known."""


@dataclass(frozen=True)
class Words:
    """One language's lexicon. Lists are read with :meth:`list`, patterns with :meth:`pattern` and :meth:`named`."""

    language: Language
    data: Mapping[str, Any]

    def list(self, key: str) -> tuple[str, ...]:
        """A word list, as the file orders it."""
        return _listed(self.language, key)

    def set(self, key: str) -> frozenset[str]:
        """A word list as a set; a plain string gives its characters."""
        return _frozen(self.language, key)

    def text(self, key: str) -> str:
        return str(self.data[key])

    def form(self, key: str, **parts: object) -> str:
        """One of the fixed phrases, filled in."""
        return str(self.data["forms"][key]).format(**parts)

    def pattern(self, key: str) -> re.Pattern[str]:
        """A pattern that holds no name."""
        return _compile(str(self.data[key]))

    def any_of(self, key: str) -> re.Pattern[str]:
        """Any word of a list, longest first; whole words in English, substrings in Chinese."""
        return any_word(self.list(key), self.language)

    def named(self, pattern: str) -> re.Pattern[str]:
        """A pattern about names, to be run on a marked text.

        ``{P}`` is a person, ``{L}`` a place, ``{A}`` a person who owns nothing here (not X的…), and ``{G}`` one
        character inside a sentence that is no person.
        """
        return _named(pattern)

    def join(self, names: Sequence[str]) -> str:
        """``A、B与C`` or ``A, B and C``."""
        if len(names) < 2:
            return "".join(names)
        return self.text("joiner").join(names[:-1]) + self.text("last_joiner") + names[-1]


def alternatives(names: Iterable[str]) -> str:
    """A non-capturing group of names, longest first, so that a long name isn't cut by a short one."""
    ordered = sorted({name for name in names if name}, key=lambda name: (-len(name), name))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")" if ordered else _NAMELESS


@cache
def _listed(language: Language, key: str) -> tuple[str, ...]:
    return tuple(words_for(language).data[key])


@cache
def _frozen(language: Language, key: str) -> frozenset[str]:
    return frozenset(words_for(language).data[key])


@lru_cache(maxsize=512)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


@cache
def _named(pattern: str) -> re.Pattern[str]:
    person = "[\ue000-\ue7ff]"
    filled = pattern.replace("{G}", '[^。！？.!?“”"：:\n\ue000-\ue7ff]').replace("{L}", "[\ue800-\uefff]")
    filled = filled.replace("{A}", rf"{person}(?!的|家|们|手下|['’]s\b)").replace("{P}", person)
    return re.compile(filled, re.MULTILINE)


@lru_cache(maxsize=128)
def any_word(words: tuple[str, ...], language: Language) -> re.Pattern[str]:
    """Any of these words, longest first."""
    if language == "zh":
        return re.compile(alternatives(words))
    return re.compile(rf"(?<![\w']){alternatives(words)}(?![\w'])", re.IGNORECASE)


@cache
def words_for(language: Language) -> Words:
    """The lexicon of a language, read once."""
    text = resources.files("talekeeper.agents.builtin").joinpath("lexicon", f"{language}.yaml").read_text("utf-8")
    # BaseLoader keeps every scalar a string: "No" and "On" are words here, not booleans.
    return Words(language, yaml.load(text, Loader=yaml.BaseLoader))
