"""N7–N9 and N16: a character's sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.subjects import AliasUse
from tests.rule_subjects import faults, node


def test_an_alias_is_counted_or_declared() -> None:
    sheet = node("character_sheet", "沈砚", aliases=["阿砚", "沈掌柜", "砚台", "听雨"])
    assert faults("zh", "node", sheet, "N7") == []
    uses = {"阿砚": AliasUse(scenes=3), "沈掌柜": AliasUse(scenes=2), "砚台": AliasUse(declared=True)}
    counted = replace(sheet, alias_uses=uses, place_names=frozenset({"听雨楼"}))
    assert [(v.excerpt, v.severity) for v in faults("zh", "node", counted, "N7")] == [
        ("沈掌柜", "soft"),
        ("听雨", "soft"),
    ]


@pytest.mark.parametrize(
    ("language", "identity", "found"),
    [
        ("zh", "北港商会的管家", []),
        ("zh", "本次任务的临时向导", ["本次任务", "临时"]),
        ("zh", "反派，自称王子", ["反派", "自称"]),
        ("zh", "白发剑客", ["白发"]),
        ("zh", "发明家，女主持人", []),
        ("en", "keeper of the dikes", []),
        ("en", "the protagonist, a tall woman with blue eyes", ["protagonist", "tall", "blue eyes"]),
        ("en", "self-proclaimed king", ["self-proclaimed"]),
    ],
)
def test_identity_is_lasting(language: Language, identity: str, found: list[str]) -> None:
    hits = faults(language, "node", node("character_sheet", "沈砚", identity=identity), "N8")
    assert sorted(v.excerpt for v in hits) == sorted(found)
    assert all(v.severity == "hard" for v in hits)


def test_a_name_is_no_remark_on_looks() -> None:
    assert faults("zh", "node", node("character_sheet", "白发魔女", identity="白发魔女，雪山主人"), "N8") == []


def test_traits_goals_and_things() -> None:
    sheet = node(
        "character_sheet", "沈砚", traits=["谨慎", "今天很疲惫"], goal="变强", inventory=["残谱", "雨伞", "染血的雨伞"]
    )
    assert [v.excerpt for v in faults("zh", "node", sheet, "N9")] == ["今天", "疲惫", "变强", "雨伞"]
    seen = replace(sheet, fields={"traits": ["谨慎", "爱笑"]}, trait_scenes={"谨慎": 2, "爱笑": 1})
    assert [v.excerpt for v in faults("zh", "node", seen, "N9")] == ["爱笑"]


def test_an_edit_needs_support() -> None:
    before = {"title": "沈砚", "identity": "镖师"}
    edit = node("character_sheet", "沈砚", edit_of=before, identity="落雁门掌门")
    assert faults("zh", "node", edit, "N16") == []
    assert len(faults("zh", "node", replace(edit, batch_text="他在渡口喝酒。"), "N16")) == 1
    assert faults("zh", "node", replace(edit, batch_text="落雁门的人奉沈砚为掌门。"), "N16") == []
