"""Which rows a reader sees: the chain of worldlines from its own up to the root, each cut where the next forked off.

A row is visible when it lies on a worldline of the chain at or before that worldline's cut. Of several visible versions
the one on the nearest worldline counts, and there the latest written. So a fork costs one row, and what happens on the
parent after the fork can't reach it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import tables

OPEN_END = 2**62


@dataclass(frozen=True, slots=True)
class Segment:
    """One worldline of a chain and the last position that is seen of it."""

    worldline: int
    upto: int = OPEN_END


@dataclass(frozen=True, slots=True)
class Lineage:
    """A chain of segments, the reader's own worldline first."""

    segments: tuple[Segment, ...]

    @property
    def is_head(self) -> bool:
        """True when nothing of the own worldline is cut off."""
        return self.segments[0].upto == OPEN_END

    def cut(self, position: int) -> Lineage:
        """The chain as it was at ``position``."""
        return Lineage(tuple(replace(s, upto=min(s.upto, position)) for s in self.segments))

    def sees(self, worldline: int, position: int) -> bool:
        return any(s.worldline == worldline and position <= s.upto for s in self.segments)

    def visible(self, table: Any, position: sa.ColumnElement[int] | None = None) -> sa.ColumnElement[bool]:
        """The condition under which a row of ``table`` (worldline_id, position) is on the chain.

        Args:
            position: a column known to equal the row's own, to put the bound on instead.
        """
        # "+ 0" keeps the planner from walking an index along the bound where it can jump to the equal position
        place = table.c.position if position is None else position + 0
        return sa.or_(*(sa.and_(table.c.worldline_id == s.worldline, place <= s.upto) for s in self.segments))

    def newest_first(self, table: Any, version: str) -> tuple[sa.ColumnElement[Any], ...]:
        """Sort keys that put the version that counts first."""
        latest = table.c[version].desc()
        if len(self.segments) == 1:
            return (latest,)
        level = {s.worldline: level for level, s in enumerate(self.segments)}
        return sa.case(level, value=table.c.worldline_id), latest

    def newest(self, table: sa.Table, owner: str, version: str, of: sa.Column[int]) -> sa.ScalarSelect[int]:
        """The version number of the row of ``table`` that counts for the owner ``of``, as a correlated subquery."""
        row = other(table)
        return (
            sa.select(row.c[version])
            .where(row.c[owner] == of, self.visible(row))
            .order_by(*self.newest_first(row, version))
            .limit(1)
            .correlate(of.table)
            .scalar_subquery()
        )


@cache
def other(table: sa.Table) -> Any:
    """The table once more, for a correlated subquery; made once, because making one costs more than the query."""
    return table.alias()


def load_lineage(connection: sa.Connection, worldline_id: int) -> Lineage:
    """The whole chain of a worldline."""
    line = tables.worldline
    start = sa.select(line.c.id, line.c.parent_id, line.c.fork_position, sa.literal(0).label("level"))
    chain = start.where(line.c.id == worldline_id).cte("chain", recursive=True)
    parent = line.alias()
    chain = chain.union_all(
        sa.select(parent.c.id, parent.c.parent_id, parent.c.fork_position, chain.c.level + 1).where(
            parent.c.id == chain.c.parent_id
        )
    )
    segments: list[Segment] = []
    upto = OPEN_END
    for row in connection.execute(sa.select(chain).order_by(chain.c.level)):
        segments.append(Segment(row.id, upto))
        upto = min(upto, row.fork_position if row.fork_position is not None else OPEN_END)
    return Lineage(tuple(segments))
