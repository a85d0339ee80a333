from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from talekeeper.memory.library import Library
from talekeeper.memory.models import LinkWrite
from tests.memory_story import commit, curate, new_story, node


def tamper(folder: Path, *statements: str) -> list[str]:
    """What ``check`` says after someone changed the file behind the library's back."""
    story = new_story(folder)
    units = curate(story, ["沈青梧推开门", "门后有信"])
    links = [LinkWrite("event_1", "involved_in", "char_1", ())]
    commit(story, node("char_1", "沈青梧", units[0], identity="镖师"), links=links, batch=units[:1])
    assert story.library.check() == []
    story.library.close()
    connection = sqlite3.connect(folder / "library.db")
    for statement in statements:
        assert connection.execute(statement).rowcount > 0
    connection.commit()
    connection.close()
    with Library.open(folder) as library:
        return library.check()


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE node_version SET title = '沈青' WHERE version = 3", "commit 3 isn't what was stored"),
        ("UPDATE node_version SET fields = '{}' WHERE version = 1", "commit 1 isn't what was stored"),
        ("UPDATE link_version SET lifecycle = 'archived'", "commit 3 isn't what was stored"),
        ("UPDATE evidence SET stop = stop - 1 WHERE id = 1", "evidence u1[0:10] doesn't match"),
        ("UPDATE unit SET messages = replace(messages, '门', '窗') WHERE id = 2", "unit u2 isn't the text"),
        ("UPDATE commits SET meta = '{\"x\":1}' WHERE seq = 2", "commit 2 isn't what was stored"),
        ("UPDATE commits SET chain = 'x' WHERE seq = 1", "commit 2 isn't what was stored"),
        ("DELETE FROM link_version", "commit 3 isn't what was stored"),
        ("UPDATE node SET depth = 1 WHERE node_id = 'event_2'", "made 0 events, not one"),
        ("DELETE FROM node WHERE node_id = 'char_1'", "points to a missing row of node"),
        ("UPDATE commit_unit SET unit_id = 1 WHERE commit_seq = 2", "unit u1 was curated 2 times"),
    ],
)
def test_every_change_behind_the_library_s_back_is_found(tmp_path: Path, statement: str, found: str) -> None:
    assert any(found in line for line in tamper(tmp_path, statement))
