from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from talekeeper.memory import leases, tables
from talekeeper.memory.errors import StoryLocked
from talekeeper.memory.library import Library
from talekeeper.memory.story import Story
from tests.memory_story import commit, curate, draft, new_story, node

HOLDER = """
import pathlib, sys
from talekeeper.memory.library import Library
story = Library.open(pathlib.Path(sys.argv[1])).story("听雪楼")
with story.lease("holder"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the story's lease until its input ends."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process


def lease_rows(story: Story) -> int:
    with story.library._database.reading() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(tables.lease)).scalar_one())


def test_a_second_process_is_told_who_writes(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    curate(story, ["一"])
    with holder(tmp_path) as process:
        with (
            pytest.raises(StoryLocked, match=rf"process {process.pid} on .* \(holder\) since \d"),
            story.lease("second"),
        ):
            pass
        for write in (
            lambda: commit(story, node("char_1", "甲")),
            lambda: story.add_units([draft("一"), draft("二")]),
            lambda: story.open_dispatch("d", []),
        ):
            with pytest.raises(StoryLocked):
                write()
        assert story.unit_count() == 1
        assert story.reader().last_event() is not None
        process.communicate(b"")
    with story.lease("second"):
        commit(story, node("char_1", "甲"))
    assert lease_rows(story) == 0


def test_a_dead_holder_is_replaced(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    with holder(tmp_path) as process:
        process.kill()
    assert lease_rows(story) == 1
    commit(story, node("char_1", "甲"))
    with story.lease("next"):
        commit(story, node("char_2", "乙"))


def test_another_handle_of_this_process_is_refused_too(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    with Library.open(tmp_path) as library, story.lease("first"):
        other = library.story(story.id)
        with pytest.raises(StoryLocked, match=str(os.getpid())), other.lease("again"):
            pass
        with pytest.raises(StoryLocked), story.lease("nested"):
            pass
        with pytest.raises(StoryLocked):
            commit(other, node("char_1", "甲"))
        commit(story, node("char_1", "甲"))


def test_an_error_inside_gives_the_lease_back(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    with pytest.raises(RuntimeError), story.lease("first"):
        raise RuntimeError
    with story.lease("second"):
        pass


def test_a_lease_that_was_taken_over_writes_no_more(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    with story.lease("first"):
        with story.library._database.writing() as connection:
            connection.execute(sa.delete(tables.lease))
        with pytest.raises(StoryLocked, match="lost"):
            commit(story, node("char_1", "甲"))
    assert story.head_seq == 0


@pytest.mark.parametrize(("change", "live"), [({"process": "1"}, False), ({"host": "elsewhere"}, True)])
def test_who_counts_as_alive(tmp_path: Path, change: dict[str, object], live: bool) -> None:
    story = new_story(tmp_path)
    with story.library._database.writing() as connection:
        leases.acquire(connection, story.id, story.title, "ghost")
        connection.execute(sa.update(tables.lease).values(**change))
    if live:
        with pytest.raises(StoryLocked), story.lease("next"):
            pass
        with story.library._database.writing() as connection:
            connection.execute(sa.update(tables.lease).values(expires_at=0))
    with story.lease("next"):
        pass
