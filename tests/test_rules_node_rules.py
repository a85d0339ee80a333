"""N1–N6 and N10, with titles (N3) in both languages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from talekeeper.memory.models import Language, NameMatch
from talekeeper.rules.subjects import NodeSubject
from tests.rule_subjects import BOOKS, SCHEMA, event, faults, node

BEFORE: dict[str, Any] = {"title": "林晚", "identity": "学徒", "goal": "找到玉佩", "language_sample": ["平时: 好。"]}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_plain_writes_break_nothing(language: Language) -> None:
    assert BOOKS[language].check("node", node("character_sheet", "林晚", identity="学徒", aliases=["晚晚"])) == []
    assert BOOKS[language].check("node", node("character_sheet", "林晚", edit_of=BEFORE, identity="掌门")) == []
    assert BOOKS[language].check("node", node("character_sheet", "林晚晴", edit_of=BEFORE)) == []


def test_unknown_columns_are_refused_with_the_nearest() -> None:
    (violation,) = faults("en", "node", node("character_sheet", "Mara", identiti="smith"), "N1")
    assert violation.where == "fields.identiti"
    assert "identity" in violation.mend
    assert faults("zh", "node", node("event", "", summary="…", 地点="北港"), "N1")
    assert faults("zh", "node", replace(node("character_sheet", "林晚"), cleared=("身份",)), "N1")


@pytest.mark.parametrize(
    ("subject", "ok"),
    [
        (node("character_sheet", "林晚"), True),
        (node("character_sheet", "  \u200b"), False),
        (node("thread", "北港送信", status="active", note="…到北港时了结"), True),
        (node("thread", "北港送信", status="active", note=" "), False),
        (node("thread", "北港送信", status="active"), False),
        (replace(node("character_sheet", "林晚", edit_of=BEFORE, goal="报仇"), cleared=("title",)), False),
        (replace(node("character_sheet", "林晚", edit_of=BEFORE, identity="掌门"), cleared=("goal",)), True),
        (replace(node("thread", "", status="", note=""), deleting=True), True),
    ],
)
def test_required_columns_stay_filled(subject: NodeSubject, ok: bool) -> None:
    assert (faults("zh", "node", subject, "N2") == []) is ok


BARE = [
    *("林晚", "王老板", "张三丰", "老板娘", "师父", "王子轩", "李宗仁", "西门吹雪", "护士长", "博士生", "公主殿下"),
    *("将军夫人", "阿Q", "K博士", "林队长", "SCP基金会研究员", "老K", "小王", "阿尔托莉雅·潘德拉贡", "欧阳锋", "国王"),
    *("医生甲", "骑士王", "精灵弓箭手", "教练", "Captain", "Mara", "O'Brien", "Queen", "King-of-Ash", "Seven"),
]
DRESSED = {
    "队长林晚": "队长",
    "丞相曹操": "丞相",
    "大将军何进": "大将军",
    "骑士兰斯洛特": "骑士",
    "护士 李梅": "护士",
    "精灵莱戈拉斯": "精灵",
    "狐妖苏媚": "狐妖",
    "华山派令狐冲": "华山派",
    "青云门·张小凡": "青云门",
    "北辰集团的沈砚": "北辰集团",
    "林晚（船长）": "（船长）",
    "【船长】林晚": "【船长】",
    "林晚 Lin Wan": "Lin Wan",
    "林晚/Lin Wan": "Lin Wan",
    "Lin Wan（林晚）": "（林晚）",
    "Dr. Strange": "Dr.",
    "Captain 林晚": "Captain",
    "Mr Holmes": "Mr",
}


@pytest.mark.parametrize("title", BARE)
def test_bare_names_pass(title: str) -> None:
    for language in ("zh", "en"):
        assert faults(language, "node", node("character_sheet", title), "N3") == []


@pytest.mark.parametrize(("title", "span"), DRESSED.items())
def test_dressed_names_are_refused_at_their_dress(title: str, span: str) -> None:
    found = faults("zh", "node", node("character_sheet", title), "N3")
    assert [v.excerpt for v in found] == [span]
    assert title[slice(*found[0].span or (0, 0))] == span


@pytest.mark.parametrize(
    ("title", "ok"),
    [
        ("Captain Hook", False),
        ("King of Ash", True),
        ("Queen Mother", True),
        ("Lord Commander", True),
        ("Mara (the smith)", False),
        ("Elf Legolas", False),
        ("Prince", True),
    ],
)
def test_english_titles(title: str, ok: bool) -> None:
    assert (faults("en", "node", node("character_sheet", title), "N3") == []) is ok


@pytest.mark.parametrize(
    ("title", "ok"),
    [
        ("将军府", True),
        ("Blue Moon 酒吧", True),
        ("基地 Alpha", True),
        ("国王十字车站", True),
        ("观景舱 Observation Deck", False),
        ("观景舱（东侧）", False),
        ("北港/North Port", False),
    ],
)
def test_places_have_names_too(title: str, ok: bool) -> None:
    assert (faults("zh", "node", node("location_state", title), "N3") == []) is ok


def test_events_and_threads_have_no_name() -> None:
    assert faults("zh", "node", node("thread", "队长林晚（失踪）"), "N3") == []


def test_a_namesake_refuses_a_create_and_names_the_node() -> None:
    match = NameMatch("char_7", "character_sheet", "林晚", "alias", "晚晚")
    subject = replace(node("character_sheet", "晚晚"), namesakes=(match,))
    (violation,) = faults("zh", "node", subject, "N4")
    assert "char_7" in violation.message
    assert faults("zh", "node", replace(subject, before=BEFORE), "N4") == []


@pytest.mark.parametrize(
    ("subject", "count"),
    [
        (node("character_sheet", "林晚", edit_of=BEFORE, identity="掌门"), 0),
        (node("character_sheet", "林晚", edit_of=BEFORE, identity="学徒"), 1),
        (node("character_sheet", "林晚", edit_of=BEFORE, identity="掌门", goal="找到玉佩"), 1),
        (node("character_sheet", "林晚", edit_of=BEFORE), 1),
        (node("character_sheet", "林晚晴", edit_of=BEFORE), 0),
        (replace(node("character_sheet", "林晚", edit_of=BEFORE), cleared=("goal",)), 0),
        (replace(node("character_sheet", "林晚", edit_of=BEFORE), cleared=("traits",)), 1),
        (replace(node("event", ""), deleting=True), 1),
        (replace(node("character_sheet", "林晚"), deleting=True), 0),
    ],
)
def test_edits_change_something_and_only_that(subject: NodeSubject, count: int) -> None:
    assert len(faults("zh", "node", subject, "N5")) == count


def test_types_that_are_not_editable() -> None:
    spec = SCHEMA.types[1].model_copy(update={"editable": False})
    subject = replace(node("character_sheet", "林晚", edit_of=BEFORE, identity="掌门"), spec=spec)
    assert len(faults("en", "node", subject, "N5")) == 1
    assert len(faults("en", "node", replace(subject, deleting=True), "N5")) == 1


SOURCE = "林晚推开门，看见沈砚坐在窗边擦拭那把旧剑。“你终于回来了，我等了整整三年。”他没有抬头。"


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("identity", "看见沈砚坐在窗边擦拭那把旧剑。", ["看见沈砚坐在窗边擦拭那把旧剑"]),
        ("identity", "她终于回家：你终于回来了我等了整整三年！此后留下。", ["你终于回来了我等了整整三年"]),
        ("traits", ["寡言", "林晚推开门看见沈砚坐在窗边擦拭那把旧剑"], ["林晚推开门看见沈砚坐在窗边擦拭那把旧剑"]),
        ("identity", "沈砚等了林晚三年，常擦拭一把旧剑。", []),
        ("identity", "他没有抬头。", []),
        ("identity", "回家后看见沈砚坐在窗边擦拭那把旧弓的人。", []),
        ("language_sample", ["重逢: 你终于回来了，我等了整整三年。"], []),
        ("aliases", ["看见沈砚坐在窗边擦拭那把旧剑"], []),
    ],
)
def test_sentences_are_not_copied(field: str, value: Any, found: list[str]) -> None:
    fields: dict[str, Any] = {field: value}
    subject = replace(node("character_sheet", "林晚", **fields), batch_text=SOURCE)
    assert [v.excerpt for v in faults("zh", "node", subject, "N6")] == found


def test_copying_counts_words_in_english() -> None:
    source = "Mara took the ledger down from the highest shelf. Then, slowly, she left the loft."
    for goal, count in (
        ("MARA took the ledger, down from the highest shelf!", 1),
        ("took the ledger down from the highest shelf", 1),
        ("Then slowly she left the loft.", 0),
        ("Mara means to bring the ledger back to the shelf it came from.", 0),
    ):
        subject = replace(node("character_sheet", "Mara", goal=goal), batch_text=source)
        assert len(faults("en", "node", subject, "N6")) == count


def test_headers_and_excerpts_of_an_event_may_repeat_the_source() -> None:
    line = "贞观十二年三月初五辰时三刻正"
    source = f"{line}\n长安城东市西南角的旧书铺二楼\n见此信者速离长安永不得回头"
    tail = '\n\n原文摘录:\n- 信: "见此信者速离长安永不得回头"'
    summary = event("zh", time=line, place="长安城东市西南角的旧书铺二楼", tail=tail)
    assert faults("zh", "node", replace(node("event", "", summary=summary), batch_text=source), "N6") == []
    copied = event("zh", prose="见此信者速离长安永不得回头。")
    assert len(faults("zh", "node", replace(node("event", "", summary=copied), batch_text=source), "N6")) == 1


def test_what_stood_before_is_not_judged_again() -> None:
    before = {"title": "林晚", "identity": "看见沈砚坐在窗边擦拭那把旧剑"}
    subject = replace(node("character_sheet", "林晚", edit_of=before, goal="报仇"), batch_text=SOURCE)
    assert faults("zh", "node", subject, "N6") == []


@pytest.mark.parametrize(
    ("samples", "count"),
    [
        (["战斗中: 都退后。", "【私下】别怕。", "(at work) Step back."], 0),
        ("战斗中：都退后。\n私下：别怕。", 0),
        (["都退后。"], 1),
        (["“都退后：别怕。”"], 1),
        (["战斗中: " + "退" * 31], 1),
        (["战斗中: “" + "退" * 30 + "”"], 0),
        (["甲: 一", "乙: 二", "丙: 三", "丁: 四"], 1),
        (["战斗中:"], 1),
    ],
)
def test_speech_samples(samples: object, count: int) -> None:
    assert len(faults("zh", "node", node("character_sheet", "林晚", language_sample=samples), "N10")) == count


@pytest.mark.parametrize(
    ("fields", "ok"),
    [
        ({"language_sample": ["平时: 好。", "战斗中: 退！"]}, True),
        ({"language_sample": ["平时: 遵命。"]}, False),
        ({"language_sample": ["平时: 遵命。"], "identity": "掌门"}, True),
        ({"goal": "报仇"}, True),
    ],
)
def test_a_recorded_sample_stays_unless_identity_changes(fields: dict[str, Any], ok: bool) -> None:
    subject = node("character_sheet", "林晚", edit_of=BEFORE, **fields)
    assert (faults("zh", "node", subject, "N10") == []) is ok
