"""Units in and out of the store, and how a file read again lines up with what is there.

Alignment goes by content hash: what is equal stays, what stands in its place with another hash is a new version at the
same position, what is new goes between its neighbours, what the file lacks stays. Nothing ever moves.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.errors import InputError
from talekeeper.memory.lineage import Lineage, other
from talekeeper.memory.models import Message, Unit, UnitDraft
from talekeeper.memory.text import clean

STEP = 2**32
"""Distance between neighbouring positions: room for 32 insertions at one spot, and for 2**29 units."""


def cleaned(draft: UnitDraft) -> UnitDraft:
    """The draft with text that can be stored; the same object where nothing was wrong."""
    texts = [draft.title, draft.source]
    for message in draft.messages:
        texts += [message.name, message.text, message.raw, message.sent_at or ""]
    if all(text.isascii() or clean(text) is text for text in texts):
        return draft
    messages = tuple(
        replace(m, name=clean(m.name), text=clean(m.text), raw=clean(m.raw), sent_at=m.sent_at and clean(m.sent_at))
        for m in draft.messages
    )
    return UnitDraft(draft.kind, messages, clean(draft.title), clean(draft.source))


def pack_messages(messages: Sequence[Message]) -> str:
    """Messages as JSON; a text equal to its raw form is stored once."""
    rows = [[m.role, m.name, None if m.text == m.raw else m.text, m.raw, m.hidden, m.sent_at, m.line] for m in messages]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def unpack_messages(packed: str) -> tuple[Message, ...]:
    return tuple(
        Message(role, name, raw if text is None else text, raw, hidden, sent_at, line)
        for role, name, text, raw, hidden, sent_at, line in json.loads(packed)
    )


def unit_of(row: Any, turn: int) -> Unit:
    """A unit from its row."""
    return Unit(
        kind=row.kind,
        messages=unpack_messages(row.messages),
        title=row.title,
        source=row.source,
        id=row.id,
        ref=row.ref,
        turn=turn,
        position=row.position,
    )


@dataclass(frozen=True, slots=True)
class Placed:
    """A stored unit version as alignment needs it."""

    position: int
    content_hash: str
    source: str
    number: int


def visible_units(
    lineage: Lineage, *columns: sa.ColumnElement[Any], among: sa.ColumnElement[bool] | None = None
) -> sa.Select[*tuple[Any, ...]]:
    """The newest version at every position of the chain, in story order; restrict it further at will.

    Args:
        among: which units to look at (by id or ref); None = walk the whole chain.
    """
    unit, row = tables.unit, other(tables.unit)
    newest = (
        sa.select(row.c.id)
        .where(row.c.position == unit.c.position, lineage.visible(row, unit.c.position))
        .order_by(*lineage.newest_first(row, "id"))
        .limit(1)
        .scalar_subquery()
    )
    walked = lineage.visible(unit) if among is None else among
    return sa.select(*(columns or (unit,))).where(walked, unit.c.id == newest).order_by(unit.c.position)


@dataclass(frozen=True, slots=True)
class Alignment:
    """How drafts fit a story: ``kept`` are equal, ``changed`` new versions, ``inserted`` new (after which place)."""

    kept: int
    changed: tuple[tuple[UnitDraft, Placed], ...]
    inserted: tuple[tuple[UnitDraft, int], ...]
    missing: int


def align(there: Sequence[Placed], drafts: Sequence[UnitDraft]) -> Alignment:
    """Lines up drafts with the stored units; an index in ``inserted`` counts the stored units that come before."""
    old = [placed.content_hash for placed in there]
    new = [draft.content_hash for draft in drafts]
    if there and drafts and not set(old) & set(new) and not {p.source for p in there} & {d.source for d in drafts}:
        return Alignment(0, (), tuple((draft, len(old)) for draft in drafts), 0)  # another file goes on with the story
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    kept, missing = head, 0
    changed: list[tuple[UnitDraft, Placed]] = []
    inserted: list[tuple[UnitDraft, int]] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old[head:], new[head:], autojunk=False).get_opcodes():
        gone, come = range(head + i1, head + i2), range(head + j1, head + j2)
        if tag == "equal":
            kept += len(gone)
            continue
        both = min(len(gone), len(come))
        changed += [(drafts[j], there[i]) for i, j in zip(gone[:both], come[:both], strict=True)]
        inserted += [(drafts[j], head + i2) for j in come[both:]]
        missing += len(gone) - both
    return Alignment(kept, tuple(changed), tuple(inserted), missing)


def positions_for(there: Sequence[Placed], before: int, count: int) -> list[int]:
    """``count`` free positions after the first ``before`` stored units.

    Raises:
        InputError: the gap is used up.
    """
    low = there[before - 1].position if before else 0
    if before == len(there):
        return [low + STEP * (i + 1) for i in range(count)]
    gap = there[before].position - low
    if gap <= count:
        raise InputError(
            f"No room for {count} units between turn {before} and {before + 1}.", hint="Add them at the end."
        )
    return [low + gap * (i + 1) // (count + 1) for i in range(count)]


@lru_cache(maxsize=64)
def _new_units(lineage: Lineage) -> sa.Select[Any]:
    """Units of the chain stored after number ``seen``."""
    unit = tables.unit
    return (
        sa.select(unit.c.id, unit.c.position)
        .where(unit.c.worldline_id.in_([s.worldline for s in lineage.segments]), unit.c.id > sa.bindparam("seen"))
        .where(lineage.visible(unit))
        .order_by(unit.c.id)
    )


class TurnTable:
    """Position ↔ turn number along one chain, kept current by reading only what is new."""

    def __init__(self) -> None:
        self._positions: list[int] = []
        self._seen = 0

    def refresh(self, connection: sa.Connection, lineage: Lineage) -> None:
        for row in connection.execute(_new_units(lineage), {"seen": self._seen}).all():
            at = bisect_left(self._positions, row.position)
            if at == len(self._positions) or self._positions[at] != row.position:
                self._positions.insert(at, row.position)
            self._seen = row.id

    def turn(self, position: int) -> int:
        """The 1-based turn at ``position``, or the one before it."""
        return bisect_left(self._positions, position + 1)

    def position(self, turn: int) -> int:
        """The position of a turn; 0 before the first, the last one's beyond the end."""
        if turn <= 0 or not self._positions:
            return 0
        return self._positions[min(turn, len(self._positions)) - 1]

    def __len__(self) -> int:
        return len(self._positions)
