"""What a commit must not break, whoever writes it; looked up in a handful of queries before anything is written.

The rules of the method are checked above, in the dispatch session. What is refused here would damage the history
itself: a taken id, a node that isn't there, evidence that doesn't say what it claims, a unit curated twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.context import StoryContext
from talekeeper.memory.errors import CommitRefused, StaleBase
from talekeeper.memory.lineage import Lineage
from talekeeper.memory.models import CommitDraft, Evidence, LinkWrite, NodeWrite, Unit, quote_hash

_node_id = re.compile(r"([a-z][a-z0-9]*)_([1-9][0-9]{0,15})")


@dataclass(frozen=True, slots=True)
class Known:
    """A node that the draft names and that is visible already."""

    key: int
    type: str
    depth: int
    anchor: int


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """A link write with the ends in the direction that is stored; ``key`` where the link is there already."""

    write: LinkWrite
    source: str
    target: str
    key: int | None


class DraftCheck:
    """A draft against the store as it is in this transaction. Reads only."""

    def __init__(self, connection: sa.Connection, context: StoryContext, draft: CommitDraft) -> None:
        self._connection = connection
        self._context = context
        self._draft = draft

    def run(self, last_seq: int) -> None:
        """Raises what is wrong with the draft, given the story's last commit.

        Raises:
            StaleBase: the story moved on, or the batch is curated already.
            CommitRefused: the draft contradicts the store.
            NotFound: it names a unit that isn't there.
        """
        if self._draft.base_seq is not None and self._draft.base_seq != last_seq:
            raise StaleBase(
                f"The story moved on from commit {self._draft.base_seq} to {last_seq}.",
                hint="Read it again, then write.",
            )
        self._refuse_second_curation()
        written = [node.node_id for node in self._draft.nodes]
        if len(set(written)) < len(written):
            raise CommitRefused(f"A node is written twice in one commit: {', '.join(written)}.")
        for node in self._draft.nodes:
            self._check_node(node)
            self._check_evidence(node.evidence)
        for link in self._draft.links:
            self._check_link(link)
            self._check_evidence(link.evidence)

    @cached_property
    def batch(self) -> list[Unit]:
        return [self._context.unit_in(self._connection, ref) for ref in self._draft.batch]

    @cached_property
    def new(self) -> dict[str, NodeWrite]:
        """The nodes that the draft creates."""
        return {node.node_id: node for node in self._draft.nodes if node.new}

    @cached_property
    def known(self) -> dict[str, Known]:
        """The visible nodes that the draft names in any place."""
        return {row.node_id: Known(row.id, row.type, row.depth, row.anchor) for row in self._named if row.newest}

    @cached_property
    def _taken(self) -> frozenset[str]:
        return frozenset(row.node_id for row in self._named)

    @cached_property
    def _named(self) -> list[Any]:
        """Every node of the story, seen from here or not, whose id the draft names."""
        names: dict[str, None] = {}
        for node in self._draft.nodes:
            names.update(dict.fromkeys([node.node_id, *([node.parent] if node.parent else [])]))
        for link in self._draft.links:
            names.update(dict.fromkeys([link.source, link.target]))
        if not names:
            return []
        asked = {"story": self._context.story_id, "ids": list(names)}
        return list(self._connection.execute(_nodes_named(self._context.lineage), asked))

    def _refuse_second_curation(self) -> None:
        if self._draft.kind != "facts" or not self.batch:
            return
        asked = {"units": [unit.id for unit in self.batch]}
        seq = self._connection.execute(_facts_over(self._context.lineage), asked).scalar()
        if seq is not None:
            raise StaleBase(
                f"Commit {seq} rests on {', '.join(self._draft.batch)} already; a unit is curated once.",
                hint="Ask which units are uncurated, and go on with those.",
            )

    def _check_node(self, node: NodeWrite) -> None:
        spec, known = self._context.schema.type(node.type), self.known.get(node.node_id)
        parts = _node_id.fullmatch(node.node_id)
        if spec is None or parts is None or parts[1] != spec.prefix:
            raise CommitRefused(f"{node.node_id!r} is no id for a node of type {node.type!r}.")
        if node.new and node.node_id in self._taken:
            raise CommitRefused(f"The id {node.node_id} is taken.", hint="Take the next free one.")
        if not node.new and known is None:
            raise CommitRefused(f"Node {node.node_id} isn't there to be changed.")
        if known is not None and (known.type, known.depth) != (node.type, node.depth):
            raise CommitRefused(f"Node {node.node_id} can't change its type or depth.")
        if node.parent is not None:
            holder = self.known.get(node.parent) or self.new.get(node.parent)
            if holder is None or (holder.type, holder.depth) != (node.type, node.depth + 1):
                raise CommitRefused(f"{node.parent} is no rollup that can hold {node.node_id}.")

    def _check_evidence(self, evidence: Iterable[Evidence]) -> None:
        for piece in evidence:
            text = self._context.unit_in(self._connection, piece.unit).text
            inside = 0 <= piece.start <= piece.end <= len(text)
            if not inside or quote_hash(text[piece.start : piece.end]) != piece.quote_hash:
                raise CommitRefused(f"The evidence {piece.unit}[{piece.start}:{piece.end}] isn't what its unit says.")

    def _check_link(self, link: LinkWrite) -> None:
        if not any(relation.name == link.relation for relation in self._context.schema.relations):
            raise CommitRefused(f"The vocabulary has no relation {link.relation!r}.")
        for end in (link.source, link.target):
            if end not in self.known and end not in self.new:
                raise CommitRefused(f"The link {link.relation} names a node that isn't there: {end}.")

    def links(self) -> list[ResolvedLink]:
        """The draft's links, the last write of each; a symmetric one takes the direction that is there already."""
        symmetric = {relation.name for relation in self._context.schema.relations if relation.symmetric}
        there = self._links_there()
        resolved: dict[tuple[str, str, str], ResolvedLink] = {}
        for write in self._draft.links:
            ends = (write.source, write.target)
            turned = ends[::-1]
            if write.relation in symmetric:
                known = {(s, t) for s, relation, t in (*there, *resolved) if relation == write.relation}
                ends = turned if ends not in known and turned in known else ends
            triple = (ends[0], write.relation, ends[1])
            resolved[triple] = ResolvedLink(write, ends[0], ends[1], there.get(triple))
        return list(resolved.values())

    def _links_there(self) -> dict[tuple[str, str, str], int]:
        """Stored links, on whatever worldline, between nodes that the draft's links join."""
        ends = {end for link in self._draft.links for end in (link.source, link.target)}
        ids = {self.known[end].key: end for end in ends if end in self.known}
        if len(ids) < 2 and not any(link.source == link.target for link in self._draft.links):
            return {}
        asked = {"sources": list(ids), "relations": list({link.relation for link in self._draft.links})}
        return {
            (ids[row.source], row.relation, ids[row.target]): row.id
            for row in self._connection.execute(_LINKS_FROM, {**asked, "targets": list(ids)})
        }


