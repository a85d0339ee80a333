"""Fills a story with a given number of nodes, in the proportions that a long chat has, by plain store commits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice, product

from talekeeper.memory.models import CommitDraft, Evidence, Message, NodeWrite, Unit, UnitDraft
from talekeeper.memory.story import Story

_SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜谢邹喻柏水窦章云苏潘葛奚范彭"
_GIVEN = "明远清和安平宁岚舟雪青松川野秋河渊澜棠序言初白墨砚竹溪"
_PLACE_HEADS, _PLACE_TAILS = _GIVEN, ("楼", "堡", "镇", "渡", "阁", "谷")
_BATCH = 1000
"""Writes a commit; a multiple of four, so that a rollup and its three children land together."""
CAST = ("顾青", "沈砚", "听雪楼")


def turn(number: int) -> UnitDraft:
    """One turn of the bench story: 300 characters, two speakers, one place."""
    body = f"顾青把第{number}册账目摊开，逐行核对。" + "窗外的雨下了一夜，灯芯剪过三回，他仍没有停手。" * 10
    return UnitDraft(
        "turn",
        (
            Message("user", "顾青", f"我去听雪楼找第{number}册账目。", f"我去听雪楼找第{number}册账目。"),
            Message("character", "沈砚", body, body),
        ),
    )


def fill(story: Story, nodes: int) -> None:
    """Write about ``nodes`` nodes: 30 % characters, 8 % places, 2 % threads (20 active), the rest events, compacted."""
    unit = story.add_units([turn(0)]).added[0]
    evidence = (Evidence.of(unit, 0, 8),)
    numbers = count()
    for stage in _stages(nodes, evidence):
        while chunk := tuple(islice(stage, _BATCH)):
            story.commit(_commit(next(numbers), chunk, unit))


def _commit(number: int, writes: Sequence[NodeWrite], unit: Unit) -> CommitDraft:
    return CommitDraft(f"fill-{number}", "manual", "fill", (unit.ref,), tuple(writes), author="bench")


def _stages(nodes: int, evidence: tuple[Evidence, ...]) -> Iterator[Iterator[NodeWrite]]:
    """What is written one after the other; no commit holds two versions of one node."""
    yield _characters(int(nodes * 0.30), evidence)
    yield _places(int(nodes * 0.08), evidence)
    yield _threads(int(nodes * 0.02), evidence)
    leaves = int(nodes * 0.40)
    numbers = count(leaves + 1)
    level, depth = [_event(n, 0, evidence) for n in range(1, leaves + 1)], 0
    yield iter(level)
    while len(level) >= 5:
        depth += 1
        grouped = [level[at : at + 3] for at in range(0, (len(level) - 3) // 3 * 3, 3)]
        level = [_event(next(numbers), depth, evidence) for _ in grouped]
        yield _rolled_up(level, grouped)


def _rolled_up(rollups: Sequence[NodeWrite], grouped: Sequence[Sequence[NodeWrite]]) -> Iterator[NodeWrite]:
    for rollup, children in zip(rollups, grouped, strict=True):
        yield rollup
        yield from (replace(child, parent=rollup.node_id, new=False) for child in children)


def _characters(number: int, evidence: tuple[Evidence, ...]) -> Iterator[NodeWrite]:
    invented = ("".join(parts) for parts in product(_SURNAMES, _GIVEN, _GIVEN))
    names = [*CAST[:2], *islice((name for name in invented if name not in CAST), max(0, number - 2))]
    for index, name in enumerate(names, 1):
        yield NodeWrite(f"char_{index}", "character_sheet", name, {"title": name}, evidence, new=True)


def _places(number: int, evidence: tuple[Evidence, ...]) -> Iterator[NodeWrite]:
    invented = ("".join(parts) for parts in product(_PLACE_HEADS, _PLACE_HEADS, _PLACE_HEADS, _PLACE_TAILS))
    for index, name in enumerate([CAST[2], *islice(invented, max(0, number - 1))], 1):
        yield NodeWrite(f"place_{index}", "location_state", name, {"title": name}, evidence, new=True)


def _threads(number: int, evidence: tuple[Evidence, ...]) -> Iterator[NodeWrite]:
    for index in range(1, number + 1):
        status = "active" if index <= 20 else "resolved"
        fields = {"title": f"归还{index}号信物", "status": status, "note": f"沈砚欠顾青{index}号信物，归还时了结。"}
        yield NodeWrite(f"thread_{index}", "thread", str(fields["title"]), fields, evidence, new=True)


def _event(number: int, depth: int, evidence: tuple[Evidence, ...]) -> NodeWrite:
    time = f"2120-01-01 {number // 60 % 24:02d}:{number % 60:02d}"
    outline = f"时间: {time} 至 {time};\n1) 顾青核对账目"
    summary = outline if depth else f"时间: {time}\n地点: 听雪楼\n\n顾青核对第{number}册账目。"
    fields = {"title": f"核对第{number}册", "summary": summary}
    return NodeWrite(
        f"event_{number}", "event", f"核对第{number}册", fields, evidence,
        depth=depth, time_from=time, time_to=time, new=True,
    )  # fmt: skip
