"""Transcripts of ``Name: text``."""

from __future__ import annotations

from pathlib import Path

import pytest

from talekeeper.sources.named_text import find_speakers
from talekeeper.sources.read import read_path
from talekeeper.sources.report import SourceStory


def read(tmp_path: Path, text: str, name: str = "t.txt") -> SourceStory:
    (tmp_path / name).write_text(text, "utf-8")
    story = read_path(tmp_path / name)
    assert story.report.balanced
    return story


def rows(story: SourceStory) -> list[tuple[str, str, str]]:
    return [(m.role, m.name, m.text) for unit in story.units for m in unit.messages]


def test_chinese_lines(tmp_path: Path) -> None:
    story = read(tmp_path, "王五：雪大了。\n李四：是啊，\n炉子也灭了。\n王五：走吧。\n")
    assert (story.format, story.language) == ("text", "zh")
    assert rows(story) == [
        ("character", "王五", "雪大了。"),
        ("character", "李四", "是啊，\n炉子也灭了。"),
        ("character", "王五", "走吧。"),
    ]


def test_an_export_with_blank_lines_keeps_labels_inside_messages(tmp_path: Path) -> None:
    text = "Mara: Hello.\n\nYou: Hi.\n\n" * 9 + "Mara: Listen.\nYou: is what I call you.\n\nYou: Oh.\n\n"
    story = read(tmp_path, text)
    assert len(rows(story)) == 20
    assert rows(story)[-2] == ("character", "Mara", "Listen.\nYou: is what I call you.")


def test_the_user_is_known_by_label(tmp_path: Path) -> None:
    story = read(tmp_path, "青禾：你来了。\n我：来了。\n青禾：坐。\n我：好。\n")
    assert [role for role, _, _ in rows(story)] == ["character", "user", "character", "user"]
    assert [len(unit.messages) for unit in story.units] == [1, 2, 1]


def test_declared_names_speak_once(tmp_path: Path) -> None:
    story = read(tmp_path, "人物：王五、李四、赵六\n\n王五：开门。\n李四：谁？\n王五：我。\n赵六：等等。\n")
    assert story.report.header == 1
    assert [name for _, name, _ in rows(story)] == ["王五", "李四", "王五", "赵六"]
    assert "赵六" in story.report.known_names


def test_a_colon_in_prose_is_no_speaker(tmp_path: Path) -> None:
    story = read(
        tmp_path,
        "Mara: Listen.\nHe said: nothing at all.\nhttp://a.b: x\n12:30: noon\nJon: I do.\n"
        "The point is this, friend: go.\nMara: Good.\nJon: Bye.\n",
    )
    assert [name for _, name, _ in rows(story)] == ["Mara", "Jon", "Mara", "Jon"]
    assert "12:30: noon" in rows(story)[0][2]


def test_stamps_and_marks(tmp_path: Path) -> None:
    story = read(
        tmp_path,
        "[2024-01-02 10:00] **Mara:** Hi.\n[2024-01-02 10:01] **Jon:** Hello.\n[2024-01-02 10:02] **Mara:** Bye.\n",
        "t.md",
    )
    assert [name for _, name, _ in rows(story)] == ["Mara", "Jon", "Mara"]
    assert story.report.first_date == "2024-01-02T10:00:00"


def test_text_before_the_first_label_is_the_narrators(tmp_path: Path) -> None:
    story = read(tmp_path, "夜深了，雪还在下。\n\n王五：走吧。\n李四：好。\n王五：快。\n李四：来了。\n")
    assert rows(story)[0] == ("narrator", "", "夜深了，雪还在下。")


@pytest.mark.parametrize(
    "text",
    [
        "他走进来，说：“雪大。”\n她点了点头：是啊。\n",
        "时间：上午\n地点：酒铺\n时间：下午\n地点：山路\n他走了很远。\n",
        "One line: only.\nAnd then much prose follows it.\nAnd more.\n",
    ],
)
def test_prose_is_no_transcript(text: str) -> None:
    assert find_speakers(text) == {}
