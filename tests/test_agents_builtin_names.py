"""Who and where a text names, in both languages: what counts as a name, and what must not."""

from __future__ import annotations

import pytest

from tests.agents_world import World, chapter, turn


def test_chinese_people_and_invented_places() -> None:
    world = World("zh")
    world.dispatch(turn(1, ("沈砚", "*我去找人。*"), ("说书人", "沈砚沿着河堤走到听雪楼，求见秦霜。秦霜收下了拜帖。")))
    assert world.titles("character_sheet") == ["沈砚", "秦霜"]
    assert world.titles("location_state") == ["听雪楼"]


@pytest.mark.parametrize("word", ["老板", "师父", "父亲", "掌柜", "众人"])
def test_a_calling_is_no_name(word: str) -> None:
    world = World("zh")
    world.dispatch(turn(1, ("沈砚", "*我进门。*"), ("说书人", f"{word}点了点头。{word}收下银子，{word}走了。")))
    assert word not in world.titles("character_sheet")


def test_a_plain_noun_is_no_place() -> None:
    world = World("zh")
    world.dispatch(turn(1, ("沈砚", "*我进门。*"), ("说书人", "沈砚走进客栈，又去了码头，在灯塔下等船。")))
    assert world.titles("location_state") == []


def test_a_place_of_the_opening_line_is_a_place() -> None:
    world = World("zh")
    world.dispatch(turn(1, ("沈砚", "*我进门。*"), ("说书人", "【三月初一 辰时·照夜坊】沈砚把灯挂上檐角。")))
    assert world.titles("location_state") == ["照夜坊"]


def test_a_scenario_that_tells_the_story_is_nobody_in_it() -> None:
    world = World("zh")
    step = world.dispatch(turn(1, ("林", "*我坐下。*"), ("雪夜酒铺", "酒铺的灯灭了一盏。王五收起了酒碗，王五走了。")))
    assert "雪夜酒铺" not in world.titles("character_sheet")
    entry = next(e for e in step.roll_call.characters if e.name == "雪夜酒铺")
    assert entry.decision == "SKIP"
    assert "旁白" in entry.reason


def test_a_declared_other_name_becomes_an_alias() -> None:
    world = World("zh")
    world.dispatch(turn(1, ("沈砚", "*我进门。*"), ("说书人", "罗九人称盐老虎，罗九坐在堂上。罗九收下了帖子。")))
    sheet = next(n for n in world.nodes.values() if n.title == "罗九")
    assert sheet.fields["aliases"] == ["盐老虎"]


def test_a_chapter_keeps_those_who_matter() -> None:
    world = World("zh")
    text = "却说刘备起兵。刘备与张飞商议。张飞引军先行，刘备随后。张飞大怒，张飞斩了守将。路人甲说了一句。"
    world.dispatch(chapter(1, "第一回 起兵", text))
    assert {"刘备", "张飞"} <= set(world.titles("character_sheet"))


def test_english_people_places_and_short_names() -> None:
    world = World("en")
    world.dispatch(
        turn(
            1,
            ("Silas Reed", "*I walk to the Tidewatch Inn.*"),
            ("Narrator", "Frost Quill kept the Tidewatch Inn. Silas handed the letter to Frost Quill. Frost wept."),
        )
    )
    assert world.titles("character_sheet") == ["Silas Reed", "Frost Quill"]
    assert world.titles("location_state") == ["Tidewatch Inn"]
    assert next(n for n in world.nodes.values() if n.title == "Silas Reed").fields["aliases"] == ["Silas"]


@pytest.mark.parametrize("word", ["Monday", "Thanks", "Captain", "English", "Christmas"])
def test_a_common_capital_is_no_name(word: str) -> None:
    world = World("en")
    world.dispatch(
        turn(1, ("Ada Voss", "*I sit down.*"), ("Narrator", f"Ada Voss nodded. On {word} she left. {word} was."))
    )
    assert world.titles("character_sheet") == ["Ada Voss"]


