"""What was read from a story's files: kept for each place, the newest counts, nothing kept twice."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from talekeeper.memory.errors import StoryLocked
from talekeeper.memory.library import Library
from talekeeper.memory.models import SourceRecord
from tests.memory_story import new_story

REPORT = {"rows": 7, "messages": 5, "damaged": [{"line": 4, "reason": "cut off", "excerpt": "『雪"}]}


def shown(records: list[SourceRecord]) -> list[tuple[str, object]]:
    return [(record.place, record.report) for record in records]


def rows_in(folder: Path) -> int:
    connection = sqlite3.connect(folder / "library.db")
    count: int = connection.execute("SELECT count(*) FROM source_report").fetchone()[0]
    connection.close()
    return count


def test_the_newest_report_of_every_place_in_order_of_first_reading(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    assert story.sources() == []
    story.record_source("/雪/一.jsonl", REPORT)
    story.record_source("/雪/二.jsonl", {"rows": 2})
    story.record_source("/雪/一.jsonl", {**REPORT, "rows": 9})
    assert shown(story.sources()) == [("/雪/一.jsonl", {**REPORT, "rows": 9}), ("/雪/二.jsonl", {"rows": 2})]
    assert all(record.read_at.startswith("20") for record in story.sources())
    assert rows_in(tmp_path) == 3, "what was read before stays"


def test_the_same_report_again_adds_nothing_but_an_older_one_does(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    for report in (REPORT, dict(reversed(REPORT.items())), {"rows": 1}, REPORT):
        story.record_source("一", report)
    assert rows_in(tmp_path) == 3
    assert shown(story.sources()) == [("一", REPORT)]


def test_stories_have_their_own(tmp_path: Path) -> None:
    first = new_story(tmp_path, title="甲")
    second = first.library.create_story("乙", language="zh")
    first.record_source("一", REPORT)
    assert second.sources() == []
    second.record_source("一", {"rows": 1})
    assert shown(first.sources()) == [("一", REPORT)]
    assert shown(second.sources()) == [("一", {"rows": 1})]


def test_odd_text_is_kept_as_far_as_it_can_be(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    place = os.fsdecode(b"/data/\xff.jsonl")
    story.record_source(place, {"excerpt": "\ud83c"})
    story.record_source(place, {"excerpt": "\ud83c"})
    assert shown(story.sources()) == [("/data/\ufffd.jsonl", {"excerpt": "\ufffd"})]
    assert rows_in(tmp_path) == 1


def test_a_locked_story_takes_no_report(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    other = Library.open(tmp_path).story(story.id)
    with story.lease("writer"):
        with pytest.raises(StoryLocked):
            other.record_source("一", REPORT)
        story.record_source("一", REPORT)
    assert rows_in(tmp_path) == 1
