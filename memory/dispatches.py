"""Dispatches that were begun and how they ended: what a run after a crash has to finish."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.commits import now, to_json
from talekeeper.memory.errors import NotFound


def open_dispatch(
    connection: sa.Connection, story_id: int, worldline_id: int, dispatch_id: str, batch: Sequence[str]
) -> None:
    if _key(connection, story_id, dispatch_id) is None:
        connection.execute(
            sa.insert(tables.dispatch).values(
                story_id=story_id,
                worldline_id=worldline_id,
                dispatch_id=dispatch_id,
                batch=to_json(list(batch)),
                opened_at=now(),
            )
        )


def close_dispatch(connection: sa.Connection, story_id: int, dispatch_id: str, report: Mapping[str, Any]) -> None:
    key = _key(connection, story_id, dispatch_id)
    if key is None:
        raise NotFound("dispatch", dispatch_id)
    close = tables.dispatch_close
    if connection.execute(sa.select(close.c.id).where(close.c.dispatch == key)).scalar() is None:
        connection.execute(sa.insert(close).values(dispatch=key, report=to_json(report), closed_at=now()))


def pending(connection: sa.Connection, story_id: int, worldline_id: int) -> list[tuple[str, tuple[str, ...]]]:
    row, close = tables.dispatch, tables.dispatch_close
    statement = (
        sa.select(row.c.dispatch_id, row.c.batch)
        .where(row.c.story_id == story_id, row.c.worldline_id == worldline_id)
        .where(~sa.exists().where(close.c.dispatch == row.c.id))
        .order_by(row.c.id)
    )
    return [(dispatch_id, tuple(json.loads(batch))) for dispatch_id, batch in connection.execute(statement)]


def report(connection: sa.Connection, story_id: int, dispatch_id: str) -> Mapping[str, Any] | None:
    row, close = tables.dispatch, tables.dispatch_close
    statement = (
        sa.select(close.c.report)
        .join(row, row.c.id == close.c.dispatch)
        .where(row.c.story_id == story_id, row.c.dispatch_id == dispatch_id)
    )
    found = connection.execute(statement).scalar()
    return None if found is None else dict(json.loads(found))


def _key(connection: sa.Connection, story_id: int, dispatch_id: str) -> int | None:
    row = tables.dispatch
    statement = sa.select(row.c.id).where(row.c.story_id == story_id, row.c.dispatch_id == dispatch_id)
    return connection.execute(statement).scalar()
