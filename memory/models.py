"""The nouns of a story's memory: units, evidence, nodes, links, commits.

Plain frozen dataclasses, so that every layer above can pass them about without a database at hand. A *draft* is
something not yet stored (no id); what comes back from the store has its id and never changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

Language = Literal["zh", "en"]
Role = Literal["user", "character", "narrator", "system"]
UnitKind = Literal["turn", "chapter"]
Lifecycle = Literal["active", "superseded", "archived", "rejected"]
CommitKind = Literal["facts", "rollup", "manual", "undo"]
Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One row of a chat (or a whole chapter's text) as it was accepted.

    ``raw`` is the text as the file has it, ``text`` what is curated: reasoning, status blocks, HTML and code taken out.
    ``hidden`` rows were excluded from the prompt by their owner: they still happened and are still curated, unless
    ``role`` is ``system`` (a notice of the chat program), whose ``text`` is empty.
    """

    role: Role
    name: str
    text: str
    raw: str
    hidden: bool = False
    sent_at: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class UnitDraft:
    """What is curated at once, before it has a place in a story: a turn (user message + replies) or a chapter."""

    kind: UnitKind
    messages: tuple[Message, ...]
    title: str = ""
    source: str = ""

    @cached_property
    def text(self) -> str:
        """The curated text; evidence spans count code points in this string."""
        shown = [m for m in self.messages if m.text]
        if self.kind == "chapter":
            return "\n\n".join(m.text for m in shown)
        return "\n\n".join(f"{m.name}: {m.text}" if m.name else m.text for m in shown)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over roles, names and raw texts: hiding a message or moving the file changes nothing."""
        rows = [[m.role, m.name, m.raw] for m in self.messages]
        packed = json.dumps([self.kind, self.title, rows], ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(packed.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Unit(UnitDraft):
    """A stored unit. ``ref`` (``u17``) is its name in the story; ``turn`` its 1-based place along the worldline.

    ``position`` orders units and everything that rests on them; it leaves gaps, so that a unit can be put between two
    others and no coordinate ever shifts.
    """

    id: int = 0
    ref: str = ""
    turn: int = 0
    position: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a fact stands: ``unit`` ref and a code-point span of ``Unit.text``; the hash tells if the text moved."""

    unit: str
    start: int
    end: int
    quote_hash: str

    @classmethod
    def of(cls, unit: Unit, start: int = 0, end: int | None = None) -> Evidence:
        """Evidence for ``unit.text[start:end]`` (default: the whole unit)."""
        stop = len(unit.text) if end is None else end
        return cls(unit.ref, start, stop, quote_hash(unit.text[start:stop]))


def quote_hash(text: str) -> str:
    """First 16 hex digits of the SHA-256 of a quotation."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class NodeWrite:
    """The full after-image of one node version.

    Attributes:
        depth: 0 for leaves, children's depth + 1 for rollups.
        parent: id of the rollup that holds this node, if any; such a node is hidden from the default view.
        time_from, time_to: story time as text, as far as known.
    """

    node_id: str
    type: str
    title: str
    fields: Fields
    evidence: tuple[Evidence, ...]
    lifecycle: Lifecycle = "active"
    depth: int = 0
    parent: str | None = None
    time_from: str | None = None
    time_to: str | None = None
    new: bool = False


@dataclass(frozen=True, slots=True)
class LinkWrite:
    """One link version; ``lifecycle="archived"`` ends the relation, the rows before it stay."""

    source: str
    relation: str
    target: str
    evidence: tuple[Evidence, ...]
    lifecycle: Lifecycle = "active"


@dataclass(frozen=True, slots=True)
class CommitDraft:
    """All that one step of a dispatch writes, landing as one transaction or not at all.

    Attributes:
        key: makes the commit idempotent: the same key in the same story returns the commit that is there already.
        batch: refs of the units it rests on, in order; empty for hand-made commits.
        base_seq: the story's last commit number that the writer read; ``StaleBase`` if it moved. None = don't check.
        author: name of the voice or person; fingerprint: model, prompt hashes and rules that made it.
        meta: rule results, usage, the thought, flags such as ``needs_review`` (JSON-able).
    """

    key: str
    kind: CommitKind
    dispatch_id: str
    batch: tuple[str, ...]
    nodes: tuple[NodeWrite, ...]
    links: tuple[LinkWrite, ...] = ()
    base_seq: int | None = None
    author: str = ""
    fingerprint: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Commit:
    """A stored commit. ``seq`` counts up through the whole library; ``chain`` hashes it with the one before."""

    seq: int
    kind: CommitKind
    dispatch_id: str
    batch: tuple[str, ...]
    author: str
    fingerprint: str
    meta: Mapping[str, Any]
    created_at: str
    chain: str


@dataclass(frozen=True, slots=True)
class Node:
    """The newest visible version of a node.

    ``position`` is where this version was written, ``anchor`` the node's own place in story order, which never moves:
    where it was first written, for a rollup its last child's place. Lists are sorted by ``anchor``.
    """

    id: str
    type: str
    title: str
    fields: Fields
    lifecycle: Lifecycle
    depth: int
    parent: str | None
    time_from: str | None
    time_to: str | None
    position: int
    version: int
    commit: int
    evidence: tuple[Evidence, ...] = ()
    anchor: int = 0

    @property
    def aliases(self) -> tuple[str, ...]:
        return tuple(self.fields.get("aliases") or ())

    def as_write(self, **changes: Any) -> NodeWrite:
        """A new version of this node that differs in ``changes`` alone; its evidence stays."""
        write = NodeWrite(
            self.id,
            self.type,
            self.title,
            self.fields,
            self.evidence,
            lifecycle=self.lifecycle,
            depth=self.depth,
            parent=self.parent,
            time_from=self.time_from,
            time_to=self.time_to,
        )
        return replace(write, **changes)


@dataclass(frozen=True, slots=True)
class Link:
    """The newest visible version of a link."""

    source: str
    relation: str
    target: str
    lifecycle: Lifecycle
    position: int
    version: int
    commit: int
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A node found by name. ``via`` tells whether its title or an alias matched, ``name`` which one."""

    node_id: str
    type: str
    title: str
    via: Literal["title", "alias"]
    name: str


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A known name standing in a text: ``text[start:end]``, and the nodes that bear it."""

    start: int
    end: int
    surface: str
    node_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One keyword hit: a node or a unit, with its BM25 score (higher is better)."""

    kind: Literal["node", "unit"]
    id: str
    type: str
    title: str
    score: float
    snippet: str


@dataclass(frozen=True, slots=True)
class CompactionGroup:
    """Nodes of one type and depth, ready to be rolled up together, in story order."""

    type: str
    depth: int
    child_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddReport:
    """What ``add_units`` found: ``changed`` are new versions of units that were there, ``missing`` counts stored units
    that the given ones lack (they stay)."""

    added: tuple[Unit, ...]
    unchanged: int
    changed: tuple[Unit, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """What was last read from one place (a file, a folder, a part of a file): its report as plain data."""

    place: str
    report: Mapping[str, Any]
    read_at: str


@dataclass(frozen=True, slots=True)
class StoryInfo:
    """One line of a library's table of contents. ``curated`` counts units that a visible facts commit rests on."""

    id: int
    title: str
    language: Language
    source: str
    created_at: str
    units: int
    curated: int
    commits: int
