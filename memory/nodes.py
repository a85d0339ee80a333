"""Nodes, links and their evidence out of the store: rows of the newest visible versions made into objects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.lineage import Lineage
from talekeeper.memory.models import Evidence, Link, Node
from talekeeper.memory.sqlite import packed_rows

CHUNK = 500
EVENT = "event"
PARENT = tables.node.alias("parent")
SOURCE, TARGET = tables.node.alias("source_node"), tables.node.alias("target_node")
END_VERSION = tables.node_version.alias("end_version")
_ENDS = (tables.link.c.source, tables.link.c.target)
T = TypeVar("T")


def chunks(items: Sequence[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    """Slices of at most ``size``, so that no statement gets too many parameters."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a list of nodes is restricted to; each restriction but the limit has a parameter in the statement."""

    rolled_up: bool = True
    with_status: bool = False
    before_anchor: bool = False
    at_depth: bool = False
    limit: int | None = None


class NodeQueries:
    """The statements of one story along one lineage. Stateless but for the statements, which are built once."""

    def __init__(self, story_id: int, lineage: Lineage) -> None:
        self.story_id = story_id
        self.lineage = lineage
        self._last_numbers: dict[tuple[str, ...], sa.CompoundSelect[Any]] = {}
        self._listed: dict[Listing, sa.Select[Any]] = {}
        self._links_at: dict[tuple[bool, bool, int | None], sa.CompoundSelect[Any]] = {}

    @cached_property
    def nodes(self) -> sa.Select[*tuple[Any, ...]]:
        """Every node with its visible version, of whatever story: the caller says which, by key, id or type.

        A condition on the story would lead the planner to walk the whole story where keys are given.
        """
        node, version = tables.node, tables.node_version
        newest = self.lineage.newest(tables.node_version, "node", "version", of=node.c.id)
        statement = node_rows(version.c.version == newest)
        if self.lineage.is_head:
            return statement
        # a later event may have got a version at an earlier place, when a turn before it was edited
        return statement.where(sa.or_(node.c.type != EVENT, node.c.anchor <= self.lineage.segments[0].upto))

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
        return {row.node_id: node_of(row) for row in found}

    def by_keys(self, connection: sa.Connection, keys: Iterable[int]) -> dict[int, Node]:
        """Visible nodes by row number."""
        found: list[Any] = []
        for part in chunks(list(dict.fromkeys(keys))):
            found += connection.execute(self._by_key, {"ids": part}).all()
        return {row.id: node_of(row) for row in found}

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
                evidence_column(tables.evidence.c.link_version, version.c.version),
            )
            .select_from(link)
            .join(version, version.c.version == newest)
            .join(source, source.c.id == link.c.source)
            .join(target, target.c.id == link.c.target)
            .order_by(link.c.id.desc())
        )

    def listed(self, shown: Listing) -> sa.Select[Any]:
        """Active nodes, newest first; parameters ``story``, ``type``, and maybe ``status``, ``before``, ``depth``."""
        if shown not in self._listed:
            self._listed[shown] = self._listing(shown)
        return self._listed[shown]

    def _listing(self, shown: Listing) -> sa.Select[Any]:
        node, version = tables.node, tables.node_version
        statement = self.nodes.where(node.c.story_id == sa.bindparam("story"), node.c.type == sa.bindparam("type"))
        statement = statement.where(version.c.lifecycle == "active")
        if not shown.rolled_up:
            statement = statement.where(version.c.parent.is_(None))
        if shown.with_status:
            statement = statement.where(version.c.status == sa.bindparam("status"))
        if shown.before_anchor:
            statement = statement.where(node.c.anchor < sa.bindparam("before"))
        if shown.at_depth:
            statement = statement.where(node.c.depth == sa.bindparam("depth"))
        return statement.order_by(node.c.anchor.desc(), node.c.id.desc()).limit(shown.limit)

    def links_at(self, include_ended: bool, some_relations: bool, limit: int | None) -> sa.CompoundSelect[Any]:
        """Links from and to one node, newest first each way; parameters ``story``, ``node`` and maybe ``relations``."""
        key = (include_ended, some_relations, limit)
        if key not in self._links_at:
            self._links_at[key] = sa.union_all(
                *(self._one_way(here, there, *key) for here, there in (_ENDS, _ENDS[::-1]))
            )
        return self._links_at[key]

    def _one_way(
        self, here: sa.Column[int], there: sa.Column[int], include_ended: bool, some_relations: bool, limit: int | None
    ) -> sa.Select[Any]:
        node = tables.node
        own = sa.select(node.c.id).where(
            node.c.story_id == sa.bindparam("story"), node.c.node_id == sa.bindparam("node")
        )
        statement = self.links.where(here == own.scalar_subquery()).limit(limit)
        if some_relations:
            statement = statement.where(tables.link.c.relation.in_(sa.bindparam("relations", expanding=True)))
        if not include_ended:
            statement = statement.where(tables.link_version.c.lifecycle == "active", self.lifecycle(there) == "active")
        return statement.subquery().select()

    @cached_property
    def bearers(self) -> sa.Select[Any]:
        """Nodes of ``story`` that ever bore one of the name ``keys``."""
        name = tables.name
        owners = sa.select(name.c.node).where(
            name.c.story_id == sa.bindparam("story"), name.c.key.in_(sa.bindparam("keys", expanding=True))
        )
        return self.nodes.where(tables.node.c.id.in_(owners))

    @cached_property
    def events_of_older(self) -> sa.Select[Any]:
        """Active leaf nodes of ``type`` that rest on an older version of one of ``units``."""
        unit, older, version = tables.unit, tables.unit.alias("older"), tables.node_version.alias("resting")
        evidence = tables.evidence
        owners = (
            sa.select(version.c.node)
            .join(evidence, evidence.c.node_version == version.c.version)
            .join(older, older.c.id == evidence.c.unit_id)
            .join(
                unit,
                sa.and_(
                    unit.c.story_id == older.c.story_id,
                    unit.c.number == older.c.number,
                    unit.c.revision > older.c.revision,
                ),
            )
            .where(unit.c.id.in_(sa.bindparam("units", expanding=True)))
        )
        return self.nodes.where(
            tables.node.c.id.in_(owners),
            tables.node.c.type == sa.bindparam("type"),
            tables.node.c.depth == 0,
            tables.node_version.c.lifecycle == "active",
        )

    @cached_property
    def links_among(self) -> sa.Select[Any]:
        """Active links between the nodes ``ids`` of ``story``."""
        node, link = tables.node, tables.link
        own = sa.select(node.c.id).where(
            node.c.story_id == sa.bindparam("story"), node.c.node_id.in_(sa.bindparam("ids", expanding=True))
        )
        both = self.links.where(link.c.source.in_(own), link.c.target.in_(own))
        return both.where(tables.link_version.c.lifecycle == "active")

    def last_numbers(self, types: tuple[str, ...]) -> sa.CompoundSelect[Any]:
        """The highest number of each type's ids in ``story``, None where there is none."""
        if types not in self._last_numbers:
            node = tables.node
            each = sa.select(sa.func.max(node.c.number)).where(node.c.story_id == sa.bindparam("story"))
            self._last_numbers[types] = sa.union_all(
                *(each.add_columns(sa.literal(name)).where(node.c.type == name) for name in types)
            )
        return self._last_numbers[types]

    def lifecycle(self, of: sa.Column[int]) -> sa.ScalarSelect[str]:
        """The lifecycle of the visible version of the node ``of``."""
        newest = self.lineage.newest(tables.node_version, "node", "version", of=of)
        return sa.select(END_VERSION.c.lifecycle).where(END_VERSION.c.version == newest).scalar_subquery()


