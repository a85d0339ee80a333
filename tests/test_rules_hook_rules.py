"""R6, R7 and N15: swept threads, lasting candidates, hooks that need another scene."""

from __future__ import annotations

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.subjects import (
    EntityEntry,
    HookFacts,
    NewThreadEntry,
    RollCall,
    RollCallSubject,
    SweepSubject,
    SweptThread,
)
from tests.rule_subjects import event, faults


@pytest.mark.parametrize(
    ("language", "prose", "stale"),
    [
        ("zh", "沈砚把信送到北港。", True),
        ("zh", "沈砚还没有把信送到北港。", False),
        ("zh", "沈砚答应把信送到北港。", False),
        ("zh", "沈砚到了北港。", False),
        ("en", "Tom delivered the ledger to Northport.", True),
        ("en", "Tom agreed to deliver the ledger to Northport.", False),
        ("en", "Tom reached Northport.", False),
    ],
)
def test_a_thread_that_the_event_ends_must_be_touched(language: Language, prose: str, stale: bool) -> None:
    title = "北港送信" if language == "zh" else "Ledger to Northport"
    thread, edited = SweptThread("thread_1", title), SweptThread("thread_1", title, edited=True)
    summary = event(language, prose=prose)
    assert bool(faults(language, "sweep", SweepSubject(summary, (thread,)), "R6")) is stale
    assert faults(language, "sweep", SweepSubject(summary, (edited,)), "R6") == []


def test_an_entry_says_that_its_change_lasts() -> None:
    says = EntityEntry("沈砚", (), (), "CREATE", None, (), "首次出场，此后长期同行")
    silent = EntityEntry("林晚", (), (), "CREATE", None, (), "出现在这一批")
    skipped = EntityEntry("罗三", (), (), "SKIP", None, (), "只是路过")
    subject = RollCallSubject(RollCall((says, silent, skipped)), {}, {}, {}, {})
    assert [(v.where, v.severity) for v in faults("zh", "roll_call", subject, "R7")] == [("林晚", "soft")]


@pytest.mark.parametrize(
    ("category", "reason", "known", "ok"),
    [
        (1, "三个月后在京城归还", HookFacts(), True),
        (None, "三个月后在京城归还", HookFacts(), False),
        (4, "三个月后在京城归还", HookFacts(), False),
        (1, "", HookFacts(), False),
        (1, "下一步就去隔壁", HookFacts(), False),
        (2, "三个月后在京城归还", HookFacts(29, True, False, False), False),
        (2, "三个月后在京城归还", HookFacts(30, True, False, False), True),
        (2, "三个月后在京城归还", HookFacts(30, False, False, False), False),
        (2, "三个月后在京城归还", HookFacts(10, False, None, False), True),
        (2, "三个月后在京城归还", HookFacts(10, False, True, False), True),
    ],
)
def test_a_new_thread_names_its_category_and_passes_the_threshold(
    category: int | None, reason: str, known: HookFacts, ok: bool
) -> None:
    call = RollCall(new_threads=(NewThreadEntry("归还残谱", "CREATE", category, reason),))
    subject = RollCallSubject(call, {}, {}, {}, {}, {"归还残谱": known})
    assert (faults("zh", "roll_call", subject, "N15") == []) is ok
