"""What is SQLite's alone: connections, pragmas, and what its error codes mean to a user.

Another database brings a module of the same shape; nothing else in this folder knows which one is underneath (full-text
search has its own module, ``fulltext``, for the same reason).
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from talekeeper.memory.errors import (
    LibraryBusy,
    LibraryDamaged,
    LibraryError,
    LibraryFull,
    LibraryReadOnly,
    TalekeeperError,
)

APPLICATION_ID = 0x54414C45
BUSY_TIMEOUT_MS = 10_000
CHECKPOINT_PAGES = 4000


class Database:
    """One library file: snapshot reads and immediate, all-or-nothing writes, errors translated."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._engine = _engine(path, read_only)
        self._writer = self._engine.execution_options(immediate=True)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A connection whose statements all see the same state."""
        with translated(self.path), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that holds the write lock from its start; it is kept whole or leaves nothing.

        Raises:
            LibraryReadOnly, LibraryFull, LibraryBusy, LibraryDamaged: as the database says.
        """
        if self.read_only:
            raise LibraryReadOnly(f"The library {self.path} is open for reading only.", hint="Open it for writing.")
        with translated(self.path), self._writer.connect() as connection, connection.begin():
            yield connection

    def problems(self) -> list[str]:
        """What SQLite's own integrity and foreign key checks report; empty when sound."""
        with self.reading() as connection:
            found = [row[0] for row in connection.exec_driver_sql("PRAGMA integrity_check") if row[0] != "ok"]
            for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
                found.append(f"row {row} of {table} points to a missing row of {parent}")
        return found

    def application_id(self) -> int:
        with self.reading() as connection:
            return int(connection.exec_driver_sql("PRAGMA application_id").scalar_one())

    def close(self) -> None:
        self._engine.dispose()


def _engine(path: Path, read_only: bool) -> sa.Engine:
    def connect() -> sqlite3.Connection:
        if read_only:
            # in a folder that can't be written the log can't be made; and nobody else writes there, so none is needed
            fixed = not Path(f"{path}-wal").exists() and not os.access(path.parent, os.W_OK)
            mode = "mode=ro&immutable=1" if fixed else "mode=ro"
            return sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, check_same_thread=False)
        return sqlite3.connect(path, check_same_thread=False)

    engine = sa.create_engine("sqlite+pysqlite://", creator=connect, poolclass=QueuePool, pool_size=8, max_overflow=24)

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, below
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA cache_size = -32000")
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")

    @event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        immediate = connection.get_execution_options().get("immediate", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def packed_rows(*columns: sa.ColumnElement[Any]) -> sa.ColumnElement[str]:
    """An aggregate that packs rows into one JSON list of lists, in no particular order."""
    return sa.func.json_group_array(sa.func.json_array(*columns))


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns the database's errors into the library's own, each with the next step."""
    try:
        yield
    except DBAPIError as error:
        raise _meaning(error.orig, path) from error
    except sqlite3.Error as error:
        raise _meaning(error, path) from error


def _meaning(error: BaseException | None, path: Path) -> TalekeeperError:
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return LibraryFull(f"The disk is full: {path}.", hint="Free some space and run again; nothing was lost.")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return LibraryReadOnly(f"The library can't be written: {path}.", hint="Check the rights of file and folder.")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryBusy(f"Another process keeps the library locked: {path}.", hint="Wait for it, then run again.")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return LibraryDamaged(f"This file isn't a sound library: {path} ({error}).", hint="Restore it from a backup.")
    if code == sqlite3.SQLITE_CANTOPEN:
        return LibraryError(
            f"The library can't be opened: {path}.", hint="Check that the folder exists and its rights."
        )
    if code == sqlite3.SQLITE_IOERR:
        return LibraryError(f"Reading or writing failed: {path} ({error}).", hint="Check the disk and its free space.")
    return LibraryError(f"The library refused a statement: {error}.", hint="This is a fault of the program; report it.")


def meaning_of_os_error(error: OSError, path: Path) -> LibraryError:
    """The library error behind a failed file operation."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return LibraryFull(f"The disk is full: {path}.", hint="Free some space and run again; nothing was lost.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return LibraryReadOnly(f"The folder can't be written: {path}.", hint="Name another one with --library.")
    return LibraryError(f"{path}: {error.strerror or error}.", hint="Name another folder with --library.")
