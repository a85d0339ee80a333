"""The audit says clean of what the curator wrote, and finds what a hand in the database did."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from talekeeper.graph.audit import audit
from talekeeper.graph.runner import curate
from talekeeper.memory.library import Library
from talekeeper.memory.models import Language
from tests.stories import story


def _tampered(folder: Path, language: Language, statement: str, turns: int = 6) -> Path:
    with story(folder, language, turns) as made:
        curate(made)
        path = made.library.database_path
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    return path.parent


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_the_curator_wrote_is_clean(tmp_path: Path, language: Language) -> None:
    seen: list[tuple[int, int, str]] = []
    with story(tmp_path, language) as made:
        curate(made)
        report = audit(made.library, on_progress=lambda *row: seen.append(row))
    assert report.clean
    assert report.checked["stories"] == 1
    assert report.checked["units"] == 9
    assert report.checked["thoughts"] == 9 + 2
    assert report.checked["links"] > 9
    assert seen == [(9, 9, "test story")]


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("UPDATE node_version SET fields = json_set(fields, '$.summary', '时间: 未知\n地点: 某处\n\n她走了。')", "E1"),
        (
            "UPDATE node_version SET fields = json_set(fields, '$.summary', fields ->> '$.summary' || '她说“好”。')",
            "T8",
        ),
        ("UPDATE node_version SET fields = json_set(fields, '$.mood', '平静') WHERE title = '林晚'", "N1"),
    ],
)
def test_a_hand_in_the_database_is_found(tmp_path: Path, statement: str, rule: str) -> None:
    with Library.open(_tampered(tmp_path, "zh", statement), create=False) as library:
        report = audit(library)
    assert not report.clean
    assert rule in {violation.rule for _, _, violation in report.violations}
    assert any("commit" in problem for problem in report.problems), "the commit chain notices too"


def test_a_lost_event_is_found(tmp_path: Path) -> None:
    folder = _tampered(tmp_path, "zh", "UPDATE node_version SET lifecycle = 'archived' WHERE node = 1")
    with Library.open(folder, create=False) as library:
        assert audit(library).problems


def test_only_the_stories_asked_for(tmp_path: Path) -> None:
    with story(tmp_path, "zh", 1) as made:
        curate(made)
        made.library.create_story("another", language="en")
        assert audit(made.library).checked["stories"] == 2
        assert audit(made.library, [made]).checked["stories"] == 1
