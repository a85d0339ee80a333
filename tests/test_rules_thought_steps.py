"""T1–T3: labels, elisions, and what Step 1a and 1b must list."""

from __future__ import annotations

import pytest

from talekeeper.evals.rule_corpus.sample import worlds
from talekeeper.evals.rule_corpus.thinking import leaf, plain_leaf, rollup
from talekeeper.memory.models import Language
from talekeeper.rules.subjects import ThoughtSubject
from talekeeper.rules.thought import final_text
from talekeeper.rules.thought_steps import elided
from tests.rule_subjects import faults

ZH, EN = worlds("zh")[0], worlds("en")[0]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_self_check_may_stand_before_or_behind_the_final_text(language: Language) -> None:
    made = leaf(worlds(language)[0])
    for text in (made.text, made.check_first):
        assert final_text(text) == made.summary
        assert faults(language, "thought", made.subject(text), "T1") == []
        assert faults(language, "thought", made.subject(text), "T8") == []


def test_a_self_check_elsewhere_or_twice_is_refused() -> None:
    made = leaf(ZH)
    check = "最终自检: 无误"
    first = made.text.replace("Step 1a", f"{check}\nStep 1a", 1)
    assert [v.message for v in faults("zh", "thought", made.subject(first), "T1")]
    early = made.with_(self_check="x").text.replace("\n最终自检: x", "").replace("Step 1b", f"{check}\nStep 1b")
    (fault,) = faults("zh", "thought", made.subject(early), "T1")
    assert "位置" in fault.message


def test_two_final_labels_leave_it_open_where_the_text_begins() -> None:
    made = plain_leaf(EN)
    twice = made.text.replace("Final prose:\n", "Final prose:\ndraft\nFinal prose:\n")
    found = faults("en", "thought", made.subject(twice), "T1")
    assert any("2 times" in v.message for v in found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("略", ["略"]),
        ("B3–B10 略", ["略"]),
        ("（同上）", ["同上"]),
        ("他有谋略，也懂策略", []),
        ("省略号", []),
        ("……", ["……"]),
        ("他走了……", []),
    ],
)
def test_an_elision_is_a_clause_of_its_own(text: str, found: list[str]) -> None:
    words = ("略", "同上", "……", "…")
    assert [text[a:b] for a, b in elided(text, words)] == found


def test_an_elision_is_shown_where_it_stands() -> None:
    made = leaf(EN).with_(sections=("see below",))
    text = made.text
    (fault,) = faults("en", "thought", made.subject(), "T1")
    assert fault.span is not None
    assert text[fault.span[0] : fault.span[1]] == fault.excerpt == "see below"


def test_units_are_told_apart_as_whole_words() -> None:
    made = plain_leaf(ZH)
    subject = made.subject(made.with_(listed=("u12: 林晚交信", "u1: 沈砚收信")).text, refs=("u1", "u12"))
    assert faults("zh", "thought", subject, "T2") == []
    subject = made.subject(made.with_(listed=("u12: 林晚交信",)).text, refs=("u1", "u12"))
    (fault,) = faults("zh", "thought", subject, "T2")
    assert "u1。" in fault.message


def test_units_may_share_one_event() -> None:
    made = plain_leaf(ZH)
    subject = made.subject(made.with_(listed=("u1、u2 和 u3: 林晚交信",)).text, refs=("u1", "u2", "u3"))
    assert faults("zh", "thought", subject, "T2") == []
    subject = made.subject(made.with_(listed=("u1:", "u2: 林晚交信")).text, refs=("u1", "u2"))
    assert len(faults("zh", "thought", subject, "T2")) == 1


def test_a_rollup_repeats_rows_threads_and_excerpts_of_its_children() -> None:
    made = rollup(ZH, ZH.outlines[0])
    child = made.more["children"][0]
    full = type(child)(child.id, ZH.full_event(), child.time_from, child.time_to)
    subject = made.subject(children=(full, *made.more["children"][1:]))
    messages = [v.message for v in faults("zh", "thought", subject, "T2")]
    assert any(ZH.thread in m for m in messages)
    assert any(ZH.excerpt[1] in m for m in messages)


def test_themes_may_name_units_by_a_range_or_altogether() -> None:
    made = leaf(EN)
    for theme in ("u1–u2: the ledger", "all of the above: the ledger", "the ledger (u1, u2)"):
        assert faults("en", "thought", made.subject(made.with_(themes=(theme,)).text), "T3") == []
    assert len(faults("en", "thought", made.subject(made.with_(themes=("the ledger (u1)",)).text), "T3")) == 1


def test_another_types_thought_is_no_business_of_these_rules() -> None:
    subject = ThoughtSubject("记下新身份。", "", type="character_sheet")
    for rule in ("T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10"):
        assert faults("zh", "thought", subject, rule) == []
