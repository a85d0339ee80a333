"""C3–C7: what an outline keeps, how long it is, what it merges, repeats and adds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talekeeper.evals.rule_corpus.rollups import rollup
from talekeeper.evals.rule_corpus.sample import worlds
from talekeeper.memory.models import Language
from talekeeper.rules.outline_parts import item_subject, verb_class
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.subjects import ChildSummary
from tests.rule_subjects import faults

ZH, EN = worlds("zh")[1], worlds("en")[0]
CHANGES = tuple(scene.change for scene in ZH.scenes)


@pytest.mark.parametrize(
    ("items", "lost"),
    [
        (CHANGES, 0),
        (("玉佩转归苏慕", "陆远舟失去左臂，韩昭死于狱中"), 0),
        (("陆远舟把玉佩转归苏慕，左臂残废", "韩昭被处斩"), 0),
        (("玉佩转归苏慕", "韩昭被处斩身亡"), 1),
        (("陆远舟、苏慕、韩昭各奔东西",), 3),
    ],
)
def test_a_change_may_be_merged_but_not_lost(items: tuple[str, ...], lost: int) -> None:
    assert len(faults("zh", "rollup", rollup(ZH, items), "C3")) == lost


def test_changes_of_leaves_below_a_child_count_at_depth_2() -> None:
    child = ChildSummary("event_9", rollup(EN).summary, changes=("Tom lost an eye",))
    subject = rollup(EN, depth=2, children=(child,))
    assert len(faults("en", "rollup", subject, "C3")) == 1
    told = replace(subject, summary=EN.outline(("Tom lost an eye on the road",)))
    assert faults("en", "rollup", told, "C3") == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_outline_is_markedly_shorter(language: Language) -> None:
    world = worlds(language)[0]
    every = tuple(sentence for scene in world.scenes for sentence in scene.prose)
    (fault,) = faults(language, "rollup", rollup(world, (*every, *every[:2])), "C4")
    assert "60" in fault.message
    assert faults(language, "rollup", rollup(world), "C4") == []


def test_tiny_children_may_keep_a_line_each() -> None:
    children = tuple(ChildSummary(f"event_{n}", f"时间: 第{n}日\n地点: 北港\n\n林晚核对第{n}册。") for n in (1, 2, 3))
    items = ("林晚核对第1册", "林晚核对第2册", "林晚核对第3册")
    assert faults("zh", "rollup", rollup(ZH, items, children=children), "C4") == []
    longer = (*items, "林晚把三册都锁进柜子")
    assert faults("zh", "rollup", rollup(ZH, longer, children=children), "C4")


@pytest.mark.parametrize(
    ("language", "text", "who", "verb"),
    [
        ("zh", "林晚与沈砚因账册争执", {"林晚", "沈砚"}, "V_quarrel"),
        ("zh", "沈砚 抵达北港，交出家书", {"沈砚"}, "V_travel"),
        ("zh", "天色渐晚", set(), ""),
        ("en", "Mara and Tom defeated the guard", {"mara", "tom"}, "V_fight"),
        ("en", "Elin Voss: sold the house", {"elin voss"}, "V_trade"),
        ("en", "after the war they sold the house", set(), "V_trade"),
    ],
)
def test_subject_and_class_of_verb(language: Language, text: str, who: set[str], verb: str) -> None:
    pack = LanguagePack.of(language)
    assert item_subject(text, pack) == who
    assert verb_class(text, pack) == verb


def test_same_subject_and_class_are_one_item() -> None:
    (fault,) = faults("zh", "rollup", rollup(ZH, ("韩昭击败守军", "玉佩转归苏慕", "韩昭击退援军")), "C5")
    assert "第 1 条和第 3 条" in fault.message
    assert faults("zh", "rollup", rollup(ZH, ("韩昭击败守军", "韩昭与苏慕击退援军")), "C5") == []


def test_a_childs_prose_is_not_copied() -> None:
    prose = EN.scenes[0].text("en")
    (fault,) = faults("en", "rollup", rollup(EN, (prose, EN.scenes[1].change)), "C5")
    assert fault.span is not None
    assert fault.excerpt.startswith("Mara gave the ledger")


def test_one_thing_stands_once() -> None:
    items = ZH.outlines[1]
    (fault,) = faults("zh", "rollup", rollup(ZH, (*items, items[0])), "C6")
    assert fault.excerpt.endswith(items[0])
    found = faults("zh", "rollup", rollup(ZH, (CHANGES[0], "，".join(CHANGES))), "C6")
    assert found


@pytest.mark.parametrize(
    ("language", "item", "excerpt"),
    [
        ("zh", "陆远舟与赵明德结盟", "赵明德"),
        ("zh", "苏慕准备婚礼", "准备"),
        ("zh", "苏慕抵达铁岭城", "铁岭城"),
        ("en", "Tom allied with Brannock", "Brannock"),
        ("en", "Mara got ready for the ball", "got ready"),
    ],
)
def test_nothing_is_added(language: Language, item: str, excerpt: str) -> None:
    world = ZH if language == "zh" else EN
    (fault,) = faults(language, "rollup", rollup(world, (*world.outlines[0], item)), "C7")
    assert fault.excerpt == excerpt
    assert fault.span is not None


def test_a_move_that_a_child_tells_is_not_new() -> None:
    assert faults("zh", "rollup", rollup(ZH, ("陆远舟前往潼关",)), "C7") == []
