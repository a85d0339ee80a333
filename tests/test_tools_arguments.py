"""Arguments of the wrong shape: one reading is taken, two readings are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.schema import default_schema
from talekeeper.memory.text import fold
from talekeeper.tools.arguments import (
    as_flag,
    as_int,
    as_list,
    as_mapping,
    as_names,
    as_text,
    merged_names,
    read_fields,
)
from talekeeper.tools.errors import ArgumentRefused

SHEET = default_schema().types[1]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=8), json_values, max_size=4))
def test_an_object_and_its_json_text_are_the_same(value: dict[str, Any]) -> None:
    assert as_mapping(json.dumps(value), "fields") == as_mapping(value, "fields") == value


@given(st.lists(json_values, max_size=4))
def test_a_list_and_its_json_text_are_the_same(value: list[Any]) -> None:
    assert as_list(json.dumps(value), "links") == as_list(value, "links") == value


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (None, []),
        ("", []),
        ("event", ["event"]),
        ("event_1, event_2", ["event_1", "event_2"]),
        ("event_1、event_2，event_3", ["event_1", "event_2", "event_3"]),
        ('["event_1"]', ["event_1"]),
        (("a", "b"), ["a", "b"]),
    ],
)
def test_names_come_as_list_or_joined(given_: object, expected: list[str]) -> None:
    assert as_names(given_, "child_ids") == expected


@pytest.mark.parametrize(
    "read", [lambda: as_mapping("text", "fields"), lambda: as_mapping(3, "fields"), lambda: as_mapping(["a"], "fields")]
)
def test_what_is_no_object_is_named(read: Any) -> None:
    with pytest.raises(ArgumentRefused, match="fields must be an object"):
        read()


@pytest.mark.parametrize("value", [3, True, object()])
def test_what_is_no_list_is_named(value: object) -> None:
    with pytest.raises(ArgumentRefused, match="links must be a list"):
        as_list(value, "links")


def test_names_are_strings() -> None:
    with pytest.raises(ArgumentRefused, match="must hold strings"):
        as_names([1], "child_ids")


def test_flags() -> None:
    assert [as_flag(v, "f") for v in (True, "False", "yes", 0)] == [True, False, True, False]
    with pytest.raises(ArgumentRefused, match="true or false"):
        as_flag("perhaps", "f")


def test_text_and_numbers() -> None:
    assert [as_text(v, "t") for v in (None, "x", 3, 1.5)] == ["", "x", "3", "1.5"]
    assert as_int("7", "k", low=1, high=9) == 7
    strangers: list[object] = [True, [1], {}]
    for wrong in strangers:
        with pytest.raises(ArgumentRefused):
            as_text(wrong, "t")
    for out in ("x", 0, 10, None):
        with pytest.raises(ArgumentRefused):
            as_int(out, "k", low=1, high=9)


@given(st.dictionaries(st.sampled_from([*SHEET.table_columns, "mood"]), json_values, max_size=5))
def test_fields_are_either_read_or_named(sent: dict[str, Any]) -> None:
    result = read_fields(SHEET, sent, "zh")
    faulty = {v.where.removeprefix("fields.") for v in result.faults}
    assert set(result.values) | faulty == set(sent)
    assert not set(result.values) & faulty
    for column, value in result.values.items():
        if column in SHEET.list_columns:
            assert all(isinstance(item, str) for item in value)
        elif column in SHEET.table_columns:
            assert isinstance(value, str)


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("aliases", "老沈、青衣剑/沈师父", ["老沈", "青衣剑", "沈师父"]),
        ("aliases", ["老沈、青衣剑", "老沈"], ["老沈", "青衣剑"]),
        ("traits", "沉稳；守信", ["沉稳", "守信"]),
        ("traits", "keeps her word, always", ["keeps her word, always"]),
        ("inventory", 3, ["3"]),
        ("language_sample", "教剑时: 手腕、肩膀，放松\n对外人: 请回", ["教剑时: 手腕、肩膀，放松", "对外人: 请回"]),
        ("goal", ["守住铜镜"], "守住铜镜"),
        ("goal", 12, "12"),
    ],
)
def test_values_take_their_columns_form(column: str, value: object, expected: object) -> None:
    assert read_fields(SHEET, {column: value}, "zh").values == {column: expected}


@given(st.lists(st.text(min_size=1, max_size=6)), st.lists(st.text(min_size=1, max_size=6)))
def test_merging_names_loses_nobody_and_repeats_nobody(before: list[str], added: list[str]) -> None:
    merged = merged_names(before, added)
    assert {fold(n) for n in merged} == {fold(n) for n in (*before, *added)}
    assert len({fold(n) for n in merged}) == len(merged)