def test_a_rank_is_no_part_of_a_name() -> None:
    world = World("en")
    world.dispatch(
        turn(1, ("Ada Voss", "*I sit down.*"), ("Narrator", "Captain Marlow took the wheel. Captain Marlow left."))
    )
    assert "Marlow" in world.titles("character_sheet")
    assert "Captain Marlow" not in world.titles("character_sheet")


def test_a_known_name_inside_a_longer_one_makes_nobody_new() -> None:
    world = World("zh")
    world.dispatch(turn(1, ("曹志强", "*我坐下。*"), ("说书人", "曹志强打开了门。")))
    world.dispatch(turn(2, ("曹志强", "*我起身。*"), ("说书人", "志强走到窗前。志强关上了窗。")))
    assert "志强" not in world.titles("character_sheet")


def test_a_classical_verb_is_cut_from_no_name() -> None:
    world = World("zh")
    text = "伍琼曰：“不可。”董卓大怒。董卓曰：“斩之！”伍琼曰：“主公息怒。”董卓乃止。董卓引军去了。"
    world.dispatch(chapter(1, "第四回", text))
    assert not [t for t in world.titles("character_sheet") if t.endswith(("曰", "怒", "乃"))]


def test_a_post_before_a_name_makes_the_address_an_alias() -> None:
    world = World("zh")
    world.dispatch(
        turn(1, ("沈砚", "*我坐下。*"), ("说书人", "县衙主簿何文远雇了船。何文远离开渡口，何文远又回来了。"))
    )
    step = world.dispatch(turn(2, ("沈砚", "*我去求见何主簿。*"), ("说书人", "何文远否认雇过船。")))
    person = next(n for n in world.nodes.values() if n.title == "何文远")
    assert person.fields["identity"] == "县衙主簿"
    assert "何主簿" in person.aliases
    assert [e.decision for e in step.roll_call.characters if e.name == "何文远"] == ["EDIT"]


def test_an_address_that_two_could_bear_is_nobodys_alias() -> None:
    world = World("zh")
    text = "主簿何文远雇了船。主簿何青山收了钱。何文远离开渡口，何青山追上何文远，抓住何青山。何主簿笑了。"
    world.dispatch(turn(1, ("沈砚", "*我坐下。*"), ("说书人", text)))
    assert all("何主簿" not in n.aliases for n in world.nodes.values())


def test_a_courtesy_name_belongs_to_the_name_beside_it() -> None:
    world = World("zh")
    text = "那人姓陆，名川，字子明。子明离开渡口，众人拜见子明。子明收下了拜帖。子明起兵，子明大败贼兵。"
    world.dispatch(chapter(1, "第一回", text * 2))
    person = next(n for n in world.nodes.values() if n.title == "陆川")
    assert person.aliases == ("子明",)
    assert "子明" not in world.titles("character_sheet")


def test_a_short_name_after_a_helper_is_a_name_when_it_stands_twice() -> None:
    world = World("zh")
    world.dispatch(turn(1, ("沈砚", "*我坐下。*"), ("说书人", "林青让学徒小满腾出东厢。小满二十三岁，话却不多。")))
    assert "小满" in world.titles("character_sheet")


def test_an_english_family_name_is_the_one_who_bears_it() -> None:
    world = World("en")
    world.dispatch(turn(1, ("Nora", "*I sit.*"), ("Tale", "Rufus Crane held the debt. Rufus Crane left the inn.")))
    world.dispatch(turn(2, ("Nora", "*I wait.*"), ("Tale", "Crane sent word to Nora. Crane's men rode off.")))
    assert "Crane" not in world.titles("character_sheet")
    world.dispatch(turn(3, ("Nora", "*I wait.*"), ("Tale", "Jasper Crane escaped. Jasper Crane took Nora's boat.")))
    assert "Jasper Crane" in world.titles("character_sheet")
