"""What the rules cost: one leaf event, a long thought, a rollup, each new to every cache."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from talekeeper.evals.bench.measure import Figures
from talekeeper.evals.rule_corpus.rollups import rollup
from talekeeper.evals.rule_corpus.sample import LANGUAGES, World, worlds
from talekeeper.evals.rule_corpus.thinking import leaf
from talekeeper.memory.models import Language
from talekeeper.rules.book import RuleBook
from talekeeper.rules.model import Scope
from talekeeper.rules.subjects import EventSubject

RUNS = 200
THOUGHT = 3_000
BATCH = 2_000
LIMITS = {"event": 5.0, "thought": 20.0}
"""Milliseconds at the 95th percentile."""


def rules_cost() -> dict[str, Any]:
    """Milliseconds of processor time that all rules of a scope take on one subject, by language, with their limits."""
    made: dict[Scope, Callable[[World, int], Any]] = {"event": _event, "thought": _thought, "rollup": _rollup}
    figures = {
        f"{scope} {language}": _measured(language, scope, subject)
        for scope, subject in made.items()
        for language in LANGUAGES
    }
    held = {name: figure.p95 <= LIMITS.get(name.split()[0], float("inf")) for name, figure in figures.items()}
    return {"ms": figures, "limits_ms": LIMITS, "held": held}


def _measured(language: Language, scope: Scope, subject: Callable[[World, int], Any]) -> Figures:
    book, given = RuleBook(language), worlds(language)
    subjects = [subject(given[number % len(given)], number) for number in range(RUNS + 5)]
    seconds: list[float] = []
    for item in subjects:
        begin = time.process_time()
        book.check(scope, item)
        seconds.append(time.process_time() - begin)
    return Figures.of(seconds[5:])


def _event(world: World, number: int) -> EventSubject:
    """A leaf event with all sections, written from a batch of some length; five events before it."""
    joint = "" if world.language == "zh" else " "
    text = world.scenes[0].text(world.language)
    batch = joint.join([world.source, text] * (BATCH // len(world.source + text) + 1))
    recent = tuple(world.event(index % 3, place=f"{world.scenes[0].place} {number}") for index in range(5))
    return EventSubject(
        world.full_event(place=f"{world.scenes[0].place} {number}"),
        f"{batch} {number}",
        thread_titles=frozenset({world.thread}),
        created_threads=frozenset({world.thread}),
        recent_summaries=recent,
        known_names=frozenset({*world.cast, *(f"{name} {n}" for name in world.cast for n in range(300))}),
    )


def _thought(world: World, number: int) -> Any:
    """A thought of about 3,000 characters, beside two earlier ones."""
    made = leaf(world)
    row = made.listed[0]
    more = (THOUGHT - len(made.text)) // len(row) + 1
    long = made.with_(listed=(*made.listed, *(f"{row} {number} {n}" for n in range(more))))
    return long.subject(earlier=(leaf(world, 1).text, leaf(world, 2).text))


def _rollup(world: World, number: int) -> Any:
    items = world.outlines[number % len(world.outlines)]
    return rollup(world, summary=world.outline((f"{items[0]} {number}", *items[1:])))
