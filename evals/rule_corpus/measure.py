"""Runs each rule over its part of the corpus and counts what it caught, missed and cried over in vain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from talekeeper.evals.rule_corpus.corpus import generators
from talekeeper.evals.rule_corpus.sample import LANGUAGES, Generator
from talekeeper.memory.models import Language
from talekeeper.rules.book import catalogue
from talekeeper.rules.lexicon import lexicon
from talekeeper.rules.model import Rule, Violation
from talekeeper.rules.pack import LanguagePack

MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Score:
    """How one rule did.

    Attributes:
        broken, near_misses: samples that must and must not be reported.
        missed, false_alarms: labels of those that it got wrong, ``zh: label``.
    """

    rule: str
    severity: str
    broken: int
    near_misses: int
    missed: tuple[str, ...]
    false_alarms: tuple[str, ...]

    @property
    def caught(self) -> int:
        return self.broken - len(self.missed)

    @property
    def recall(self) -> float:
        """Share of broken samples that were reported; 1.0 without samples."""
        return self.caught / self.broken if self.broken else 1.0

    @property
    def precision(self) -> float:
        """Share of reported samples that are broken; 1.0 where nothing was reported."""
        reported = self.caught + len(self.false_alarms)
        return self.caught / reported if reported else 1.0

    def as_dict(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "severity": self.severity,
            "broken": self.broken,
            "caught": self.caught,
            "recall": round(self.recall, 4),
            "near_misses": self.near_misses,
            "false_alarms": len(self.false_alarms),
            "precision": round(self.precision, 4),
            "missed": list(self.missed[:MOST_SHOWN]),
            "cried_over": list(self.false_alarms[:MOST_SHOWN]),
        }


def measure(rules: Iterable[str] | None = None) -> list[Score]:
    """Scores in the catalogue's order, of all rules that have a generator or of those named."""
    known = generators()
    wanted = set(rules) if rules is not None else set(known)
    return [score(rule, known[rule.id]) for rule in catalogue() if rule.id in wanted and rule.id in known]


def score(rule: Rule, generator: Generator) -> Score:
    """One rule over its samples in both languages."""
    counts = {True: 0, False: 0}
    wrong: dict[bool, list[str]] = {True: [], False: []}
    for language in LANGUAGES:
        for sample in generator(language):
            pack = _pack(language, sample.banned)
            counts[sample.breaks] += 1
            reported = any(_counts(violation, rule) for violation in rule.check(sample.subject, pack))
            if reported is not sample.breaks:
                wrong[sample.breaks].append(f"{language}: {sample.label}")
    return Score(rule.id, rule.severity, counts[True], counts[False], tuple(wrong[True]), tuple(wrong[False]))


@cache
def _pack(language: Language, banned: tuple[str, ...]) -> LanguagePack:
    return LanguagePack(language, lexicon(language).extended({"banned": banned}) if banned else lexicon(language))


def _counts(violation: Violation, rule: Rule) -> bool:
    """A soft flag of a hard rule refuses nothing, and is scored neither way."""
    return rule.severity == "soft" or violation.severity == "hard"


def without_corpus() -> list[str]:
    """Hard rules that no generator stands for."""
    known = generators()
    return [rule.id for rule in catalogue() if rule.severity == "hard" and rule.id not in known]
