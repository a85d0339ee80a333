"""P1–P9: the order and the books of a dispatch, and its closing sentence."""

from __future__ import annotations

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.subjects import ClosingSubject, ProtocolSubject
from tests.rule_subjects import BOOKS, faults

DONE = ("schema", "recent", "find", "brief", "roll_call", "create", "edit", "link", "event", "event_link", "sweep")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_dispatch_in_order_breaks_nothing(language: Language) -> None:
    subject = ProtocolSubject((*DONE, "finish"), 1, finishing=True, repeats={"find:林晚": 3})
    assert BOOKS[language].check("protocol", subject) == []
    tools = (
        "memory_schema",
        "memory_list_candidates",
        "memory_find_by_name",
        "roll_call",
        "memory_node_create",
        "event",
    )
    assert BOOKS[language].check("protocol", ProtocolSubject((*tools, "memory_compact_nodes"), 1)) == []


@pytest.mark.parametrize(
    ("steps", "count"),
    [
        (("recent",), 1),
        (("schema", "find"), 1),
        (("schema", "find", "recent", "roll_call", "create"), 0),
        (("schema", "recent", "create"), 1),
        (("roll_call",), 2),
        (("schema", "recent", "roll_call", "sweep"), 1),
        (("schema", "recent", "roll_call", "compact"), 1),
        ((*DONE, "edit"), 1),
        ((*DONE, "find", "brief", "sweep", "link", "compact"), 0),
        (("schema", "recent", "roll_call", "finish"), 1),
    ],
)
def test_the_order_is_fixed(steps: tuple[str, ...], count: int) -> None:
    assert len(faults("zh", "protocol", ProtocolSubject(steps, 1), "P1")) == count


@pytest.mark.parametrize(
    ("events", "finishing", "ok"), [(0, False, True), (0, True, False), (1, True, True), (2, False, False)]
)
def test_exactly_one_event(events: int, finishing: bool, ok: bool) -> None:
    assert (faults("en", "protocol", ProtocolSubject(DONE, events, finishing), "P2") == []) is ok


def test_the_books_are_in_order() -> None:
    subject = ProtocolSubject(
        DONE,
        1,
        touched=("char_3",),
        uncited=("char_4", "char_5"),
        foreign=("u9",),
        uncovered=("u2", "u3"),
        reread=("schema",),
        kept=("E3",),
    )
    found = [(v.rule, v.where) for v in BOOKS["zh"].check("protocol", subject)]
    assert found == [
        ("P3", "steps"),
        ("P4", "char_3"),
        ("P5", "char_4"),
        ("P5", "char_5"),
        ("P5", "u9"),
        ("P6", "event"),
        ("P9", "event"),
    ]
    flagged = ProtocolSubject(DONE, 1, kept=("E3",), flags=("needs_review",))
    assert faults("zh", "protocol", flagged, "P9") == []


def test_facts_land_before_the_first_rollup() -> None:
    assert faults("zh", "protocol", ProtocolSubject((*DONE, "compact", "compact"), 1), "P8") == []
    assert faults("zh", "protocol", ProtocolSubject((*DONE, "compact", "link"), 1), "P8")
    assert faults("zh", "protocol", ProtocolSubject((*DONE, "commit", "commit"), 1), "P8")


COUNTS = {"event create": 1, "character_sheet edit": 1, "link create": 0, "groups": 2}


@pytest.mark.parametrize(
    ("language", "text", "ok"),
    [
        ("zh", "写 1 event + 1 character_sheet edit；压缩 2 组", True),
        ("zh", "写 1 event + 1 character_sheet edit; 压缩 2 组。", True),
        ("zh", "写了 1 个 event 和 1 个 character_sheet 修改，压缩了两组。", True),
        ("zh", "写 1 event + 2 character_sheet edit；压缩 2 组", False),
        ("zh", "写 1 event；压缩 2 组", False),
        ("zh", "写 1 event + 1 character_sheet edit + 1 thread create；压缩 2 组", False),
        ("zh", "写 1 event + 1 character_sheet edit；压缩 2 组。林晚笑了。", False),
        ("zh", "写 1 event + 1 character_sheet edit；压缩 2 组，“好”", False),
        ("zh", "", False),
        ("en", "Wrote 1 event + 1 character_sheet edit; compacted 2 groups", True),
        ("en", "Wrote one event and 1 character_sheet edit; compacted two groups.", True),
        ("en", "Wrote 1 event; compacted 2 groups", False),
        ("en", "All done!", False),
    ],
)
def test_the_closing_sentence_tells_what_was_written(language: Language, text: str, ok: bool) -> None:
    assert (BOOKS[language].check("closing", ClosingSubject(text, COUNTS)) == []) is ok


def test_a_closing_message_calls_no_tool() -> None:
    assert faults("zh", "closing", ClosingSubject("写 1 event", {"event create": 1}, has_tool_calls=True), "P7")
