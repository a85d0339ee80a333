"""Threads open on plain words, name what would end them, and close on the words that end such a matter."""

from __future__ import annotations

import pytest

from tests.agents_world import World, turn

OPENINGS_ZH = [
    ("秦伯托沈砚把家书送到观潮阁。", "送家书到观潮阁", "沈砚走进观潮阁，把家书交到秦霜手里。"),
    ("沈砚答应三日之内找回青灯。", "找回青灯", "沈砚把青灯交还给秦伯。"),
    ("秦伯看着河面。三年前林鹤年在大潮夜失踪。林鹤年没有音信。", "林鹤年的下落", "沈砚在寺里找到了林鹤年。"),
    ("沈砚对着空灯座立誓，守住照夜坊直到灯会结束。", "守住照夜坊", "沈砚守住了照夜坊，誓言完成了。"),
]
OPENINGS_EN = [
    (
        "Old Quill asked Silas Reed to carry a letter to the Tidewatch Inn.",
        "Silas Reed delivered the letter at the Tidewatch Inn.",
    ),
    (
        "Silas Reed promised to find the Green Lamp within three days.",
        "Silas Reed found the Green Lamp under the sacks.",
    ),
    (
        "Silas Reed swore to guard the Lantern House until the festival was over.",
        "Silas Reed guarded the Lantern House; the oath was fulfilled.",
    ),
]


@pytest.mark.parametrize(("opening", "title", "ending"), OPENINGS_ZH)
def test_a_chinese_thread_opens_and_closes(opening: str, title: str, ending: str) -> None:
    world = World("zh")
    first = world.dispatch(turn(1, ("沈砚", "*我坐下。*"), ("旁白", f"秦伯收起了船。{opening}")))
    assert world.titles("thread") == [title]
    assert f'- → thread "{title}"' in first.event.summary
    idle = world.dispatch(turn(2, ("沈砚", "*我喝了一碗茶。*"), ("旁白", "沈砚放下茶碗，望着窗外的雪。")))
    assert [e.decision for e in idle.roll_call.active_threads] == ["SKIP"]
    assert idle.roll_call.active_threads[0].reason
    last = world.dispatch(turn(3, ("沈砚", "*我起身。*"), ("旁白", ending)))
    assert [e.decision for e in last.roll_call.active_threads] == ["RESOLVED"]
    assert world.thread(title).fields["status"] == "resolved"
    assert len(str(world.thread(title).fields["note"])) <= 80


@pytest.mark.parametrize(("opening", "ending"), OPENINGS_EN)
def test_an_english_thread_opens_and_closes(opening: str, ending: str) -> None:
    world = World("en")
    world.dispatch(turn(1, ("Silas Reed", "*I sit down.*"), ("Narrator", f"Old Quill moored the boat. {opening}")))
    (title,) = world.titles("thread")
    assert len(title.split()) <= 8
    world.dispatch(
        turn(2, ("Silas Reed", "*I walk along the river.*"), ("Narrator", "Snow fell on the water all night."))
    )
    assert world.thread(title).fields["status"] == "active"
    world.dispatch(turn(3, ("Silas Reed", "*I get up.*"), ("Narrator", ending)))
    assert world.thread(title).fields["status"] == "resolved"


def test_a_matter_settled_in_the_same_turn_is_no_thread() -> None:
    world = World("zh")
    world.dispatch(turn(1, ("沈砚", "*我坐下。*"), ("旁白", "沈砚答应找回青灯。沈砚当场找回了青灯，青灯又亮了。")))
    assert world.titles("thread") == []


@pytest.mark.parametrize("text", ["沈砚没有答应找回青灯。", "如果沈砚答应找回青灯，秦伯就会开船。"])
def test_what_is_denied_or_supposed_is_no_thread(text: str) -> None:
    world = World("zh")
    world.dispatch(turn(1, ("沈砚", "*我坐下。*"), ("旁白", f"秦伯走了。{text}")))
    assert world.titles("thread") == []


def test_the_same_promise_again_opens_nothing() -> None:
    world = World("zh")
    for i in (1, 2):
        world.dispatch(turn(i, ("沈砚", "*我坐下。*"), ("旁白", "秦伯走了。沈砚答应三日之内找回青灯。")))
    assert world.titles("thread") == ["找回青灯"]


def test_a_plan_to_end_it_is_no_end() -> None:
    world = World("zh")
    world.dispatch(turn(1, ("沈砚", "*我坐下。*"), ("旁白", "秦伯走了。沈砚答应三日之内找回青灯。")))
    world.dispatch(turn(2, ("沈砚", "*我想。*"), ("旁白", "沈砚还没有找回青灯。")))
    assert world.thread("找回青灯").fields["status"] == "active"


def test_nobody_waits_to_learn_where_the_dead_are() -> None:
    world = World("zh")
    world.dispatch(
        turn(1, ("沈砚", "*我坐下。*"), ("旁白", "三年前林鹤年在大潮夜失踪。后来有人找到林鹤年的尸首，林鹤年死了。"))
    )
    assert world.titles("thread") == []


def test_a_letter_of_the_missing_is_not_the_missing() -> None:
    world = World("en")
    world.dispatch(
        turn(1, ("Silas Reed", "*I sit.*"), ("Tale", "Hugh Alder's boat lay on the sand. Hugh Alder had disappeared."))
    )
    (title,) = world.titles("thread")
    world.dispatch(turn(2, ("Silas Reed", "*I wait.*"), ("Tale", "Silas Reed found a letter in Hugh Alder's hand.")))
    assert world.thread(title).fields["status"] == "active"
    world.dispatch(turn(3, ("Silas Reed", "*I wait.*"), ("Tale", "At last Hugh Alder came home to the inn.")))
    assert world.thread(title).fields["status"] == "resolved"
