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
class HookFacts:
    """What is known of the scene that a hook still waits for; None = not known, which no rule takes for a fault.

    ``minutes`` is how much story time lies between this scene and that one.
    """

    minutes: int | None = None
    cast_changes: bool | None = None
    other_place: bool | None = None
    other_matter: bool | None = None


@dataclass(frozen=True, slots=True)
class RollCallSubject:
    """``looked_up`` maps each name asked for in this dispatch to what the tool answered; ``expected`` lists the names
    that appear in the batch, by type; ``hooks`` what is known of new threads, by title."""

    roll_call: RollCall
    expected: Mapping[str, tuple[str, ...]]
    looked_up: Mapping[str, tuple[NameMatch, ...]]
    active_threads: Mapping[str, str]
    columns: Mapping[str, tuple[str, ...]]
    hooks: Mapping[str, HookFacts] = field(default_factory=dict)


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
    """A leaf event's summary and what surrounds it.

    Attributes:
        thread_titles: threads that this dispatch creates or edits and that stay active; judged only where
            ``created_threads`` (those among them that are new) is given too.
        known_names: titles and aliases in memory, and fixed terms of the world; None = not known, and nothing is held
            against a name.
        context_text: what else the writer was shown (recent events, cards, lorebook).
        newcomers: names that this dispatch met for the first time.
    """

    summary: str
    batch_text: str = ""
    previous_time: str | None = None
    thread_titles: frozenset[str] = frozenset()
    recent_summaries: tuple[str, ...] = ()
    work_titles: frozenset[str] = frozenset()
    created_threads: frozenset[str] | None = None
    known_names: frozenset[str] | None = None
    context_text: str = ""
    newcomers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SweptThread:
    """A thread that was active when the dispatch began; ``edited``: this dispatch wrote its note or status."""

    node_id: str
    title: str
    note: str = ""
    edited: bool = False


@dataclass(frozen=True, slots=True)
class SweepSubject:
    """The event that was written, and every thread that it might have moved."""

    summary: str
    threads: tuple[SweptThread, ...] = ()


@dataclass(frozen=True, slots=True)
class ThoughtSubject:
    """The visible thought and the summary that was sent with it.

    Attributes:
        earlier: the other thoughts of the same dispatch, whole.
        refs: units of the batch, or ids of a rollup's children, that Step 1a must list; empty = not known.
        children: the children themselves, whose rows Step 1a must repeat.
        type: type of the node that is written; a full thought is asked for only with an event's summary.
    """

    thought: str
    summary: str
    kind: Literal["leaf", "rollup"] = "leaf"
    earlier: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    children: tuple[ChildSummary, ...] = ()
    type: str = "event"


@dataclass(frozen=True, slots=True)
class AliasUse:
    """How often a name was used for one person, counted from the stored history; ``declared`` by card or lorebook."""

    scenes: int = 0
    user_messages: int = 0
    declared: bool = False


@dataclass(frozen=True, slots=True)
class NodeSubject:
    """A create (``before is None``) or an edit of one node. ``fields`` is the after-image; ``sent`` what the call
    carried; ``namesakes`` the other visible nodes of the type that bear its title or one of its aliases.

    ``alias_uses`` and ``trait_scenes`` count, by alias and by trait, where each was seen (None = not counted);
    ``place_names`` are titles and aliases of places and organisations.
    """

    spec: NodeType
    title: str
    fields: Mapping[str, Any]
    sent: Mapping[str, Any] = field(default_factory=dict)
    cleared: tuple[str, ...] = ()
    before: Mapping[str, Any] | None = None
    namesakes: tuple[NameMatch, ...] = ()
    batch_text: str = ""
    deleting: bool = False
    alias_uses: Mapping[str, AliasUse] | None = None
    trait_scenes: Mapping[str, int] | None = None
    place_names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LinkSubject:
    """One link to be written; ``known_ids`` are the real ids looked up or made in this dispatch; ``reverse_stands``
    tells that the same relation already stands the other way round; ``acting`` whether the character at the target is
    present and acts in the event, ``note_rewritten`` whether this dispatch rewrote the note of the thread at the target
    (None = not known); ``deleting`` that the relation is to end, ``cited`` that evidence is given for it."""

    relations: Relations
    source: str
    target: str
    relation: str
    known_ids: frozenset[str] = frozenset()
    source_type: str | None = None
    target_type: str | None = None
    direction: str | None = None
    reverse_stands: bool = False
    acting: bool | None = None
    note_rewritten: bool | None = None
    deleting: bool = False
    cited: bool = True


@dataclass(frozen=True, slots=True)
class ChildSummary:
    """One child of a rollup, as its node reads. ``changes`` are the irreversible rows of the leaves below a child that
    is a rollup itself; a leaf's own stand in its summary."""

    id: str
    summary: str
    time_from: str | None = None
    time_to: str | None = None
    rolled_up: bool = False
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RollupSubject:
    """A rollup about to be written over ``child_ids``; ``group_ids`` is what the store said is ready; ``known_names``
    as in ``EventSubject``."""

    summary: str
    child_ids: tuple[str, ...]
    group_ids: tuple[str, ...]
    children: tuple[ChildSummary, ...]
    depth: int
    known_names: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class HiddenChild:
    """A child of a stored rollup: does the default view show it, does expanding the rollup bring it up."""

    id: str
    summary: str
    depth: int
    shown: bool
    expanded: bool


@dataclass(frozen=True, slots=True)
class StoredRollupSubject:
    """A rollup in the store, and what became of its children."""

    node_id: str
    depth: int
    children: tuple[HiddenChild, ...]


@dataclass(frozen=True, slots=True)
class ControlSubject:
    """What happened to one write, and what is counted and set around it.

    Attributes:
        refused: the write was refused; before, after: digests of all that it could have changed.
        found: rules that it broke; told: rules that the reply named, in its order; severities: by rule, default hard.
        tries, most_tries, traced: how often it was tried, how often it may be, how many tries left a trace.
        rates: violations a write, by rule, of ``model`` with ``prompt_version``.
        settings: the story's severities by rule.
    """

    refused: bool = False
    before: str = ""
    after: str = ""
    found: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    severities: Mapping[str, str] = field(default_factory=dict)
    tries: int = 1
    most_tries: int = 3
    traced: int = 1
    rates: Mapping[str, float] = field(default_factory=dict)
    model: str = ""
    prompt_version: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProtocolSubject:
    """The dispatch's own ledger. ``steps`` are the names of steps and tool calls in the order they happened (the last
    may be about to happen); ``repeats`` how often a question came again and was answered from the ledger; ``reread``
    questions that were put to the store a second time; ``touched`` ids written without a look-up; ``uncited`` writes
    without evidence of this batch; ``foreign`` units cited from outside it; ``uncovered`` batch units that no event
    rests on; ``kept`` rules that the stored event breaks all the same, ``flags`` what the dispatch is marked with;
    ``unlinked`` nodes that take part in the event and that no link joins to it."""

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
    unlinked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClosingSubject:
    """The closing message and the counts of what was really written (``{"event create": 1}``, ``groups``)."""

    text: str
    counts: Mapping[str, int]
    has_tool_calls: bool = False
