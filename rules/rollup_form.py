"""The form of a rollup's outline: one header with the interval, then numbered items, each with at most one patch.

Parsing never fails; what doesn't fit comes back as faults. Rendering writes the one right form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import lexicon
from talekeeper.rules.scan import Line, lines

_ITEM = re.compile(r"(\d{1,4})[)）]\s*")
_OPEN, _CLOSE = "(（", ")）"
Span = tuple[int, int]


class RollupItem(NamedTuple):
    """One item: its text without the patch, and the patch without its brackets (empty = none)."""

    text: str
    patch: str = ""


@dataclass(frozen=True, slots=True)
class OutlineFault:
    """What is wrong with the form, and where."""

    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class RollupText:
    """A rollup's outline in parts.

    Attributes:
        time_from, time_to: the header's interval; empty if there is none.
        items: the numbered items in order.
        faults: faults of form; empty for what ``render`` wrote.
        header: span of the header line; rows, patches: spans of each item and of its patch.
    """

    time_from: str
    time_to: str
    items: tuple[RollupItem, ...]
    faults: tuple[OutlineFault, ...] = field(default=(), compare=False)
    header: Span = field(default=(0, 0), compare=False)
    rows: tuple[Span, ...] = field(default=(), compare=False)
    patches: tuple[Span | None, ...] = field(default=(), compare=False)


def render(rollup: RollupText, language: Language) -> str:
    """``时间: A 至 B;`` and the items, one a line."""
    labels = lexicon(language).labels
    head = f"{labels.time[0]}: {rollup.time_from} {labels.interval[0]} {rollup.time_to};"
    items = [f"{n}) {item.text}" + (f" ({item.patch})" if item.patch else "") for n, item in enumerate(rollup.items, 1)]
    return "\n".join([head, *items])


@lru_cache(maxsize=8)
def parse(summary: str, language: Language) -> RollupText:
    """The parts of an outline and its faults of form."""
    rows = lines(summary)
    faults: list[OutlineFault] = []
    head = rows[0]
    interval = _interval(head, language)
    if interval is None:
        faults.append(OutlineFault("no_header", (head.start, head.end)))
    items: list[RollupItem] = []
    spans: list[Span] = []
    patches: list[Span | None] = []
    for line in rows[0 if interval is None and _ITEM.match(head.text.strip()) else 1 :]:
        if line.blank:
            continue
        start, end, text = line.stripped()
        match = _ITEM.match(text)
        if match is None or not text[match.end() :]:
            faults.append(OutlineFault("not_an_item", (start, end)))
            continue
        if int(match[1]) != len(items) + 1:
            faults.append(OutlineFault("wrong_number", (start, start + match.end())))
        item, patch = _item(text, match.end())
        items.append(item)
        spans.append((start, end))
        patches.append((start + patch[0], start + patch[1]) if patch else None)
    if not items:
        faults.append(OutlineFault("no_items", (head.start, head.end)))
    time_from, time_to = interval or ("", "")
    return RollupText(
        time_from, time_to, tuple(items), tuple(faults), (head.start, head.end), tuple(spans), tuple(patches)
    )


def _interval(line: Line, language: Language) -> tuple[str, str] | None:
    """Both ends of ``时间: A 至 B;``. The separator is the first that leaves something on both sides."""
    labels = lexicon(language).labels
    text = line.text.strip()
    for name in labels.time:
        if not text.startswith((f"{name}:", f"{name}：")):
            continue
        value = text[len(name) + 1 :].strip()
        if not value.endswith((";", "；")):
            return None
        value = value[:-1].rstrip()
        for word in labels.interval:
            before, found, after = value.partition(f" {word} ")
            if not found and not word.isascii():
                before, found, after = value.partition(word)
            if found and before.strip() and after.strip():
                return before.strip(), after.strip()
    return None


def _item(text: str, begin: int) -> tuple[RollupItem, Span | None]:
    """The item after its number; the bracket group that ends it is its patch."""
    if text[-1] not in _CLOSE:
        return RollupItem(text[begin:]), None
    depth = 0
    for at in range(len(text) - 1, begin - 1, -1):
        depth += (text[at] in _CLOSE) - (text[at] in _OPEN)
        if depth == 0:
            bare = text[begin:at].rstrip()
            inner = text[at + 1 : -1]
            return (
                (RollupItem(bare, inner), (at + 1, len(text) - 1))
                if bare and inner
                else (
                    RollupItem(text[begin:]),
                    None,
                )
            )
    return RollupItem(text[begin:]), None
