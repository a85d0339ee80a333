"""Rollups merge by subject, keep every permanent change, and shrink."""

from __future__ import annotations

from talekeeper.memory.tokens import count_tokens
from tests.agents_world import World, turn

TEXTS = [
    "秦霜把家书交给沈砚。沈砚走进听雪楼，答应找回青灯。",
    "秦霜打开了暗格。林青走上前来。林青拜沈砚为师，学修书的手艺。",
    "沈砚把青灯交还给秦霜。秦霜决定回家看父亲。",
]


def children(world: World) -> list[str]:
    for i, text in enumerate(TEXTS, 1):
        world.dispatch(turn(i, ("沈砚", "*我点头。*"), ("旁白", text)))
    return [str(n.fields["summary"]) for n in world.events]


def test_the_outline_covers_all_times_and_is_shorter() -> None:
    world = World("zh")
    parts = children(world)
    outline = str(world.compact(world.events, 1).fields["summary"])
    first, *items = outline.split("\n")
    assert first == "时间: 故事第1日 第1回合 至 故事第1日 第3回合;"
    assert [item.split(")")[0] for item in items] == [str(i) for i in range(1, len(items) + 1)]
    assert count_tokens(outline) <= 0.6 * sum(map(count_tokens, parts))


def test_one_subject_has_one_item() -> None:
    world = World("zh")
    children(world)
    items = str(world.compact(world.events, 1).fields["summary"]).split("\n")[1:]
    subjects = [item.split(") ")[1].split(" ")[0] for item in items]
    assert len(subjects) == len(set(subjects))


def test_a_permanent_change_outlives_every_depth() -> None:
    world = World("zh")
    children(world)
    node = world.compact(world.events, 1)
    for depth in (2, 3, 4):
        assert "林青拜沈砚为师" in str(node.fields["summary"])
        node = world.compact([node, node, node], depth)
    assert "林青拜沈砚为师" in str(node.fields["summary"])


def test_an_outline_names_nobody_whom_no_child_names() -> None:
    world = World("zh")
    parts = "".join(children(world))
    outline = str(world.compact(world.events, 1).fields["summary"])
    for name in ("罗九", "秦伯", "周敬之"):
        assert name not in parts
        assert name not in outline


def test_children_without_people_still_give_a_line() -> None:
    world = World("en")
    for i in (1, 2, 3):
        world.dispatch(turn(i, ("Narrator", "*Snow fell on the water all night.*")))
    items = str(world.compact(world.events, 1).fields["summary"]).split("\n")[1:]
    assert items
    assert items[0].startswith("1) ")
