"""A little story for tests of the voices: units by hand, and a curator that keeps nodes in memory, without a store."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from talekeeper.agents.builtin import BuiltinVoice
from talekeeper.agents.protocols import Appearance, Briefing, EventDraft, FactPlan, GroupBriefing
from talekeeper.memory.models import Evidence, Language, Message, NameMatch, Node, Unit
from talekeeper.memory.schema import default_schema
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import RollCall

SCHEMA = default_schema()
ENTITIES = ("character_sheet", "location_state")


def turn(number: int, *messages: tuple[str, str]) -> Unit:
    """A turn; the first message is the user's."""
    rows = tuple(
        Message("user" if i == 0 else "character", name, text, text) for i, (name, text) in enumerate(messages)
    )
    return Unit("turn", rows, "", "", number, f"u{number}", number, number * 1000)


def chapter(number: int, title: str, text: str) -> Unit:
    """A chapter of a novel."""
    return Unit(
        "chapter", (Message("narrator", "", text, text),), title, "", number, f"u{number}", number, number * 1000
    )


@dataclass
class Step:
    """What the voice said in one dispatch."""

    briefing: Briefing
    roll_call: RollCall
    plan: FactPlan
    event: EventDraft


@dataclass
class World:
    """Drives the built-in voice over units as the graph does, and keeps what it writes."""

    language: Language
    nodes: dict[str, Node] = field(default_factory=dict)
    events: list[Node] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.voice = BuiltinVoice(self.language)

    def dispatch(self, unit: Unit, violations: tuple[Violation, ...] = ()) -> Step:
        names = {m.name: "character_sheet" for m in unit.messages if m.name and m.text and unit.kind == "turn"}
        names |= {n: t for n, t in self._known() if n not in names and self._stands(n, unit.text)}
        for proposed in self.voice.roll_caller.propose_names(self._briefing(unit, names)):
            names.setdefault(proposed.name, proposed.type)
        briefing = self._briefing(unit, names)
        roll_call = self.voice.roll_caller.call(briefing, violations)
        plan = self.voice.archivist.plan(briefing, roll_call, violations)
        written = self._write(unit, plan)
        event = self.voice.scribe.write(briefing, roll_call, written, violations)
        self.events.append(self._add("event", "", {"summary": event.summary}, unit.position))
        return Step(briefing, roll_call, plan, event)

    def compact(self, children: Sequence[Node], depth: int) -> Node:
        draft = self.voice.compactor.compact(GroupBriefing(self.language, "event", depth, tuple(children)))
        node = self._add("event", "", {"summary": draft.summary}, children[-1].position)
        self.nodes[node.id] = replace(node, depth=depth)
        return self.nodes[node.id]

    def titles(self, kind: str) -> list[str]:
        return [n.title for n in self.nodes.values() if n.type == kind]

    def thread(self, title: str) -> Node:
        return next(n for n in self.nodes.values() if n.type == "thread" and n.title == title)

    def _known(self) -> list[tuple[str, str]]:
        rows = [(name, n.type) for n in self.nodes.values() if n.type in ENTITIES for name in (n.title, *n.aliases)]
        return sorted(rows, key=lambda row: (-len(row[0]), row))

    def _stands(self, name: str, text: str) -> bool:
        if self.language == "zh":
            return name in text
        return re.search(rf"\b{re.escape(name)}\b", text) is not None

    def _matches(self, name: str) -> tuple[NameMatch, ...]:
        found = []
        for n in self.nodes.values():
            if n.type in ENTITIES and n.title == name:
                found.append(NameMatch(n.id, n.type, n.title, "title", name))
            elif n.type in ENTITIES and name in n.aliases:
                found.append(NameMatch(n.id, n.type, n.title, "alias", name))
        return tuple(found)

    def _briefing(self, unit: Unit, names: dict[str, str]) -> Briefing:
        appearing = tuple(Appearance(name, kind, self._matches(name)) for name, kind in names.items())
        hits = {m.node_id: self.nodes[m.node_id] for a in appearing for m in a.matches}
        active = tuple(n for n in self.nodes.values() if n.type == "thread" and n.fields["status"] == "active")
        last = self.events[-1] if self.events else None
        recent = tuple(reversed(self.events[-3:]))
        return Briefing("灯", self.language, SCHEMA, (unit,), recent, last, appearing, hits, (), active)

    def _write(self, unit: Unit, plan: FactPlan) -> dict[str, str]:
        written = {}
        for op in plan.nodes:
            if op.op == "create":
                written[op.title] = self._add(op.type, op.title, dict(op.set_fields), unit.position, op.evidence).id
            elif op.op == "edit":
                node = self.nodes[op.node_id]
                self.nodes[op.node_id] = replace(node, fields={**node.fields, **op.set_fields})
        return written

    def _add(
        self, kind: str, title: str, fields: dict[str, object], position: int, evidence: tuple[Evidence, ...] = ()
    ) -> Node:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        spec = SCHEMA.type(kind)
        assert spec is not None
        node_id = f"{spec.prefix}_{self.counts[kind]}"
        filled = {**spec.defaults, **fields}
        self.nodes[node_id] = Node(
            node_id, kind, title, filled, "active", 0, None, None, None, position, 1, 1, evidence
        )
        return self.nodes[node_id]


def prose(event: EventDraft) -> str:
    """The prose of an event, without header and sections."""
    return event.summary.split("\n\n")[1]
