"""Outlines whose form, interval, patches or group is wrong (C1, C2, C10, C11), and near-misses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from talekeeper.evals.rule_corpus.sample import Corpus, Sample, World, broken, pick, valid, worlds
from talekeeper.memory.models import Language
from talekeeper.rules.subjects import ChildSummary, RollupSubject


def rollup(world: World, items: tuple[str, ...] = (), depth: int = 1, **parts: Any) -> RollupSubject:
    """A rollup over the world's scenes; ``items`` default to its first honest outline."""
    children = world.children()
    ids = tuple(child.id for child in children)
    summary = world.outline(items or world.outlines[0])
    return replace(RollupSubject(summary, ids, ids, children, depth), **parts)


def _form(language: Language) -> Iterator[Sample]:
    """C1."""
    change = pick(language, ("不可逆",), ("Irreversible",))[0]
    for world in worlds(language):
        for number, items in enumerate(world.outlines):
            whole = world.outline(items)
            head, first, *rest = whole.split("\n")
            bad = {
                "no header": "\n".join([first, *rest]),
                "no semicolon": whole.replace(";", "", 1),
                "one time": f"{head.split(':')[0]}: {world.scenes[0].time};\n{first}",
                "no items": head,
                "bullets": "\n".join([head, *(f"- {item}" for item in items)]),
                "prose": f"{head}\n" + " ".join(items),
                "numbers skipped": "\n".join([head, first, *(f"{n}) {item}" for n, item in enumerate(items, 5))]),
                "a section": f"{whole}\n\n{change}:\n- {world.scenes[0].change}",
                "a dot for a bracket": "\n".join([head, *(f"{n}. {item}" for n, item in enumerate(items, 1))]),
            }
            good = {
                "as it is": whole,
                "CRLF": whole.replace("\n", "\r\n"),
                "an empty line": whole.replace("\n", "\n\n", 1),
                "full-width brackets": "\n".join([head, *(f"{n}） {item}" for n, item in enumerate(items, 1))]),
                "full-width marks": whole.replace(";", "；", 1).replace(": ", "：", 1),
                "one item": f"{head}\n{first}",
            }
            yield from (
                broken(rollup(world, summary=text), f"{label}, outline {number}") for label, text in bad.items()
            )
            yield from (
                valid(rollup(world, summary=text), f"{label}, outline {number}") for label, text in good.items()
            )


def _interval(language: Language) -> Iterator[Sample]:
    """C2."""
    for world in worlds(language):
        for number, items in enumerate(world.outlines):
            first, second, last = (scene.time for scene in world.scenes)
            cut = pick(language, ("第900日", "第1日"), ("Day 900", "Day 1"))
            bad = {
                "starts at the second": world.outline(items, start=second),
                "ends at the second": world.outline(items, end=second),
                "only the second": world.outline(items, start=second, end=second),
                "only the last": world.outline(items, start=last),
                "only the first": world.outline(items, end=first),
                "another calendar": world.outline(items, start=cut[0], end=cut[1]),
            }
            for label, text in bad.items():
                yield broken(rollup(world, summary=text), f"{label}, outline {number}")
            yield valid(rollup(world, items), f"as it is, outline {number}")
            bare = tuple(replace(child, time_from=None, time_to=None) for child in world.children())
            yield valid(rollup(world, items, children=bare), f"times from the summaries, outline {number}")
            yield valid(rollup(world, items, children=bare[:1]), f"wider than the children, outline {number}")
            yield valid(rollup(world, items, children=bare[1:]), f"begins earlier, outline {number}")
            same = world.outline(items, start=f" {first} ")
            yield valid(rollup(world, summary=same), f"white space, outline {number}")
            one = (ChildSummary("event_9", rollup(world, items).summary, first, last),)
            yield valid(rollup(world, items, children=one), f"one rollup, outline {number}")


def _patches(language: Language) -> Iterator[Sample]:
    """C10."""
    for world in worlds(language):
        a, b, _ = world.cast
        plain = tuple(item.split(" (")[0] for item in world.outlines[1])
        fits = pick(language, (f"{a}在场",), (f"{a} was there",))[0]
        bad = {
            "too long": (f"{plain[0]} ({(fits + ' ') * 12})", *plain[1:]),
            "nested": (f"{plain[0]} ({a}({b}))", *plain[1:]),
            "square brackets inside": (f"{plain[0]} ({a}[{b}])", *plain[1:]),
            "quoted": (f"{plain[0]} (“{a}”)", *plain[1:]),
            "two matters": (f"{plain[0]} ({a}；{b})", *plain[1:]),
            "a sentence": (f"{plain[0]} ({fits}。)", *plain[1:]),
            "late in the outline": (*plain[:-1], f"{plain[-1]} ({a}; {b})"),
        }
        for label, items in bad.items():
            yield broken(rollup(world, items), label)
        every = tuple(f"{item} ({fits})" for item in plain)
        yield broken(rollup(world, every, depth=2), "every item, depth 2")
        yield broken(rollup(world, every, depth=3), "every item, depth 3")
        three = (f"{plain[0]} ({fits})", *plain[1:], *plain)
        good = {
            "none": (plain, 1),
            "none, depth 2": (plain, 2),
            "one": ((f"{plain[0]} ({fits})", *plain[1:]), 1),
            "every item": (every, 1),
            "full-width": ((f"{plain[0]}（{fits}）", *plain[1:]), 1),
            "forty characters": ((f"{plain[0]} ({'好' * 40})", *plain[1:]), 1),
            "one in three, depth 2": (three[:3] if len(three) < 6 else three[:6], 2),
            "brackets in the middle": ((f"({a}) {plain[0]}", *plain[1:]), 2),
        }
        for label, (items, depth) in good.items():
            yield valid(rollup(world, items, depth), label)


def _group(language: Language) -> Iterator[Sample]:
    """C11."""
    for world in worlds(language):
        for number, items in enumerate(world.outlines):
            right = rollup(world, items)
            ids, children = right.child_ids, right.children
            held = (replace(children[0], rolled_up=True), *children[1:])
            bad = {
                "out of order": replace(right, child_ids=ids[::-1]),
                "one missing": replace(right, child_ids=ids[:-1]),
                "one more": replace(right, child_ids=(*ids, "event_9")),
                "another": replace(right, child_ids=(*ids[:-1], "event_9")),
                "no ready group": replace(right, group_ids=()),
                "one rolled up": replace(right, children=held),
            }
            yield from (broken(subject, f"{label}, outline {number}") for label, subject in bad.items())
            wide = tuple(f"event_{n}" for n in range(1, 9))
            good = {
                "as it is": right,
                "two of two": replace(right, child_ids=ids[:2], group_ids=ids[:2]),
                "eight of eight": replace(right, child_ids=wide, group_ids=wide),
                "depth 3": replace(right, depth=3),
                "children not shown": replace(right, children=()),
            }
            yield from (valid(subject, f"{label}, outline {number}") for label, subject in good.items())


CORPUS: Corpus = {"C1": _form, "C2": _interval, "C10": _patches, "C11": _group}
