"""E12, E13 and E16: repeats, strangers and machinery."""

from __future__ import annotations

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.subjects import EventSubject
from tests.rule_subjects import EVENT, event, faults


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_repeat_is_refused_and_a_routine_turn_later_is_not(language: Language) -> None:
    again = EventSubject(EVENT[language].replace("\n", "\r\n"), recent_summaries=(event(language), EVENT[language]))
    assert len(faults(language, "event", again, "E12")) == 1
    short = EventSubject(event(language, time="2157-01-16 21:00"), recent_summaries=(event(language),))
    assert faults(language, "event", short, "E12") == []


@pytest.mark.parametrize(
    ("language", "prose", "found"),
    [
        ("zh", "赵启明把信交给林晚。", ["赵启明"]),
        ("zh", "林晚与冯玉堂见面。", ["冯玉堂"]),
        ("zh", "林晚遇到安娜·李，又遇到安德烈·莫罗。", ["安德烈·莫罗"]),
        ("zh", "周围的人把林晚围住，许多人在黄昏时才走。", []),
        ("zh", "孟将军抵达云梦城。", ["孟将军", "云梦城"]),
        ("zh", "林晚把信寄给Jonathan，用了GPS。", ["Jonathan"]),
        ("en", "Mara met Jonathan on Monday.", ["Jonathan"]),
        ("en", "Arthur Pemberton came. Rain fell on Mara's roof.", ["Arthur", "Pemberton"]),
        ("en", "The Captain and Mara left for the North.", []),
    ],
)
def test_strangers_are_named(language: Language, prose: str, found: list[str]) -> None:
    names = frozenset({"林晚", "安娜·李", "Mara"})
    batch = "林晚走了。Mara left."
    subject = EventSubject(event(language, prose=prose), batch, known_names=names)
    assert [v.excerpt for v in faults(language, "event", subject, "E13")] == found
    shown = EventSubject(event(language, prose=prose), batch, known_names=names, context_text=prose)
    assert faults(language, "event", shown, "E13") == []
    unknown = EventSubject(event(language, prose=prose), batch)
    assert faults(language, "event", unknown, "E13") == []


@pytest.mark.parametrize(
    ("language", "prose", "found"),
    [
        ("zh", "<think>先写地点</think>林晚走了。", ["<think>", "</think>"]),
        ("zh", "作为一个AI，我不能写。", ["作为一个AI"]),
        ("zh", "林晚走了。Then she walked out of the room.", ["Then she walked out of the room"]),
        ("zh", "林晚登上Blue Moon号。", []),
        ("en", "Mara left. 她走出了房间。", ["她走出了房间"]),
        ("en", "As an AI language model, I stop.", ["As an AI language model"]),
        ("en", "Mara thought about the summary.", []),
    ],
)
def test_no_machinery(language: Language, prose: str, found: list[str]) -> None:
    subject = EventSubject(event(language, prose=prose))
    assert [v.excerpt for v in faults(language, "event", subject, "E16")] == found
