"""What people tell of themselves in a chat, in the third person; small talk and questions tell nothing."""

from __future__ import annotations

import pytest

from tests.agents_world import World, prose, turn


def said(language: str, mine: str, theirs: str) -> str:
    names = ("周宁", "小雅") if language == "zh" else ("Nora", "Sam")
    world = World("zh" if language == "zh" else "en")
    return prose(world.dispatch(turn(1, (names[0], mine), (names[1], theirs))).event)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("今天我去了博物馆，看了一场展览。", "周宁去了博物馆，看了一场展览。"),
        ("其实我很喜欢攀岩和摄影。", "周宁喜欢攀岩和摄影。"),
        ("最近我在学习世界历史，你有什么建议吗？", "周宁在学习世界历史。"),
        ("我正计划去海边散步呢。", "周宁计划去海边散步。"),
    ],
)
def test_a_chinese_speaker_tells_of_themselves(line: str, kept: str) -> None:
    assert kept in said("zh", line, "好的。")


@pytest.mark.parametrize("line", ["我得走了，下次再聊。", "我很高兴认识你。", "我挺喜欢的，你呢？", "你去了哪里？"])
def test_chinese_small_talk_tells_nothing(line: str) -> None:
    assert "交谈" in said("zh", line, "好的。")


def test_advice_is_told_of_both() -> None:
    assert "小雅建议周宁尝试学习一门乐器" in said("zh", "我该做什么？", "我建议你尝试学习一门乐器。")


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("I went to the pottery class yesterday.", "Nora went to the pottery class yesterday."),
        ("I'm thinking of adopting a dog.", "Nora is thinking of adopting a dog."),
        ("I've been working on a screenplay lately.", "Nora has been working on a screenplay lately."),
        ("My sister opened a bakery in town.", "Nora's sister opened a bakery in town."),
    ],
)
def test_an_english_speaker_tells_of_themselves(line: str, kept: str) -> None:
    assert kept in said("en", line, "Great!")


@pytest.mark.parametrize(
    "line", ["I'm so glad to hear that!", "I love that one!", "Did you go there?", "I wonder why."]
)
def test_english_small_talk_tells_nothing(line: str) -> None:
    assert "talked" in said("en", line, "Great!")


def test_what_follows_an_opening_clause_is_told_too() -> None:
    assert "Nora signed up for a pottery class." in said(
        "en", "Thanks to my aunt, I signed up for a pottery class.", "Oh!"
    )
