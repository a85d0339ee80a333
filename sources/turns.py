"""Messages to units: what is curated at once.

A turn is what the user wrote and what followed, up to the user's next message; what stands before the first of them (a
greeting) is a unit of its own. Where nobody is the user (two agents, a group left to itself), a unit is a run of some
messages within one sitting. Units are cut left to right, so a chat that grows keeps all of them but the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from talekeeper.memory.models import Message, UnitDraft
from talekeeper.sources.dates import is_new_sitting

MAX_MESSAGES = 12
_FULL_MESSAGES = 8
_FULL_CHARS = 2400

Breaks = Callable[[int], bool]


def to_turns(messages: Sequence[Message], sessions: Sequence[str | None], source: str) -> tuple[UnitDraft, ...]:
    """The units of a chat, every message in exactly one, in order.

    Args:
        messages: all rows in order; those without text stay inside a unit as raw.
        sessions: for each message the sitting that it belongs to, None where the format doesn't tell.
        source: name of the file, for the units' ``source`` (``file:first-last`` line).

    A run without any curated text joins the unit before it (the first unit, where it opens the chat), since there is
    nothing in it to curate. At most ``MAX_MESSAGES`` messages with text are in one unit.
    """
    if not messages:
        return ()
    if any(message.role == "user" for message in messages):
        starts = _starts_by_user(messages)
    else:
        starts = _starts_without_user(messages, sessions)
    runs = [list(messages[start:end]) for start, end in zip(starts, [*starts[1:], len(messages)], strict=True)]
    return tuple(UnitDraft("turn", tuple(run), source=_source(run, source)) for run in _with_text(runs))


def _starts_by_user(messages: Sequence[Message]) -> list[int]:
    starts = [0]
    texts, replied = 0, True
    for index, message in enumerate(messages):
        opens = message.role == "user" and replied
        if index and (opens or (texts >= MAX_MESSAGES and message.text)):
            starts.append(index)
            texts = 0
        if message.role == "user":
            replied = False
        elif message.role != "system":
            replied = True
        texts += bool(message.text)
    return starts


def _starts_without_user(messages: Sequence[Message], sessions: Sequence[str | None]) -> list[int]:
    """Cut at sittings (by session, else by a gap of six hours), and within one when a unit is full.

    A full unit waits for the speaker who opened it, so that an exchange isn't cut between question and answer.
    """
    starts = [0]
    texts = chars = 0
    opener = messages[0].name
    last_date: str | None = None
    for index, message in enumerate(messages):
        new_sitting = index > 0 and (
            sessions[index] != sessions[index - 1] or is_new_sitting(last_date, message.sent_at)
        )
        full = texts >= _FULL_MESSAGES or (chars >= _FULL_CHARS and texts >= 2)
        if message.text and index and (new_sitting or texts >= MAX_MESSAGES or (full and message.name == opener)):
            starts.append(index)
            texts, chars, opener = 0, 0, message.name
        last_date = message.sent_at or last_date
        texts += bool(message.text)
        chars += len(message.text)
    return starts


def _with_text(runs: list[list[Message]]) -> list[list[Message]]:
    joined: list[list[Message]] = []
    waiting: list[Message] = []
    for run in runs:
        if any(message.text for message in run):
            joined.append([*waiting, *run])
            waiting = []
        elif joined:
            joined[-1] += run
        else:
            waiting += run
    if waiting:
        joined.append(waiting)
    return joined


def _source(run: Sequence[Message], source: str) -> str:
    lines = [message.line for message in run if message.line is not None]
    return f"{source}:{lines[0]}-{lines[-1]}" if lines else source
