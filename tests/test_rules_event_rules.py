"""E1–E4: good and bad summaries and their near-misses, in both languages."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.models import Language
from talekeeper.rules.subjects import EventSubject
from tests.rule_subjects import BOOKS, EVENT, event, faults

ZH_TIMES = [
    "建安三年春",
    "贞观十二年三月初五 辰时",
    "第3日 上午",
    "故事第1日 第12回合",
    "第三章 入夜",
    "霜月节第二夜",
    "2157-1-5",
]
EN_TIMES = [
    "Day 3, evening",
    "Year 412 of the Third Age",
    "January 15th, 2157, 9:05 PM",
    "Chapter 3, nightfall",
    "298 AC",
]
BAD_TIMES = [
    "x年x月x日",
    "未知时间",
    "待定",
    "某年某月",
    "2157-xx-xx",
    "????",
    "后来",
    "清晨",
    "09:00",
    "unknown",
    "TBD",
]
EN_BAD_TIMES = ["unknown", "TBD", "later", "YYYY-MM-DD", "that day", "dusk", "9 pm", "sometime", "—"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_full_event_breaks_nothing(language: Language) -> None:
    assert BOOKS[language].check("event", EventSubject(EVENT[language], previous_time="2100-01-01")) == []


@pytest.mark.parametrize(
    ("language", "time"),
    [("zh", t) for t in ZH_TIMES + EN_TIMES] + [("en", t) for t in [*EN_TIMES, "2157-01-15 09:00"]],
)
def test_concrete_times_of_many_calendars_pass(language: Language, time: str) -> None:
    assert faults(language, "event", EventSubject(event(language, time=time)), "E1") == []


@pytest.mark.parametrize(("language", "time"), [("zh", t) for t in BAD_TIMES] + [("en", t) for t in EN_BAD_TIMES])
def test_placeholders_and_vague_times_are_refused_with_their_span(language: Language, time: str) -> None:
    (violation,) = faults(language, "event", EventSubject(event(language, time=time)), "E1")
    assert violation.excerpt == time


@pytest.mark.parametrize(
    ("language", "place", "ok"),
    [
        ("zh", "林晚所在处", True),
        ("zh", "沈砚的住处", True),
        ("zh", "北港旅馆", True),
        ("zh", "一线天", True),
        ("zh", "某处", False),
        ("zh", "一个房间", False),
        ("zh", "某家酒馆", False),
        ("zh", "未知", False),
        ("zh", "室内", False),
        ("en", "The Unknown Reaches", True),
        ("en", "Harrow's house", True),
        ("en", "A Coruña", True),
        ("en", "somewhere", False),
        ("en", "a room", False),
        ("en", "an unknown place", False),
        ("en", "TBD", False),
    ],
)
def test_places_must_be_recognisable(language: Language, place: str, ok: bool) -> None:
    assert (faults(language, "event", EventSubject(event(language, place=place)), "E1") == []) is ok


def test_headers_stand_on_their_lines() -> None:
    bad = "地点: 观景舱\n时间: 2157-01-15\n林晚离开了。"
    assert len(faults("zh", "event", EventSubject(bad), "E1")) == 3
    assert len(faults("zh", "event", EventSubject(""), "E1")) == 2
    assert faults("en", "event", EventSubject(event("zh")), "E1") != []


@pytest.mark.parametrize(
    ("previous", "batch", "ok"),
    [
        ("2157-01-15 08:00", "", True),
        ("2157-01-15 09:00", "", True),
        ("2157-01-15", "", True),
        ("建安三年", "", True),
        (None, "", True),
        ("2157-01-15 09:01", "", False),
        ("2157-01-16", "", False),
        ("2157-01-16", "林晚回忆起多年前的事。", True),
    ],
)
def test_time_does_not_run_backwards_unless_told(previous: str | None, batch: str, ok: bool) -> None:
    subject = EventSubject(event("zh"), batch_text=batch, previous_time=previous)
    assert (faults("zh", "event", subject, "E1") == []) is ok


def test_an_english_flashback_may_go_back() -> None:
    summary = event("en", time="Day 2, morning")
    assert faults("en", "event", EventSubject(summary, "They ate.", "Day 3, noon"), "E1")
    assert not faults("en", "event", EventSubject(summary, "Ten years ago she left.", "Day 3, noon"), "E1")


@pytest.mark.parametrize(
    ("language", "prose", "found"),
    [
        ("zh", "林晚离开了。\n\n沈砚留下……", []),
        ("zh", "速度达到 3.5 米，编号(12)的舱门关上了。", []),
        ("zh", "林晚走了；沈砚因为伤势没有好，留在船上。", []),
        ("zh", "Alice 走进 Bob 的房间。", []),
        ("zh", "——门开了，林晚走进来。", []),
        ("zh", "林晚离开了", ["林晚离开了"]),
        ("zh", "- 林晚离开了。", ["-"]),
        ("zh", "1) 林晚离开了。", ["1)"]),
        ("zh", "2. 林晚离开了。", ["2. "]),
        ("zh", "①林晚离开了。", ["①"]),
        ("zh", "•林晚离开了。", ["•"]),
        ("zh", "先是 1) 林晚离开，再是 2) 沈砚留下。", ["1) ", "2) "]),
        ("zh", "林晚进舱；沈砚递信；林晚收下。", ["林晚进舱；沈砚递信；林晚收下。"]),
        ("zh", "林晚进舱 沈砚递信 林晚收下。", ["林晚进舱 沈砚递信 林晚收下。"]),
        ("en", "Mara left. Tom paid 3.5 marks; she kept the rest.", []),
        ("en", "Mara, tired, left the loft; Tom, who had waited, followed; the door, at last, shut.", []),
        ("en", "Mara left the loft", ["Mara left the loft"]),
        ("en", "* Mara left.", ["*"]),
        ("en", "Mara enters; Tom gives letter; Mara leaves.", ["Mara enters; Tom gives letter; Mara leaves."]),
    ],
)
def test_prose_is_whole_sentences(language: Language, prose: str, found: list[str]) -> None:
    hits = faults(language, "event", EventSubject(event(language, prose=prose)), "E2")
    assert [v.excerpt for v in hits] == found


@pytest.mark.parametrize(
    ("language", "prose", "found"),
    [
        ("zh", "林晚读完父亲的信，烧了它。", []),
        ("zh", "林晚说“走吧”，沈砚称她为「船长」。", ["“走吧”", "「船长」"]),
        ("zh", "林晚带走了《潮汐图》和《星表》。", ["《星表》"]),
        ("zh", "他说“走。", ["“"]),
        ("en", "Mara's brother didn't take the guards' keys; the rock 'n' roll of '98 was over.", ["'n'"]),
        ("en", "He is 6'2 tall and 5\" wide.", []),
        ("en", "'Tis late, Mara said.", []),
        ("en", "Mara said \"go\" and 'stay' to Tom.", ['"go"', "'stay'"]),
        ("en", "Mara called it ‘home’ and didn’t go.", ["‘home’"]),
    ],
)
def test_no_quotation_marks_in_prose(language: Language, prose: str, found: list[str]) -> None:
    subject = EventSubject(event(language, prose=prose), work_titles=frozenset({"潮汐图"}))
    assert [v.excerpt for v in faults(language, "event", subject, "E3")] == found


@pytest.mark.parametrize(
    ("tail", "count"),
    [
        ("", 0),
        ("\n\n不可逆:\n- 左臂断了", 0),
        ('\n\n不可逆：\n- 左臂断了\n\n原文摘录:\n- 碑文: "止步"\n', 0),
        ("\n\n不可逆:", 1),
        ("\n\n不可逆: 无", 2),
        ("\n\n不可逆:\n- 无", 1),
        ("\n\n未结:\n- （无）", 1),
        ("\n\n不可逆:\n左臂断了", 2),
        ('\n\n未结:\n- → thread "甲"\n\n不可逆:\n- 左臂断了', 1),
        ("\n\n不可逆:\n- 甲断了左臂\n\n不可逆:\n- 乙走了", 1),
        ("\n\n备注:\n- 左臂断了", 1),
        ("\n\n不可逆:\n- 左臂断了\n\n后来他走了。", 1),
    ],
)
def test_only_three_sections_in_order_with_rows(tail: str, count: int) -> None:
    assert len(faults("zh", "event", EventSubject(event("zh", tail=tail)), "E4")) == count


def test_english_sections() -> None:
    good = '\n\nIrreversible:\n- Tom lost an arm\n\nOpen threads:\n- → thread "Debt"'
    assert faults("en", "event", EventSubject(event("en", tail=good)), "E4") == []
    assert len(faults("en", "event", EventSubject(event("en", tail="\n\nIrreversible:\n- none")), "E4")) == 1
    assert len(faults("en", "event", EventSubject(event("en", tail="\n\nNotes:\n- x y")), "E4")) == 1


@given(
    st.lists(st.sampled_from(["林晚走了。", "沈砚留下，锁上了门。", "两人约定在北港会合！"]), min_size=1, max_size=5)
)
def test_valid_stays_valid_under_crlf_and_nfc(parts: list[str]) -> None:
    summary = event("zh", prose="\n\n".join(parts))
    for variant in (summary, summary.replace("\n", "\r\n"), unicodedata.normalize("NFC", summary)):
        found = BOOKS["zh"].check("event", EventSubject(variant))
        assert [v.rule for v in found if v.severity == "hard"] == []
