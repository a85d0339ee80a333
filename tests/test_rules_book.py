"""The rule book as a whole: settings, order, and that no rule fails on any text."""

from __future__ import annotations

import string
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.memory.errors import SchemaError
from talekeeper.memory.models import Language
from talekeeper.rules.book import MOST_PER_RULE, RuleBook, catalogue
from talekeeper.rules.control_rules import ALWAYS_ON
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import EventSubject
from tests.rule_subjects import BOOKS, EVENT, event, hostile

LANGUAGES: tuple[Language, ...] = ("zh", "en")
LAST = {"P": 9, "R": 7, "E": 16, "B": 10, "T": 10, "N": 16, "L": 6, "C": 12, "Z": 4}
SOFT = {"R7", "E9", "E10", "E11", "E14", "E15", "N7", "N9", "N16", "L5", "L6"}
ODD = (
    "\ud800\udfff\u202e\u200d\ufeff\0\x1b\u2028\x85\u3000\xa0İßﬁ👩‍👩‍👦①⑳（）「」『』“”‘’;；。…—→《》\r\n\t\"'-*•"
    "一年月日时第3日x"
)
TEXTS = st.text(st.sampled_from(ODD) | st.sampled_from(string.printable) | st.characters(), max_size=120)


def _spans_fit(subject: Any, violation: Violation) -> bool:
    if violation.span is None:
        return True
    start, end = violation.span
    whole = {"summary": getattr(subject, "summary", None), "text": getattr(subject, "text", None)}.get(violation.where)
    if violation.where == "title":
        whole = subject.title
    if whole is None:
        return 0 <= start <= end
    return 0 <= start <= end <= len(whole) and whole[start:end][:200] == violation.excerpt


def test_every_rule_is_registered_once_with_its_kind() -> None:
    ids = [rule.id for rule in catalogue()]
    assert ids == [f"{family}{number}" for family, last in LAST.items() for number in range(1, last + 1)]
    assert {rule.id for rule in catalogue() if rule.severity == "soft"} == SOFT
    assert {rule.severity for rule in catalogue()} == {"hard", "soft"}
    assert all(set(rule.statement) == set(LANGUAGES) for rule in catalogue())


@given(text=TEXTS, language=st.sampled_from(LANGUAGES))
@settings(max_examples=150, deadline=None)
def test_no_rule_raises_and_spans_stay_inside_the_text(text: str, language: Language) -> None:
    for scope, subject in hostile(text):
        for violation in BOOKS[language].check(scope, subject):
            assert violation.message
            assert violation.mend
            assert _spans_fit(subject, violation), violation


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "unit", ["一", "a", '"', "；", "- a\n", "1) 甲 (乙)\n", "本次", "不可逆:\n- 无\n", "\ud800", "“"]
)
def test_a_long_run_of_anything_is_checked_in_linear_time(unit: str, language: Language) -> None:
    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        began = time.process_time()
        for scope, subject in hostile(text):
            BOOKS[language].check(scope, subject)
        return time.process_time() - began

    seconds(500)
    small, large = seconds(2_000), seconds(16_000)
    assert large < 8 * max(small, 0.03) * 3


def test_a_megabyte_summary_is_judged_and_reports_stay_few() -> None:
    for unit in ("一", '"', "- \n", "1) "):
        text = (unit * 1_000_000)[:1_000_000]
        found = BOOKS["zh"].check("event", EventSubject(text, batch_text=text))
        assert 0 < len(found) <= MOST_PER_RULE * 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_valid_event_stays_valid_with_other_line_breaks(language: Language) -> None:
    assert BOOKS[language].check("event", EventSubject(EVENT[language])) == []
    assert BOOKS[language].check("event", EventSubject(EVENT[language].replace("\n", "\r\n"))) == []


def test_settings_turn_rules_soft_or_off() -> None:
    subject = EventSubject(event("zh", prose="林晚走进“北港”。"))
    assert [v.severity for v in RuleBook("zh", {"E3": "soft"}).check("event", subject)] == ["soft"]
    assert RuleBook("zh", {"E3": "off"}).check("event", subject) == []


def test_hard_violations_come_first() -> None:
    subject = EventSubject(event("zh", time="未知", prose="林晚走进“北港”"))
    found = RuleBook("zh", {"E1": "soft"}).check("event", subject)
    assert [v.rule for v in found] == ["E2", "E3", "E1"]
    assert [v.severity for v in found] == ["hard", "hard", "soft"]


@pytest.mark.parametrize("rule", ALWAYS_ON)
def test_some_rules_cannot_be_turned_off(rule: str) -> None:
    with pytest.raises(SchemaError, match=rule):
        RuleBook("en", {rule: "off"})
    RuleBook("en", {rule: "soft"})


@pytest.mark.parametrize(("setting", "named"), [({"E99": "soft"}, "E99"), ({"E1": "mild"}, "mild")])
def test_wrong_settings_are_named(setting: dict[str, str], named: str) -> None:
    with pytest.raises(SchemaError, match=named):
        RuleBook("zh", setting)


def test_a_story_adds_its_own_words() -> None:
    subject = EventSubject(event("zh", place="老地方"))
    assert RuleBook("zh").check("event", subject) == []
    book = RuleBook("zh", words={"vague_places": ["老地方"]})
    assert [v.rule for v in book.check("event", subject)] == ["E1"]
    with pytest.raises(SchemaError, match="no_such_list"):
        RuleBook("zh", words={"no_such_list": ["x"]})
