"""Evidence: a unit of the batch, or the very words of one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.models import Evidence, Unit
from talekeeper.memory.story import Story
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.evidence import Citation, cite
from talekeeper.tools.nearest import nearest, nearest_passage
from tests.tools_story import a_story, opened


@pytest.fixture(scope="module")
def story() -> Iterator[Story]:
    with tempfile.TemporaryDirectory() as folder, a_story(Path(folder) / "library", "zh") as made:
        yield made


def cited(story: Story, given_: object, units: int = 2, **kwargs: bool) -> Citation:
    return cite(opened(story, story.units()[:units])._state, given_, **kwargs)


def text_at(units: list[Unit], span: Evidence) -> str:
    return next(u for u in units if u.ref == span.unit).text[span.start : span.end]


def test_one_unit_is_the_default_and_several_must_be_named(story: Story) -> None:
    assert cited(story, None, 1).spans == (Evidence.of(story.units()[0]),)
    assert [v.rule for v in cited(story, None).faults] == ["P5"]
    assert [s.unit for s in cited(story, [], whole_batch=True).spans] == ["u1", "u2"]


def test_units_and_quotes_are_located(story: Story) -> None:
    units = story.units()[:2]
    spans = cited(story, ["u2", {"unit": "u1", "quote": "第1套剑法"}, {"quote": "第2套剑法"}]).spans
    assert [s.unit for s in spans] == ["u2", "u1", "u2"]
    assert [text_at(units, s) for s in spans[1:]] == ["第1套剑法", "第2套剑法"]


@pytest.mark.parametrize(
    ("given_", "hint"),
    [
        ("u9", "u1"),
        ({"unit": "u1", "quote": "第一套剑法"}, "第1套剑法"),
        ({"quote": "没有这句话的剑法"}, "剑法"),
        ({"quote": "沈青"}, "u1, u2"),
        ([Evidence("u7", 0, 1, "x")], "u1"),
        ([Evidence("u1", 0, 1, "x")], "u1"),
        ([Evidence("u1", 0, 10**6, "x")], "u1"),
    ],
)
def test_what_is_not_there_is_refused_with_the_nearest(story: Story, given_: object, hint: str) -> None:
    citation = cited(story, given_)
    assert [v.rule for v in citation.faults] == ["P5"]
    assert citation.spans == ()
    assert hint in citation.faults[0].message + citation.faults[0].mend


@pytest.mark.parametrize("given_", [[3], {"unit": "u1", "text": "x"}, {}, [{}], {"unit": ["u1"]}])
def test_wrong_shapes_are_refused(story: Story, given_: object) -> None:
    if given_ == {}:
        assert [v.rule for v in cited(story, [{}] if given_ else None).faults] == ["P5"]
        return
    with pytest.raises(ArgumentRefused):
        cited(story, given_)


@given(st.data())
def test_every_passage_of_a_unit_can_be_quoted(data: st.DataObject) -> None:
    unit = Unit("chapter", (), ref="u1")
    text = "第1日上午，沈青来到青石镇，把第1套剑法教给陆遥。"
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert nearest_passage(text[start:end], text) == text[start:end]
    assert unit.text == ""


@given(st.text(max_size=10), st.lists(st.text(min_size=1, max_size=8), max_size=6))
def test_there_is_always_something_nearest(asked: str, choices: list[str]) -> None:
    found = nearest(asked, choices)
    assert bool(found) == bool(choices)
    assert set(found) <= set(choices)


@pytest.mark.parametrize(("asked", "right"), [("identty", "identity"), ("alias", "aliases"), ("Goals", "goal")])
def test_typing_mistakes_find_their_column(asked: str, right: str) -> None:
    assert nearest(asked, ["title", "aliases", "traits", "identity", "goal"])[0] == right
