"""One story: its units and commits go in here, and readers of it come out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from talekeeper.memory import dispatches, fulltext, history, leases, source_reports, tables
from talekeeper.memory.commits import CommitWriter, column, now
from talekeeper.memory.context import StoryContext
from talekeeper.memory.errors import CommitRefused
from talekeeper.memory.leases import Lease
from talekeeper.memory.lineage import load_lineage
from talekeeper.memory.models import AddReport, Commit, CommitDraft, Language, SourceRecord, StoryInfo, Unit, UnitDraft
from talekeeper.memory.reader import Reader
from talekeeper.memory.schema import Schema, default_schema
from talekeeper.memory.sqlite import Database
from talekeeper.memory.text import terms
from talekeeper.memory.units import STEP, Placed, align, cleaned, pack_messages, positions_for, unit_of, visible_units

if TYPE_CHECKING:
    from talekeeper.memory.library import Library

MAIN = "main"


class Story:
    """A handle on one story at the head of one worldline. Made by ``Library``; safe to share between threads.

    Attributes:
        id, title, language, source, settings, schema, created_at: as given when the story was created.
        library: the library it lies in.
        worldline: name of the worldline that this handle reads and writes.
    """

    def __init__(self, library: Library, database: Database, row: Any, worldline: str = MAIN) -> None:
        self.library = library
        self.id: int = row.id
        self.title: str = row.title
        self.language: Language = row.language
        self.source: str = row.source
        self.created_at: str = row.created_at
        self.settings: Mapping[str, Any] = json.loads(row.settings)
        self.schema: Schema = default_schema().extended(row.schema_yaml) if row.schema_yaml else default_schema()
        self.worldline = worldline
        self._database = database
        self._lease: Lease | None = None
        line = tables.worldline
        with database.reading() as connection:
            own = sa.select(line.c.id).where(line.c.story_id == self.id, line.c.name == worldline)
            worldline_id = int(connection.execute(own).scalar_one())
            lineage = load_lineage(connection, worldline_id)
        self._context = StoryContext(database, self.id, worldline_id, self.schema, lineage)

    @property
    def rule_settings(self) -> Mapping[str, Any]:
        """Severity by rule id, as the story's settings have them under ``rules``."""
        return dict(self.settings.get("rules") or {})

    @property
    def head_seq(self) -> int:
        """Number of the story's last commit; 0 before the first."""
        row = tables.commit
        with self._database.reading() as connection:
            last = sa.select(sa.func.max(row.c.seq)).where(row.c.story_id == self.id)
            return connection.execute(last).scalar() or 0

    def reader(self, *, at: int | None = None) -> Reader:
        """A view of this worldline: of the head, going on as commits land, or as of turn ``at`` (0 = before all)."""
        lineage = self._context.lineage
        if at is not None:
            with self._database.reading() as connection:
                lineage = lineage.cut(self._context.turns(connection).position(at))
        return Reader(self._context, lineage)

    # units

    def add_units(self, drafts: Sequence[UnitDraft]) -> AddReport:
        """Adds a file's units, lined up by content with what is there; one transaction.

        A grown file is appended, an edited unit becomes a new version at its place, and stored units that the file
        lacks are counted and stay.
        """
        given = [cleaned(draft) for draft in drafts]
        with self._database.writing() as connection:
            leases.guard(connection, self.id, self.title, self._lease)
            unit = tables.unit
            columns = (unit.c.position, unit.c.content_hash, unit.c.source, unit.c.number)
            there = [Placed(*row) for row in connection.execute(visible_units(self._context.lineage, *columns))]
            plan = align(there, given)
            last = sa.select(sa.func.max(unit.c.number)).where(unit.c.story_id == self.id)
            number = (connection.execute(last).scalar() or 0) + 1
            rows: list[dict[str, Any]] = []
            by_place: dict[int, list[UnitDraft]] = {}
            for draft, before in plan.inserted:
                by_place.setdefault(before, []).append(draft)
            for before, group in by_place.items():
                for draft, position in zip(group, positions_for(there, before, len(group)), strict=True):
                    rows.append(self._unit_row(draft, position, number, 1))
                    number += 1
            added = [row["ref"] for row in rows]
            for draft, place in plan.changed:
                newest = sa.select(sa.func.max(unit.c.revision))
                newest = newest.where(unit.c.story_id == self.id, unit.c.number == place.number)
                revision = int(connection.execute(newest).scalar_one()) + 1
                rows.append(self._unit_row(draft, place.position, place.number, revision))
            self._insert_units(connection, rows)
        self._context.forget_units()
        units = tuple(self._context.units(row["ref"] for row in rows))
        return AddReport(units[: len(added)], plan.kept, units[len(added) :], plan.missing)

    def append_unit(self, draft: UnitDraft) -> Unit:
        """Adds one unit at the end, as a turn is played; the last unit delivered again is that unit, not a new one."""
        given = cleaned(draft)
        with self._database.writing() as connection:
            leases.guard(connection, self.id, self.title, self._lease)
            unit = tables.unit
            columns = (unit.c.position, unit.c.content_hash, unit.c.ref)
            newest = visible_units(self._context.lineage, *columns).order_by(None).order_by(unit.c.position.desc())
            last = connection.execute(newest.limit(1)).first()
            if last is not None and last.content_hash == given.content_hash:
                ref = last.ref
            else:
                highest = sa.select(sa.func.max(unit.c.number)).where(unit.c.story_id == self.id)
                number = (connection.execute(highest).scalar() or 0) + 1
                row = self._unit_row(given, (last.position if last else 0) + STEP, number, 1)
                self._insert_units(connection, [row])
                ref = row["ref"]
        self._context.forget_units()
        return self._read_units(tables.unit.c.ref == ref)[0]

    def _unit_row(self, draft: UnitDraft, position: int, number: int, revision: int) -> dict[str, Any]:
        return {
            "story_id": self.id,
            "worldline_id": self._context.worldline_id,
            "position": position,
            "number": number,
            "revision": revision,
            "ref": f"u{number}" if revision == 1 else f"u{number}.{revision}",
            "content_hash": draft.content_hash,
            "kind": draft.kind,
            "title": column(draft.title),
            "messages": pack_messages(draft.messages),
            "source": column(draft.source),
            "created_at": now(),
            "text": draft.text,
        }

    def _insert_units(self, connection: sa.Connection, rows: Sequence[dict[str, Any]]) -> None:
        for row in rows:
            values = {name: value for name, value in row.items() if name != "text"}
            key = connection.execute(sa.insert(tables.unit), values).inserted_primary_key
            assert key is not None
            entry = ("unit", int(key[0]))
            fulltext.add(connection, self.id, [(entry, terms(f"{row['title']}\n{row['text']}"))])

    def _read_units(self, *conditions: sa.ColumnElement[bool]) -> list[Unit]:
        statement = visible_units(self._context.lineage).where(*conditions)
        with self._database.reading() as connection:
            turns = self._context.turns(connection)
            return [unit_of(row, turns.turn(row.position)) for row in connection.execute(statement)]

    def units(self, *, start: int = 1, end: int | None = None) -> list[Unit]:
        """Units of turns ``start`` to ``end`` (both included, 1-based), each in its newest version, in story order."""
        return self._read_units(*self._between(start, end))

    def uncurated(self, *, start: int = 1, end: int | None = None) -> list[Unit]:
        """Those of ``units`` that no visible facts commit rests on in exactly this version."""
        return self._read_units(*self._between(start, end), self._is_uncurated())

    def uncurated_count(self) -> int:
        """How many units ``uncurated`` would return, without reading them."""
        counted = visible_units(self._context.lineage, sa.func.count()).order_by(None)
        with self._database.reading() as connection:
            return int(connection.execute(counted.where(self._is_uncurated())).scalar_one())

    def curated(self, units: Sequence[Unit]) -> frozenset[str]:
        """Refs of those units that a visible facts commit rests on in exactly this version."""
        covered, commit = tables.commit_unit, tables.commit
        found = (
            sa.select(covered.c.unit_id)
            .join(commit, commit.c.seq == covered.c.commit_seq)
            .where(covered.c.unit_id.in_([unit.id for unit in units]), covered.c.kind == "facts")
            .where(self._context.lineage.visible(commit))
        )
        with self._database.reading() as connection:
            ids = set(connection.execute(found).scalars())
        return frozenset(unit.ref for unit in units if unit.id in ids)

    def _is_uncurated(self) -> sa.ColumnElement[bool]:
        covered, commit = tables.commit_unit, tables.commit
        return ~(
            sa.exists()
            .where(covered.c.unit_id == tables.unit.c.id, covered.c.kind == "facts")
            .where(commit.c.seq == covered.c.commit_seq, self._context.lineage.visible(commit))
        )

    def _between(self, start: int, end: int | None) -> list[sa.ColumnElement[bool]]:
        with self._database.reading() as connection:
            turns = self._context.turns(connection)
            low = turns.position(start - 1)
            conditions = [tables.unit.c.position > low if start > 1 else sa.true()]
            if end is not None:
                conditions.append(tables.unit.c.position <= turns.position(end))
        return conditions

    def unit(self, ref: str) -> Unit:
        """A unit version by its ref, superseded ones too.

        Raises:
            NotFound: the story has no such unit.
        """
        return self._context.unit(ref)

    def unit_count(self) -> int:
        """Turns or chapters along this worldline."""
        with self._database.reading() as connection:
            return len(self._context.turns(connection))

    def record_source(self, place: str, report: Mapping[str, Any]) -> None:
        """Keeps what was read from ``place`` (JSON-able counts); the same report again adds nothing."""
        with self._database.writing() as connection:
            leases.guard(connection, self.id, self.title, self._lease)
            source_reports.record(connection, self.id, place, report)

    def sources(self) -> list[SourceRecord]:
        """The newest report of every place that the story was read from, in the order of their first reading."""
        with self._database.reading() as connection:
            return source_reports.newest(connection, self.id)

    def info(self) -> StoryInfo:
        """This story's line in a table of contents."""
        commit = tables.commit
        with self._database.reading() as connection:
            visible = sa.and_(commit.c.story_id == self.id, self._context.lineage.visible(commit))
            commits = int(connection.execute(sa.select(sa.func.count()).where(visible)).scalar_one())
        units, open_ = self.unit_count(), self.uncurated_count()
        return StoryInfo(
            self.id, self.title, self.language, self.source, self.created_at, units, units - open_, commits
        )

    # commits

    def commit(self, draft: CommitDraft) -> Commit:
        """Stores a draft whole, or nothing of it. The same ``key`` again returns the commit that is there.

        Raises:
            StaleBase: the story moved on from ``base_seq``, or the batch is curated already.
            StoryLocked: another process holds the story's lease.
            CommitRefused: the draft contradicts the store (a bug of the writer).
        """
        with self._database.writing() as connection:
            leases.guard(connection, self.id, self.title, self._lease)
            there = history.commit_by_key(connection, self.id, draft.key)
            if there is not None:
                return there
            try:
                return CommitWriter(connection, self._context, draft).write()
            except (TypeError, ValueError) as error:
                raise CommitRefused(f"The commit {draft.key!r} holds what JSON can't: {error}.") from error

    def commit_by_key(self, key: str) -> Commit | None:
        """The commit of that key, if it landed."""
        with self._database.reading() as connection:
            return history.commit_by_key(connection, self.id, key)

    @contextmanager
    def lease(self, owner: str) -> Iterator[Lease]:
        """The right to write this story, for as long as the block lasts; every commit renews it.

        Raises:
            StoryLocked: another process, or another handle of this one, has it; the message names the holder.
        """
        with self._database.writing() as connection:
            lease = leases.acquire(connection, self.id, self.title, column(owner))
        self._lease = lease
        try:
            yield lease
        finally:
            self._lease = None
            with self._database.writing() as connection:
                leases.release(connection, lease)

    # dispatches

    def open_dispatch(self, dispatch_id: str, batch_refs: Sequence[str]) -> None:
        """Notes that a dispatch has begun, so that it's finished after a crash. Again with the same id: nothing."""
        with self._database.writing() as connection:
            leases.guard(connection, self.id, self.title, self._lease)
            dispatches.open_dispatch(connection, self.id, self._context.worldline_id, dispatch_id, batch_refs)

    def close_dispatch(self, dispatch_id: str, report: Mapping[str, Any]) -> None:
        """Notes that a dispatch has ended, and what it reported (JSON-able). The first report stays.

        Raises:
            NotFound: no such dispatch was opened.
        """
        with self._database.writing() as connection:
            leases.guard(connection, self.id, self.title, self._lease)
            dispatches.close_dispatch(connection, self.id, dispatch_id, report)

    def pending_dispatches(self) -> list[tuple[str, tuple[str, ...]]]:
        """Dispatches that were opened and not closed, oldest first, with the refs of their batches."""
        with self._database.reading() as connection:
            return dispatches.pending(connection, self.id, self._context.worldline_id)

    def dispatch_report(self, dispatch_id: str) -> Mapping[str, Any] | None:
        """The report of a closed dispatch; None while it's open, or unknown."""
        with self._database.reading() as connection:
            return dispatches.report(connection, self.id, dispatch_id)
