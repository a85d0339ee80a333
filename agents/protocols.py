"""Who writes what in one dispatch: four roles behind four small protocols.

A role gets a briefing (all reads are done by code beforehand) and answers with data; it never touches the store. So a
model voice and the built-in voice are interchangeable, and one can take over from the other in the middle of a
dispatch. ``violations`` is empty at the first try and holds what was refused at each further one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from talekeeper.memory.models import Evidence, Language, Link, NameMatch, Node, Unit
from talekeeper.memory.schema import Schema
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import RollCall


@dataclass(frozen=True, slots=True)
class ProposedName:
    """A name that a roll-caller sees in the batch: bare name, node type, where it stands first."""

    name: str
    type: str
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Appearance:
    """A name of the batch after its look-up: ``matches`` is what the tool answered (empty = unknown so far)."""

    name: str
    type: str
    matches: tuple[NameMatch, ...]


@dataclass(frozen=True)
class Briefing:
    """All that a voice may know of one dispatch.

    Attributes:
        recent: last events, newest first, default view (rollups included).
        last_event: the newest leaf event, whose time and place the next one carries on from.
        appearing: every character and location of the batch, looked up.
        nodes: the briefs of every hit, by id; links: their links.
        active_threads: all threads with status active when the dispatch began.
    """

    story_title: str
    language: Language
    schema: Schema
    batch: tuple[Unit, ...]
    recent: tuple[Node, ...] = ()
    last_event: Node | None = None
    appearing: tuple[Appearance, ...] = ()
    nodes: Mapping[str, Node] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    active_threads: tuple[Node, ...] = ()

    @cached_property
    def batch_text(self) -> str:
        """The curated text of the whole batch."""
        return "\n\n".join(unit.text for unit in self.batch)


@dataclass(frozen=True, slots=True)
class LinkOp:
    """A relation to write (or, with ``end``, to take back). Ends are node ids, or ``@ref`` of a node made here."""

    source: str
    relation: str
    target: str
    end: bool = False


@dataclass(frozen=True, slots=True)
class NodeOp:
    """One create, edit or delete of a node other than an event. ``ref`` names a created node for links of the plan."""

    op: Literal["create", "edit", "delete"]
    type: str
    title: str = ""
    node_id: str = ""
    set_fields: Mapping[str, Any] = field(default_factory=dict)
    clear_fields: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    ref: str = ""
    intent: str = ""


@dataclass(frozen=True, slots=True)
class FactPlan:
    """What the archivist wants written: nodes first, then links."""

    nodes: tuple[NodeOp, ...] = ()
    links: tuple[LinkOp, ...] = ()


@dataclass(frozen=True, slots=True)
class EventDraft:
    """One leaf event. In ``links`` the event itself is ``@event``. ``thought`` ends with the summary, byte for byte."""

    thought: str
    summary: str
    title: str = ""
    links: tuple[LinkOp, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupBriefing:
    """A compaction group: its children in story order and the depth that the rollup will have (code says it)."""

    language: Language
    type: str
    rollup_depth: int
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class RollupDraft:
    """One rollup's outline with the thought that led to it."""

    thought: str
    summary: str


class RollCaller(Protocol):
    """Says which names appear, and what is to be done with each."""

    def propose_names(self, briefing: Briefing) -> tuple[ProposedName, ...]:
        """Names beyond speakers and known names; looked up by code before the roll-call."""
        ...

    def call(self, briefing: Briefing, violations: tuple[Violation, ...] = ()) -> RollCall: ...


class Archivist(Protocol):
    """Turns the roll-call's decisions into writes of stable facts, threads and links."""

    def plan(self, briefing: Briefing, roll_call: RollCall, violations: tuple[Violation, ...] = ()) -> FactPlan: ...


class Scribe(Protocol):
    """Writes the one event of the dispatch. ``written`` maps names and titles created or edited here to node ids."""

    def write(
        self,
        briefing: Briefing,
        roll_call: RollCall,
        written: Mapping[str, str],
        violations: tuple[Violation, ...] = (),
    ) -> EventDraft: ...


class Compactor(Protocol):
    """Merges a group of events into one outline."""

    def compact(self, group: GroupBriefing, violations: tuple[Violation, ...] = ()) -> RollupDraft: ...


@dataclass(frozen=True, slots=True)
class Voices:
    """The four roles of one dispatch. ``name`` is what commits are signed with, ``fingerprint`` what made them."""

    roll_caller: RollCaller
    archivist: Archivist
    scribe: Scribe
    compactor: Compactor
    name: str
    fingerprint: str
