"""Writing: one commit, whole or not at all, refused where it would break what the store promises.

The rules of the method are checked above, in the dispatch session. What is checked here would damage the history
itself, whoever writes: a taken id, a node that isn't there, evidence that doesn't say what it claims, a unit curated
twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import fulltext, tables
from talekeeper.memory.chain import Record
from talekeeper.memory.context import StoryContext
from talekeeper.memory.errors import CommitRefused, StaleBase
from talekeeper.memory.keywords import node_text
from talekeeper.memory.models import CommitDraft, Evidence, LinkWrite, NodeWrite, Unit, quote_hash
from talekeeper.memory.names import keys_of
from talekeeper.memory.text import clean, clean_value, terms

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


def to_json(value: object) -> str:
    """Canonical JSON that can be stored."""
    return json.dumps(clean_value(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def column(text: str) -> str:
    """Text for a column: no surrogates, and no NUL, which PostgreSQL can't hold."""
    return clean(text).replace("\0", "\ufffd")


def now() -> str:
    """The present, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class CommitWriter:
    """Writes one draft inside a write transaction of the caller's."""

    def __init__(self, connection: sa.Connection, context: StoryContext, draft: CommitDraft) -> None:
        self._connection = connection
        self._context = context
        self._story = context.story_id
        self._draft = draft

    def write(self) -> int:
        """Checks and stores the draft; returns the commit's number.

        Raises:
            StaleBase: the story moved on, or the batch is curated already.
            CommitRefused: the draft contradicts the store.
            NotFound: it names a unit that isn't there.
        """
        row = tables.commit
        newest = sa.select(row.c.seq, row.c.chain).where(row.c.story_id == self._story).order_by(row.c.seq.desc())
        last = self._connection.execute(newest.limit(1)).one_or_none()
        last_seq, last_chain = (last.seq, last.chain) if last else (0, "")
        if self._draft.base_seq is not None and self._draft.base_seq != last_seq:
            raise StaleBase(
                f"The story moved on from commit {self._draft.base_seq} to {last_seq}.",
                hint="Read it again, then write.",
            )
        self._refuse_second_curation()
        self._check_nodes()
        links = self._resolve_links()
        self._check_evidence(piece for node in self._draft.nodes for piece in node.evidence)
        self._check_evidence(piece for link in self._draft.links for piece in link.evidence)
        seq = self._insert_commit(self._record(links).digest(last_chain))
        keys = self._insert_nodes(seq)
        self._insert_links(seq, keys, links)
        return seq

    # what the draft rests on

    @cached_property
    def _batch(self) -> list[Unit]:
        return [self._context.unit_in(self._connection, ref) for ref in self._draft.batch]

    @cached_property
    def _position(self) -> int:
        """Where the commit stands: the last unit of its batch, else the head of the worldline."""
        if self._batch:
            return self._batch[-1].position
        unit = tables.unit
        last = sa.select(sa.func.max(unit.c.position)).where(self._context.lineage.visible(unit))
        return self._connection.execute(last).scalar() or 0

    @cached_property
    def _known(self) -> dict[str, Known]:
        """The visible nodes that the draft names in any place."""
        named: dict[str, None] = {}
        for node in self._draft.nodes:
            named.update(dict.fromkeys([node.node_id, *([node.parent] if node.parent else [])]))
        for link in self._draft.links:
            named.update(dict.fromkeys([link.source, link.target]))
        row = tables.node
        newest = self._context.lineage.newest(tables.node_version, "node", "version", of=row.c.id)
        statement = sa.select(row.c.id, row.c.node_id, row.c.type, row.c.depth, row.c.anchor).where(
            row.c.story_id == self._story, row.c.node_id.in_(list(named)), newest.is_not(None)
        )
        rows = self._connection.execute(statement) if named else ()
        return {row.node_id: Known(row.id, row.type, row.depth, row.anchor) for row in rows}

    @cached_property
    def _new(self) -> dict[str, NodeWrite]:
        return {node.node_id: node for node in self._draft.nodes if node.new}

    # checks

    def _refuse_second_curation(self) -> None:
        if self._draft.kind != "facts" or not self._batch:
            return
        covered, commit = tables.commit_unit, tables.commit
        statement = (
            sa.select(commit.c.seq)
            .join(covered, covered.c.commit_seq == commit.c.seq)
            .where(covered.c.unit_id.in_([unit.id for unit in self._batch]), covered.c.kind == "facts")
            .where(self._context.lineage.visible(commit))
        )
        seq = self._connection.execute(statement.limit(1)).scalar()
        if seq is not None:
            raise StaleBase(
                f"Commit {seq} rests on {', '.join(self._draft.batch)} already; a unit is curated once.",
                hint="Ask which units are uncurated, and go on with those.",
            )

    def _check_nodes(self) -> None:
        written = [node.node_id for node in self._draft.nodes]
        if len(set(written)) < len(written):
            raise CommitRefused(f"A node is written twice in one commit: {', '.join(written)}.")
        taken = sa.select(tables.node.c.node_id).where(
            tables.node.c.story_id == self._story, tables.node.c.node_id.in_(list(self._new))
        )
        used = self._connection.execute(taken).scalars().all() if self._new else ()
        if used:
            raise CommitRefused(f"Node ids are taken: {', '.join(used)}.", hint="Take the next free ones.")
        for node in self._draft.nodes:
            self._check_node(node)

    def _check_node(self, node: NodeWrite) -> None:
        spec, known = self._context.schema.type(node.type), self._known.get(node.node_id)
        parts = _node_id.fullmatch(node.node_id)
        if spec is None or parts is None or parts[1] != spec.prefix:
            raise CommitRefused(f"{node.node_id!r} is no id for a node of type {node.type!r}.")
        if not node.new and known is None:
            raise CommitRefused(f"Node {node.node_id} isn't there to be changed.")
        if not node.new and known is not None and (known.type, known.depth) != (node.type, node.depth):
            raise CommitRefused(f"Node {node.node_id} can't change its type or depth.")
        if node.parent is not None and node.parent not in self._known and node.parent not in self._new:
            raise CommitRefused(f"Node {node.node_id} names a rollup that isn't there: {node.parent}.")

    def _check_evidence(self, evidence: Iterable[Evidence]) -> None:
        for piece in evidence:
            unit = self._context.unit_in(self._connection, piece.unit)
            inside = 0 <= piece.start <= piece.end <= len(unit.text)
            if not inside or quote_hash(unit.text[piece.start : piece.end]) != piece.quote_hash:
                raise CommitRefused(f"The evidence {piece.unit}[{piece.start}:{piece.end}] isn't what its unit says.")

    def _resolve_links(self) -> list[ResolvedLink]:
        symmetric = {relation.name for relation in self._context.schema.relations if relation.symmetric}
        resolved: dict[tuple[str, str, str], ResolvedLink] = {}
        for write in self._draft.links:
            ends = (write.source, write.target)
            for end in ends:
                if end not in self._known and end not in self._new:
                    raise CommitRefused(f"The link {write.relation} names a node that isn't there: {end}.")
            key = self._link_key(*ends, write.relation)
            if key is None and write.relation in symmetric:
                reverse = self._link_key(*ends[::-1], write.relation)
                turned = reverse is not None or (ends[1], write.relation, ends[0]) in resolved
                key, ends = reverse, ends[::-1] if turned else ends
            resolved[ends[0], write.relation, ends[1]] = ResolvedLink(write, *ends, key)
        return list(resolved.values())

    def _link_key(self, source: str, target: str, relation: str) -> int | None:
        if source not in self._known or target not in self._known:
            return None
        link = tables.link
        statement = sa.select(link.c.id).where(
            link.c.source == self._known[source].key,
            link.c.relation == relation,
            link.c.target == self._known[target].key,
        )
        return self._connection.execute(statement).scalar()

    # rows

    def _record(self, links: Sequence[ResolvedLink]) -> Record:
        draft = self._draft
        head = (self._context.worldline_id, self._position, draft.key, draft.kind, draft.dispatch_id)
        record = Record([*head, column(draft.author), column(draft.fingerprint), to_json(draft.meta)])
        for unit in self._batch:
            record.add_unit(unit.ref, unit.content_hash)
        for node in draft.nodes:
            parts = (node.node_id, node.type, node.depth, column(node.title), to_json(node.fields), node.lifecycle)
            record.add_node(*parts, node.parent, _opt(node.time_from), _opt(node.time_to), evidence=node.evidence)
        for link in links:
            parts_of_link = (link.source, link.write.relation, link.target, link.write.lifecycle)
            record.add_link(*parts_of_link, evidence=link.write.evidence)
        return record

    def _insert_commit(self, chain: str) -> int:
        draft = self._draft
        seq = self._insert(
            tables.commit,
            worldline_id=self._context.worldline_id,
            position=self._position,
            key=draft.key,
            kind=draft.kind,
            dispatch_id=draft.dispatch_id,
            batch=to_json(draft.batch),
            author=column(draft.author),
            fingerprint=column(draft.fingerprint),
            meta=to_json(draft.meta),
            created_at=now(),
            chain=chain,
        )
        covered = [{"commit_seq": seq, "unit_id": unit.id, "kind": draft.kind} for unit in self._batch]
        if covered:
            self._connection.execute(sa.insert(tables.commit_unit), covered)
        return seq

    def _insert_nodes(self, seq: int) -> dict[str, int]:
        keys = {node_id: known.key for node_id, known in self._known.items()}
        for node in self._new.values():
            number = int(node.node_id.rpartition("_")[2])
            keys[node.node_id] = self._insert(
                tables.node,
                node_id=node.node_id,
                type=node.type,
                number=number,
                depth=node.depth,
                anchor=self._anchor(node.node_id),
            )
        indexed: list[tuple[fulltext.Entry, list[str]]] = []
        for node in self._draft.nodes:
            version = self._insert_version(seq, node, keys)
            self._insert_evidence("node_version", version, node.evidence)
            indexed.append((("node", version), terms(node_text(node.title, node.fields))))
        self._insert_names(keys)
        fulltext.add(self._connection, self._story, indexed)
        return keys

    def _anchor(self, node_id: str) -> int:
        """A rollup's place is that of its last child, a leaf's that of its commit."""
        children = [node.node_id for node in self._draft.nodes if node.parent == node_id]
        places = [self._known[c].anchor if c in self._known else self._anchor(c) for c in children]
        return max(places, default=self._position)

    def _insert_version(self, seq: int, node: NodeWrite, keys: dict[str, int]) -> int:
        status = node.fields.get("status")
        return self._insert(
            tables.node_version,
            node=keys[node.node_id],
            commit_seq=seq,
            worldline_id=self._context.worldline_id,
            position=self._position,
            title=column(node.title),
            fields=to_json(node.fields),
            status=column(status) if isinstance(status, str) else None,
            lifecycle=node.lifecycle,
            parent=keys[node.parent] if node.parent else None,
            time_from=_opt(node.time_from),
            time_to=_opt(node.time_to),
        )

    def _insert_names(self, keys: dict[str, int]) -> None:
        row = tables.name
        pairs = {(key, keys[node.node_id]) for node in self._draft.nodes for key in keys_of(node.title, node.fields)}
        if not pairs:
            return
        known = sa.select(row.c.key, row.c.node).where(
            row.c.story_id == self._story,
            row.c.key.in_({key for key, _ in pairs}),
            row.c.node.in_({node for _, node in pairs}),
        )
        fresh = sorted(pairs - {(key, node) for key, node in self._connection.execute(known)})
        if fresh:
            values = [{"story_id": self._story, "key": key, "node": node} for key, node in fresh]
            self._connection.execute(sa.insert(row), values)

    def _insert_links(self, seq: int, keys: dict[str, int], links: Sequence[ResolvedLink]) -> None:
        for link in links:
            ends = {"source": keys[link.source], "target": keys[link.target]}
            key = link.key
            if key is None:
                key = self._insert(tables.link, relation=link.write.relation, **ends)
            version = self._insert(
                tables.link_version,
                link=key,
                commit_seq=seq,
                worldline_id=self._context.worldline_id,
                position=self._position,
                lifecycle=link.write.lifecycle,
            )
            self._insert_evidence("link_version", version, link.write.evidence)

    def _insert_evidence(self, owner: str, version: int, evidence: Sequence[Evidence]) -> None:
        values = [
            {
                owner: version,
                "unit_id": self._context.unit_in(self._connection, piece.unit).id,
                "start": piece.start,
                "stop": piece.end,
                "quote_hash": piece.quote_hash,
            }
            for piece in evidence
        ]
        if values:
            self._connection.execute(sa.insert(tables.evidence), values)

    def _insert(self, table: sa.Table, **values: Any) -> int:
        result = self._connection.execute(sa.insert(table), {"story_id": self._story, **values})
        key = result.inserted_primary_key
        assert key is not None
        return int(key[0])


def _opt(text: str | None) -> str | None:
    return None if text is None else column(text)
