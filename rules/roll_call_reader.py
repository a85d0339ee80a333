"""Reads a roll-call out of a response, line by line.

Each line is a heading, a ``- `` entry, or a detail of the entry before it; the reader keeps where it stands and never
looks back. What it can't place inside a section of characters or places is shorthand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, cast

from talekeeper.memory.models import Language
from talekeeper.memory.text import fold
from talekeeper.rules.lexicon import RollCallLabels, lexicon
from talekeeper.rules.roll_call import outline
from talekeeper.rules.scan import lines
from talekeeper.rules.subjects import (
    ActiveThreadEntry,
    Decision,
    EntityEntry,
    FieldChange,
    NewThreadEntry,
    RollCall,
    ThreadDecision,
)

_DRESS = " \t#*_>`"
_ID = re.compile(r"[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+")
_DECISION = re.compile(r"(SKIP|EDIT|CREATE|RESOLVED|ABANDONED)\b[\s:：,，\-—]*", re.IGNORECASE)
_QUOTED_START = re.compile(r'\s*"')
_NUMBER = re.compile(r"[123１２３]")
Part = Literal["", "characters", "locations", "threads", "active"]


@dataclass
class _Draft:
    """One entry while its lines are read."""

    part: Part
    name: str
    node_id: str = ""
    title_hits: tuple[str, ...] = ()
    alias_hits: tuple[str, ...] = ()
    decision: str = "SKIP"
    target: str | None = None
    category: int | None = None
    changes: list[FieldChange] = field(default_factory=list)
    reason: str = ""


def read_roll_call(text: str, language: Language) -> RollCall:
    """See ``roll_call.parse``."""
    labels = lexicon(language).roll_call
    start = max((text.find(h) + len(h) for h in labels.header if h in text), default=0)
    end = text.find("<thought>", start)
    reader = _Reader(labels)
    for line in lines(text, start, len(text) if end < 0 else end):
        bare = line.text.strip(_DRESS) if not line.text.lstrip().startswith("* ") else line.text.strip()
        if bare:
            reader.take(bare)
    return reader.result()


class _Reader:
    def __init__(self, labels: RollCallLabels) -> None:
        self.labels = labels
        self.part: Part = ""
        self.drafts: list[_Draft] = []
        self.shorthand: list[str] = []
        self.said_no_active = False

    def take(self, bare: str) -> None:
        """One line without its indentation."""
        if bare.startswith("- "):
            self._entry(bare[2:].strip())
        elif not self._heading(bare) and not self._detail(bare):
            self._loose(bare)

    def _heading(self, bare: str) -> bool:
        parts: tuple[tuple[Part, tuple[str, ...]], ...] = (
            ("active", self.labels.active),
            ("characters", self.labels.characters),
            ("locations", self.labels.locations),
            ("threads", self.labels.threads),
        )
        for part, names in parts:
            rest = _after_label(bare, names)
            if rest is None:
                continue
            self.part = part
            empty = _is_one_of(rest, (*self.labels.empty, *self.labels.no_active))
            if part == "active" and empty:
                self.said_no_active = True
            elif rest and not empty and part in ("characters", "locations"):
                self.shorthand.append(rest)
            return True
        return False

    def _entry(self, rest: str) -> None:
        if self.part == "active" or (self.part == "threads" and _ID.match(rest.removeprefix("thread_id").lstrip())):
            self._active_entry(rest)
            return
        name = _after_label(rest, self.labels.name)
        if self.part == "":
            return
        if name is None:
            head, colon, tail = _partition_colon(rest)
            if not colon or _DECISION.match(tail.strip()) is None:
                if self.part in ("characters", "locations"):
                    self.shorthand.append(rest)
                return
            self.drafts.append(_Draft(self.part, outline(head)))
            self._decide(tail)
            return
        self.drafts.append(_Draft(self.part, outline(name)))

    def _active_entry(self, rest: str) -> None:
        rest = rest.removeprefix("thread_id").lstrip()
        match = _ID.match(rest)
        if match is None:
            self.said_no_active = self.said_no_active or _is_one_of(rest, (*self.labels.empty, *self.labels.no_active))
            return
        title, tail = _title_and_rest(rest[match.end() :].lstrip())
        self.drafts.append(_Draft("active", title, node_id=match[0]))
        self._decide(tail.lstrip(" :："))

    def _detail(self, bare: str) -> bool:
        if not self.drafts:
            return False
        draft, labels = self.drafts[-1], self.labels
        if (rest := _after_label(bare, labels.lookup)) is not None:
            draft.title_hits = _ids_after(rest, labels.title_hits)
            draft.alias_hits = _ids_after(rest, labels.alias_hits)
        elif (rest := _after_label(bare, labels.decision)) is not None:
            self._decide(rest)
        elif (rest := _after_label(bare, labels.reason)) is not None:
            draft.reason = outline(rest)
        elif (rest := _after_label(bare, labels.changes)) is not None:
            draft.changes += _changes(rest, labels)
        elif bare.startswith("* "):
            draft.changes += _changes(bare[2:], labels)
        else:
            return False
        return True

    def _loose(self, bare: str) -> None:
        if self.part in ("characters", "locations") and not _is_one_of(bare, self.labels.empty):
            self.shorthand.append(bare)
        elif self.part in ("threads", "active") and _is_one_of(bare, self.labels.no_active):
            self.said_no_active = True

    def _decide(self, text: str) -> None:
        """``EDIT char_3 (identity: "a" → "b"; 原因: …)`` and its shorter relatives."""
        draft = self.drafts[-1]
        match = _DECISION.match(text.strip())
        if match is None:
            draft.decision = text.strip() or draft.decision
            return
        draft.decision = match[1].upper()
        rest = text.strip()[match.end() :]
        if draft.part == "active":
            low = rest.lower()
            for status in ("resolved", "abandoned"):
                if low.startswith((f"status={status}", f"status = {status}", status)):
                    draft.decision = status.upper()
                    rest = rest[low.index(status) + len(status) :]
            rest = rest.removeprefix("note")
        elif (found := _ID.match(rest)) is not None:
            draft.target, rest = found[0], rest[found.end() :]
        self._bracket(draft, rest.strip())

    def _bracket(self, draft: _Draft, rest: str) -> None:
        inner = rest[1:-1] if rest[:1] in ("(", "（") and rest[-1:] in (")", "）") else rest
        if not inner:
            return
        if any(name.lower() in inner.lower() for name in self.labels.category) and (digit := _NUMBER.search(inner)):
            draft.category = int(digit[0])
        reason_at = _label_position(inner, self.labels.reason)
        if reason_at is not None:
            draft.changes += _changes(inner[: reason_at[0]].rstrip(" ,，;；"), self.labels)
            draft.reason = outline(inner[reason_at[1] :])
            return
        found = _changes(inner, self.labels)
        draft.changes += found
        if not found and (draft.category is None or len(inner) > 8):
            draft.reason = draft.reason or outline(inner)

    def result(self) -> RollCall:
        return RollCall(
            characters=tuple(_entity(d) for d in self.drafts if d.part == "characters"),
            locations=tuple(_entity(d) for d in self.drafts if d.part == "locations"),
            new_threads=tuple(
                NewThreadEntry(d.name, "CREATE" if d.decision == "CREATE" else "SKIP", d.category, d.reason)
                for d in self.drafts
                if d.part == "threads"
            ),
            active_threads=tuple(
                ActiveThreadEntry(d.node_id, d.name, cast(ThreadDecision, d.decision), d.reason)
                for d in self.drafts
                if d.part == "active"
            ),
            said_no_active=self.said_no_active,
            shorthand="; ".join(self.shorthand),
        )


def _entity(draft: _Draft) -> EntityEntry:
    return EntityEntry(
        draft.name,
        draft.title_hits,
        draft.alias_hits,
        cast(Decision, draft.decision),
        draft.target,
        tuple(draft.changes),
        draft.reason,
    )


def _after_label(text: str, names: Iterable[str]) -> str | None:
    """What follows ``name:`` at the start of ``text`` (a bracketed remark may stand before the colon)."""
    low = text.lower()
    for name in names:
        if not low.startswith(name.lower()):
            continue
        rest = text[len(name) :].lstrip(" *_`")
        if rest[:1] in ("(", "（"):
            close = min((at for c in ")）" if (at := rest.find(c)) >= 0), default=-1)
            rest = rest[close + 1 :].lstrip(" *_`") if 0 <= close < 80 else rest
        if rest[:1] in (":", "：") and rest:
            return rest[1:].strip(" \t*_`")
    return None


def _label_position(text: str, names: Iterable[str]) -> tuple[int, int] | None:
    """Span of the first ``name:`` anywhere in ``text``."""
    found = [(at, at + len(name) + 1) for name in names for colon in ":：" if (at := text.find(f"{name}{colon}")) >= 0]
    return min(found, default=None)


def _is_one_of(text: str, words: Iterable[str]) -> bool:
    bare = fold(text.strip().strip("()（）。.,，")) if len(text) < 40 else text
    return bare in {fold(word.strip("()（）")) for word in words}


def _partition_colon(text: str) -> tuple[str, str, str]:
    cut = min((at for c in ":：" if (at := text.find(c)) >= 0), default=-1)
    return (text, "", "") if cut < 0 else (text[:cut], text[cut], text[cut + 1 :])


def _title_and_rest(text: str) -> tuple[str, str]:
    """A quoted title and what follows it, or everything up to the first colon."""
    if text.startswith('"'):
        try:
            title, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            close = text.find('"', 1)
            return (text[1:close], text[close + 1 :]) if close > 0 else (text, "")
        return str(title), text[end:]
    for pair in ("“”", "「」", "《》"):
        close = text.find(pair[1])
        if text.startswith(pair[0]) and close > 0:
            return text[1:close], text[close + 1 :]
    head, _, tail = _partition_colon(text)
    return head.strip(), tail


def _ids_after(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The node ids after ``name =`` up to the next ``;``."""
    for name in names:
        at = text.lower().find(name.lower())
        if at < 0:
            continue
        rest = text[at + len(name) :].lstrip()
        if rest[:1] not in ("=", ":", "：") or not rest:
            continue
        stop = min((cut for c in ";；" if (cut := rest.find(c)) >= 0), default=len(rest))
        listed = re.split("[(（]", rest[1:stop], maxsplit=1)[0]
        return tuple(dict.fromkeys(_ID.findall(listed)))
    return ()


def _changes(text: str, labels: RollCallLabels) -> list[FieldChange]:
    """``field: "before" → "after"`` pieces; without quotes each piece ends at ``;``."""
    text = _after_label(text, labels.changes) or text
    changes: list[FieldChange] = []
    at = 0
    while at < len(text):
        piece, at = _piece(text, at)
        arrow = next(((cut, word) for word in labels.into if (cut := piece.find(word)) >= 0), None)
        if arrow is None:
            continue
        head, after = piece[: arrow[0]], piece[arrow[0] + len(arrow[1]) :]
        name, colon, before = _partition_colon(head)
        if not colon:
            name, _, before = head.strip().partition(" ")
        changes.append(FieldChange(outline(name), outline(before.strip().removeprefix("从").strip()), outline(after)))
    return changes


def _piece(text: str, at: int) -> tuple[str, int]:
    """The next piece up to a ``;`` that stands outside JSON strings."""
    quoted = False
    begin = at
    while at < len(text):
        if text[at] == "\\" and quoted:
            at += 1
        elif text[at] == '"':
            quoted = not quoted
        elif text[at] in ";；" and not quoted:
            return text[begin:at], at + 1
        at += 1
    return text[begin:], at
