"""What a generator of the corpus yields, and the short valid stories that generators start from.

A family module maps rule ids to generators (``CORPUS``) and is listed in ``corpus.py``. A generator takes a language
and yields samples; broken and valid ones together, at least fifty of each over both languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import yaml

from talekeeper.memory.models import Language
from talekeeper.rules.event_form import EventText, render
from talekeeper.rules.rollup_form import RollupItem, RollupText
from talekeeper.rules.rollup_form import render as render_outline
from talekeeper.rules.subjects import ChildSummary

T = TypeVar("T")
LANGUAGES: tuple[Language, ...] = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Sample:
    """One subject of a rule's scope; ``breaks`` says whether the rule must report it, ``label`` what was done to it,
    ``banned`` the words that its story bans."""

    subject: Any
    breaks: bool
    label: str
    banned: tuple[str, ...] = ()


Generator = Callable[[Language], Iterator[Sample]]
Corpus = Mapping[str, Generator]


def broken(subject: Any, label: str) -> Sample:
    """A subject that breaks the rule."""
    return Sample(subject, True, label)


def valid(subject: Any, label: str) -> Sample:
    """A near-miss: close to a fault, and right."""
    return Sample(subject, False, label)


@dataclass(frozen=True, slots=True)
class Scene:
    """One leaf event of a world: header, prose by sentence, and its irreversible row."""

    time: str
    place: str
    prose: tuple[str, ...]
    change: str

    def text(self, language: Language) -> str:
        return ("" if language == "zh" else " ").join(self.prose)


@dataclass(frozen=True, slots=True)
class World:
    """A short valid story: its cast, a thread, a verbatim excerpt, source text, three scenes, honest outlines."""

    language: Language
    cast: tuple[str, ...]
    thread: str
    excerpt: tuple[str, str]
    source: str
    scenes: tuple[Scene, ...]
    outlines: tuple[tuple[str, ...], ...]

    def event(self, index: int = 0, **parts: Any) -> str:
        """The summary of a scene; ``parts`` replace those of ``EventText``."""
        return render(self.event_parts(index, **parts), self.language)

    def event_parts(self, index: int = 0, **parts: Any) -> EventText:
        scene = self.scenes[index]
        given: dict[str, Any] = {
            "time": scene.time,
            "place": scene.place,
            "prose": scene.text(self.language),
            "irreversible": (scene.change,),
        }
        return EventText(**{**given, **parts})

    def full_event(self, **parts: Any) -> str:
        """The first scene with all three sections."""
        return self.event(0, **{"open_threads": (self.thread,), "excerpts": (self.excerpt,), **parts})

    def children(self) -> tuple[ChildSummary, ...]:
        """The scenes as the children of a rollup."""
        return tuple(
            ChildSummary(f"event_{n}", self.event(n - 1), scene.time, scene.time)
            for n, scene in enumerate(self.scenes, 1)
        )

    def outline(self, items: tuple[str, ...], *, start: str = "", end: str = "") -> str:
        """An outline over all scenes with ``items``, a bracket at an item's end being its patch."""
        head = RollupText(start or self.scenes[0].time, end or self.scenes[-1].time, tuple(map(RollupItem, items)))
        return render_outline(head, self.language)


@cache
def worlds(language: Language) -> tuple[World, ...]:
    """All worlds of one language."""
    text = resources.files("talekeeper.evals.rule_corpus").joinpath("worlds.yaml").read_text("utf-8")
    return tuple(_world(language, row) for row in yaml.safe_load(text)[language])


def _world(language: Language, row: Mapping[str, Any]) -> World:
    label, verbatim = row["excerpt"]
    return World(
        language=language,
        cast=tuple(row["cast"]),
        thread=row["thread"],
        excerpt=(label, verbatim),
        source=row["source"].strip(),
        scenes=tuple(Scene(str(e["time"]), e["place"], tuple(e["prose"]), e["change"]) for e in row["events"]),
        outlines=tuple(tuple(items) for items in row["outlines"]),
    )


def pick(language: Language, zh: tuple[T, ...], en: tuple[T, ...]) -> tuple[T, ...]:
    """What belongs to one language."""
    return zh if language == "zh" else en
