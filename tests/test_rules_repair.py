"""What a model is told about a refused write."""

from __future__ import annotations

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.model import Violation
from talekeeper.rules.repair import repair_message
from talekeeper.rules.subjects import EventSubject
from tests.rule_subjects import BOOKS, event


@pytest.mark.parametrize("language", ["zh", "en"])
def test_all_violations_stand_in_one_message_worst_first(language: Language) -> None:
    subject = EventSubject(event(language, time="TBD", prose="“A”，“B”，“C”，“D”，“E”，" + "走" * 30))
    found = BOOKS[language].check("event", subject)
    text = repair_message(found, language)
    places = [text.index(f"[{rule}]") for rule in ("E1", "E2", "E3")]
    assert places == sorted(places)
    assert text.count("[E3]") == 1
    assert "“D”" in text
    assert "“E”" not in text
    assert str(len(found)) in text.split("\n")[0]
    assert len(text) < 1200


def test_nothing_wrong_says_nothing() -> None:
    assert repair_message([], "zh") == ""


def test_a_violation_without_a_span_is_told_too() -> None:
    text = repair_message([Violation("P2", "没有事件。", "写一个。")], "zh")
    assert "[P2] 没有事件。 → 写一个。" in text
