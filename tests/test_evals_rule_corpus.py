"""Every hard rule on the mutation corpus: it catches what is broken and leaves near-misses alone."""

from __future__ import annotations

import pytest

from talekeeper.evals.rule_corpus.corpus import generators
from talekeeper.evals.rule_corpus.measure import Score, score, without_corpus
from talekeeper.evals.rule_corpus.report import markdown
from talekeeper.rules.book import catalogue

AT_LEAST = 0.98
ENOUGH = 50
RULES = {rule.id: rule for rule in catalogue()}


def test_every_hard_rule_has_a_corpus_and_every_corpus_a_rule() -> None:
    assert without_corpus() == []
    assert set(generators()) <= set(RULES)


@pytest.mark.parametrize("rule", [rule for rule in generators() if RULES[rule].severity == "hard"])
def test_a_hard_rule_tells_broken_from_valid(rule: str) -> None:
    result = score(RULES[rule], generators()[rule])
    assert result.broken >= ENOUGH
    assert result.near_misses >= ENOUGH
    assert result.recall >= AT_LEAST, result.missed
    assert result.precision >= AT_LEAST, result.false_alarms


def test_a_score_counts_what_it_is_told() -> None:
    result = Score("E1", "hard", 50, 60, ("zh: a",), ("en: b", "en: c"))
    assert (result.caught, result.recall, round(result.precision, 3)) == (49, 0.98, 0.961)
    text = markdown([result])
    assert "| E1 |" in text
    assert "- E1 missed zh: a" in text
    assert "- E1 cried over en: c" in text
