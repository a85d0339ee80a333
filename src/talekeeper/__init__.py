"""talekeeper: a memory curator for long role-play chats and novels.

    >>> import talekeeper
    >>> source = talekeeper.read_source("chat.jsonl")
    >>> with talekeeper.open_library("my-library") as library:
    ...     story = library.create_story(source.title, language=source.language)
    ...     added = story.add_units(source.units).added
    ...     report = talekeeper.dispatch(story, added[:1])
    ...     event = story.reader().node(report.event_id)

Names are loaded when first used, so that importing the package stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talekeeper.graph.audit import AuditReport as AuditReport
    from talekeeper.graph.audit import audit as audit
    from talekeeper.graph.reports import CurateReport as CurateReport
    from talekeeper.graph.reports import CurationPlan as CurationPlan
    from talekeeper.graph.reports import DispatchReport as DispatchReport
    from talekeeper.graph.reports import Progress as Progress
    from talekeeper.graph.runner import adispatch as adispatch
    from talekeeper.graph.runner import curate as curate
    from talekeeper.graph.runner import dispatch as dispatch
    from talekeeper.graph.runner import plan as plan
    from talekeeper.memory.errors import TalekeeperError as TalekeeperError
    from talekeeper.memory.library import Library as Library
    from talekeeper.memory.models import Link as Link
    from talekeeper.memory.models import Message as Message
    from talekeeper.memory.models import Node as Node
    from talekeeper.memory.models import Unit as Unit
    from talekeeper.memory.models import UnitDraft as UnitDraft
    from talekeeper.memory.reader import Reader as Reader
    from talekeeper.memory.story import Story as Story
    from talekeeper.sources.report import SourceStory as SourceStory

_HOMES = {
    "AuditReport": "graph.audit",
    "CurateReport": "graph.reports",
    "CurationPlan": "graph.reports",
    "DispatchReport": "graph.reports",
    "Library": "memory.library",
    "Link": "memory.models",
    "Message": "memory.models",
    "Node": "memory.models",
    "Progress": "graph.reports",
    "Reader": "memory.reader",
    "SourceStory": "sources.report",
    "Story": "memory.story",
    "TalekeeperError": "memory.errors",
    "Unit": "memory.models",
    "UnitDraft": "memory.models",
    "adispatch": "graph.runner",
    "audit": "graph.audit",
    "curate": "graph.runner",
    "dispatch": "graph.runner",
    "plan": "graph.runner",
}
__all__ = [
    "AuditReport", "CurateReport", "CurationPlan", "DispatchReport", "Library", "Link", "Message", "Node", "Progress",
    "Reader", "SourceStory", "Story", "TalekeeperError", "Unit", "UnitDraft", "adispatch", "audit", "curate",
    "dispatch", "open_library", "plan", "read_source",
]  # fmt: skip
__version__ = "0.1.0"


def open_library(path: str | Path | None = None, *, create: bool = True) -> Library:
    """Open a story library: a folder that holds any number of stories.

    Args:
        path: the folder; default ``$TALEKEEPER_LIBRARY``, else the user's data folder.
        create: make the library if it isn't there.

    Returns:
        A ``Library``, to be used in a ``with`` block.

    Raises:
        LibraryError: it can't be opened, is damaged, can't be written, or a later version wrote it.
    """
    from talekeeper.memory.library import Library

    return Library.open(None if path is None else Path(path), create=create)


def read_source(path: str | Path, *, format: str | None = None) -> SourceStory:
    """Read a chat file, a novel in one file, or a folder of chapters.

    Args:
        path: the file or folder.
        format: name of the format, if it isn't to be guessed.

    Returns:
        Its title, language, units (turns or chapters) and a report that accounts for every row.

    Raises:
        InputError: missing, empty, binary or of an unknown format; the message says what was seen.
    """
    from talekeeper.sources.read import read_path

    return read_path(Path(path), format=format)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"talekeeper.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'talekeeper' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
