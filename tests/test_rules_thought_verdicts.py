"""T4–T7, T9 and T10: verdicts, what is left of the draft, candidate rows, classes, and thoughts used again."""

from __future__ import annotations

import pytest

from talekeeper.evals.rule_corpus.sample import worlds
from talekeeper.evals.rule_corpus.thinking import leaf, plain_leaf, rollup, scan
from talekeeper.rules.lexicon import lexicon
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.thought_parts import candidates, class_reports, rows, split_draft, verdicts
from tests.rule_subjects import faults

ZH, EN = worlds("zh")[0], worlds("en")[0]
WORDS = {"zh": lexicon("zh"), "en": lexicon("en")}


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        ("(1) 事实｜单句｜删去后会写错信在谁手里｜保留", True),
        ("1. 事实；单句；删去后会写错信在谁手里；删", False),
        ("第1句：事实｜单句｜判定：保留｜删去后会写错信在谁手里", True),
        ("(1) 气氛｜单句｜没有后果｜不保留", False),
        ("(1) 事实｜单句｜删去后会写错｜待定", None),
        ("| 1 | 事实 | 单句 | 删去后会写错 | **保留** |", True),
    ],
)
def test_verdicts_are_read_in_any_dress(row: str, kept: bool | None) -> None:
    (verdict,) = verdicts(row, WORDS["zh"])
    assert verdict.kept is kept


def test_a_table_with_its_header_and_continued_lines_are_rows() -> None:
    table = "| # | class | size | without it | verdict |\n|---|---|---|---|---|\n| 1 | fact | one | he dies | keep |"
    assert len(rows(table)) == 1
    continued = "(1) fact | one sentence\nwithout it Tom still has it\nkeep\n(2) mood | one | none | cut"
    first, second = verdicts(continued, WORDS["en"])
    assert (first.kept, second.kept) == (True, False)
    assert "Tom" in first.consequence


def test_abbreviations_do_not_end_a_sentence() -> None:
    pack = LanguagePack.of("en")
    assert split_draft("Mr. Reed met J. Crane. Dr. Hale left.", pack, outline=False) == [
        "Mr. Reed met J. Crane.",
        "Dr. Hale left.",
    ]


def test_header_lines_and_sections_are_no_sentences_of_a_draft() -> None:
    pack = LanguagePack.of("zh")
    draft = f"时间: 第1日\n地点: 北港\n\n{ZH.scenes[0].text('zh')}\n\n不可逆:\n- 家书离开"
    assert split_draft(draft, pack, outline=False) == list(ZH.scenes[0].prose)


@pytest.mark.parametrize(
    ("consequence", "vague"),
    [
        ("删去后后文会失去氛围", True),
        ("删去后可能影响理解", True),
        ("删去后读者会觉得信息不完整", True),
        ("删去后沈砚的承诺无从兑现", False),
        ("删去后会以为家书仍在林晚手里", False),
        ("后文会把左臂写成完好", False),
    ],
)
def test_a_kept_sentence_needs_a_concrete_consequence(consequence: str, vague: bool) -> None:
    made = plain_leaf(ZH)
    row = made.verdict(1, made.draft[0], consequence=consequence)
    found = faults("zh", "thought", made.subject(made.with_(verdicts=(row,)).text), "T4")
    assert bool(found) is vague


def test_a_cut_sentence_needs_none() -> None:
    made = leaf(EN)
    cut = "(3) mood | one sentence | none | cut"
    assert faults("en", "thought", made.subject(made.with_(verdicts=(*made.judged()[:2], cut)).text), "T4") == []


def test_the_final_text_is_the_draft_less_what_is_cut() -> None:
    made = leaf(ZH)
    (fault,) = faults("zh", "thought", made.subject(made.with_(final=made.draft).text), "T5")
    assert fault.excerpt == made.cut[0]
    assert faults("zh", "thought", made.subject(), "T5") == []


def test_answers_are_counted_row_by_row() -> None:
    text = "- 不可逆 [家书离开]：原文有据 是；跨场景 否；正文已写 是\n- 未结「送信」\n  Q1 是\n  Q2 是\n  Q3 是"
    first, second = candidates(text, WORDS["zh"])
    assert first.answers == (True, False, True)
    assert second.answers == (True, True, True)
    (row,) = candidates("- Irreversible [the ledger is gone]: yes; yes; no -> left out", WORDS["en"])
    assert row.answers == (True, True, False)


def test_a_class_is_reported_by_itself() -> None:
    reports = class_reports("B1 无；B2 无命中；B7 命中「说道」→ 沈砚答应回来。；B10：未见", WORDS["zh"])
    assert sorted(reports) == [1, 2, 7, 10]
    assert [reports[n].none for n in (1, 2, 7, 10)] == [True, True, False, True]
    assert reports[7].words == ("说道",)
    assert "沈砚" in reports[7].rewritten


def test_the_words_that_hit_are_gone_from_the_final_text() -> None:
    made = leaf(ZH)
    told = made.with_(scan=scan("zh", {3: "「家书」→ 林晚把信交给沈砚。"}))
    (fault,) = faults("zh", "thought", made.subject(told.text), "T7")
    assert "家书" in fault.message


def test_a_thought_serves_one_write() -> None:
    made = rollup(EN, EN.outlines[0])
    (reused,) = faults("en", "thought", made.subject(earlier=(made.text,)), "T9")
    assert "used" in reused.message
    retold = made.text.replace("equal to the field", "the same as the field")
    (alike,) = faults("en", "thought", made.subject(earlier=(retold,)), "T9")
    assert "100%" in alike.message
    other = rollup(worlds("en")[1], worlds("en")[1].outlines[0])
    assert faults("en", "thought", made.subject(earlier=(other.text, leaf(EN).text)), "T9") == []


def test_a_full_thought_is_asked_for_with_events_only() -> None:
    made = plain_leaf(EN)
    assert faults("en", "thought", made.subject(), "T10") == []
    assert faults("en", "thought", made.subject(type="thread"), "T10")
    assert faults("en", "thought", made.subject(" "), "T10")
    assert faults("en", "thought", made.subject("Note Tom's new post.", type="character_sheet"), "T10") == []
