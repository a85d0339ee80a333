"""R1–R5: what the roll-call must hold, and that writes follow it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talekeeper.memory.models import Language, NameMatch
from talekeeper.rules.subjects import (
    ActiveThreadEntry,
    EntityEntry,
    FieldChange,
    NewThreadEntry,
    RollCall,
    RollCallSubject,
    WriteSubject,
)
from tests.rule_subjects import BOOKS, faults

LIN = EntityEntry("林晚", ("char_1",), (), "EDIT", "char_1", (FieldChange("identity", "学徒", "掌门"),), "师父亲口传位")
SHEN = EntityEntry("沈砚", (), ("char_2",), "SKIP", None, (), "长期字段没有变化")
CHEN = EntityEntry("陈伯", (), (), "CREATE", None, (), "本轮首次出场")
TOWER = EntityEntry("听雪楼", ("place_1",), (), "SKIP", None, (), "控制者与用途都没有变")
SWEPT = ActiveThreadEntry("thread_1", "寻找玉佩", "SKIP", "本轮未触及")
CALL = RollCall((LIN, SHEN, CHEN), (TOWER,), (NewThreadEntry("北港送信", "CREATE", 1, "另一场戏"),), (SWEPT,))
ANSWERS = {
    "林晚": (NameMatch("char_1", "character_sheet", "林晚", "title", "林晚"),),
    "沈砚": (NameMatch("char_2", "character_sheet", "砚台先生", "alias", "沈砚"),),
    "陈伯": (),
    "听雪楼": (NameMatch("place_1", "location_state", "听雪楼", "title", "听雪楼"),),
    "砚台先生": (NameMatch("char_2", "character_sheet", "砚台先生", "title", "砚台先生"),),
}
SUBJECT = RollCallSubject(
    CALL,
    {"character_sheet": ("林晚", "沈砚", "陈伯"), "location_state": ("聽雪樓",)},
    ANSWERS,
    {"thread_1": "寻找玉佩"},
    {"character_sheet": ("title", "identity"), "location_state": ("title", "state")},
)


def _with(**parts: object) -> RollCallSubject:
    return replace(SUBJECT, roll_call=replace(CALL, **parts))  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_full_roll_call_breaks_nothing(language: Language) -> None:
    assert [v.rule for v in BOOKS[language].check("roll_call", SUBJECT) if v.severity == "hard"] == []


@pytest.mark.parametrize(
    ("subject", "count"),
    [
        (_with(characters=(LIN, SHEN)), 1),
        (_with(characters=(LIN, CHEN, replace(SHEN, name="砚台先生"))), 0),
        (_with(characters=(replace(LIN, name="林晚、沈砚"), CHEN)), 1),
        (_with(characters=(LIN, SHEN, CHEN, replace(CHEN, name="其他人"))), 1),
        (_with(shorthand="全部都是新的"), 1),
        (_with(locations=()), 1),
    ],
)
def test_each_name_has_an_entry_of_its_own(subject: RollCallSubject, count: int) -> None:
    assert len(faults("zh", "roll_call", subject, "R1")) == count


@pytest.mark.parametrize(
    ("entry", "ok"),
    [
        (LIN, True),
        (replace(LIN, title_hits=("char_1", "char_9")), False),
        (replace(LIN, title_hits=()), False),
        (replace(LIN, title_hits=(), alias_hits=("char_1",)), False),
        (replace(LIN, name="无名氏"), False),
    ],
)
def test_look_ups_stand_as_they_were_answered(entry: EntityEntry, ok: bool) -> None:
    assert (faults("zh", "roll_call", _with(characters=(entry,)), "R2") == []) is ok


@pytest.mark.parametrize(
    ("entry", "ok"),
    [
        (replace(CHEN, title_hits=("char_1",)), False),
        (replace(CHEN, reason=""), True),
        (replace(LIN, node_id="char_2"), False),
        (replace(LIN, node_id=None), False),
        (replace(LIN, changes=()), False),
        (replace(LIN, changes=(FieldChange("身份", "甲", "乙"),)), False),
        (replace(LIN, changes=(FieldChange("identity", "甲", "甲"),)), False),
        (replace(LIN, changes=(FieldChange("identity", "", "掌门"),)), True),
        (replace(LIN, reason="补充信息"), False),
        (replace(LIN, reason="更新状态，完善设定"), False),
        (replace(LIN, reason="补充信息：左臂在北港断了"), True),
        (replace(LIN, reason=""), False),
        (replace(SHEN, reason="无变化"), False),
        (replace(SHEN, reason=""), False),
        (replace(SHEN, decision="WAIT"), False),  # type: ignore[arg-type]
    ],
)
def test_decisions_are_complete(entry: EntityEntry, ok: bool) -> None:
    assert (faults("zh", "roll_call", _with(characters=(entry,)), "R3") == []) is ok


@pytest.mark.parametrize(
    ("reason", "ok"), [("more info", False), ("Update.", False), ("lost her arm at Northport", True)]
)
def test_vague_reasons_in_english(reason: str, ok: bool) -> None:
    subject = _with(characters=(replace(LIN, reason=reason),))
    assert (faults("en", "roll_call", subject, "R3") == []) is ok


@pytest.mark.parametrize(
    ("write", "ok"),
    [
        (WriteSubject(CALL, "create", "character_sheet", ("陈伯",)), True),
        (WriteSubject(CALL, "create", "character_sheet", ("老陈", "陈伯")), True),
        (WriteSubject(CALL, "create", "character_sheet", ("赵六",)), False),
        (WriteSubject(CALL, "create", "character_sheet", ("沈砚",)), False),
        (WriteSubject(CALL, "create", "location_state", ("陈伯",)), False),
        (WriteSubject(CALL, "create", "event", ()), True),
        (WriteSubject(CALL, "create", "faction", ("青云门",)), True),
        (WriteSubject(CALL, "edit", "character_sheet", node_id="char_1", fields=("identity",)), True),
        (WriteSubject(CALL, "edit", "character_sheet", node_id="char_1", fields=("identity", "goal")), False),
        (WriteSubject(CALL, "edit", "character_sheet", node_id="char_2", fields=("identity",)), False),
        (WriteSubject(CALL, "create", "thread", ("北港送信",)), True),
        (WriteSubject(CALL, "create", "thread", ("别的",)), False),
        (WriteSubject(CALL, "edit", "thread", node_id="thread_1", fields=("note",)), False),
    ],
)
def test_writes_follow_their_entry(write: WriteSubject, ok: bool) -> None:
    assert (BOOKS["zh"].check("write", write) == []) is ok


@pytest.mark.parametrize(
    ("decision", "fields", "status", "ok"),
    [
        ("EDIT", ("note",), None, True),
        ("EDIT", ("status",), "resolved", False),
        ("RESOLVED", ("status", "note"), "resolved", True),
        ("RESOLVED", ("status",), "abandoned", False),
        ("RESOLVED", ("note",), None, True),
        ("ABANDONED", ("status",), "abandoned", True),
    ],
)
def test_thread_edits_follow_the_sweep(decision: str, fields: tuple[str, ...], status: str | None, ok: bool) -> None:
    call = replace(CALL, active_threads=(replace(SWEPT, decision=decision),))  # type: ignore[arg-type]
    write = WriteSubject(call, "edit", "thread", node_id="thread_1", fields=fields, status=status)
    assert (BOOKS["zh"].check("write", write) == []) is ok


@pytest.mark.parametrize(
    ("subject", "count"),
    [
        (_with(active_threads=()), 1),
        (_with(active_threads=(), said_no_active=True), 2),
        (_with(active_threads=(SWEPT, replace(SWEPT, node_id="thread_9"))), 1),
        (_with(active_threads=(SWEPT, replace(SWEPT, decision="RESOLVED"))), 1),
        (_with(active_threads=(replace(SWEPT, reason=""),)), 1),
        (replace(_with(active_threads=()), active_threads={}), 1),
        (replace(_with(active_threads=(), said_no_active=True), active_threads={}), 0),
    ],
)
def test_every_active_thread_is_swept(subject: RollCallSubject, count: int) -> None:
    assert len(faults("zh", "roll_call", subject, "R5")) == count
