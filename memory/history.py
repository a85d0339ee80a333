"""What happened to a story, in order: its commits, and the versions of one node."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.lineage import Lineage
from talekeeper.memory.models import Commit, Node
from talekeeper.memory.nodes import node_of, node_rows


def commit_of(row: Any) -> Commit:
    return Commit(
        seq=row.seq,
        kind=row.kind,
        dispatch_id=row.dispatch_id,
        batch=tuple(json.loads(row.batch)),
        author=row.author,
        fingerprint=row.fingerprint,
        meta=json.loads(row.meta),
        created_at=row.created_at,
        chain=row.chain,
    )


def commits(connection: sa.Connection, story_id: int, lineage: Lineage, limit: int | None) -> list[Commit]:
    """Visible commits, newest first."""
    row = tables.commit
    statement = sa.select(row).where(row.c.story_id == story_id, lineage.visible(row)).order_by(row.c.seq.desc())
    return [commit_of(found) for found in connection.execute(statement.limit(limit))]


def versions(connection: sa.Connection, story_id: int, lineage: Lineage, node_id: str) -> list[tuple[Commit, Node]]:
    """Visible versions of a node, oldest first, each with its commit."""
    node, version, commit = tables.node, tables.node_version, tables.commit
    statement = (
        node_rows(version.c.node == node.c.id)
        .where(node.c.story_id == story_id, node.c.node_id == node_id, lineage.visible(version))
        .order_by(version.c.version)
    )
    rows = connection.execute(statement).all()
    made_by = sa.select(commit).where(commit.c.seq.in_([row.commit_seq for row in rows]))
    by_seq = {row.seq: commit_of(row) for row in connection.execute(made_by)}
    return [(by_seq[row.commit_seq], node_of(row)) for row in rows]


def commit_by_key(connection: sa.Connection, story_id: int, key: str) -> Commit | None:
    """The story's commit of that key."""
    row = tables.commit
    found = connection.execute(sa.select(row).where(row.c.story_id == story_id, row.c.key == key)).one_or_none()
    return None if found is None else commit_of(found)
