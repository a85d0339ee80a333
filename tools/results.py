"""Typed answers of the 15 memory tools.

Frozen pydantic models, so that one object serves code (attributes) and any agent (``model_dump_json``). Empty parts are
left out of what a model reads: see ``ToolResult.as_text``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from talekeeper.memory.models import NameMatch, SearchHit
from talekeeper.rules.model import Violation

Direction = Literal["out", "in", "both"]


class ToolResult(BaseModel):
    """Base of all results.

    Attributes:
        repeated: this very question was answered before in this dispatch; asking again cost nothing (P3).
    """

    model_config = ConfigDict(frozen=True)

    repeated: bool = False

    def as_text(self) -> str:
        """Compact JSON without empty parts, the text of a tool message."""
        return self.model_dump_json(exclude_defaults=True)


class TypeInfo(BaseModel):
    """One node type as an agent needs to know it."""

    model_config = ConfigDict(frozen=True)

    name: str
    label: str
    table_columns: tuple[str, ...]
    required_columns: tuple[str, ...] = ()
    list_columns: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = {}
    editable: bool = True
    deletable: bool = True
    compression_mode: str = "none"
    compression_max_depth: int = 0
    always_inject: bool = False
    instructions: str = ""


class RelationInfo(BaseModel):
    """One relation that an agent may write."""

    model_config = ConfigDict(frozen=True)

    name: str
    symmetric: bool = False


class SchemaResult(ToolResult):
    """Types and relations of the story."""

    types: tuple[TypeInfo, ...]
    relations: tuple[RelationInfo, ...]


class Candidate(BaseModel):
    """One node in a list. ``staged`` = written by this dispatch, not yet visible to other readers."""

    model_config = ConfigDict(frozen=True)

    id: str
    type: str
    title: str = ""
    fields: Mapping[str, Any] = {}
    semantic_depth: int = 0
    child_count: int = 0
    parent: str | None = None
    time_from: str | None = None
    time_to: str | None = None
    staged: bool = False


class CandidatesResult(ToolResult):
    """Nodes, newest first."""

    candidates: tuple[Candidate, ...]


class Edge(BaseModel):
    """A link seen from one node. ``direction``: ``out`` from it, ``in`` to it, ``both`` for symmetric relations."""

    model_config = ConfigDict(frozen=True)

    relation: str
    direction: Direction
    node_id: str
    title: str = ""
    type: str = ""
    staged: bool = False


class ExpandResult(ToolResult):
    """What lies around the seeds. ``unknown`` names seeds that don't exist with their nearest ids."""

    nodes: tuple[Candidate, ...]
    edges: tuple[tuple[str, str, str], ...] = ()
    unknown: Mapping[str, tuple[str, ...]] = {}


class FindResult(ToolResult):
    """Everyone who bears the name: all matches, title hits first, as the roll-call must report them (R2)."""

    query: str
    matches: tuple[NameMatch, ...]
    title_exact: tuple[str, ...] = ()
    alias_overlap: tuple[str, ...] = ()


class NodeBrief(ToolResult):
    """The present state of one node.

    Attributes:
        semantic_depth: 0 for a leaf; a rollup over these nodes would have ``semantic_depth + 1``.
        edges: the newest links; ``edges_cut`` = there may be more, ask ``memory_edge_summary``.
        evidence: refs of the units it rests on.
    """

    id: str
    type: str
    title: str = ""
    fields: Mapping[str, Any] = {}
    aliases: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    edges_cut: bool = False
    semantic_depth: int = 0
    child_ids: tuple[str, ...] = ()
    parent: str | None = None
    lifecycle: str = "active"
    time_from: str | None = None
    time_to: str | None = None
    evidence: tuple[str, ...] = ()
    staged: bool = False


class EdgeSummary(ToolResult):
    """The newest links of one node; ``edges_cut`` = there may be more than ``limit``."""

    id: str
    title: str = ""
    edges: tuple[Edge, ...] = ()
    edges_cut: bool = False


class SearchResult(ToolResult):
    """Keyword hits, best first."""

    query: str
    hits: tuple[SearchHit, ...]


class LinkOutcome(BaseModel):
    """What became of one link: ``created``, ``unchanged`` (it stood already) or ``ended``."""

    model_config = ConfigDict(frozen=True)

    source: str
    relation: str
    target: str
    outcome: Literal["created", "unchanged", "ended"]


class WriteResult(ToolResult):
    """A staged write. ``node_id`` is the id that the commit will store; ``soft`` lists flags that did not stop it.

    Attributes:
        changed: columns that this call changed (``title`` included).
    """

    node_id: str
    type: str
    operation: Literal["create", "edit", "delete"]
    title: str = ""
    changed: tuple[str, ...] = ()
    links: tuple[LinkOutcome, ...] = ()
    soft: tuple[Violation, ...] = ()


class LinksResult(ToolResult):
    """Staged links of one source."""

    source: str
    links: tuple[LinkOutcome, ...]
    soft: tuple[Violation, ...] = ()


class GroupInfo(BaseModel):
    """A group that is ready: exactly these children, in this order. ``rollup_depth`` is the rollup's own depth."""

    model_config = ConfigDict(frozen=True)

    child_ids: tuple[str, ...]
    depth: int
    rollup_depth: int


class GroupsResult(ToolResult):
    """Groups that can be rolled up now; none = this type and depth is done for now."""

    type: str
    depth: int
    groups: tuple[GroupInfo, ...]


class CompactResult(ToolResult):
    """A staged rollup. Its children stay readable by ``memory_expand_seeds``."""

    node_id: str
    type: str
    depth: int
    child_ids: tuple[str, ...]
    soft: tuple[Violation, ...] = ()
