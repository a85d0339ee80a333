"""Folders of chapters."""

from __future__ import annotations

from pathlib import Path

import pytest

from talekeeper.memory.errors import InputError
from talekeeper.sources.chapters import find_chapters, is_chapter_name
from talekeeper.sources.read import read_path

PROSE = "道长推门而入，肩头积雪未化。他放下斗笠，问小二要了一壶酒。这是第{}夜。"


def folder(root: Path, *names: str, text: str | None = None) -> Path:
    for number, name in enumerate(names):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or f"# {path.stem}\n\n{PROSE.format(name)}{'雪' * number}\n", "utf-8")
    return root


def found(root: Path) -> list[str]:
    return [str(path.relative_to(root)) for path in find_chapters(root).chapters]


def test_natural_order(tmp_path: Path) -> None:
    folder(tmp_path, "第10章.md", "第9章.md", "第1章.md", "楔子.md", "番外一.md", "尾声.md", "第100章.md")
    assert found(tmp_path) == ["楔子.md", "第1章.md", "第9章.md", "第10章.md", "第100章.md", "尾声.md", "番外一.md"]


def test_chinese_numerals_and_volumes(tmp_path: Path) -> None:
    folder(tmp_path, "第二卷/第一章.txt", "第一卷/第十章.txt", "第一卷/第二章.txt", "第十卷/第一章.txt")
    assert found(tmp_path) == ["第一卷/第二章.txt", "第一卷/第十章.txt", "第二卷/第一章.txt", "第十卷/第一章.txt"]


def test_english_names(tmp_path: Path) -> None:
    folder(
        tmp_path,
        "chapters/chapter-010.md",
        "chapters/chapter-2.md",
        "chapters/Prologue.md",
        "chapters/01 - Snow.md",
        "README.md",
        "chapters/Epilogue.md",
    )
    assert [Path(name).stem for name in found(tmp_path)] == [
        "Prologue",
        "01 - Snow",
        "chapter-2",
        "chapter-010",
        "Epilogue",
    ]


def test_what_lies_beside_the_chapters_is_left_out_and_said(tmp_path: Path) -> None:
    folder(
        tmp_path,
        "正文/第1章.md",
        "正文/第2章.md",
        "大纲/总纲.md",
        "审查报告/第1章审查报告.md",
        "设定集/世界观.md",
        "README.md",
        "novel-complete.md",
        "outline.md",
        "正文/第2章-review.md",
        "02世界观/第1章.md",
        "style-guide.md",
    )
    story = read_path(tmp_path)
    assert [unit.source for unit in story.units] == ["正文/第1章.md", "正文/第2章.md"]
    assert (story.format, story.report.left_out, story.report.rows) == ("chapters", 9, 11)
    assert story.report.balanced
    assert any("novel-complete.md holds the whole book" in notice for notice in story.report.notices)


@pytest.mark.parametrize(
    "stem", ["第5章 验尸报告", "chapter-03-the-review", "12", "第十回 大纲之争", "ch07", "序", "003_snow"]
)
def test_chapter_names(stem: str) -> None:
    assert is_chapter_name(stem)


@pytest.mark.parametrize(
    "stem",
    [
        "README",
        "第1章审查报告",
        "chapter-3-outline",
        "大纲",
        "人物设定",
        "style-guide",
        "novel-complete",
        "generation-report",
        "notes",
    ],
)
def test_other_names(stem: str) -> None:
    assert not is_chapter_name(stem)


def test_titles_front_matter_and_headings(tmp_path: Path) -> None:
    (tmp_path / "1.md").write_text("---\ntitle: 雪夜\ndate: 2024\n---\n\n他来了，带着一身的雪。\n", "utf-8")
    (tmp_path / "2.md").write_text("# 第2章 灯\n\n他*走*了。\n\n## 其二\n\n灯灭了。\n", "utf-8")
    (tmp_path / "3.txt").write_text("他又回来了，谁也没有说话。", "gb18030")
    units = read_path(tmp_path).units
    assert [(unit.title, unit.text) for unit in units] == [
        ("雪夜", "他来了，带着一身的雪。"),
        ("第2章 灯", "他走了。\n\n其二\n\n灯灭了。"),
        ("3", "他又回来了，谁也没有说话。"),
    ]
    assert units[0].messages[0].raw.startswith("---\ntitle")


def test_placeholders_are_kept_and_noticed(tmp_path: Path) -> None:
    for number in range(1, 5):
        (tmp_path / f"chapter-{number}.md").write_text(
            f"# 第{number}章\n\n" + "这一章还没有写，先占着位置。" * 20 + str(number), "utf-8"
        )
    story = read_path(tmp_path)
    assert len(story.units) == 4
    assert any("3 chapters are nearly the same" in notice for notice in story.report.notices)


def test_a_chapter_that_cannot_be_read_is_damaged_and_the_rest_kept(tmp_path: Path) -> None:
    folder(tmp_path, "第1章.md", "第2章.md", "第4章.md")
    (tmp_path / "第3章.md").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "第5章.md").write_bytes(b"")
    story = read_path(tmp_path)
    assert len(story.units) == 3
    assert [(damage.line, damage.excerpt) for damage in story.report.damaged] == [(3, "第3章.md")]
    assert story.report.blank == 1
    assert story.report.balanced


def test_unnumbered_chapters_in_a_manuscript_folder(tmp_path: Path) -> None:
    folder(tmp_path, "正文/雪夜.md", "正文/归途.md", "杂记.md")
    assert sorted(found(tmp_path)) == ["正文/归途.md", "正文/雪夜.md"]


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ((), "it's empty"),
        (("README.md", "大纲.md"), "none named like a chapter"),
        (("a.jsonl", "b.jsonl"), "2 chat or JSON files"),
        (
            ("甲书/正文/第1章.md", "甲书/正文/第2章.md", "乙书/正文/第1章.md", "乙书/正文/第2章.md"),
            "chapters of 2 books",
        ),
    ],
)
def test_a_folder_that_is_no_book(tmp_path: Path, names: tuple[str, ...], says: str) -> None:
    folder(tmp_path, *names)
    with pytest.raises(InputError, match=says):
        read_path(tmp_path)


def test_named_volumes_are_one_book(tmp_path: Path) -> None:
    folder(tmp_path, "上卷/第1章.md", "上卷/第2章.md", "下卷/第3章.md", "下卷/第4章.md")
    assert len(found(tmp_path)) == 4
