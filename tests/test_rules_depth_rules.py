"""C8, C9, C12 and Z1–Z4."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talekeeper.evals.rule_corpus.rollups import rollup
from talekeeper.evals.rule_corpus.sample import worlds
from talekeeper.rules.control_rules import ALWAYS_ON
from talekeeper.rules.subjects import ControlSubject, HiddenChild, StoredRollupSubject
from tests.rule_subjects import faults

ZH, EN = worlds("zh")[0], worlds("en")[0]


def test_concrete_verbs_by_depth() -> None:
    once, twice = ("林晚刺中守卫",), ("林晚刺中守卫", "沈砚砍断门闩")
    assert faults("zh", "rollup", rollup(ZH, once), "C8") == []
    (fault,) = faults("zh", "rollup", rollup(ZH, twice), "C8")
    assert "刺中、砍断" in fault.message
    (fault,) = faults("zh", "rollup", rollup(ZH, once, depth=2), "C8")
    assert fault.excerpt == "刺中"
    assert faults("en", "rollup", rollup(EN, ("Tom was fired from the guard",), depth=2), "C8") == []


def test_a_permanent_change_keeps_its_words() -> None:
    children = tuple(replace(child, changes=("沈砚的左臂被斩断",)) for child in ZH.children())
    assert faults("zh", "rollup", rollup(ZH, ("沈砚的左臂被斩断",), depth=2, children=children), "C8") == []


def test_a_long_heading_is_flagged_softly() -> None:
    long = "、".join(f"第{n}桩大事" for n in range(12))
    (fault,) = faults("zh", "rollup", rollup(ZH, (long,), depth=3), "C8")
    assert fault.severity == "soft"


@pytest.mark.parametrize("item", ["林晚与沈砚共进晚餐", "沈砚客串店员", "林晚与沈砚调情", "顾青午睡"])
def test_scenes_are_told_at_no_depth(item: str) -> None:
    for depth in (1, 2, 3):
        assert faults("zh", "rollup", rollup(ZH, (item,), depth=depth), "C9")


def test_a_rolled_up_child_is_hidden_and_stays_readable() -> None:
    child = HiddenChild("event_1", "…", 0, shown=False, expanded=True)
    right = StoredRollupSubject("event_9", 1, (child,))
    assert faults("en", "stored_rollup", right, "C12") == []
    for fault in ({"shown": True}, {"expanded": False}, {"summary": ""}, {"depth": 1}):
        assert faults("en", "stored_rollup", replace(right, children=(replace(child, **fault),)), "C12")


def test_a_refusal_changes_nothing_and_tells_all() -> None:
    right = ControlSubject(True, "a", "a", ("E1", "E9"), ("E1", "E9"), {"E9": "soft"})
    assert faults("en", "control", right, "Z1") == []
    for wrong in (replace(right, after="b"), replace(right, told=("E1",)), replace(right, told=("E9", "E1"))):
        assert len(faults("en", "control", wrong, "Z1")) == 1


def test_tries_are_bounded_and_traced() -> None:
    assert faults("zh", "control", ControlSubject(tries=3, traced=3), "Z2") == []
    assert faults("zh", "control", ControlSubject(tries=4, traced=4), "Z2")
    assert faults("zh", "control", ControlSubject(tries=2, traced=1), "Z2")


def test_rates_name_their_model() -> None:
    right = ControlSubject(found=("E1",), rates={"E1": 0.1}, model="m", prompt_version="3")
    assert faults("zh", "control", right, "Z3") == []
    assert faults("zh", "control", replace(right, found=("E2",)), "Z3")
    assert faults("zh", "control", replace(right, model=""), "Z3")


@pytest.mark.parametrize("rule", ALWAYS_ON)
def test_some_rules_stay_on(rule: str) -> None:
    assert faults("zh", "control", ControlSubject(settings={rule: "off"}), "Z4")
    assert faults("zh", "control", ControlSubject(settings={rule: "soft"}), "Z4") == []
