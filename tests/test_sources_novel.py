"""Headings and the cutting of a novel."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.errors import InputError
from talekeeper.sources.headings import parse_heading
from talekeeper.sources.novel import split_novel
from talekeeper.sources.numerals import parse_numeral
from talekeeper.sources.read import read_path

PROSE = "道长推门而入，肩头积雪未化。他放下斗笠，问小二要了一壶酒。"


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("第一章", 1),
        ("第 1 章", 1),
        ("＃ 第２章", 2),
        ("【第三章】风雪", 3),
        ("第十二回 雪夜访友", 12),
        ("  第一百零三章 归来", 103),
        ("第两千零一十九章：终", 2019),
        ("## 第4章 你是谁？", 4),
        ("第三十八回林潇湘魁夺菊花诗", 38),
        ("正文 第七章 灯", 7),
        ("第〇〇五章", 5),
        ("Chapter 1", 1),
        ("CHAPTER ONE", 1),
        ("Chapter XII: The Gate", 12),
        ("Chapter Twenty-One - Snow", 21),
        ("chapter 3", 3),
        ("Ch. 4", 4),
    ],
)
def test_chapter_headings(line: str, number: int) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert (heading.level, heading.number) == ("chapter", number)


@pytest.mark.parametrize(
    "line", ["卷一", "第二卷 北行", "卷之三 归途", "上卷", "Part Two", "BOOK III", "Volume 2: Ash"]
)
def test_volume_headings(line: str) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert heading.level == "volume"


@pytest.mark.parametrize(
    "line",
    ["序言", "楔子", "【序章】", "番外一 旧事", "番外：雪", "尾声", "后记", "Prologue", "EPILOGUE", "# Prologue: Ash"],
)
def test_headings_without_a_number(line: str) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert heading.level == "special"


@pytest.mark.parametrize(
    "line",
    [
        "第二回合，他输了",
        "第三节课开始了",
        "第一集团军",
        "第一章里他说过这件事。",
        "他翻到第三章。",
        "第一部分",
        "第二天一早，他走了",
        "第五章的内容是假的",
        "序幕拉开了。",
        "番外的事以后再说",
        "Chapter three was the one she liked best.",
        "Chapter and verse",
        "Part of the reason",
        "Book I read last year",
        "Prologues are dull",
        "chapter one of her life was over",
        "第三章" + "很长" * 40,
    ],
)
def test_prose_is_no_heading(line: str) -> None:
    assert parse_heading(line) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("十", 10),
        ("二十一", 21),
        ("一百二十", 120),
        ("廿三", 23),
        ("一〇八", 108),
        ("１２", 12),
        ("万", None),
        ("xiv", 14),
        ("iiii", None),
        ("forty-two", 42),
        ("dog", None),
        ("", None),
    ],
)
def test_numerals(text: str, number: int | None) -> None:
    if text != "万":
        assert parse_numeral(text) == number


@given(st.integers(1, 9999))
def test_chinese_numerals_come_back(number: int) -> None:
    digits = "零一二三四五六七八九"
    spelled, zero = "", False
    for scale, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // scale % 10
        if digit:
            spelled += ("零" if zero and spelled else "") + digits[digit] + sign
        zero = not digit
    assert parse_numeral(spelled) == number


def titles(text: str) -> list[str]:
    split = split_novel(text)
    assert "".join(section.raw for section in split.sections) == text
    return [section.title for section in split.sections]


def test_text_before_the_first_heading_is_a_prologue() -> None:
    text = f"{PROSE}\n{PROSE}\n第一章 雪\n{PROSE}\n第二章 灯\n{PROSE}"
    assert titles(text) == ["", "第一章 雪", "第二章 灯"]


def test_marks_and_brackets_around_headings() -> None:
    assert titles(f"☆、第1章 雪\n{PROSE}\n【第2章】灯\n{PROSE}\n=== 第3章 ===\n{PROSE}") == [
        "第1章 雪",
        "第2章 灯",
        "第3章",
    ]


def test_a_table_of_contents_in_english() -> None:
    contents = "A Book\n\nCONTENTS\nCHAPTER I. Down\nCHAPTER II. Up\n\n"
    assert titles(f"{contents}CHAPTER I.\nDown\n\nIt fell.\nCHAPTER II.\nUp\n\nIt rose.\n") == [
        "CHAPTER I",
        "CHAPTER II",
    ]


def test_a_title_page_is_none() -> None:
    assert titles(f"《雪夜》\n某人 著\n\n第一章 雪\n{PROSE}\n第二章 灯\n{PROSE}") == ["第一章 雪", "第二章 灯"]


def test_volumes_name_their_chapters() -> None:
    text = f"卷一 北行\n第一章 雪\n{PROSE}\n第二章 灯\n{PROSE}\n卷二 归途\n第一章 风\n{PROSE}"
    assert titles(text) == ["卷一 北行 第一章 雪", "卷一 北行 第二章 灯", "卷二 归途 第一章 风"]
    assert titles(f"卷一\n{PROSE}\n卷二\n{PROSE}") == ["卷一", "卷二"]


def test_a_table_of_contents_holds_no_chapters() -> None:
    contents = "目录\n第一章 雪\n第二章 灯\n第三章 风\n番外\n\n"
    text = f"{contents}第一章 雪\n{PROSE}\n第二章 灯\n{PROSE}\n第三章 风\n{PROSE}\n番外\n{PROSE}"
    assert titles(text) == ["第一章 雪", "第二章 灯", "第三章 风", "番外"]
    assert split_novel(text).contents == 4


def test_a_heading_said_twice_opens_one_chapter() -> None:
    assert titles(f"第一章 雪\n\n第一章 雪——\n{PROSE}\n第二章 灯\n{PROSE}") == ["第一章 雪", "第二章 灯"]


def test_two_parts_of_one_chapter_stay_two() -> None:
    long = PROSE * 10
    assert len(titles(f"第一章 雪（上）\n{long}\n第一章 雪（下）\n{long}\n")) == 2


def test_bare_numbers_count_as_headings_only_in_order() -> None:
    assert titles(f"1\n{PROSE}\n2\n{PROSE}\n3\n{PROSE}\n") == ["1", "2", "3"]
    assert titles(f"I.\n{PROSE}\nII.\n{PROSE}\nIII.\n{PROSE}\n") == ["I", "II", "III"]
    assert titles(f"ONE\n{PROSE}\nTWO\n{PROSE}\nTHREE\n{PROSE}\n") == ["ONE", "TWO", "THREE"]
    assert titles(f"卷一 北行\n1、雪\n{PROSE}\n2、灯\n{PROSE}\n3、风\n{PROSE}") == [
        "卷一 北行 1 雪",
        "卷一 北行 2 灯",
        "卷一 北行 3 风",
    ]
    assert titles(f"{PROSE}\n1. 水\n2. 米\n3. 油\n{PROSE}") == [""]
    assert titles(f"{PROSE}\n12\n{PROSE}\n7\n{PROSE}") == [""]


def test_without_headings_a_long_text_is_cut_at_paragraphs() -> None:
    text = (PROSE * 4 + "\n") * 900
    split = split_novel(text)
    assert len(split.sections) > 10
    assert "".join(section.raw for section in split.sections) == text
    assert all(section.raw.endswith("\n") for section in split.sections)
    assert "no chapter headings" in split.notices[0]


LINES = st.sampled_from(
    ["第一章 雪", "第二章 灯", "卷一", "目录", "番外", "", PROSE, "Chapter 1", "Prologue", "1", "2", "3", "　　"]
)


@given(st.lists(LINES, min_size=1, max_size=40), st.sampled_from(["\n", "\r\n"]))
def test_no_character_is_lost_or_doubled(lines: list[str], join: str) -> None:
    text = join.join(lines)
    assert "".join(section.raw for section in split_novel(text).sections) == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16"])
def test_a_file_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "雪夜.txt"
    path.write_bytes(f"第一章 雪\r\n　　{PROSE}\r\n　　{PROSE}\r\n第二章 灯\r\n　　{PROSE}\r\n".encode(encoding))
    story = read_path(path)
    assert (story.format, story.title, story.language) == ("novel", "雪夜", "zh")
    assert [unit.title for unit in story.units] == ["第一章 雪", "第二章 灯"]
    assert story.units[0].text == f"{PROSE}\n{PROSE}"
    assert story.report.balanced


def test_the_prologue_is_a_unit_and_a_short_story_is_one_chapter(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{PROSE * 2}\n第一章\n{PROSE}", "utf-8")
    assert [unit.title for unit in read_path(tmp_path / "a.txt").units] == ["", "第一章"]
    (tmp_path / "b.md").write_text("The door opened. *Snow* blew in.\n", "utf-8")
    story = read_path(tmp_path / "b.md")
    assert (story.units[0].title, story.units[0].text, story.language) == ("b", "The door opened. Snow blew in.", "en")


def test_headings_alone_are_no_story(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("第一章\n第二章\n第三章\n", "utf-8")
    with pytest.raises(InputError, match="no text"):
        read_path(tmp_path / "a.txt")
