"""What was read from each file of a story: the file's own counts, against which the story's can be held.

Append-only like all history: a file read again gets a further row, but only if its report is another one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.commits import column, now, to_json
from talekeeper.memory.models import SourceRecord


def record(connection: sa.Connection, story_id: int, place: str, report: Mapping[str, Any]) -> None:
    row = tables.source_report
    place, packed = column(place), to_json(dict(report))
    newest = sa.select(row.c.report).where(row.c.story_id == story_id, row.c.place == place)
    if connection.execute(newest.order_by(row.c.id.desc()).limit(1)).scalar() != packed:
        connection.execute(sa.insert(row).values(story_id=story_id, place=place, report=packed, created_at=now()))


def newest(connection: sa.Connection, story_id: int) -> list[SourceRecord]:
    """The last report of every place, in the order in which the places were first read."""
    row = tables.source_report
    last = sa.select(sa.func.min(row.c.id).label("first"), sa.func.max(row.c.id).label("last"))
    last_ids = last.where(row.c.story_id == story_id).group_by(row.c.place).subquery()
    rows = connection.execute(
        sa.select(row.c.place, row.c.report, row.c.created_at)
        .join(last_ids, last_ids.c.last == row.c.id)
        .order_by(last_ids.c.first)
    )
    return [SourceRecord(place, dict(json.loads(report)), created_at) for place, report, created_at in rows]
