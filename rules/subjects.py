"""What rules look at: one frozen dataclass a scope, holding all that its rules may read.

Rules are pure; whoever calls them (the dispatch session, ``doctor``) gathers the facts first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from talekeeper.memory.models import NameMatch
from talekeeper.memory.schema import NodeType, Relations

Decision = Literal["SKIP", "EDIT", "CREATE"]
ThreadDecision = Literal["SKIP", "EDIT", "RESOLVED", "ABANDONED"]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One announced change of a field, values as text."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class EntityEntry:
    """One name of the roll-call: what the look-up answered (node ids) and what was decided."""

    name: str
    title_hits: tuple[str, ...]
    alias_hits: tuple[str, ...]
    decision: Decision
    node_id: str | None = None
    changes: tuple[FieldChange, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NewThreadEntry:
    """A hook of this batch: CREATE (with its category 1, 2 or 3) or SKIP."""

    title: str
    decision: Literal["CREATE", "SKIP"]
    category: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ActiveThreadEntry:
    """The sweep's line for one thread that was active when the dispatch began."""

    node_id: str
    title: str
    decision: ThreadDecision
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RollCall:
    """The dedup roll-call. ``roll_call.py`` renders and parses its visible form."""

    characters: tuple[EntityEntry, ...] = ()
    locations: tuple[EntityEntry, ...] = ()
    new_threads: tuple[NewThreadEntry, ...] = ()
    active_threads: tuple[ActiveThreadEntry, ...] = ()
    said_no_active: bool = False
    shorthand: str = ""
    """Text that stood where an entry was due and names nobody ("all new", 无变化)."""


@dataclass(frozen=True, slots=True)
class RollCallSubject:
    """``looked_up`` maps each name asked for in this dispatch to what the tool answered; ``expected`` lists the names
    that appear in the batch, by type."""

    roll_call: RollCall
    expected: Mapping[str, tuple[str, ...]]
    looked_up: Mapping[str, tuple[NameMatch, ...]]
    active_threads: Mapping[str, str]
    columns: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class WriteSubject:
    """A create, edit or delete that follows the roll-call. ``fields`` are the columns it sets or clears; ``status``
    what a thread's status becomes, if it changes; ``names`` the title and aliases of a node to be made."""

    roll_call: RollCall
    op: Literal["create", "edit", "delete"]
    type: str
    names: tuple[str, ...] = ()
    node_id: str = ""
    fields: tuple[str, ...] = ()
    status: str | None = None


@dataclass(frozen=True, slots=True)
class EventSubject:
    """A leaf event's summary and what surrounds it."""

    summary: str
    batch_text: str = ""
    previous_time: str | None = None
    thread_titles: frozenset[str] = frozenset()
    recent_summaries: tuple[str, ...] = ()
    work_titles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ThoughtSubject:
    """The visible thought and the summary that was sent with it."""

    thought: str
    summary: str
    kind: Literal["leaf", "rollup"] = "leaf"
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeSubject:
    """A create (``before is None``) or an edit of one node. ``fields`` is the after-image; ``sent`` what the call
    carried; ``namesakes`` the other visible nodes of the type that bear its title or one of its aliases."""

    spec: NodeType
    title: str
    fields: Mapping[str, Any]
    sent: Mapping[str, Any] = field(default_factory=dict)
    cleared: tuple[str, ...] = ()
    before: Mapping[str, Any] | None = None
    namesakes: tuple[NameMatch, ...] = ()
    batch_text: str = ""
    deleting: bool = False


@dataclass(frozen=True, slots=True)
class LinkSubject:
    """One link to be written; ``known_ids`` are the real ids looked up or made in this dispatch; ``reverse_stands``
    tells that the same relation already stands the other way round."""

    relations: Relations
    source: str
    target: str
    relation: str
    known_ids: frozenset[str] = frozenset()
    source_type: str | None = None
    target_type: str | None = None
    direction: str | None = None
    reverse_stands: bool = False


@dataclass(frozen=True, slots=True)
class ChildSummary:
    """One child of a rollup, as its node reads."""

    id: str
    summary: str
    time_from: str | None = None
    time_to: str | None = None
    rolled_up: bool = False


@dataclass(frozen=True, slots=True)
class RollupSubject:
    """A rollup about to be written over ``child_ids``; ``group_ids`` is what the store said is ready."""

    summary: str
    child_ids: tuple[str, ...]
    group_ids: tuple[str, ...]
    children: tuple[ChildSummary, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class ProtocolSubject:
    """The dispatch's own ledger. ``steps`` are the names of steps and tool calls in the order they happened (the last
    may be about to happen); ``repeats`` how often a question came again and was answered from the ledger; ``reread``
    questions that were put to the store a second time; ``touched`` ids written without a look-up; ``uncited`` writes
    without evidence of this batch; ``foreign`` units cited from outside it; ``uncovered`` batch units that no event
    rests on; ``kept`` rules that the stored event breaks all the same, ``flags`` what the dispatch is marked with."""

    steps: tuple[str, ...]
    events: int
    finishing: bool = False
    repeats: Mapping[str, int] = field(default_factory=dict)
    touched: tuple[str, ...] = ()
    uncited: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()
    reread: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClosingSubject:
    """The closing message and the counts of what was really written (``{"event create": 1}``, ``groups``)."""

    text: str
    counts: Mapping[str, int]
    has_tool_calls: bool = False
