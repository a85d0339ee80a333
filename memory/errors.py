"""Every error a caller may meet, each saying what happened, where, and what to do next.

One tree, so that a door (command line, server) can turn any of them into an exit code without a table of its own.
``who`` says whose move it is: the user's, the model's (a refused write goes back to it), or ours (a bug).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

Who = Literal["user", "model", "bug"]


class TalekeeperError(Exception):
    """Base of all errors raised on purpose.

    Args:
        message: what happened and where, one sentence.
        hint: the next step for whoever must act; may be empty.
    """

    exit_code: ClassVar[int] = 1
    who: ClassVar[Who] = "user"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InputError(TalekeeperError):
    """A file, option or text from outside can't be used as it is."""

    exit_code = 3


class LibraryError(TalekeeperError):
    """The story library can't be opened, read or written."""

    exit_code = 4


class LibraryTooNew(LibraryError):
    """The library was written by a later version of this program."""


class LibraryReadOnly(LibraryError):
    """The library's folder or file can't be written."""


class LibraryOutdated(LibraryReadOnly):
    """An earlier version of this program made the library, and it was opened for reading only."""


class LibraryFull(LibraryError):
    """The disk is full; nothing of the write was kept."""


class LibraryDamaged(LibraryError):
    """The file isn't a library, or its integrity check failed."""


class StoryLocked(TalekeeperError):
    """Another process holds the story's write lease."""

    exit_code = 5


class StaleBase(TalekeeperError):
    """The story moved on since this dispatch read it; the write is refused, nothing is lost."""

    exit_code = 5


class ModelError(TalekeeperError):
    """The chat model is unknown, unreachable or unusable."""

    exit_code = 6


class NotFound(TalekeeperError):
    """A story, node, unit or type that isn't there; ``nearest`` names what comes closest."""

    exit_code = 3

    def __init__(self, kind: str, asked: str, nearest: Sequence[str] = ()) -> None:
        self.kind, self.asked, self.nearest = kind, asked, tuple(nearest)
        hint = f"Nearest: {', '.join(self.nearest)}." if self.nearest else ""
        super().__init__(f"No {kind} {asked!r}.", hint=hint)


class SchemaError(InputError):
    """A schema file breaks the schema's own rules."""


class EmbeddingProfileMissing(TalekeeperError):
    """Vector search was asked for, and no embedding profile is set. It never falls back in silence (K11)."""

    exit_code = 3


class LibraryBusy(LibraryError):
    """Another process kept the library locked for longer than the time allowed."""

    exit_code = 5


class CommitRefused(TalekeeperError):
    """A commit that would break the store's own invariants (a taken id, evidence that doesn't match its unit)."""

    who = "bug"
