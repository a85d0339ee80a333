from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.memory.errors import InputError, NotFound
from talekeeper.memory.library import Library
from talekeeper.memory.models import Message, UnitDraft
from talekeeper.memory.units import STEP, Placed, align, pack_messages, positions_for, unpack_messages
from tests.memory_story import commit, draft, new_story, node, story_in

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
messages = st.builds(
    Message,
    role=st.sampled_from(["user", "character", "narrator", "system"]),
    name=texts,
    text=texts,
    raw=texts,
    hidden=st.booleans(),
    sent_at=st.none() | texts,
    line=st.none() | st.integers(1, 10**6),
)


@given(st.lists(messages, max_size=4))
def test_messages_survive_storage(given_messages: list[Message]) -> None:
    assert unpack_messages(pack_messages(given_messages)) == tuple(given_messages)


def placed(letters: str) -> list[Placed]:
    return [Placed(STEP * (i + 1), draft(c).content_hash, "chat", i + 1) for i, c in enumerate(letters)]


@given(st.text(alphabet="abcd", max_size=8), st.text(alphabet="abcde", max_size=8))
def test_alignment_accounts_for_every_unit(old: str, new: str) -> None:
    plan = align(placed(old), [draft(c) for c in new])
    assert plan.kept + len(plan.changed) + len(plan.inserted) == len(new)
    assert plan.kept + len(plan.changed) + plan.missing == len(old) or plan.kept == 0
    assert [before for _, before in plan.inserted] == sorted(before for _, before in plan.inserted)


@given(st.lists(st.integers(0, 5), max_size=6), st.integers(1, 5))
def test_positions_lie_between_their_neighbours(gaps: list[int], count: int) -> None:
    there = [Placed(STEP * (i + 1), "", "", i) for i in range(len(gaps))]
    for before in range(len(there) + 1):
        got = positions_for(there, before, count)
        low = there[before - 1].position if before else 0
        assert got == sorted(set(got))
        assert got[0] > low
        assert before == len(there) or got[-1] < there[before].position


def test_a_used_up_gap_is_an_error() -> None:
    with pytest.raises(InputError, match="No room"):
        positions_for([Placed(1, "", "", 1), Placed(2, "", "", 2)], 1, 1)


def test_a_grown_file_is_appended(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    first = story.add_units([draft("一"), draft("二")])
    assert [u.ref for u in first.added] == ["u1", "u2"]
    second = story.add_units([draft("一"), draft("二"), draft("三")])
    assert (second.unchanged, [u.ref for u in second.added], second.missing) == (2, ["u3"], 0)
    assert story.add_units([draft("一"), draft("二"), draft("三")]).added == ()
    assert [u.turn for u in story.units()] == [1, 2, 3]
    assert [u.text for u in story.units(start=2, end=2)] == ["沈青梧: 二"]
    assert story.unit_count() == 3


def test_an_edited_unit_is_a_new_version_in_its_place(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    old = story.add_units([draft("一"), draft("二"), draft("三")]).added
    commit(story, node("event_1", "事", old[1], summary="x"), batch=[old[1]], kind="facts")
    report = story.add_units([draft("一"), draft("二改"), draft("三")])
    assert [(u.ref, u.turn, u.position) for u in report.changed] == [("u2.2", 2, old[1].position)]
    assert [u.ref for u in story.units()] == ["u1", "u2.2", "u3"]
    assert story.unit("u2").text == "沈青梧: 二"
    assert [u.ref for u in story.uncurated()] == ["u1", "u2.2", "u3"]
    back = story.add_units([draft("一"), draft("二"), draft("三")])
    assert [u.ref for u in back.changed] == ["u2.3"]


def test_units_in_the_middle_move_nobody(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    old = story.add_units([draft("一"), draft("四")]).added
    report = story.add_units([draft("一"), draft("二"), draft("三"), draft("四")])
    assert [u.turn for u in report.added] == [2, 3]
    assert [u.text[-1] for u in story.units()] == ["一", "二", "三", "四"]
    assert story.unit(old[1].ref).position == old[1].position
    assert story.unit(old[1].ref).turn == 4


def test_a_shortened_file_drops_nothing(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    story.add_units([draft(c) for c in "甲乙丙丁"])
    report = story.add_units([draft(c) for c in "甲乙"])
    assert (report.unchanged, report.missing, story.unit_count()) == (2, 2, 4)


def test_another_file_goes_on_with_the_story(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    story.add_units([draft(c, source="part1") for c in "甲乙"])
    report = story.add_units([draft(c, source="part2") for c in "丙丁"])
    assert (len(report.added), report.missing, report.changed) == (2, 0, ())
    assert [u.turn for u in report.added] == [3, 4]


def test_text_that_cannot_be_stored_is_mended_before_it_is_hashed(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    bad = UnitDraft("turn", (Message("user", "\ud83d", "a\ud83d\ude00", "b\ude00\0"),), title="\ud83d", source="s")
    unit = story.add_units([bad]).added[0]
    assert unit.messages[0] == Message("user", "\ufffd", "a😀", "b\ufffd\0")
    assert story.add_units([bad]).unchanged == 1
    assert story.library.check() == []


def test_an_unknown_unit_names_the_nearest(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    story.add_units([draft("一")])
    with pytest.raises(NotFound, match="No unit 'u12'") as caught:
        story.unit("u12")
    assert caught.value.nearest == ("u1",)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library")) as library:
        yield library


@settings(deadline=None, max_examples=40)
@given(files=st.lists(st.text(alphabet="abcdef", min_size=1, max_size=6), min_size=1, max_size=4))
def test_the_story_reads_as_the_last_file_where_nothing_is_missing(library: Library, files: list[str]) -> None:
    story = story_in(library)
    for letters in files:
        report = story.add_units([draft(c) for c in letters])
        if report.missing == 0:
            assert [u.text[-1] for u in story.units()] == list(letters)
        assert [u.turn for u in story.units()] == list(range(1, story.unit_count() + 1))
