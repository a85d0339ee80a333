"""Outlines that lose, copy, repeat or add something (C3–C9), and honest ones over the same children."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from talekeeper.evals.rule_corpus.rollups import rollup
from talekeeper.evals.rule_corpus.sample import Corpus, Sample, World, broken, pick, valid, worlds
from talekeeper.memory.models import Language
from talekeeper.rules.subjects import ChildSummary, RollupSubject


def honest(world: World) -> Iterator[tuple[str, RollupSubject]]:
    """Outlines that break nothing, in several dresses."""
    for number, items in enumerate(world.outlines):
        yield f"outline {number}", rollup(world, items)
        plain = tuple(item.split(" (")[0] for item in items)
        if len(plain) == len(items) and plain == items:
            yield f"outline {number}, CRLF", rollup(world, summary=world.outline(items).replace("\n", "\r\n"))
        yield f"outline {number}, turned round", rollup(world, items[::-1])


def _kept(language: Language) -> Iterator[Sample]:
    """C3."""
    for world in worlds(language):
        rows = [scene.change for scene in world.scenes]
        idle = pick(
            language, (f"{world.cast[1]}与{world.cast[2]}一路同行",), (f"{world.cast[1]} went with {world.cast[2]}",)
        )[0]
        for index, row in enumerate(rows):
            others = tuple(r for r in rows if r != row)
            yield broken(rollup(world, others), f"row {index + 1} left out")
            yield broken(rollup(world, (*others, idle)), f"row {index + 1} left out, another in its place")
            merged = pick(language, ("，".join(others),), ("; ".join(others),))[0]
            yield broken(rollup(world, (merged,)), f"row {index + 1} left out, the others merged")
            name = world.cast[0]
            yield broken(rollup(world, (*others, name)), f"row {index + 1}: only a name")
        yield broken(rollup(world, (idle,)), "all left out")
        yield valid(rollup(world, tuple(rows)), "rows as they are")
        joint = pick(language, ("，",), ("; ",))[0]
        yield valid(rollup(world, (joint.join(rows),)), "rows on one line")
        yield valid(rollup(world, (f"{rows[0]} ({rows[1]})", rows[2])), "a row in a patch")
        yield from (valid(subject, label) for label, subject in honest(world))


def _shorter(language: Language) -> Iterator[Sample]:
    """C4."""
    for world in worlds(language):
        every = tuple(sentence for scene in world.scenes for sentence in scene.prose)
        rows = tuple(scene.change for scene in world.scenes)
        yield broken(rollup(world, (*every, *rows)), "all sentences and rows")
        yield broken(rollup(world, (*every, *rows, *every[:2])), "and two more")
        yield broken(rollup(world, (" ".join((*every, *rows)),)), "all on one line")
        yield broken(rollup(world, (*every, *rows), depth=2), "all, depth 2")
        yield broken(rollup(world, (*every, *rows), depth=3), "all, depth 3")
        yield broken(rollup(world, every, depth=3), "all sentences, depth 3")
        yield from (valid(subject, label) for label, subject in honest(world))
        tiny = tuple(
            ChildSummary(f"event_{n}", world.event(n - 1, prose=scene.change, irreversible=()), scene.time, scene.time)
            for n, scene in enumerate(world.scenes, 1)
        )
        yield valid(rollup(world, rows, children=tiny), "tiny children, a line each")
        yield valid(rollup(world, rows[:1], depth=3), "one line, depth 3")


def _merged(language: Language) -> Iterator[Sample]:
    """C5."""
    for world in worlds(language):
        a, b, c = world.cast
        sentences = [scene.prose for scene in world.scenes]
        two = pick(
            language,
            (
                (f"{a}击败{b}", f"{a}击退{c}"),
                (f"{b}与{c}争执", f"{b}与{c}反目"),
                (f"{a}抵达港口", f"{a}前往山城"),
                (f"{c} 买下旧宅", f"{c} 卖掉马车"),
            ),
            (
                (f"{a} defeated {b}", f"{a} attacked {c}"),
                (f"{b} and {c} quarrelled", f"{b} and {c} fell out"),
                (f"{a} reached the port", f"{a} travelled to the hills"),
                (f"{c}: bought a house", f"{c}: sold a coach"),
            ),
        )
        for pair in two:
            yield broken(rollup(world, pair), f"unmerged: {pair[0]}; {pair[1]}")
            yield broken(rollup(world, (pair[0], world.outlines[0][0], pair[1])), f"unmerged, apart: {pair[0]}")
        for index, prose in enumerate(sentences):
            joined = ("" if language == "zh" else " ").join(prose)
            yield broken(rollup(world, (joined, world.scenes[index - 1].change)), f"scene {index + 1} copied")
        each = tuple(s[0].rstrip("。.") for s in sentences)
        yield broken(rollup(world, each), "one item for each child")
        yield broken(
            rollup(world, tuple(f"{e} ({s.change[:20]})" for e, s in zip(each, world.scenes, strict=True))),
            "and patches",
        )
        other = pick(language, (f"{a}击败{b}", f"{c}击退{b}"), (f"{a} defeated {b}", f"{c} attacked {b}"))
        yield valid(rollup(world, other), "one class, two subjects")
        same = pick(language, (f"{a}击败{b}", f"{a}买下旧宅"), (f"{a} defeated {b}", f"{a} bought a house"))
        yield valid(rollup(world, same), "one subject, two classes")
        with_another = pick(
            language,
            (f"{a}击败守军", f"{a}与{b}击退援军"),
            (f"{a} defeated the guard", f"{a} and {b} attacked the fort"),
        )
        yield valid(rollup(world, with_another), "one of them with another")
        yield from (valid(subject, label) for label, subject in honest(world))


def _once(language: Language) -> Iterator[Sample]:
    """C6."""
    for world in worlds(language):
        rows = [scene.change for scene in world.scenes]
        for number, items in enumerate(world.outlines):
            yield broken(rollup(world, (*items, items[0])), f"outline {number}, an item twice")
            again = pick(language, (f"{items[-1].split(' (')[0]}一事",), (f"{items[-1].split(' (')[0]} again",))[0]
            yield broken(rollup(world, (*items, again)), f"outline {number}, an item in other words")
            yield valid(rollup(world, items), f"outline {number}")
            yield valid(rollup(world, items[:1]), f"outline {number}, one item")
            yield valid(rollup(world, items[::-1]), f"outline {number}, turned round")
        joint = pick(language, ("，",), ("; ",))[0]
        yield broken(rollup(world, (rows[0], joint.join(rows))), "a row alone and on a line with others")
        yield valid(rollup(world, tuple(rows)), "three rows")


def _nothing_new(language: Language) -> Iterator[Sample]:
    """C7."""
    strange = pick(
        language,
        ("{a}与赵明德结盟", "徐先生把城门打开", "{b}抵达铁岭城", "周敬之被{a}救出"),
        (
            "{a} allied with Brannock Stone",
            "{b} sold the house to Odette",
            "{a} burned the town of Elmsworth",
            "Tobias Crane was saved by {a}",
        ),
    )
    moves = pick(
        language,
        ("{a}返回旧居", "{b}准备晚宴的菜单", "{a}与{b}筹备婚礼"),
        ("{a} got ready for the ball", "{b} prepared the feast", "{a} headed back to the old house"),
    )
    apart = pick(
        language,
        ("宫廷舞会上乐师演奏新曲", "农夫们丰收后祭祀土地神"),
        ("musicians played new songs for dancing courtiers", "farmers thanked their gods for rich harvests"),
    )
    general = pick(language, ("{a}、{b}、{c}共历变故",), ("{a}, {b} and {c} went through it together",))[0]
    for world in worlds(language):
        a, b, c = world.cast
        names = {"a": a, "b": b, "c": c}
        for text in strange:
            yield broken(rollup(world, (*world.outlines[0], text.format(**names))), text)
        for text in moves:
            if not _told(world, text):
                yield broken(rollup(world, (*world.outlines[0], text.format(**names))), text)
        for text in apart:
            yield broken(rollup(world, (*world.outlines[1], text)), text)
        known = rollup(world, known_names=frozenset({*world.cast, "石敢当", "Old Mill"}))
        extra = pick(language, ("遇见石敢当",), ("met at Old Mill",))[0]
        bad = world.outline((*world.outlines[0], f"{a}{'' if language == 'zh' else ' '}{extra}"))
        yield broken(replace(known, summary=bad), "a name of the memory that no child has")
        yield valid(known, "names of the memory that children have")
        yield valid(rollup(world, (*world.outlines[0], general.format(**names))), "a general line")
        yield from (valid(subject, label) for label, subject in honest(world))


def _told(world: World, text: str) -> bool:
    """A move that the world's own scenes speak of, so that it isn't new there."""
    told = " ".join(scene.text(world.language) for scene in world.scenes)
    marks = (
        {"返回": "回归返", "准备": "备商约决", "筹备": "备商约决"} if world.language == "zh" else {"back": "back home"}
    )
    words = [
        w for key, chars in marks.items() if key in text for w in (chars if world.language == "zh" else chars.split())
    ]
    return any(word in told for word in words)


def _depth(language: Language) -> Iterator[Sample]:
    """C8."""
    concrete = pick(
        language,
        ("{a}挥剑刺中{b}", "{a}拔刀格挡", "{a}翻墙潜入后院", "{a}骑马穿过林地", "{a}亲吻{b}", "{b}冲进大厅"),
        (
            "{a} parried and stabbed {b}",
            "{a} ducked and punched {b}",
            "{a} climbed the wall and crept into the yard",
            "{a} walked along the quay",
            "{a} kissed {b}",
            "{b} jumped down from the roof",
        ),
    )
    twice = pick(
        language,
        ("{a}刺中{b}|{b}砍断门闩", "{a}翻墙入院|{b}爬上屋顶"),
        ("{a} stabbed {b}|{b} punched the guard", "{a} climbed the wall|{b} jumped from the roof"),
    )
    general = pick(
        language,
        ("{a}击败{b}", "{a}攻陷据点", "{a}与{b}成婚", "{a}一刀两断，与{b}决裂", "{a}走上正轨"),
        ("{a} defeated {b}", "{a} took the fort", "{a} married {b}", "{a} was fired from the guard", "{a} jumped bail"),
    )
    for world in worlds(language):
        names = {"a": world.cast[0], "b": world.cast[1]}
        for text in concrete:
            yield broken(rollup(world, (text.format(**names),), depth=2), f"depth 2: {text}")
        yield broken(rollup(world, (concrete[0].format(**names),), depth=3), f"depth 3: {concrete[0]}")
        for text in twice:
            yield broken(rollup(world, tuple(text.format(**names).split("|"))), f"depth 1: {text}")
        for text in general:
            yield valid(rollup(world, (text.format(**names),), depth=2), f"depth 2: {text}")
            yield valid(rollup(world, (text.format(**names),), depth=3), f"depth 3: {text}")
        one = pick(language, ("{a}刺中{b}，{b}身亡",), ("{a} stabbed {b}, who died",))[0]
        yield valid(rollup(world, (one.format(**names),)), "depth 1, a single decisive one")
        yield from (valid(subject, label) for label, subject in honest(world))


def _no_scene(language: Language) -> Iterator[Sample]:
    """C9."""
    bad = pick(
        language,
        (
            "{a}临时担任管家",
            "{a}客串店员",
            "{a}与{b}调情",
            "{a}与{b}共进晚餐",
            "{a}与{b}喝茶",
            "{a}午睡",
            "{a}与{b}散步",
            "{b}代班",
        ),
        (
            "{a} stood in as cook",
            "{a} acted as waiter",
            "{a} flirted with {b}",
            "{a} and {b} had dinner",
            "{a} drank tea with {b}",
            "{a} took a nap",
            "{a} and {b} chatted",
            "{b} filled in as clerk",
        ),
    )
    good = pick(
        language,
        (
            "{a}在晚宴上遇刺",
            "{a}接管茶馆",
            "{a}任管家",
            "{b}饮酒中毒",
            "{a}在休息室被捕",
            "{a}与{b}定亲",
            "{a}入住客栈",
        ),
        (
            "{a} was poisoned at the banquet",
            "{a} took over the tea house",
            "{a} became steward",
            "{b} died in the dining hall",
            "{a} was arrested in the rest room",
            "{a} and {b} became engaged",
            "{a} put the matter to rest",
        ),
    )
    for world in worlds(language):
        names = {"a": world.cast[0], "b": world.cast[1]}
        for number, text in enumerate(bad):
            yield broken(rollup(world, (text.format(**names), world.outlines[0][0]), depth=1 + number % 3), text)
        for number, text in enumerate(good):
            yield valid(rollup(world, (text.format(**names), world.outlines[0][0]), depth=1 + number % 3), text)
        yield from (valid(subject, label) for label, subject in honest(world))


CORPUS: Corpus = {
    "C3": _kept,
    "C4": _shorter,
    "C5": _merged,
    "C6": _once,
    "C7": _nothing_new,
    "C8": _depth,
    "C9": _no_scene,
}
