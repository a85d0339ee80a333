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


def test_an_outline_tells_acts_and_drops_talk() -> None:
    world = World("zh")
    lines = (
        "秦霜答应三日之内找回铜镜。沈砚收下钥匙。",
        "雪停了。秦霜问沈砚要不要喝茶。",
        "沈砚把铜镜交还给秦霜，秦霜哭了。",
    )
    for i, text in enumerate(lines, 1):
        world.dispatch(turn(i, ("沈砚", "*我点头。*"), ("旁白", text)))
    outline = str(world.compact(world.events, 1).fields["summary"])
    assert "秦霜 答应找回铜镜" in outline
    assert "沈砚 收下钥匙，把铜镜交还给秦霜" in outline
    assert "交谈" not in outline


def test_an_english_outline_line_reads_as_a_sentence() -> None:
    world = World("en")
    for i, text in enumerate(
        ("Mara Voss took the key.", "Mara Voss promised to guard the bell.", "Mara Voss left."), 1
    ):
        world.dispatch(turn(i, ("Tobin", "*I take Mara Voss's hand.*"), ("Tale", text)))
    outline = str(world.compact(world.events, 1).fields["summary"])
    assert ") Mara Voss promised to guard the bell; left" in outline
