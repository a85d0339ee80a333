"""What a reader hands over, and its account of every row: nothing a file holds may vanish without a line here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from talekeeper.memory.models import Language, Role, UnitDraft

EXCERPT_CHARS = 80


@dataclass(frozen=True, slots=True)
class Damage:
    """A row that couldn't be read. ``line`` is 1-based: a line, an entry of a JSON array, or a file of a folder."""

    line: int
    reason: str
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class ReadReport:
    """How the rows of a source add up: ``rows == header + messages + len(damaged) + blank + left_out``.

    Attributes:
        rows: lines of JSONL, entries of a JSON list, messages of a transcript, chapters, or files of a folder.
        header: rows that describe the chat or book (a SillyTavern header, a table of contents).
        messages: rows that became messages of units.
        blank: empty rows; left_out: rows that are no part of the story (a README beside the chapters).
        hidden: messages that their owner took out of the prompt; system: notices of the chat program, tools, prompts.
        uncurated: messages whose text is empty once reasoning, status blocks, HTML and code are taken out.
        swipes: rejected alternatives of replies, never curated.
        notices: what a reader of this report should know, one sentence each.
        speakers: messages by name, in order of first appearance, story rows only.
        known_names: names that the file declares or uses: a start for look-ups.
        first_date, last_date: earliest and latest date as ISO 8601 (local time where the file names no zone).
        encoding: of the file, as decoded.
    """

    rows: int
    messages: int
    header: int = 0
    blank: int = 0
    left_out: int = 0
    hidden: int = 0
    system: int = 0
    uncurated: int = 0
    swipes: int = 0
    damaged: tuple[Damage, ...] = ()
    notices: tuple[str, ...] = ()
    speakers: Mapping[str, int] = field(default_factory=dict)
    known_names: tuple[str, ...] = ()
    first_date: str | None = None
    last_date: str | None = None
    encoding: str = "utf-8"

    @property
    def balanced(self) -> bool:
        """Whether every row is accounted for."""
        return self.rows == self.header + self.messages + len(self.damaged) + self.blank + self.left_out

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON-able values."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return values | {
            "damaged": [{"line": d.line, "reason": d.reason, "excerpt": d.excerpt} for d in self.damaged],
            "notices": list(self.notices),
            "speakers": dict(self.speakers),
            "known_names": list(self.known_names),
        }


@dataclass(frozen=True, slots=True)
class SourceStory:
    """One story as read: its units in order, ready to be added to a library."""

    title: str
    language: Language
    format: str
    units: tuple[UnitDraft, ...]
    report: ReadReport


@dataclass(slots=True)
class Row:
    """One row as a reader understood it, before cleaning. ``notice`` marks what is no part of the story.

    ``session`` groups rows that belong to one sitting, where the format says so.
    """

    role: Role
    name: str
    raw: str
    hidden: bool = False
    notice: bool = False
    sent_at: str | None = None
    line: int | None = None
    session: str | None = None


@dataclass(slots=True)
class Chat:
    """What a chat reader found in a file: rows in order and the account of everything that isn't one."""

    format: str
    title: str
    rows: list[Row] = field(default_factory=list)
    total: int = 0
    header: int = 0
    blank: int = 0
    swipes: int = 0
    damaged: list[Damage] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    user_name: str = ""
    character_name: str = ""
    declared_names: list[str] = field(default_factory=list)

    def damage(self, line: int, reason: str, text: str = "") -> None:
        """Account for a row that can't be read."""
        self.damaged.append(Damage(line, reason, excerpt(text)))


def excerpt(text: str, limit: int = EXCERPT_CHARS) -> str:
    """The start of ``text`` on one line, at most ``limit`` characters."""
    flat = " ".join(text[: limit * 4].split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def shown(value: object) -> str:
    """The start of a JSON value for an excerpt, however deeply it's nested."""
    try:
        return json.dumps(value, ensure_ascii=False)[:400]
    except (RecursionError, ValueError):
        return f"a {type(value).__name__}"


def listed(names: Sequence[str], limit: int = 5) -> str:
    """Names for a message: the first few, and how many more there are."""
    shown = ", ".join(names[:limit])
    return f"{shown} and {len(names) - limit} more" if len(names) > limit else shown
