"""Messages to units."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.models import Message, Role
from talekeeper.sources.turns import MAX_MESSAGES, to_turns


def message(role: Role, text: str, name: str = "", sent_at: str | None = None) -> Message:
    return Message(role, name or role, text, text or "<think/>", sent_at=sent_at)


def sizes(*messages: Message, sessions: Sequence[str | None] | None = None) -> list[int]:
    return [len(unit.messages) for unit in to_turns(messages, sessions or [None] * len(messages), "f")]


U, C = message("user", "u"), message("character", "c")
EMPTY, NOTICE = message("character", ""), Message("system", "", "", "notice")


def test_a_turn_is_the_users_messages_and_what_follows() -> None:
    assert sizes(U, C, U, C, C) == [2, 3]
    assert sizes(U, U, C, U) == [3, 1]


def test_a_greeting_is_a_unit_of_its_own() -> None:
    assert sizes(C, U, C) == [1, 2]


def test_rows_without_text_stay_with_a_neighbour() -> None:
    assert sizes(EMPTY, U, C) == [3]
    assert sizes(U, EMPTY, NOTICE, U, C) == [3, 2]
    assert sizes(U, C, message("user", ""), EMPTY) == [4]
    assert sizes(NOTICE, C, U, C) == [2, 2]


def test_long_replies_of_a_group_are_cut() -> None:
    assert sizes(U, *[C] * 30) == [12, 12, 7]


def test_without_a_user_sittings_part_units() -> None:
    a, b = message("character", "hi", "A"), message("character", "yo", "B")
    assert sizes(*[a, b] * 10) == [8, 8, 4]
    assert sizes(*[a, b] * 3, sessions=["1"] * 3 + ["2"] * 3) == [3, 3]
    late = message("character", "hi", "A", "2024-01-02T09:00:00")
    early = message("character", "hi", "A", "2024-01-01T09:00:00")
    assert sizes(early, b, late, b) == [2, 2]


def test_without_a_user_long_messages_fill_a_unit_sooner() -> None:
    a, b = message("character", "x" * 2000, "A"), message("character", "y" * 2000, "B")
    assert sizes(*[a, b] * 3) == [2, 2, 2]


ROWS = st.lists(
    st.builds(
        message,
        st.sampled_from(["user", "character", "system"]),
        st.sampled_from(["", "text", "长" * 900]),
        st.sampled_from(["A", "B", "C"]),
    ),
    min_size=1,
    max_size=60,
)


@given(ROWS, st.booleans())
def test_every_message_is_in_exactly_one_unit_in_order(rows: list[Message], without_user: bool) -> None:
    if without_user:
        rows = [row for row in rows if row.role != "user"] or [C]
    units = to_turns(rows, [None] * len(rows), "f")
    assert [m for unit in units for m in unit.messages] == rows
    assert all(sum(bool(m.text) for m in unit.messages) <= MAX_MESSAGES for unit in units)
    if any(row.text for row in rows):
        assert all(unit.text for unit in units)


@given(ROWS, st.integers(0, 59))
def test_a_growing_chat_keeps_its_units_but_the_last(rows: list[Message], cut: int) -> None:
    rows = [row for row in rows if row.role != "user"] if cut % 2 else [U, *rows]
    before = to_turns(rows[:cut], [None] * len(rows[:cut]), "f")
    after = to_turns(rows, [None] * len(rows), "f")
    assert [u.content_hash for u in before[:-1]] == [u.content_hash for u in after[: max(0, len(before) - 1)]]