def node_rows(which: sa.ColumnElement[bool]) -> sa.Select[*tuple[Any, ...]]:
    """Nodes joined with the versions that ``which`` picks, with all that ``node_of`` needs."""
    node, version, parent = tables.node, tables.node_version, PARENT
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
            evidence_column(tables.evidence.c.node_version, version.c.version),
        )
        .select_from(node)
        .join(version, which)
        .outerjoin(parent, parent.c.id == version.c.parent)
    )


def node_of(row: Any) -> Node:
    """A node out of a row of ``NodeQueries.nodes``."""
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
        evidence=unpacked(row.evidence),
        anchor=row.anchor,
    )


def link_of(row: Any) -> Link:
    """A link out of a row of ``NodeQueries.links``."""
    return Link(
        source=row.source,
        relation=row.relation,
        target=row.target,
        lifecycle=row.lifecycle,
        position=row.position,
        version=row.version,
        commit=row.commit_seq,
        evidence=unpacked(row.evidence),
    )


def evidence_column(owner: sa.Column[int], version: sa.ColumnElement[int]) -> sa.Label[str]:
    """The evidence of a node or link version (``owner`` says which), packed into the row: a read is one statement."""
    row, unit = tables.evidence, tables.unit
    packed = (
        sa.select(packed_rows(row.c.id, unit.c.ref, row.c.start, row.c.stop, row.c.quote_hash))
        .join(unit, unit.c.id == row.c.unit_id)
        .where(owner == version)
        .correlate(version.table)
        .scalar_subquery()
    )
    return packed.label("evidence")


def unpacked(packed: str) -> tuple[Evidence, ...]:
    """Evidence out of ``evidence_column``, in the order it was given."""
    return tuple(Evidence(ref, start, stop, digest) for _, ref, start, stop, digest in sorted(json.loads(packed)))
