"""N11: places."""

from __future__ import annotations

from typing import Any

import pytest

from talekeeper.memory.models import Language
from tests.rule_subjects import faults, node


@pytest.mark.parametrize(
    ("language", "fields", "found"),
    [
        ("zh", {"state": "林晚与沈砚的据点，地下一层已封印"}, []),
        ("zh", {"state": "城中见证人聚会的会所，桥梁承载力有限"}, []),
        ("zh", {"state": "字" * 50}, []),
        ("zh", {"state": "字" * 51}, ["字" * 51]),
        ("zh", {"state": "两人刚刚在此会面，目前已离开"}, ["刚刚", "目前已"]),
        ("zh", {"state": "床铺凌乱不堪，见证了两人的重逢"}, ["凌乱不堪", "见证"]),
        ("zh", {"controller": "北港议会 (名义) / 陈伯 (实际)"}, []),
        ("zh", {"controller": "北港临时政府"}, []),
        ("zh", {"controller": "林晚临时代管"}, ["临时", "代管"]),
        ("zh", {"resources": ["长桌", "本次带来的药箱"]}, ["本次"]),
        ("zh", {"danger": "中；常有海盗"}, []),
        ("en", {"state": " ".join(["word"] * 30)}, []),
        ("en", {"state": " ".join(["word"] * 31)}, [" ".join(["word"] * 31)]),
        ("en", {"state": "They have just left; it bears witness to the feud"}, ["have just", "bears witness"]),
        ("en", {"controller": "The acting captain"}, ["acting"]),
        ("en", {"controller": "The Interim Council"}, []),
    ],
)
def test_places_hold_what_lasts(language: Language, fields: dict[str, Any], found: list[str]) -> None:
    subject = node("location_state", "听雪楼", **fields)
    assert [v.excerpt for v in faults(language, "node", subject, "N11")] == found


def test_other_types_are_free() -> None:
    assert faults("zh", "node", node("character_sheet", "林晚", goal="刚刚的事"), "N11") == []
