"""Hostile subjects for the rules of thoughts and outlines: ``text`` wherever a text can stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talekeeper.memory.models import Language
from talekeeper.rules.model import Scope
from talekeeper.rules.subjects import (
    ChildSummary,
    ControlSubject,
    HiddenChild,
    RollupSubject,
    StoredRollupSubject,
    ThoughtSubject,
)
from talekeeper.rules.thought import compose_thought
from tests.rule_subjects import event

STEPS = ("1a", "1b", "2", "3", "3f", "4", "5")


def hostile_thoughts(text: str, language: Language) -> Iterator[tuple[Scope, Any]]:
    """Thoughts whose steps, summary and neighbours are ``text``."""
    child = ChildSummary("event_1", event(language, prose=text, tail=f"\n\n不可逆:\n- {text}"))
    filled = compose_thought(dict.fromkeys(STEPS, text), text, language, self_check=text)
    numbered = compose_thought(dict.fromkeys(STEPS, f"(1) {text}｜是；B1 “{text}” → {text}"), text, language)
    for thought in (text, filled, numbered):
        yield "thought", ThoughtSubject(thought, text, refs=("u1", "u2"), earlier=(filled[1:], text))
        yield "thought", ThoughtSubject(thought, text, "rollup", children=(child,), refs=("event_1",))
        yield "thought", ThoughtSubject(thought, text, type="thread")


def hostile_outlines(text: str, language: Language) -> Iterator[tuple[Scope, Any]]:
    """Outlines and children made of ``text``, and what surrounds them."""
    head = "时间: 第1日 至 第9日;" if language == "zh" else "Time: Day 1 to Day 9;"
    leaf = ChildSummary("event_1", event(language, prose=text, tail=f"\n\n不可逆:\n- {text}"))
    inner = ChildSummary("event_2", f"{head}\n1) {text}", changes=(text, text[::-1]))
    names = frozenset({text, text[:3]})
    for depth in (1, 2, 3):
        for outline in (f"{head}\n1) {text}", f"{head}\n{text}", f"{head}\n1) {text} ({text})\n2) {text}"):
            yield "rollup", RollupSubject(outline, ("event_1", "event_2"), (), (leaf, inner), depth, names)
    yield "stored_rollup", StoredRollupSubject(text, 1, (HiddenChild(text, text, 0, True, False),))
    yield "control", ControlSubject(True, text, "", (text,), ("E1",), {text: text}, 4, 3, 1, {text: 2.0}, text, text)
    yield "control", ControlSubject(settings={text: text, "T8": "off"})


def hostile(text: str, language: Language) -> Iterator[tuple[Scope, Any]]:
    yield from hostile_thoughts(text, language)
    yield from hostile_outlines(text, language)
