"""E5–E7: rows of the three sections."""

from __future__ import annotations

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.subjects import EventSubject
from tests.rule_subjects import event, faults


@pytest.mark.parametrize(
    ("language", "prose", "row", "severities"),
    [
        ("zh", "沈砚的左臂被斩断。", "沈砚左臂残废", []),
        ("zh", "林晚与沈砚在祠堂拜堂。", "两人结为夫妻", []),
        ("zh", "林晚把信交给沈砚。", "沈砚很生气", ["hard"]),
        ("zh", "林晚把信交给沈砚。", "林晚怀孕", ["soft"]),
        ("zh", "林晚把信交给沈砚。", "罗三登基", ["hard"]),
        ("zh", "林晚把信交给沈砚。", "信归沈砚。林晚没有留底", ["hard"]),
        ("zh", "林晚把信交给沈砚。", "信归沈砚" * 11, ["hard"]),
        ("en", "Tom was shot in the street.", "Tom is dead", []),
        ("en", "Tom gave the ledger to Mara.", "Tom is tired", ["hard"]),
        ("en", "Tom gave the ledger to Mara.", "Edwin was crowned", ["hard"]),
    ],
)
def test_an_irreversible_row_is_lasting_short_and_told(
    language: Language, prose: str, row: str, severities: list[str]
) -> None:
    label = "不可逆" if language == "zh" else "Irreversible"
    names = frozenset({"林晚", "沈砚", "罗三", "Tom", "Mara", "Edwin"})
    subject = EventSubject(event(language, prose=prose, tail=f"\n\n{label}:\n- {row}"), known_names=names)
    assert sorted({v.severity for v in faults(language, "event", subject, "E5")}) == severities


@pytest.mark.parametrize(
    ("rows", "created", "kept", "found"),
    [
        (['→ thread "甲"'], {"甲"}, {"甲"}, []),
        (['→ thread "甲"'], None, set(), []),
        (['→ thread "甲"'], set(), {"甲"}, []),
        (["→ thread 甲"], set(), {"甲"}, ["→ thread 甲"]),
        (['→ thread "乙"'], set(), {"甲"}, ["乙"]),
        ([], {"甲"}, {"甲"}, [""]),
    ],
)
def test_an_open_row_and_a_new_thread_are_bound(
    rows: list[str], created: set[str] | None, kept: set[str], found: list[str]
) -> None:
    tail = "\n\n未结:\n" + "\n".join(f"- {row}" for row in rows) if rows else ""
    new = None if created is None else frozenset(created)
    subject = EventSubject(event("zh", tail=tail), thread_titles=frozenset(kept), created_threads=new)
    assert [v.excerpt for v in faults("zh", "event", subject, "E6")] == found


@pytest.mark.parametrize(
    ("row", "severities"),
    [
        ('碑文: "止步于此"', []),
        ('碑文: "止步於此"', ["hard"]),
        ("碑文：“止步于此”", ["hard"]),
        ('门外: "止步于此"', []),
        ('她: "我不去"', ["soft"]),
        ('誓言: "我不去"', []),
    ],
)
def test_an_excerpt_is_verbatim_and_carried(row: str, severities: list[str]) -> None:
    batch = (
        "门外的碑上刻着“止步于此”四个大字，字口填了朱漆，过路的人都要看上一眼，走近了还能摸到当年石匠留下的凿痕，"
        "深浅不一，最深处能放进一枚铜钱。天色已经晚了，街上只剩一个卖糖的老人在收摊。她摇头。“我不去”。"
    )
    subject = EventSubject(event("zh", tail=f"\n\n原文摘录:\n- {row}"), batch)
    assert [v.severity for v in faults("zh", "event", subject, "E7")] == severities
