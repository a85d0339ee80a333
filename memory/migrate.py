"""Brings a library's tables to the present form; forward only.

Alembic takes half a second to load, so it is loaded only when there is a step to apply.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from talekeeper.memory.errors import LibraryDamaged, LibraryTooNew
from talekeeper.memory.migrations import REVISIONS
from talekeeper.memory.sqlite import APPLICATION_ID, Database

HEAD = REVISIONS[-1]


def revision_of(database: Database) -> str:
    """The revision that a library's tables have.

    Raises:
        LibraryDamaged: the file is no library.
        LibraryTooNew: a later version of the program wrote it.
    """
    if database.application_id() != APPLICATION_ID:
        raise LibraryDamaged(
            f"This file isn't a talekeeper library: {database.path}.", hint="Name another folder with --library."
        )
    with database.reading() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            raise LibraryDamaged(f"The library has no revision: {database.path}.", hint="Restore it from a backup.")
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    if found not in REVISIONS:
        raise LibraryTooNew(
            f"The library {database.path} has the form {found}; this version knows up to {HEAD}.",
            hint="Update talekeeper; the library was not touched.",
        )
    return str(found)


def upgrade(database: Database, revision: str = "head") -> None:
    """Applies every step up to ``revision`` that is missing, in one transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
