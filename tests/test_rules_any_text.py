"""Rules of thoughts, outlines and control on any text at all: nothing raises, spans index the text, time is linear."""

from __future__ import annotations

import string
import time
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.evals.rule_corpus.merging import honest
from talekeeper.evals.rule_corpus.sample import worlds
from talekeeper.evals.rule_corpus.thinking import leaf, plain_leaf, rollup
from talekeeper.memory.models import Language
from talekeeper.rules.model import Scope, Violation
from talekeeper.rules.subjects import ThoughtSubject
from tests.rule_subjects import BOOKS
from tests.thought_subjects import hostile

LANGUAGES: tuple[Language, ...] = ("zh", "en")
ODD = (
    "\ud800\udfff\u202e\u200f\u200d\ufeff\0\x1b\u2028\x85\u3000\xa0İßﬁ👩‍👩‍👦①⑳（）「」『』“”‘’;；。…—→《》\r\n\t\"'-*•"
    "｜|略同上是否无保留删第1句B1:："
)
TEXTS = st.text(st.sampled_from(ODD) | st.sampled_from(string.printable) | st.characters(), max_size=80)


def _fits(subject: Any, violation: Violation) -> bool:
    if violation.span is None:
        return True
    start, end = violation.span
    whole = getattr(subject, violation.where, None)
    return isinstance(whole, str) and 0 <= start <= end <= len(whole)


@given(text=TEXTS, language=st.sampled_from(LANGUAGES))
@settings(max_examples=100, deadline=None)
def test_nothing_raises_and_spans_index_the_given_text(text: str, language: Language) -> None:
    for scope, subject in hostile(text, language):
        for violation in BOOKS[language].check(scope, subject):
            assert violation.message
            assert violation.mend
            assert _fits(subject, violation), violation


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "unit", ["一", "a", "- a\n", "(1) a｜是\n", "略，", "Step 6\n", "最终 prose:\n", "\ud800", "“", "刺中"]
)
def test_time_is_linear(unit: str, language: Language) -> None:
    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        began = time.process_time()
        for scope, subject in hostile(text, language):
            BOOKS[language].check(scope, subject)
        return time.process_time() - began

    seconds(300)
    small, large = seconds(1_500), seconds(12_000)
    assert large < 8 * max(small, 0.03) * 3


@pytest.mark.parametrize("unit", ["一", "a", "\ud800"])
def test_a_megabyte_of_one_character_is_judged(unit: str) -> None:
    text = unit * 1_000_000
    assert BOOKS["zh"].check("thought", ThoughtSubject(text, text, refs=("u1",)))
    for scope, subject in list(hostile(text, "zh"))[-3:]:
        BOOKS["zh"].check(scope, subject)


def _valid(language: Language) -> Iterator[tuple[Scope, Any]]:
    for world in worlds(language):
        for made in (leaf(world), plain_leaf(world, 1), rollup(world, world.outlines[0])):
            yield "thought", made.subject()
            yield "thought", made.subject(made.check_first)
        for _, subject in honest(world):
            yield "rollup", subject


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_valid_breaks_nothing_at_all(language: Language) -> None:
    for scope, subject in _valid(language):
        found = [v for v in BOOKS[language].check(scope, subject) if v.severity == "hard"]
        assert found == [], getattr(subject, "summary", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_valid_thought_stays_valid_with_other_line_breaks_and_composed(language: Language) -> None:
    for world in worlds(language):
        for made in (leaf(world), plain_leaf(world), rollup(world, world.outlines[1])):
            for change in (lambda t: t.replace("\n", "\r\n"), lambda t: unicodedata.normalize("NFC", t)):
                subject = ThoughtSubject(change(made.text), change(made.summary), made.kind, refs=made.more["refs"])
                hard = [v for v in BOOKS[language].check("thought", subject) if v.severity == "hard"]
                assert hard == []
