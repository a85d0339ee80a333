"""What every part of one open story shares: its database, its schema, and the views kept in the process.

The views (scanner, frontier, turn table) are derived and refreshed on use; a lock keeps two threads from refreshing one
at once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.errors import NotFound
from talekeeper.memory.frontier import Frontier
from talekeeper.memory.lineage import Lineage
from talekeeper.memory.models import Unit
from talekeeper.memory.names import NameScanner
from talekeeper.memory.nodes import NodeQueries, chunks
from talekeeper.memory.schema import Schema
from talekeeper.memory.sqlite import Database
from talekeeper.memory.units import TurnTable, unit_of

UNITS_KEPT = 512
NEAREST_AMONG = 5000


@dataclass
class StoryContext:
    """One story on one worldline. ``lineage`` is the head's chain."""

    database: Database
    story_id: int
    worldline_id: int
    schema: Schema
    lineage: Lineage
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _scanner: NameScanner | None = None
    _frontier: Frontier | None = None
    _head_queries: NodeQueries | None = None
    _turns: TurnTable = field(default_factory=TurnTable)
    _units: OrderedDict[str, Unit] = field(default_factory=OrderedDict)

    def scanner(self, connection: sa.Connection) -> NameScanner:
        with self._lock:
            if self._scanner is None:
                self._scanner = NameScanner(self.story_id)
            self._scanner.refresh(connection)
            return self._scanner

    def frontier(self, connection: sa.Connection) -> Frontier:
        with self._lock:
            if self._frontier is None:
                compacted = {t.name for t in self.schema.types if t.compression.mode != "none"}
                self._frontier = Frontier(self.story_id, self.lineage, compacted | {"event"})
            self._frontier.refresh(connection)
            return self._frontier

    def queries(self, lineage: Lineage) -> NodeQueries:
        """The statements along a lineage; those of the head are built once, since building costs more than running."""
        if lineage is not self.lineage:
            return NodeQueries(self.story_id, lineage)
        if self._head_queries is None:
            self._head_queries = NodeQueries(self.story_id, lineage)
        return self._head_queries

    def turns(self, connection: sa.Connection) -> TurnTable:
        with self._lock:
            self._turns.refresh(connection, self.lineage)
            return self._turns

    def unit(self, ref: str) -> Unit:
        """A unit version by its ref.

        Raises:
            NotFound: the story has no such unit.
        """
        with self._lock:
            known = self._units.get(ref)
        if known is not None:
            return known
        with self.database.reading() as connection:
            return self.unit_in(connection, ref)

    def units(self, refs: Iterable[str]) -> list[Unit]:
        """Unit versions by their refs, in the order asked for.

        Raises:
            NotFound: for the first that the story doesn't have.
        """
        asked, unit = list(refs), tables.unit
        found: dict[str, Unit] = {}
        with self.database.reading() as connection:
            turns = self.turns(connection)
            for part in chunks(asked):
                rows = sa.select(unit).where(unit.c.story_id == self.story_id, unit.c.ref.in_(part))
                found.update((row.ref, unit_of(row, turns.turn(row.position))) for row in connection.execute(rows))
        for ref in asked:
            if ref not in found:
                raise NotFound("unit", ref)
        return [found[ref] for ref in asked]

    def unit_in(self, connection: sa.Connection, ref: str) -> Unit:
        """As ``unit``, on a connection that is open already."""
        with self._lock:
            if ref in self._units:
                self._units.move_to_end(ref)
                return self._units[ref]
        unit = tables.unit
        statement = sa.select(unit).where(unit.c.story_id == self.story_id, unit.c.ref == ref)
        row = connection.execute(statement).one_or_none()
        if row is None:
            raise NotFound("unit", ref, _close(ref, self._refs(connection)))
        found = unit_of(row, self.turns(connection).turn(row.position))
        with self._lock:
            self._units[ref] = found
            while len(self._units) > UNITS_KEPT:
                self._units.popitem(last=False)
        return found

    def forget_units(self) -> None:
        """Turn numbers may have moved: units are read anew."""
        with self._lock:
            self._units.clear()

    def nearest(self, connection: sa.Connection, asked: str) -> list[str]:
        """Ids and titles close to one that wasn't found."""
        node, version = tables.node, tables.node_version
        statement = (
            sa.select(node.c.node_id, version.c.title)
            .join(version, version.c.node == node.c.id)
            .where(version.c.story_id == self.story_id)
            .order_by(version.c.version.desc())
            .limit(NEAREST_AMONG)
        )
        rows = connection.execute(statement).all()
        names = {row.node_id: row.node_id for row in rows}
        names |= {row.title: f"{row.node_id} ({row.title})" for row in rows if row.title}
        return [names[name] for name in _close(asked, names)]

    def _refs(self, connection: sa.Connection) -> list[str]:
        unit = tables.unit
        statement = sa.select(unit.c.ref).where(unit.c.story_id == self.story_id).order_by(unit.c.id.desc())
        return list(connection.execute(statement.limit(NEAREST_AMONG)).scalars())


def _close(asked: str, names: object) -> list[str]:
    from rapidfuzz import fuzz, process

    assert isinstance(names, list | dict)
    found = process.extract(asked, list(names), scorer=fuzz.WRatio, limit=3, score_cutoff=50)
    return [str(name) for name, _, _ in found]
