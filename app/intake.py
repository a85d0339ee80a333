"""From files to stories: which story a file belongs to, and what of it is new, before anything is written.

A file goes to the story that it went to before: the one read from the same path, or else the one whose units it holds
(a file that was renamed, or has grown). A branch that differs in the middle is a story of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from talekeeper.memory.models import Language, UnitDraft

if TYPE_CHECKING:
    from talekeeper.memory.library import Library
    from talekeeper.memory.story import Story
    from talekeeper.sources.report import SourceStory


@dataclass(frozen=True)
class Intake:
    """One story as it stands in a file, and the library's story for it (None = not there yet)."""

    place: str
    title: str
    language: Language
    read: SourceStory
    story_id: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """What a file has that the story hasn't: counts of units. ``missing`` ones stay in the story."""

    new: int
    changed: int
    unchanged: int
    missing: int


def read_intakes(
    files: Sequence[Path], *, name: str | None = None, language: Language | None = None, format: str | None = None
) -> list[Intake]:
    """Read every file; with ``name`` all of them are parts of that one story, in the order given.

    Raises:
        InputError: a file is missing, empty, damaged beyond reading, or of no known format.
    """
    from talekeeper.sources.read import read_all

    found: list[Intake] = []
    for path in files:
        stories = read_all(path, format=format)
        for read in stories:
            place = str(path.resolve()) if len(stories) == 1 else f"{path.resolve()}#{read.title}"
            found.append(Intake(place, name or read.title, language or read.language, read))
    return found


def parts_of(intakes: Sequence[Intake]) -> list[tuple[Intake, tuple[UnitDraft, ...]]]:
    """Group what goes to one story: the first intake stands for it, its units are those of all parts in order."""
    groups: dict[str, list[Intake]] = {}
    for index, intake in enumerate(intakes):
        groups.setdefault(intake.story_id or f"new {index}", []).append(intake)
    return [(group[0], tuple(u for part in group for u in part.read.units)) for group in groups.values()]


def find_story(library: Library, intake: Intake, drafts: Sequence[UnitDraft], *, named: bool) -> Story | None:
    """The story that the file belongs to, if the library has it.

    Args:
        named: the user gave the title, so only a story of that title will do.
    """
    infos = library.stories()
    if named:
        same = [i for i in infos if intake.title in (i.title, str(i.id))]
        return library.story(same[0].id) if same else None
    for info in infos:
        if info.source == intake.place:
            return library.story(info.id)
    hashes = [d.content_hash for d in drafts]
    for info in infos:
        story = library.story(info.id)
        held = [u.content_hash for u in story.units(end=len(hashes))]
        if held and held == hashes[: len(held)] and (len(held) > 1 or len(hashes) == 1):
            return story
    return None


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
