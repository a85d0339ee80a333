"""What a check is handed beside its subject: the language, its words, and the sentences that violations are told in.

Messages live in ``packs/messages.yaml`` under ``<rule>.<fault>``, so that another language is another key and no code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import Lexicon, lexicon, read_pack
from talekeeper.rules.model import Severity, Violation
from talekeeper.rules.scan import clip

_LONGEST_WHERE = 100
Phrase = Mapping[Language, Mapping[str, str]]


@cache
def phrases() -> Mapping[str, Mapping[str, Phrase]]:
    """Rule id → fault → language → ``message`` and ``mend``; the fault ``rule`` holds the rule's own statement."""
    loaded: Mapping[str, Mapping[str, Phrase]] = read_pack("messages.yaml")
    return loaded


def statement(rule: str) -> Mapping[Language, str]:
    """The rule in one line, by language."""
    return {language: texts["message"] for language, texts in phrases()[rule]["rule"].items()}


@dataclass(frozen=True, slots=True)
class LanguagePack:
    """One language as the rules know it."""

    language: Language
    words: Lexicon

    @classmethod
    def of(cls, language: Language) -> LanguagePack:
        """The language with its own word lists."""
        return cls(language, lexicon(language))

    def report(
        self,
        rule: str,
        fault: str,
        *,
        where: str = "",
        text: str = "",
        span: tuple[int, int] | None = None,
        excerpt: str = "",
        values: Mapping[str, str | int] | None = None,
        severity: Severity = "hard",
        **more: str | int,
    ) -> Violation:
        """A violation in this language. ``text[span]`` becomes its excerpt unless one is given; ``{excerpt}`` in the
        phrase is that excerpt on one short line, the other names are filled from ``values`` and ``more``."""
        shown = excerpt or (text[span[0] : span[1]] if span else "")
        phrase = phrases()[rule][fault][self.language]
        given: dict[str, str | int] = {**(values or {}), **more}
        filled = {name: clip(value, 80) if isinstance(value, str) else value for name, value in given.items()}
        filled["excerpt"] = clip(shown)
        return Violation(
            rule=rule,
            message=phrase["message"].format(**filled),
            mend=phrase["mend"].format(**filled),
            severity=severity,
            where=where[:_LONGEST_WHERE],
            span=span,
            excerpt=shown[:200],
        )

    def listed(self, items: Any) -> str:
        """Items in a row, as the language joins them; the word for none where there are none."""
        return self.words.punctuation.list.join(str(i) for i in items) or self.words.punctuation.none
