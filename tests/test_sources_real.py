"""Real files, counted against themselves: no row is lost in any of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from talekeeper.memory.errors import InputError
from talekeeper.sources.read import read_all, read_path
from tests.real_data import REAL, real

pytestmark = pytest.mark.real


def chat_files(suffix: str) -> list[str]:
    if REAL is None:
        return ["chats/absent"]
    return sorted(str(path.relative_to(REAL)) for path in REAL.glob(f"[cd][he][ar][ti]*/*{suffix}"))


def objects(path: Path) -> list[Any]:
    found = []
    for line in path.read_text("utf-8-sig").split("\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            found.append(None)
    return found


@pytest.mark.parametrize("name", chat_files(".jsonl"))
def test_every_row_of_every_jsonl_chat(name: str) -> None:
    path = real(name)
    rows = objects(path)
    messages = [row for row in rows if isinstance(row, dict) and ("mes" in row or "role" in row)]
    if not messages:
        with pytest.raises(InputError, match="unknown shape"):
            read_path(path)
        return
    story = read_path(path)
    report = story.report
    assert report.balanced
    assert (report.rows, report.messages) == (len(rows), len(messages))
    assert len(report.damaged) == rows.count(None)
    assert report.header == len(rows) - len(messages) - rows.count(None)
    assert report.swipes == sum(len(row.get("swipes", ())) - 1 for row in messages if row.get("swipes"))
    assert report.hidden == sum(row.get("is_system") is True for row in messages)
    kept = [message for unit in story.units for message in unit.messages]
    assert len(kept) == len(messages)
    for message, row in zip(kept, messages, strict=True):
        if isinstance(row.get("mes"), str):
            assert message.raw == row["mes"]
        if "send_date" in row:
            assert message.sent_at is not None


def test_the_truncated_tail_loses_one_row_and_says_so() -> None:
    whole = read_path(real("chats/st_en_isekai_excerpt58.jsonl")).report
    cut = read_path(real("derived/st_en_isekai_truncated_tail.jsonl")).report
    assert [(damage.line, damage.reason) for damage in cut.damaged] == [(58, "cut off before its end")]
    assert cut.messages == 56 < whole.messages


def test_the_same_chat_in_seven_formats() -> None:
    names = [
        "openai_messages_王峰.json",
        "openai_messages_王峰.jsonl",
        "langchain_messages_to_dict_王峰.json",
        "sharegpt_王峰.json",
        "risuchat_王峰.json",
        "agnai_王峰.json",
        "st_zh_王峰_meridiem_CRLF.jsonl",
    ]
    read = [read_path(real(f"derived/{name}")) for name in names]
    assert len({story.format for story in read}) == 6
    dialogues = [[m.text for unit in story.units for m in unit.messages if m.text] for story in read]
    assert all(dialogue == dialogues[0] for dialogue in dialogues)
    assert len(dialogues[0]) == 104
    assert all(story.language == "zh" and len(story.units) == 52 for story in read)


def test_memorybank_and_locomo() -> None:
    bank = json.loads(real("chats/memorybank_cn.json").read_text("utf-8"))
    stories = read_all(real("chats/memorybank_cn.json"))
    assert [story.title for story in stories] == list(bank)
    assert [s.report.messages for s in stories] == [
        2 * sum(map(len, person["history"].values())) for person in bank.values()
    ]
    for number, count in ((26, 419), (30, 369)):
        story = read_path(real(f"chats/locomo_{number}.json"))
        assert story.report.messages == count
        assert max(len(unit.messages) for unit in story.units) <= 12
        dates = [message.sent_at or "" for unit in story.units for message in unit.messages]
        assert dates == sorted(dates)


def test_a_text_export_has_the_chats_messages() -> None:
    chat = read_path(real("chats/st_en_isekai_excerpt58.jsonl"))
    export = read_path(real("derived/st_en_isekai_export.txt"))
    assert export.report.speakers == chat.report.speakers
    assert export.report.messages == 58


def test_nothing_of_panels_and_reasoning_is_curated() -> None:
    for name in ("chats/st_en_isekai_excerpt58.jsonl", "derived/SYNTHETIC_shape_zh_era_variables.jsonl"):
        text = "\n".join(unit.text for unit in read_path(real(name)).units)
        assert not re.search(r"<\w+>|</|🕰|Thoughts:|era_data|情景回顾|OOC|(?<![\w*])\*\w", text)


@pytest.mark.parametrize(
    ("name", "format", "count"),
    [
        ("novels/classics/三国演义_全120回.txt", "novel", 120),
        ("novels/classics/红楼梦_第37-41回.txt", "novel", 5),
        ("derived/三国演义_第1-2回_gb18030.txt", "novel", 2),
        ("novels/lieque-novel", "chapters", 30),
        ("novels/novel_generator-暗潮汹涌", "chapters", 20),
    ],
)
def test_novels_have_their_chapters(name: str, format: str, count: int) -> None:
    story = read_path(real(name))
    assert (story.format, len(story.units), story.language) == (format, count, "zh")
    assert story.report.balanced
    numbers = [re.search(r"第(.+?)[章回]", unit.title) for unit in story.units]
    assert all(numbers)
    assert len({unit.title for unit in story.units}) == count
    if format == "novel":
        path = real(name)
        raw = "".join(message.raw for unit in story.units for message in unit.messages)
        assert raw == path.read_bytes().decode(story.report.encoding), "every character is in exactly one chapter"


def test_a_group_file_a_card_and_lorebooks_say_what_they_are() -> None:
    for name, says in (
        ("derived/group_1715000000000.json", "group's settings"),
        ("cards/Skynet_v2.png", "PNG image"),
        ("lorebooks/Eldoria.json", "lorebook"),
        ("novels", "2 books"),
    ):
        with pytest.raises(InputError, match=says):
            read_path(real(name))
