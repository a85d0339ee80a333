"""Everything the four roles need to know of one dispatch, worked out once from its briefing."""

from __future__ import annotations

from dataclasses import dataclass

from talekeeper.agents.builtin.cast import Cast, build_cast
from talekeeper.agents.builtin.facts import FieldFact, Tie, field_facts, ties
from talekeeper.agents.builtin.reading import Reader, Reading
from talekeeper.agents.builtin.scene import Scene, scene_of
from talekeeper.agents.builtin.threads import Hook, Verdict, find_hook, sweep
from talekeeper.agents.builtin.words import Words
from talekeeper.agents.protocols import Briefing


@dataclass(frozen=True)
class Case:
    """One dispatch as the built-in voice sees it."""

    words: Words
    briefing: Briefing
    reading: Reading
    cast: Cast
    scene: Scene
    facts: tuple[FieldFact, ...]
    ties: tuple[Tie, ...]
    hook: Hook | None
    verdicts: tuple[Verdict, ...]

    @property
    def zh(self) -> bool:
        return self.words.language == "zh"


class Desk:
    """Makes cases; keeps the last one, which the next role of the same dispatch asks for again."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._reader = Reader(words)
        self._last: tuple[Briefing, Case] | None = None

    def read(self, briefing: Briefing) -> Reading:
        return self._reader.read(briefing.batch)

    def case(self, briefing: Briefing) -> Case:
        """The case of a briefing; an equal one gives the very same case."""
        if self._last is None or self._last[0] != briefing:
            self._last = (briefing, self._make(briefing))
        return self._last[1]

    def _make(self, briefing: Briefing) -> Case:
        words, reading = self.words, self.read(briefing)
        cast = build_cast(briefing, reading, words)
        scene = scene_of(briefing, reading, cast, words)
        return Case(
            words,
            briefing,
            reading,
            cast,
            scene,
            field_facts(reading, cast, words),
            ties(reading, cast, words),
            find_hook(briefing, reading, cast, words),
            sweep(briefing, reading, scene.place, words),
        )
