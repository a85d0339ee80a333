"""Every form of date that chats carry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.sources.dates import date_range, is_new_sitting, parse_date


@pytest.mark.parametrize(
    ("value", "iso"),
    [
        ("June 19, 2023 2:20pm", "2023-06-19T14:20:00"),
        ("April 26, 2024 6:06am", "2024-04-26T06:06:00"),
        ("April 26, 2024 12:06am", "2024-04-26T00:06:00"),
        ("2024-7-12@01h31m37s", "2024-07-12T01:31:37"),
        ("2024-07-12@01h31m37s", "2024-07-12T01:31:37"),
        ("2024-6-5 @14h 56m 50s 682ms", "2024-06-05T14:56:50.682"),
        ("2024-6-5 @14h 56m 50s 9ms", "2024-06-05T14:56:50.009"),
        ("2024-6-5 @14h 56m 50s 71ms", "2024-06-05T14:56:50.071"),
        (1684669029632, "2023-05-21T11:37:09.632Z"),
        ("1684669029632", "2023-05-21T11:37:09.632Z"),
        (1684669029, "2023-05-21T11:37:09Z"),
        (1684669029.5, "2023-05-21T11:37:09.500Z"),
        ("2026-07-12T14:18:29.287Z", "2026-07-12T14:18:29.287Z"),
        ("2026-07-12T14:18:29+08:00", "2026-07-12T14:18:29+08:00"),
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00"),
        ("2023/5/8 13:56", "2023-05-08T13:56:00"),
        ("2023年5月8日 下午3:05", "2023-05-08T15:05:00"),
    ],
)
def test_known_forms(value: object, iso: str) -> None:
    assert parse_date(value) == iso


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "soon",
        True,
        {},
        [],
        "13:99",
        "February 30, 2024 1:00am",
        "2024-13-40@99h99m99s",
        1,
        -5,
        10**30,
        "9" * 200,
        float("nan"),
        float("inf"),
        "May 3, 2024 13:00pm",
    ],
)
def test_what_is_no_date_is_none(value: object) -> None:
    assert parse_date(value) is None


@given(st.one_of(st.text(), st.integers(), st.floats(), st.binary()))
def test_nothing_breaks_it(value: object) -> None:
    date = parse_date(value)
    assert date is None or not is_new_sitting(date, date)


def test_sittings_and_ranges() -> None:
    assert is_new_sitting("2024-01-01T10:00:00", "2024-01-01T16:30:00Z")
    assert not is_new_sitting("2024-01-01T10:00:00", "2024-01-01T12:00:00")
    assert not is_new_sitting(None, "2024-01-01T12:00:00")
    assert date_range(["2024-01-02T00:00:00Z", "2024-01-01T00:00:00"]) == (
        "2024-01-01T00:00:00",
        "2024-01-02T00:00:00Z",
    )
    assert date_range([]) == (None, None)
