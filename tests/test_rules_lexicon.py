"""The packs: both languages have every message, with the same names to fill in."""

from __future__ import annotations

import string
from typing import Any

import pytest

from talekeeper.rules.book import catalogue
from talekeeper.rules.lexicon import lexicon
from talekeeper.rules.pack import phrases


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _faults() -> list[tuple[str, str, Any]]:
    return [(rule, fault, texts) for rule, faults in phrases().items() for fault, texts in faults.items()]


@pytest.mark.parametrize(("rule", "fault", "texts"), _faults())
def test_messages_stand_in_both_languages_with_the_same_names(rule: str, fault: str, texts: Any) -> None:
    assert set(texts) == {"zh", "en"}
    if fault != "rule":
        zh, en = (_names(t["message"]) | _names(t["mend"]) for t in (texts["zh"], texts["en"]))
        assert zh == en
    assert all(text.strip() for pair in texts.values() for text in pair.values())


def test_every_rule_has_its_messages_and_no_message_is_without_a_rule() -> None:
    assert set(phrases()) == {rule.id for rule in catalogue()}
    assert all("rule" in faults for faults in phrases().values())


def test_packs_name_their_language_and_clock_words_fit_a_day() -> None:
    for language in ("zh", "en"):
        words = lexicon(language)
        assert words.language == language
        assert all(0 <= low <= high < 1440 + 360 for low, high in words.clock.values())
        assert len(words.steps) == 8
