"""What stands open at the head of a worldline: nodes outside any rollup, and nodes by status.

History is append-only, so "which threads are still active" can't be read off an index: every thread was active once.
This view answers it at a cost that doesn't grow with the story. It's derived, lives in the process alone, and is
brought up to date by reading the versions written since; where history isn't a simple continuation it's built anew.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Collection
from heapq import merge
from itertools import islice
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.lineage import Lineage

Place = tuple[int, int]
"""(anchor, row number) of a node: its sort key in story order."""


_COLUMNS = sa.select(
    tables.node_version.c.version,
    tables.node_version.c.worldline_id,
    tables.node_version.c.position,
    tables.node_version.c.status,
    tables.node_version.c.lifecycle,
    tables.node_version.c.parent,
    tables.node.c.id,
    tables.node.c.type,
    tables.node.c.depth,
    tables.node.c.anchor,
)
_NEW_VERSIONS = (
    _COLUMNS.join(tables.node, tables.node.c.id == tables.node_version.c.node)
    .where(
        tables.node_version.c.story_id == sa.bindparam("story"), tables.node_version.c.version > sa.bindparam("seen")
    )
    .order_by(tables.node_version.c.version)
)


class Frontier:
    """Open nodes by (type, depth) and nodes by (type, status) at the head of ``lineage``.

    Args:
        open_types: types whose nodes outside a rollup are kept; statuses are kept for every type that has any.
    """

    def __init__(self, story_id: int, lineage: Lineage, open_types: Collection[str]) -> None:
        self._story_id = story_id
        self._lineage = lineage
        self._open_types = frozenset(open_types)
        self._seen = -1
        self._open: defaultdict[str, defaultdict[int, list[Place]]] = defaultdict(lambda: defaultdict(list))
        self._status: defaultdict[str, defaultdict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))

    def refresh(self, connection: sa.Connection) -> None:
        """Takes in what was written since the last call. Call it inside a read, never inside an unfinished write."""
        if self._seen >= 0 and self._continue(connection):
            return
        self._rebuild(connection)

    def open_at(self, type: str, depth: int) -> list[Place]:
        """Active nodes of one depth outside any rollup, oldest first."""
        return list(self._open[type][depth])

    def open_counts(self, type: str) -> dict[int, int]:
        """How many active nodes outside any rollup each depth has."""
        return {depth: len(places) for depth, places in self._open[type].items()}

    def newest_open(self, type: str, limit: int, before: int | None = None) -> list[Place]:
        """Active nodes of every depth outside any rollup, newest first; with ``before`` only anchors below it."""
        depths = self._open[type].values()
        ends = [len(d) if before is None else bisect_left(d, (before, 0)) for d in depths]
        newest = (islice(reversed(d), len(d) - end, None) for d, end in zip(depths, ends, strict=True))
        return list(islice(merge(*newest, reverse=True), limit))

    def with_status(self, type: str, status: str) -> list[Place]:
        """Active nodes of a status, oldest first."""
        return list(self._status[type][status])

    def _continue(self, connection: sa.Connection) -> bool:
        """Applies the versions after ``_seen``; False when one of them touches an ancestor's visible past."""
        rows = connection.execute(_NEW_VERSIONS, {"story": self._story_id, "seen": self._seen}).all()
        own = self._lineage.segments[0].worldline
        if any(row.worldline_id != own and self._lineage.sees(row.worldline_id, row.position) for row in rows):
            return False
        for row in rows:
            if row.worldline_id == own:
                self._apply(row)
            self._seen = row.version
        return True

    def _rebuild(self, connection: sa.Connection) -> None:
        self._open.clear()
        self._status.clear()
        node, version = tables.node, tables.node_version
        last = sa.select(sa.func.max(version.c.version)).where(version.c.story_id == self._story_id)
        self._seen = connection.execute(last).scalar() or 0
        newest = self._lineage.newest(version, "node", "version", of=node.c.id)
        rows = connection.execute(
            _COLUMNS.select_from(node)
            .join(version, version.c.version == newest)
            .where(node.c.story_id == self._story_id)
            .where(sa.or_(node.c.type.in_(sorted(self._open_types)), version.c.status.is_not(None)))
            .where(version.c.lifecycle == "active")
            .order_by(node.c.anchor, node.c.id)
        )
        for row in rows:
            place = (row.anchor, row.id)
            if row.type in self._open_types and row.parent is None:
                self._open[row.type][row.depth].append(place)
            if row.status is not None:
                self._status[row.type][row.status].append(place)

    def _apply(self, row: Any) -> None:
        place, active = (row.anchor, row.id), row.lifecycle == "active"
        if row.type in self._open_types:
            _set(self._open[row.type][row.depth], place, active and row.parent is None)
        by_status = self._status[row.type]
        for status in {*by_status, row.status} - {None}:
            _set(by_status[status], place, active and status == row.status)


def _set(places: list[Place], place: Place, member: bool) -> None:
    at = bisect_left(places, place)
    there = at < len(places) and places[at] == place
    if member and not there:
        insort(places, place)
    elif there and not member:
        del places[at]
