"""E9–E11, E14 and E15: soft flags on what a summary could do without."""

from __future__ import annotations

from typing import Any

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.subjects import EventSubject
from tests.rule_subjects import event, faults


@pytest.mark.parametrize(
    ("rule", "language", "prose", "facts", "found"),
    [
        ("E9", "zh", "林晚走了。" * 5, {}, 1),
        ("E9", "zh", "林晚走了。" * 4, {}, 0),
        ("E10", "zh", "林晚似乎有些不安。", {}, 1),
        ("E10", "zh", "林晚原谅了沈砚。", {}, 0),
        ("E10", "en", "Mara seemed a little nervous.", {}, 1),
        ("E11", "zh", "林晚走了。窗外的雨一直下，气氛静谧。", {"known_names": frozenset({"林晚"})}, 1),
        ("E11", "zh", "林晚在微风里走了。", {"known_names": frozenset({"林晚"})}, 0),
        ("E14", "zh", "林晚第三次敲门。", {"batch_text": "她敲门。"}, 1),
        ("E14", "zh", "林晚第三次敲门。", {"batch_text": "这是第三次了。"}, 0),
        ("E14", "zh", "林晚在下午三点敲门。", {"batch_text": "她敲门。"}, 0),
        ("E14", "en", "Mara knocked for the third time.", {"batch_text": "She knocked."}, 1),
        ("E15", "zh", "罗三出身镖局，自幼习武。", {"newcomers": frozenset({"罗三"})}, 2),
        ("E15", "zh", "罗三出身镖局。", {}, 0),
        ("E15", "en", "Luo San was raised by monks.", {"newcomers": frozenset({"Luo San"})}, 1),
    ],
)
def test_flags_are_soft(rule: str, language: Language, prose: str, facts: dict[str, Any], found: int) -> None:
    hits = faults(language, "event", EventSubject(event(language, prose=prose), **facts), rule)
    assert [v.severity for v in hits] == ["soft"] * found
