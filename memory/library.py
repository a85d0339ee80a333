"""A story library: one folder with one database, opened, created, brought up to date and checked here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sa

from talekeeper.memory import fulltext, integrity, migrate, tables
from talekeeper.memory.commits import column, now, to_json
from talekeeper.memory.errors import (
    InputError,
    LibraryDamaged,
    LibraryError,
    LibraryOutdated,
    LibraryReadOnly,
    NotFound,
)
from talekeeper.memory.models import Language, StoryInfo
from talekeeper.memory.schema import default_schema
from talekeeper.memory.sqlite import Database, meaning_of_os_error
from talekeeper.memory.story import MAIN, Story
from talekeeper.memory.text import fold

ENVIRONMENT = "TALEKEEPER_LIBRARY"


def default_folder() -> Path:
    """Where the library lies unless told otherwise: ``TALEKEEPER_LIBRARY``, else the user's data folder."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_dir

    return Path(user_data_dir("talekeeper"))


class Library:
    """An open library. Use it as a context manager, or call ``close``.

    Attributes:
        path: the folder; database_path: the stories; checkpoints_path: where runs keep their checkpoints.
    """

    def __init__(self, path: Path, database: Database) -> None:
        self.path = path
        self.database_path = database.path
        self.checkpoints_path = path / "checkpoints.db"
        self._database = database

    @classmethod
    def open(cls, path: Path | None = None, *, create: bool = True, read_only: bool = False) -> Library:
        """Opens the library in the folder ``path`` and brings its tables up to date.

        Args:
            path: the folder; None = ``default_folder()``.
            create: make folder and library where there is none.
            read_only: change nothing; works in a folder that can't be written.

        Raises:
            LibraryError: there is none and ``create`` is off, or the folder is a file.
            LibraryTooNew, LibraryReadOnly, LibraryFull, LibraryBusy, LibraryDamaged: as the names say.
        """
        folder = (path or default_folder()).expanduser()
        file = folder / "library.db"
        if not file.exists():
            if read_only or not create:
                raise LibraryError(
                    f"There is no library in {folder}.", hint="Curate a story first, or name another one."
                )
            _create(folder, file)
        if file.stat().st_size == 0:
            raise LibraryDamaged(
                f"The library is empty (0 bytes): {file}.", hint="Restore it, or delete it to start anew."
            )
        if not read_only and not (os.access(file, os.W_OK) and os.access(folder, os.W_OK)):
            raise LibraryReadOnly(f"The library can't be written: {file}.", hint="Name another folder with --library.")
        database = Database(file, read_only=read_only)
        try:
            if migrate.revision_of(database) != migrate.HEAD:
                if read_only:
                    raise LibraryOutdated(
                        f"The library has an older form: {file}.", hint="Make it writable and open it once."
                    )
                migrate.upgrade(database)
        except BaseException:
            database.close()
            raise
        return cls(folder, database)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def create_story(
        self,
        title: str,
        *,
        language: Language,
        source: str = "",
        schema_yaml: str = "",
        settings: Mapping[str, Any] | None = None,
    ) -> Story:
        """Makes an empty story.

        Args:
            title: its name; no other story's title may fold to the same.
            source: where its text comes from, for the reader's eye.
            schema_yaml: custom node types, added to the default ones.
            settings: rule severities and the like (JSON-able).

        Raises:
            InputError: the title is empty or taken. SchemaError: the schema is wrong.
        """
        name = column(title).strip()
        if not fold(name):
            raise InputError("A story needs a title.")
        if schema_yaml:
            default_schema().extended(schema_yaml)
        story, line = tables.story, tables.worldline
        with self._database.writing() as connection:
            taken = connection.execute(sa.select(story.c.title).where(story.c.key == fold(name))).scalar()
            if taken is not None:
                raise InputError(f"There is a story {taken!r} already.", hint="Go on with it, or take another title.")
            values = {
                "title": name,
                "key": fold(name),
                "language": language,
                "source": column(source),
                "schema_yaml": column(schema_yaml),
                "settings": to_json(dict(settings or {})),
                "created_at": now(),
            }
            key = connection.execute(sa.insert(story), values).inserted_primary_key
            assert key is not None
            connection.execute(sa.insert(line).values(story_id=key[0], name=MAIN))
            fulltext.create(connection, key[0])
        return self.story(key[0])

    def story(self, name_or_id: str | int) -> Story:
        """A story by id, by title, or by a title that folds to the same.

        Raises:
            NotFound: with the nearest titles.
        """
        story, asked = tables.story, str(name_or_id)
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(story).order_by(story.c.id)).all()
        for same in (
            lambda row: str(row.id) == asked,
            lambda row: row.title == asked,
            lambda row: row.key == fold(asked),
        ):
            for row in rows:
                if same(row):
                    return Story(self, self._database, row)
        raise NotFound("story", asked, _nearest(asked, [row.title for row in rows]))

    def stories(self) -> list[StoryInfo]:
        """All stories, oldest first, with their counts."""
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(tables.story).order_by(tables.story.c.id)).all()
        return [Story(self, self._database, row).info() for row in rows]

    def check(self) -> list[str]:
        """Everything that isn't as the store promises, one line each; empty for a sound library."""
        return self._database.problems() + integrity.problems(self._database)


def _nearest(asked: str, titles: list[str]) -> list[str]:
    from rapidfuzz import process

    return [title for title, _, _ in process.extract(asked, titles, limit=3, score_cutoff=30)]


def _create(folder: Path, file: Path) -> None:
    """Builds the library beside its place and moves it there whole, so that a crash never leaves half of one."""
    draft = folder / f".library-{os.getpid()}-{os.urandom(4).hex()}.db"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft.touch()
    except FileExistsError as error:
        raise LibraryError(f"{folder} is a file, not a folder.", hint="Name another folder with --library.") from error
    except OSError as error:
        raise meaning_of_os_error(error, folder) from error
    try:
        database = Database(draft)
        try:
            migrate.upgrade(database)
        finally:
            database.close()
        _move_into_place(draft, file)
    finally:
        for leftover in (draft, Path(f"{draft}-wal"), Path(f"{draft}-shm")):
            leftover.unlink(missing_ok=True)


def _move_into_place(draft: Path, file: Path) -> None:
    """A hard link fails where another process was faster; its library is as good as ours."""
    try:
        with suppress(FileExistsError):
            os.link(draft, file)
    except OSError:
        if not file.exists():
            os.replace(draft, file)
