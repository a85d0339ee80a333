"""Writing: one commit with all its rows, names and index entries, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import fulltext, tables
from talekeeper.memory.chain import Record
from talekeeper.memory.checks import DraftCheck, ResolvedLink
from talekeeper.memory.context import StoryContext
from talekeeper.memory.keywords import node_text
from talekeeper.memory.models import Commit, CommitDraft, Evidence, NodeWrite
from talekeeper.memory.names import keys_of
from talekeeper.memory.text import clean, clean_value, terms


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
        self._check = DraftCheck(connection, context, draft)
        self._position = 0
        self._evidence: list[dict[str, Any]] = []

    def write(self) -> Commit:
        """Checks and stores the draft.

        Raises:
            StaleBase, CommitRefused, NotFound: see ``DraftCheck.run``.
        """
        last = self._connection.execute(_LAST, {"story": self._story}).one_or_none()
        last_seq, last_chain = (last.seq, last.chain) if last else (0, "")
        self._check.run(last_seq)
        self._position = self._check.batch[-1].position if self._check.batch else self._head()
        links = self._check.links()
        stored = self._insert_commit(self._record(links).digest(last_chain))
        keys = self._insert_nodes(stored.seq)
        self._insert_links(stored.seq, keys, links)
        self._insert_evidence()
        return stored

    def _head(self) -> int:
        """The last position of the worldline: where a commit stands that rests on no unit."""
        unit = tables.unit
        last = sa.select(sa.func.max(unit.c.position)).where(self._context.lineage.visible(unit))
        return self._connection.execute(last).scalar() or 0

    def _record(self, links: Sequence[ResolvedLink]) -> Record:
        draft = self._draft
        head = (self._context.worldline_id, self._position, column(draft.key), draft.kind, column(draft.dispatch_id))
        record = Record([*head, column(draft.author), column(draft.fingerprint), to_json(draft.meta)])
        for unit in self._check.batch:
            record.add_unit(unit.ref, unit.content_hash)
        for node in draft.nodes:
            parts = (node.node_id, node.type, node.depth, column(node.title), to_json(node.fields), node.lifecycle)
            record.add_node(*parts, node.parent, _opt(node.time_from), _opt(node.time_to), evidence=node.evidence)
        for link in links:
            ends = (link.source, link.write.relation, link.target)
            record.add_link(*ends, link.write.lifecycle, evidence=link.write.evidence)
        return record

    def _insert_commit(self, chain: str) -> Commit:
        draft = self._draft
        author, fingerprint, meta = column(draft.author), column(draft.fingerprint), to_json(draft.meta)
        dispatch_id, created_at = column(draft.dispatch_id), now()
        seq = self._insert(
            tables.commit,
            worldline_id=self._context.worldline_id,
            position=self._position,
            key=column(draft.key),
            kind=draft.kind,
            dispatch_id=dispatch_id,
            batch=to_json(draft.batch),
            author=author,
            fingerprint=fingerprint,
            meta=meta,
            created_at=created_at,
            chain=chain,
        )
        covered = [{"commit_seq": seq, "unit_id": unit.id, "kind": draft.kind} for unit in self._check.batch]
        if covered:
            self._connection.execute(_insert_into(tables.commit_unit), covered)
        batch = tuple(draft.batch)
        return Commit(seq, draft.kind, dispatch_id, batch, author, fingerprint, json.loads(meta), created_at, chain)

    def _insert_nodes(self, seq: int) -> dict[str, int]:
        """Stores the node versions; returns the row numbers of all nodes that the draft names."""
        keys = {node_id: known.key for node_id, known in self._check.known.items()}
        children: dict[str, list[str]] = {}
        for node in self._draft.nodes:
            if node.parent is not None:
                children.setdefault(node.parent, []).append(node.node_id)
        for node in self._check.new.values():
            keys[node.node_id] = self._insert(
                tables.node,
                node_id=node.node_id,
                type=node.type,
                number=int(node.node_id.rpartition("_")[2]),
                depth=node.depth,
                anchor=self._anchor(node.node_id, children),
            )
        indexed: list[tuple[fulltext.Entry, list[str]]] = []
        for node in self._draft.nodes:
            version = self._insert_version(seq, node, keys)
            self._note_evidence(node.evidence, node_version=version)
            indexed.append((("node", version), terms(node_text(node.title, node.fields))))
        self._insert_names(keys)
        fulltext.add(self._connection, self._story, indexed)
        return keys

    def _anchor(self, node_id: str, children: dict[str, list[str]]) -> int:
        """A rollup's place is that of its last child, a leaf's that of its commit."""
        known = self._check.known
        places = [known[c].anchor if c in known else self._anchor(c, children) for c in children.get(node_id, ())]
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
        pairs = {(key, keys[node.node_id]) for node in self._draft.nodes for key in keys_of(node.title, node.fields)}
        if not pairs:
            return
        asked = {"keys": list({key for key, _ in pairs}), "nodes": list({node for _, node in pairs})}
        known = {(key, node) for key, node in self._connection.execute(_NAMES, {"story": self._story, **asked})}
        fresh = [{"story_id": self._story, "key": key, "node": node} for key, node in sorted(pairs - known)]
        if fresh:
            self._connection.execute(_insert_into(tables.name), fresh)

    def _insert_links(self, seq: int, keys: dict[str, int], links: Sequence[ResolvedLink]) -> None:
        fresh = [link for link in links if link.key is None]
        made = self._insert_many(
            tables.link,
            [
                {"relation": link.write.relation, "source": keys[link.source], "target": keys[link.target]}
                for link in fresh
            ],
        )
        numbers = {id(link): key for link, key in zip(fresh, made, strict=True)}
        place = {"commit_seq": seq, "worldline_id": self._context.worldline_id, "position": self._position}
        versions = self._insert_many(
            tables.link_version,
            [{"link": numbers.get(id(link), link.key), "lifecycle": link.write.lifecycle, **place} for link in links],
        )
        for link, version in zip(links, versions, strict=True):
            self._note_evidence(link.write.evidence, link_version=version)

    def _note_evidence(
        self, evidence: Sequence[Evidence], *, node_version: int | None = None, link_version: int | None = None
    ) -> None:
        for piece in evidence:
            self._evidence.append(
                {
                    "node_version": node_version,
                    "link_version": link_version,
                    "unit_id": self._context.unit_in(self._connection, piece.unit).id,
                    "start": piece.start,
                    "stop": piece.end,
                    "quote_hash": piece.quote_hash,
                }
            )

    def _insert_evidence(self) -> None:
        if self._evidence:
            self._connection.execute(_insert_into(tables.evidence), self._evidence)

    def _insert_many(self, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> list[int]:
        """Row numbers of the inserted rows, in their order."""
        if not rows:
            return []
        given = [{"story_id": self._story, **row} for row in rows]
        return list(self._connection.execute(_insert_returning(table), given).scalars())

    def _insert(self, table: sa.Table, **values: Any) -> int:
        key = self._connection.execute(_insert_into(table), {"story_id": self._story, **values}).inserted_primary_key
        assert key is not None
        return int(key[0])


@cache
def _insert_returning(table: sa.Table) -> sa.Insert:
    [key] = table.primary_key.columns
    return sa.insert(table).returning(key, sort_by_parameter_order=True)


@cache
def _insert_into(table: sa.Table) -> sa.Insert:
    return sa.insert(table)


_LAST = (
    sa.select(tables.commit.c.seq, tables.commit.c.chain)
    .where(tables.commit.c.story_id == sa.bindparam("story"))
    .order_by(tables.commit.c.seq.desc())
    .limit(1)
)

_NAMES = sa.select(tables.name.c.key, tables.name.c.node).where(
    tables.name.c.story_id == sa.bindparam("story"),
    tables.name.c.key.in_(sa.bindparam("keys", expanding=True)),
    tables.name.c.node.in_(sa.bindparam("nodes", expanding=True)),
)


def _opt(text: str | None) -> str | None:
    return None if text is None else column(text)
