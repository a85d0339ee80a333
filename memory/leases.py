"""One writer a story: a lease row that says which process writes, and how it's told to be dead.

On this host a lease lives as long as its process does (a model may think for minutes between two commits); a process id
that was given to another program is told apart by its start. From another host only the expiry counts.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.errors import StoryLocked

EXPIRY_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write one story. ``token`` is told to nobody else."""

    story_id: int
    token: str
    owner: str
    pid: int
    host: str


def process_start(pid: int) -> str:
    """What tells a process from a later one of the same id: its start in clock ticks; empty where it can't be known."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]


def acquire(connection: sa.Connection, story_id: int, title: str, owner: str) -> Lease:
    """Takes the lease inside a write transaction.

    Raises:
        StoryLocked: another live holder has it (another handle of this process counts too).
    """
    row = tables.lease
    held = connection.execute(sa.select(row).where(row.c.story_id == story_id)).one_or_none()
    if held is not None:
        if is_live(held):
            raise _locked(held, title)
        connection.execute(sa.delete(row).where(row.c.story_id == story_id))
    lease = Lease(story_id, secrets.token_hex(16), owner, os.getpid(), socket.gethostname())
    connection.execute(
        sa.insert(row).values(
            story_id=story_id,
            token=lease.token,
            owner=owner,
            pid=lease.pid,
            process=process_start(lease.pid),
            host=lease.host,
            acquired_at=datetime.now(UTC).isoformat(timespec="seconds"),
            expires_at=int(time.time()) + EXPIRY_SECONDS,
        )
    )
    return lease


def guard(connection: sa.Connection, story_id: int, title: str, lease: Lease | None) -> None:
    """Lets a write through if nobody else holds the lease, and renews it if we do.

    Raises:
        StoryLocked: another live holder has it, or ours was taken over.
    """
    held = connection.execute(_HELD, {"story": story_id}).one_or_none()
    if lease is not None and held is not None and held.token == lease.token:
        connection.execute(_RENEWED, {"held": lease.token, "expires_at": int(time.time()) + EXPIRY_SECONDS})
    elif held is not None and is_live(held):
        raise _locked(held, title)
    elif lease is not None:
        raise StoryLocked(f"The lease on {title!r} was lost.", hint="Run again; what was committed is kept.")


_HELD = sa.select(tables.lease).where(tables.lease.c.story_id == sa.bindparam("story"))
_RENEWED = (
    sa.update(tables.lease)
    .where(tables.lease.c.token == sa.bindparam("held"))
    .values(expires_at=sa.bindparam("expires_at"))
)


def release(connection: sa.Connection, lease: Lease) -> None:
    connection.execute(sa.delete(tables.lease).where(tables.lease.c.token == lease.token))


def is_live(held: Any) -> bool:
    """True while the holder of a lease row may still write."""
    if held.host != socket.gethostname():
        return bool(held.expires_at > time.time())
    try:
        os.kill(held.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it lives, and belongs to someone else
    start = process_start(held.pid)
    if start and held.process:
        return bool(start == held.process)
    return bool(held.expires_at > time.time())


def _locked(held: Any, title: str) -> StoryLocked:
    return StoryLocked(
        f"Story {title!r} is being written by process {held.pid} on {held.host} ({held.owner}) "
        f"since {held.acquired_at}.",
        hint="Wait until it's done, or stop it.",
    )
