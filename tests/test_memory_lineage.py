"""Forked worldlines, made by hand in the tables: what is seen of them is checked against a plain model in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.memory import tables
from talekeeper.memory.errors import NotFound
from talekeeper.memory.library import Library
from talekeeper.memory.models import LinkWrite
from talekeeper.memory.story import Story
from talekeeper.memory.units import STEP
from tests.memory_story import again, commit, curate, draft, new_story, node, story_in


def fork(story: Story, name: str, turn: int) -> Story:
    """A worldline that leaves the story's own after ``turn``."""
    database = story.library._database
    with database.writing() as connection:
        line = tables.worldline
        parent = connection.execute(
            sa.select(line.c.id).where(line.c.story_id == story.id, line.c.name == story.worldline)
        ).scalar_one()
        connection.execute(
            sa.insert(line).values(story_id=story.id, parent_id=parent, fork_position=turn * STEP, name=name)
        )
        row = connection.execute(sa.select(tables.story).where(tables.story.c.id == story.id)).one()
    return Story(story.library, database, row, name)


def test_a_fork_sees_the_past_and_keeps_its_own_future(tmp_path: Path) -> None:
    main = new_story(tmp_path)
    units = curate(main, ["一", "二", "三"])
    commit(main, node("char_1", "甲", identity="旧", aliases=["老甲"]), node("char_2", "乙"), batch=units[:1])
    commit(main, links=[LinkWrite("char_1", "allied_with", "char_2", ())], batch=units[:1])
    side = fork(main, "side", 2)
    assert [u.text for u in side.units()] == [u.text for u in units[:2]]
    other = curate(side, ["三又"])[0]
    assert (other.ref, other.turn) == ("u4", 3)
    commit(side, again(side.reader().node("char_1"), identity="侧", aliases=[]), batch=[other])
    commit(main, again(main.reader().node("char_1"), identity="主"), node("char_3", "丙"), batch=units[2:])
    commit(side, links=[LinkWrite("char_1", "allied_with", "char_2", (), lifecycle="archived")], batch=[other])

    here, there = main.reader(), side.reader()
    assert [r.node("char_1").fields["identity"] for r in (here, there)] == ["主", "侧"]
    assert [len(r.find_by_name("老甲")) for r in (here, there)] == [1, 0]
    assert [[s.surface for s in r.names_in("老甲与乙、丙")] for r in (here, there)] == [
        ["老甲", "乙", "丙"],
        ["甲", "乙"],
    ]
    assert [[e.id for e in r.events(5)] for r in (here, there)] == [
        ["event_3", "event_2", "event_1"],
        ["event_4", "event_2", "event_1"],
    ]
    assert [[hit.id for hit in r.keyword_search("三", kinds=["unit"])] for r in (here, there)] == [["u3"], ["u4"]]
    assert [len(r.links_of("char_1")) for r in (here, there)] == [1, 0]
    assert [len(r.history("char_1")) for r in (here, there)] == [2, 2]
    assert side.reader(at=2).node("char_1").fields["identity"] == "旧"
    assert len(side.reader(at=2).links_of("char_2")) == 1
    with pytest.raises(NotFound):
        there.node("char_3")
    assert side.uncurated() == main.uncurated() == []
    assert there.next_ids() == here.next_ids()
    assert main.library.check() == []


def test_the_parent_s_later_past_cannot_override_the_fork_s_own(tmp_path: Path) -> None:
    main = new_story(tmp_path)
    units = curate(main, ["一", "二"])
    commit(main, node("thread_1", "约", status="active", note="x"), batch=units[:1])
    side = fork(main, "side", 2)
    assert [t.id for t in side.reader().active_threads()] == ["thread_1"]
    other = curate(side, ["三"])[0]
    commit(side, again(side.reader().node("thread_1"), status="resolved"), batch=[other])
    assert side.reader().active_threads() == []
    commit(
        main,
        again(main.reader().node("thread_1"), note="y"),
        node("thread_2", "二约", status="active"),
        batch=units[:1],
    )
    assert [t.id for t in side.reader().active_threads()] == ["thread_2"]
    assert side.reader().node("thread_1").fields["status"] == "resolved"


def test_an_edit_on_a_fork_changes_that_fork_alone(tmp_path: Path) -> None:
    main = new_story(tmp_path)
    curate(main, ["一", "二", "三"])
    side = fork(main, "side", 3)
    grand = fork(side, "grand", 1)
    report = side.add_units([draft("一"), draft("二改"), draft("三")])
    assert [u.ref for u in report.changed] == ["u2.2"]
    assert [u.ref for u in main.units()] == ["u1", "u2", "u3"]
    assert [u.ref for u in side.units()] == ["u1", "u2.2", "u3"]
    assert [u.ref for u in grand.units()] == ["u1"]


@dataclass
class Line:
    """The model of a worldline: its parent, its fork, and what was written on it as (order, turn, node, value)."""

    story: Story
    parent: Line | None = None
    turn: int = 0
    rows: list[tuple[int, int, str, str]] = field(default_factory=list)

    def sees(self, node_id: str, upto: int) -> str | None:
        own = [row for row in self.rows if row[2] == node_id and row[1] <= upto]
        if own:
            return max(own)[3]
        return self.parent.sees(node_id, min(upto, self.turn)) if self.parent else None


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library")) as library:
        yield library


TURNS = 4
steps = st.one_of(
    st.tuples(st.just("fork"), st.integers(0, 9), st.integers(0, TURNS)),
    st.tuples(st.just("write"), st.integers(0, 9), st.integers(1, TURNS)),
)


@settings(deadline=None, max_examples=25)
@given(plan=st.lists(st.tuples(steps, st.integers(0, 2)), max_size=14))
def test_every_reader_sees_what_the_model_says(library: Library, plan: list[tuple[tuple[str, int, int], int]]) -> None:
    main = story_in(library)
    units = main.add_units([draft(str(i)) for i in range(TURNS)]).added
    lines = [Line(main)]
    for order, ((what, which, turn), target) in enumerate(plan):
        line = lines[which % len(lines)]
        if what == "fork":
            lines.append(Line(fork(line.story, f"f{order}", turn), line, turn))
            continue
        node_id, value = f"thread_{target + 1}", str(order)
        taken = any(row[2] == node_id for known in lines for row in known.rows)
        there = line.sees(node_id, TURNS)
        if taken and there is None:
            continue  # the id is another worldline's
        status = "active" if order % 3 else "resolved"
        write = node(node_id, value, new=not taken, status=status)
        commit(line.story, write, batch=[units[turn - 1]])
        line.rows.append((order, turn, node_id, value))
    for line in lines:
        for at in range(TURNS + 1):
            cut = line.story.reader() if at == TURNS else line.story.reader(at=min(at, line.story.unit_count()))
            upto = TURNS if at == TURNS else min(at, line.story.unit_count())
            expected = {f"thread_{i}": line.sees(f"thread_{i}", upto) for i in (1, 2, 3)}
            seen = {n.id: n.title for n in cut.list_nodes(["thread"])}
            assert seen == {node_id: title for node_id, title in expected.items() if title is not None}
            active = {n.id for n in cut.active_threads()}
            assert active == {n.id for n in cut.list_nodes(["thread"], status="active")}
            for node_id, title in seen.items():
                assert [m.node_id for m in cut.find_by_name(title)] == [node_id]
