"""The false-alarm corpus: honest summaries that hard rules leave alone."""

from __future__ import annotations

import pytest

from talekeeper.evals.rule_corpus.false_alarms import flagged, honest
from talekeeper.memory.models import Language

AT_MOST = 0.02


@pytest.mark.parametrize(("language", "fewest"), [("zh", 110), ("en", 90)])
def test_hardly_any_honest_summary_is_refused(language: Language, fewest: int) -> None:
    items = honest(language)
    refused = [(item.summary, v) for item, found in flagged(language) for v in found if v.severity == "hard"]
    assert len(items) >= fewest
    assert len({item.genre for item in items}) >= 9
    assert len({summary for summary, _ in refused}) <= AT_MOST * len(items), refused
