"""Narration retold: the right subject, news reported, dialogue and doubt left out, no sentence copied."""

from __future__ import annotations

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.copying import copied
from talekeeper.rules.lexicon import lexicon
from tests.agents_world import World, prose, turn


def told(language: Language, text: str, user: str = "") -> str:
    me, narrator = ("顾远", "旁白") if language == "zh" else ("Tobin Hale", "Narrator")
    quiet = user or ("*我点头。*" if language == "zh" else "*I take Mara Voss's hand.*")
    return prose(World(language).dispatch(turn(1, (me, quiet), (narrator, text))).event)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("孟川看过后窗的撬痕，答应三日之内找回铜镜。", "孟川答应三日之内找回铜镜。"),
        ("昨夜有人撬开后窗，偷走了孟家传下来的铜镜。孟川坐下。", "有人昨夜撬开后窗，偷走铜镜"),
        ("孟川告知顾远，陆青在渡口赌输了三百两。", "告知顾远"),
        ("摆渡的孟川认出了那截麻绳。他说初七夜里，陆青雇过他的小船。", "孟川认出麻绳，告知初七夜里陆青雇过小船"),
        ("孟川揭露了真相：三年前他撞见陆青私贩官盐，被推下大潮。", "撞见陆青私贩官盐，被推下大潮"),
    ],
)
def test_a_chinese_sentence_keeps_who_did_what(text: str, kept: str) -> None:
    found = told("zh", text)
    assert kept in found
    assert not list(copied(found, text, lexicon("zh").sentence_ends))


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("元宵夜若没有铜镜领头，孟川的灯会就开不成。孟川收下钥匙。", "开不成"),
        ("孟川说：“铜镜埋在桥下。”孟川收下钥匙。", "桥下"),
        ("孟川让他继续调查陆青的下落。", "孟川让孟川"),
        ("孟川似乎答应了陆青。孟川收下钥匙。", "答应"),
        ("且说孟川离开渡口，陆青追了上去。", "告知"),
    ],
)
def test_what_is_supposed_spoken_or_unclear_is_left_out(text: str, absent: str) -> None:
    assert absent not in told("zh", text)


def test_his_belongs_to_whoever_the_sentence_is_about() -> None:
    text = "陆青取出画像。三年前孟川在大潮夜失踪，他的下落至今不明。"
    assert "陆青的下落" not in told("zh", text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Last night somebody forced the window and stole the Iron Bell. Mara Voss sat down.", "stole the Iron Bell"),
        ("Mara Voss, the pilot, recognised the rope.", "Mara Voss recognised the rope."),
        ("It was Mara Voss who knocked. She confessed to the theft of the bell.", "Mara Voss confessed to the theft"),
        ("Mara Voss told him of the theft; the bell was gone.", "Mara Voss told him of the theft."),
        ("The monk who swept snow was Mara Voss. Mara Voss took the key.", "Mara Voss was the monk who swept snow."),
    ],
)
def test_an_english_sentence_keeps_who_did_what(text: str, kept: str) -> None:
    assert kept in told("en", text)


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("If Mara Voss agreed, the bell would ring. Mara Voss took the key.", "ring"),
        ('Mara Voss said, "The bell lies under the bridge." Mara Voss took the key.', "bridge"),
        ("Mara Voss smiled like a cat. Mara Voss took the key.", "cat"),
    ],
)
def test_english_doubt_speech_and_texture_are_left_out(text: str, absent: str) -> None:
    assert absent not in told("en", text)


def test_first_person_acts_are_told_of_the_user() -> None:
    assert "顾远求见孟川" in told("zh", "孟川收下钥匙。", "*我走进铁匠铺，求见孟川。*")
    found = told("en", "Mara Voss took the key.", "*I walk along the dyke and ask for Mara Voss.*")
    assert "Tobin Hale walked along the dyke and asked for Mara Voss." in found


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_turn_where_little_is_certain_still_has_its_sentence(language: Language) -> None:
    assert told(language, "雪停了。" if language == "zh" else "The snow had stopped.")


def test_a_clause_that_needs_the_one_before_never_stands_alone() -> None:
    for sentence in told("zh", "孟川收下钥匙。孟川的弟弟孟平却趁乱逃走，去向不明。").split("。"):
        assert sentence != "去向不明"
