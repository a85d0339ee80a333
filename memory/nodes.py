"""Nodes, links and their evidence out of the store: rows of the newest visible versions made into objects."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.lineage import Lineage
from talekeeper.memory.models import Evidence, Link, Node

CHUNK = 500
PARENT = tables.node.alias("parent")
SOURCE, TARGET = tables.node.alias("source_node"), tables.node.alias("target_node")
END_VERSION = tables.node_version.alias("end_version")
T = TypeVar("T")


def chunks(items: Sequence[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    """Slices of at most ``size``, so that no statement gets too many parameters."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


class NodeQueries:
    """The statements of one story along one lineage. Stateless but for the statements, which are built once."""

    def __init__(self, story_id: int, lineage: Lineage) -> None:
        self.story_id = story_id
        self.lineage = lineage

    @cached_property
    def nodes(self) -> sa.Select[*tuple[Any, ...]]:
        """Every node with its visible version, of whatever story: the caller says which, by key, id or type.

        A condition on the story would lead the planner to walk the whole story where keys are given.
        """
        node, version, parent = tables.node, tables.node_version, PARENT
        newest = self.lineage.newest(tables.node_version, "node", "version", of=node.c.id)
        return (
            sa.select(
                node.c.id,
                node.c.node_id,
                node.c.type,
                node.c.depth,
                node.c.anchor,
                version.c.version,
                version.c.commit_seq,
                version.c.position,
                version.c.title,
                version.c.fields,
                version.c.lifecycle,
                version.c.time_from,
                version.c.time_to,
                parent.c.node_id.label("parent_id"),
            )
            .select_from(node)
            .join(version, version.c.version == newest)
            .outerjoin(parent, parent.c.id == version.c.parent)
        )

    @cached_property
    def _by_id(self) -> sa.Select[*tuple[Any, ...]]:
        node = tables.node
        return self.nodes.where(
            node.c.story_id == self.story_id, node.c.node_id.in_(sa.bindparam("ids", expanding=True))
        )

    @cached_property
    def _by_key(self) -> sa.Select[*tuple[Any, ...]]:
        return self.nodes.where(tables.node.c.id.in_(sa.bindparam("ids", expanding=True)))

    def by_ids(self, connection: sa.Connection, ids: Iterable[str]) -> dict[str, Node]:
        """Visible nodes by node id; unknown ids are left out."""
        found: list[Any] = []
        for part in chunks(list(dict.fromkeys(ids))):
            found += connection.execute(self._by_id, {"ids": part}).all()
        return {node.id: node for node in self.read(connection, found)}

    def by_keys(self, connection: sa.Connection, keys: Iterable[int]) -> dict[int, Node]:
        """Visible nodes by row number."""
        found: list[Any] = []
        for part in chunks(list(dict.fromkeys(keys))):
            found += connection.execute(self._by_key, {"ids": part}).all()
        return dict(zip([row.id for row in found], self.read(connection, found), strict=True))

    def read(self, connection: sa.Connection, rows: Sequence[Any]) -> list[Node]:
        """Node objects of ``rows``, evidence included, in the same order."""
        evidence = evidence_of(connection, tables.evidence.c.node_version, [row.version for row in rows])
        return [node_of(row, evidence.get(row.version, ())) for row in rows]

    @cached_property
    def links(self) -> sa.Select[*tuple[Any, ...]]:
        """Every visible link, of whatever story, newest first: the caller says of which node."""
        link, version = tables.link, tables.link_version
        source, target = SOURCE, TARGET
        newest = self.lineage.newest(tables.link_version, "link", "version", of=link.c.id)
        return (
            sa.select(
                link.c.id,
                link.c.relation,
                link.c.source.label("source_key"),
                link.c.target.label("target_key"),
                source.c.node_id.label("source"),
                target.c.node_id.label("target"),
                version.c.version,
                version.c.lifecycle,
                version.c.position,
                version.c.commit_seq,
            )
            .select_from(link)
            .join(version, version.c.version == newest)
            .join(source, source.c.id == link.c.source)
            .join(target, target.c.id == link.c.target)
            .order_by(link.c.id.desc())
        )

    def lifecycle(self, of: sa.Column[int]) -> sa.ScalarSelect[str]:
        """The lifecycle of the visible version of the node ``of``."""
        newest = self.lineage.newest(tables.node_version, "node", "version", of=of)
        return sa.select(END_VERSION.c.lifecycle).where(END_VERSION.c.version == newest).scalar_subquery()


def node_of(row: Any, evidence: tuple[Evidence, ...]) -> Node:
    return Node(
        id=row.node_id,
        type=row.type,
        title=row.title,
        fields=json.loads(row.fields),
        lifecycle=row.lifecycle,
        depth=row.depth,
        parent=row.parent_id,
        time_from=row.time_from,
        time_to=row.time_to,
        position=row.position,
        version=row.version,
        commit=row.commit_seq,
        evidence=evidence,
        anchor=row.anchor,
    )


def links_of_rows(connection: sa.Connection, rows: Sequence[Any]) -> list[Link]:
    """Link objects of rows of ``NodeQueries.links``, evidence included, in the same order."""
    evidence = evidence_of(connection, tables.evidence.c.link_version, [row.version for row in rows])
    return [
        Link(
            source=row.source,
            relation=row.relation,
            target=row.target,
            lifecycle=row.lifecycle,
            position=row.position,
            version=row.version,
            commit=row.commit_seq,
            evidence=evidence.get(row.version, ()),
        )
        for row in rows
    ]


def evidence_of(
    connection: sa.Connection, owner: sa.Column[int], versions: Sequence[int]
) -> dict[int, tuple[Evidence, ...]]:
    """Evidence of node or link versions (``owner`` says which), in the order it was given."""
    found: defaultdict[int, list[Evidence]] = defaultdict(list)
    row, unit = tables.evidence, tables.unit
    statement = (
        sa.select(owner, unit.c.ref, row.c.start, row.c.stop, row.c.quote_hash)
        .join(unit, unit.c.id == row.c.unit_id)
        .where(owner.in_(sa.bindparam("versions", expanding=True)))
        .order_by(row.c.id)
    )
    for part in chunks(versions):
        for version, ref, start, stop, digest in connection.execute(statement, {"versions": part}):
            found[version].append(Evidence(ref, start, stop, digest))
    return {version: tuple(items) for version, items in found.items()}
