"""From files to stories: which story a file belongs to, and what of it is new, before anything is written.

A file goes to the story that it went to before: the one read from the same path; or one that holds exactly the same
units; or one whose file is gone and whose units it begins with (it was renamed, and may have grown). A branch or a
checkpoint beside its chat is a story of its own, so that the two can never write into each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talekeeper.memory.models import Language, UnitDraft

if TYPE_CHECKING:
    from talekeeper.memory.library import Library
    from talekeeper.memory.story import Story
    from talekeeper.sources.report import SourceStory


PART = "::"
"""Between a file's path and a story's title, where the file holds several."""


@dataclass(frozen=True)
class Intake:
    """One story as it stands in a file. ``place`` names both; ``group`` is shared by the parts of one story."""

    path: Path
    place: str
    title: str
    language: Language
    read: SourceStory
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """What a file has that the story hasn't: counts of units. ``missing`` ones stay in the story."""

    new: int
    changed: int
    unchanged: int
    missing: int


def read_intakes(
    path: Path, *, name: str | None = None, language: Language | None = None, format: str | None = None
) -> list[Intake]:
    """Every story of a file; with ``name`` they are parts of that one story.

    Raises:
        InputError: the file is missing, empty, damaged beyond reading, or of no known format.
    """
    from talekeeper.sources.read import read_all

    stories = read_all(path, format=format)
    path = path.resolve()
    return [
        Intake(
            path,
            str(path) if len(stories) == 1 else f"{path}{PART}{read.title}",
            name or read.title,
            language or read.language,
            read,
        )
        for read in stories
    ]


def parts_of(intakes: Sequence[Intake]) -> list[tuple[Intake, ...]]:
    """Group what goes to one story, in order; the first part stands for it."""
    groups: dict[str, list[Intake]] = {}
    for index, intake in enumerate(intakes):
        groups.setdefault(intake.group or f"new {index}", []).append(intake)
    return [tuple(group) for group in groups.values()]


def drafts_of(parts: Sequence[Intake]) -> tuple[UnitDraft, ...]:
    """The units of all parts, in order."""
    return tuple(unit for part in parts for unit in part.read.units)


def read_view(intake: Intake) -> dict[str, Any]:
    """``{format, units, rows, messages, …}``: what the file holds, as plain data."""
    return {"format": intake.read.format, "units": len(intake.read.units), **intake.read.report.as_dict()}


def find_story(library: Library, parts: Sequence[Intake], *, named: bool) -> Story | None:
    """The story that the file (or its parts) belongs to, if the library has it.

    Args:
        named: the user gave the title, so only a story of that title will do.
    """
    intake, drafts, infos = parts[0], drafts_of(parts), library.stories()
    if named:
        same = [i for i in infos if intake.title in (i.title, str(i.id))]
        return library.story(same[0].id) if same else None
    for info in infos:
        if info.source == intake.place:
            return library.story(info.id)
    hashes = [d.content_hash for d in drafts]
    for info in infos:
        if info.units == 0 or info.units > len(hashes) or (info.units < len(hashes) and _is_there(info.source)):
            continue
        story = library.story(info.id)
        if [u.content_hash for u in story.units()] == hashes[: info.units]:
            return story
    return None


def _is_there(place: str) -> bool:
    """Whether the file that a story was read from still exists."""
    return bool(place) and (Path(place).exists() or Path(place.rpartition(PART)[0] or place).exists())


def free_title(library: Library | None, title: str) -> str:
    """``title``, or ``title (2)`` and so on if a story bears it already."""
    from talekeeper.memory.text import fold

    taken = {fold(info.title) for info in library.stories()} if library else set()
    if fold(title) not in taken:
        return title
    return next(t for n in range(2, len(taken) + 3) if fold(t := f"{title} ({n})") not in taken)


def difference(story: Story | None, drafts: Sequence[UnitDraft]) -> Difference:
    """What ``Story.add_units`` would find, without writing."""
    if story is None:
        return Difference(len(drafts), 0, 0, 0)
    from talekeeper.memory.units import Placed, align

    there = [Placed(u.position, u.content_hash, u.source, u.turn) for u in story.units()]
    found = align(there, drafts)
    return Difference(len(found.inserted), len(found.changed), found.kept, found.missing)
