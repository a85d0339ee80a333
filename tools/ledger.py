"""What one dispatch has looked up: the order of its steps, every answer given, how often each question came.

A question is put to the store once; a repeat is answered from here and only counted (P3). The same book says which
nodes a write may touch (P4) and what the roll-call must report (R2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from talekeeper.memory.models import NameMatch
from talekeeper.memory.text import fold


@dataclass
class LookUp:
    """One name asked for: as first spelled, the types it was asked with (empty = any), and all matches shown."""

    name: str
    types: tuple[str, ...] = ()
    matches: tuple[NameMatch, ...] = ()


@dataclass
class Ledger:
    """The book of one dispatch.

    Attributes:
        steps: names of steps in the order they began; a step repeated at once stands once.
        asked: how often each question came, by ``"find:张三"``-like keys.
        look_ups: by folded name.
        seen: ids that a look-up showed (find, list, brief, expand); only these may be written to.
        briefed: ids whose present state was shown in full.
        put: questions that the store has answered since this process took the dispatch up; they aren't put again (P3).
    """

    steps: list[str] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)
    look_ups: dict[str, LookUp] = field(default_factory=dict)
    seen: dict[str, None] = field(default_factory=dict)
    briefed: dict[str, None] = field(default_factory=dict)
    put: set[str] = field(default_factory=set)

    def step(self, name: str) -> None:
        """Note that ``name`` began."""
        if not self.steps or self.steps[-1] != name:
            self.steps.append(name)

    def ask(self, question: str) -> bool:
        """Count a question; True if it was asked before."""
        self.asked[question] = self.asked.get(question, 0) + 1
        return self.asked[question] > 1

    def saw(self, ids: Iterable[str]) -> None:
        """Note ids that an answer showed."""
        self.seen.update(dict.fromkeys(ids))

    def found(self, name: str, types: tuple[str, ...], matches: Iterable[NameMatch]) -> None:
        """Note what a look-up by name answered; answers to the same name add up."""
        entry = self.look_ups.get(fold(name))
        shown = tuple(matches)
        if entry is None:
            self.look_ups[fold(name)] = LookUp(name, types, shown)
        else:
            entry.types = () if not (types and entry.types) else tuple(dict.fromkeys(entry.types + types))
            entry.matches = tuple(dict.fromkeys(entry.matches + shown))
        self.saw(match.node_id for match in shown)

    def whole_answer(self, name: str) -> tuple[NameMatch, ...] | None:
        """The store's answer to a look-up among all types, if there was one."""
        entry = self.look_ups.get(fold(name))
        return entry.matches if entry is not None and not entry.types else None

    def looked_up(self, name: str, type_: str) -> bool:
        """The name was asked for among all types, or among those that ``type_`` is one of."""
        entry = self.look_ups.get(fold(name))
        return entry is not None and (not entry.types or type_ in entry.types)

    @property
    def answers(self) -> Mapping[str, tuple[NameMatch, ...]]:
        """What was answered, by name as first asked."""
        return {entry.name: entry.matches for entry in self.look_ups.values()}

    @property
    def repeats(self) -> Mapping[str, int]:
        """Questions that came more than once."""
        return {question: times for question, times in self.asked.items() if times > 1}

    def snapshot(self) -> dict[str, Any]:
        """Plain data; matches as rows."""
        rows = [
            [key, e.name, list(e.types), [[m.node_id, m.type, m.title, m.via, m.name] for m in e.matches]]
            for key, e in self.look_ups.items()
        ]
        return {
            "steps": list(self.steps),
            "asked": dict(self.asked),
            "look_ups": rows,
            "seen": list(self.seen),
            "briefed": list(self.briefed),
        }

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> Ledger:
        look_ups = {
            key: LookUp(name, tuple(types), tuple(NameMatch(*row) for row in matches))
            for key, name, types, matches in data["look_ups"]
        }
        return cls(
            steps=list(data["steps"]),
            asked=dict(data["asked"]),
            look_ups=look_ups,
            seen=dict.fromkeys(data["seen"]),
            briefed=dict.fromkeys(data["briefed"]),
        )
