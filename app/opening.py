"""Which library and which story a command means, with errors that list what there is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from talekeeper.memory.errors import InputError, LibraryOutdated, NotFound

if TYPE_CHECKING:
    from talekeeper.memory.library import Library
    from talekeeper.memory.reader import Reader
    from talekeeper.memory.story import Story


@contextmanager
def reading(library: Path | None) -> Iterator[Library]:
    """The library, opened for reading; it must exist. One of an earlier form is brought up to date first."""
    from talekeeper.memory.library import Library

    try:
        opened = Library.open(library, create=False, read_only=True)
    except LibraryOutdated:
        Library.open(library, create=False).close()
        opened = Library.open(library, create=False, read_only=True)
    with opened:
        yield opened


@contextmanager
def writing(library: Path | None) -> Iterator[Library]:
    """The library, opened for writing and made where it is missing."""
    from talekeeper.memory.library import Library

    with Library.open(library, create=True) as opened:
        yield opened


def choose_story(library: Library, name: str | None) -> Story:
    """The story called ``name``, or the only one there is.

    Raises:
        NotFound: no story bears the name (the nearest are named).
        InputError: no name was given, and there is none or more than one.
    """
    if name is not None:
        return library.story(name)
    stories = library.stories()
    if not stories:
        raise InputError(f"The library {library.path} holds no story yet.", hint="Make one: talekeeper curate FILE")
    if len(stories) > 1:
        titles = ", ".join(f"{s.title!r}" for s in stories[:12]) + (", …" if len(stories) > 12 else "")
        raise InputError(f"The library holds {len(stories)} stories: {titles}.", hint="Name one with --story.")
    return library.story(stories[0].id)


def reader_at(story: Story, turn: int | None) -> Reader:
    """A reader of the story's present, or of its state after ``turn``."""
    total = story.unit_count()
    if turn is not None and turn > total:
        raise NotFound("turn", str(turn), (str(total),) if total else ())
    return story.reader(at=turn)


@contextmanager
def reading_story(library: Path | None, name: str | None) -> Iterator[Story]:
    """One story of a library opened for reading."""
    with reading(library) as opened:
        yield choose_story(opened, name)


def library_exists(library: Path | None) -> bool:
    """Whether a library stands at the place that ``library`` (or the default) names. Makes nothing."""
    from talekeeper.memory.library import default_folder

    return ((library or default_folder()).expanduser() / "library.db").exists()
