"""The view kept in the process says what a walk over the tables says, whatever was written in between."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.memory.library import Library
from talekeeper.memory.reader import Reader
from tests.memory_story import again, commit, draft, node, story_in


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library")) as library:
        yield library


def same(warm: Reader, cold: Reader, walked: Reader) -> None:
    """A warm view, a cold one and the walk of a reader at the last turn agree."""
    for read in (warm, cold):
        assert [n.id for n in read.active_threads()] == [n.id for n in walked.active_threads()]
        assert [n.id for n in read.events(99)] == [n.id for n in walked.events(99)]
        for depth in (0, 1, 2):
            assert read.compaction_groups("event", depth) == walked.compaction_groups("event", depth)


@settings(deadline=None, max_examples=25)
@given(plan=st.lists(st.sampled_from(["event", "thread", "resolve", "compact", "archive"]), max_size=20))
def test_the_view_equals_the_walk(library: Library, plan: list[str]) -> None:
    story = story_in(library)
    reader = story.reader()
    for step, what in enumerate(plan):
        unit = story.append_unit(draft(str(step)))
        free = reader.next_ids()
        active, events = reader.active_threads(), reader.events(99)
        if what == "event":
            commit(story, node(f"event_{free['event']}", "", unit, summary="x"), batch=[unit])
        elif what == "thread":
            commit(story, node(f"thread_{free['thread']}", "约", unit, status="active"), batch=[unit])
        elif what == "resolve" and active:
            commit(story, again(active[0], status="resolved"), batch=[unit])
        elif what == "archive" and events:
            last = events[0]
            gone = node(last.id, last.title, new=False, depth=last.depth, lifecycle="archived")
            commit(story, gone, batch=[unit])
        elif what == "compact":
            for depth in range(3):
                for group in reader.compaction_groups("event", depth):
                    top = f"event_{reader.next_ids()['event']}"
                    children = [again(child, parent=top) for child in reader.nodes(group.child_ids)]
                    commit(story, node(top, "", depth=depth + 1, summary="x"), *children, kind="rollup", batch=[unit])
        same(reader, library.story(story.id).reader(), story.reader(at=story.unit_count()))
