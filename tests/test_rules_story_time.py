"""Story times: what is read, and what can be ordered."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.models import Language
from talekeeper.rules.story_time import StoryTime, compare
from talekeeper.rules.time_reader import zh_number


def _time(text: str, language: Language = "zh") -> StoryTime:
    read = StoryTime.parse(text, language)
    assert read is not None, text
    assert read.text == text
    return read


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2157-01-15 09:00", "2157-01-15 09:01"),
        ("2157-1-5", "2157-01-15"),
        ("2157/01/15 9:00", "2157-01-16"),
        ("2157年1月15日 上午9点", "2157年1月15日 晚上8点20分"),
        ("2157-01-15 清晨", "2157-01-15 傍晚"),
        ("2157-01-15 深夜", "2157-01-16 上午"),
        ("建安三年春", "建安三年秋"),
        ("建安三年", "建安十三年冬"),
        ("贞观十二年三月初五 辰时", "贞观十二年三月初五 申时"),
        ("贞观十二年三月初五", "贞观十二年闰三月初一"),
        ("公元前221年", "公元220年"),
        ("第3日 上午", "第3日 午后"),
        ("第三日", "第12日"),
        ("故事第1日 第12回合", "故事第1日 第13回合"),
        ("第三章 入夜", "第四章 清晨"),
        ("帝国历412年3月5日", "帝国历413年1月1日"),
        ("三月初五", "三月廿三"),
    ],
)
def test_chinese_times_are_ordered(earlier: str, later: str) -> None:
    assert compare(_time(earlier), _time(later)) == -1
    assert compare(_time(later), _time(earlier)) == 1
    assert compare(_time(earlier), _time(earlier)) == 0


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Day 3, evening", "Day 4, dawn"),
        ("Day 3, morning", "Day 3, dusk"),
        ("January 15th, 2157, 9:05 AM", "January 15, 2157 9:05 PM"),
        ("15 January 2157", "3 March 2157"),
        ("Year 412 of the Third Age", "Year 3019 of the Third Age"),
        ("Chapter 3, nightfall", "Chapter 4, morning"),
        ("spring 298 AC", "autumn 298 AC"),
        ("the second day of the siege", "the third night of the siege"),
        ("9:00 AM, 2157-01-15", "2157-01-16"),
    ],
)
def test_english_times_are_ordered(earlier: str, later: str) -> None:
    assert compare(_time(earlier, "en"), _time(later, "en")) == -1
    assert compare(_time(later, "en"), _time(earlier, "en")) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("建安三年", "贞观三年"),
        ("2157-01-15", "第3日"),
        ("2157-01-15", "2157-01-15 09:00"),
        ("2157-01-15 深夜", "2157-01-15 凌晨"),
        ("十二月初五", "正月初五"),
        ("清晨", "第3日 清晨"),
        ("第3日 上午", "故事第3日 下午"),
        ("2157-01-15 09:30", "2157-01-15 上午"),
    ],
)
def test_what_cannot_be_told_is_none(one: str, other: str) -> None:
    assert compare(_time(one), _time(other)) is None
    assert compare(_time(other), _time(one)) is None


@pytest.mark.parametrize("text", ["", "不久之后", "他走了", "later", "一" * 100, "a" * 10_000, "\ud800", "某年某月"])
def test_no_time_is_read_where_none_stands(text: str) -> None:
    assert StoryTime.parse(text, "zh") is None
    assert StoryTime.parse(text, "en") is None


def test_a_clock_time_alone_names_no_day() -> None:
    assert not _time("清晨").dated
    assert not _time("9:00 pm", "en").dated


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("十", 10),
        ("十三", 13),
        ("二十", 20),
        ("廿三", 23),
        ("二一五七", 2157),
        ("一百零八", 108),
        ("412", 412),
        ("甲", None),
        ("", None),
    ],
)
def test_numerals(text: str, number: int | None) -> None:
    assert zh_number(text) == number


def test_intervals_cover_from_their_edges() -> None:
    day, hour = _time("2157-01-15"), _time("2157-01-15 09:00")
    assert day.covers_from(hour) is True
    assert hour.covers_from(day) is False
    assert day.covers_to(hour) is True
    assert day.covers_from(_time("建安三年")) is None


_MINUTES = st.datetimes().map(lambda moment: moment.replace(second=0, microsecond=0))


@given(_MINUTES, _MINUTES)
def test_dates_are_ordered_as_datetimes_are(one: datetime, other: datetime) -> None:
    first, second = f"{one:%Y-%m-%d %H:%M}", f"{other:%Y-%m-%d %H:%M}"
    assert compare(_time(first), _time(second)) == (one > other) - (one < other)


@given(st.text(max_size=200))
def test_reading_never_fails(text: str) -> None:
    for language in ("zh", "en"):
        read = StoryTime.parse(text, language)
        assert read is None or compare(read, read) == 0