@cache
def _nodes_named(lineage: Lineage) -> sa.Select[*tuple[Any, ...]]:
    node = tables.node
    newest = lineage.newest(tables.node_version, "node", "version", of=node.c.id)
    return sa.select(node.c.id, node.c.node_id, node.c.type, node.c.depth, node.c.anchor, newest.label("newest")).where(
        node.c.story_id == sa.bindparam("story"), node.c.node_id.in_(sa.bindparam("ids", expanding=True))
    )


@cache
def _facts_over(lineage: Lineage) -> sa.Select[*tuple[Any, ...]]:
    covered, commit = tables.commit_unit, tables.commit
    return (
        sa.select(commit.c.seq)
        .join(covered, covered.c.commit_seq == commit.c.seq)
        .where(covered.c.unit_id.in_(sa.bindparam("units", expanding=True)), covered.c.kind == "facts")
        .where(lineage.visible(commit))
        .limit(1)
    )


_LINKS_FROM = sa.select(tables.link.c.id, tables.link.c.source, tables.link.c.relation, tables.link.c.target).where(
    tables.link.c.source.in_(sa.bindparam("sources", expanding=True)),
    tables.link.c.relation.in_(sa.bindparam("relations", expanding=True)),
    tables.link.c.target.in_(sa.bindparam("targets", expanding=True)),
)
