"""A desk: one story, its write lease, its voices and its checkpoints, open for as long as dispatches run.

A dispatch's id is made from the story, the worldline, the units' hashes and the voices' fingerprint. So the same batch
given twice is one dispatch, a killed run finds its checkpoint again, and a finished one answers with its report.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from talekeeper.agents.protocols import Voices
from talekeeper.agents.voices import resolve_voice
from talekeeper.graph.build import build_curator
from talekeeper.graph.leniency import rule_book
from talekeeper.graph.reports import DispatchReport
from talekeeper.graph.state import CuratorContext
from talekeeper.memory.errors import InputError, LibraryDamaged, StaleBase
from talekeeper.memory.models import Unit
from talekeeper.memory.sqlite import translated
from talekeeper.memory.story import Story
from talekeeper.tools.session import DispatchSession

OnStep = Callable[[str], None]
"""Told the name of each step once it is done. (Streaming ``custom`` events would start two threads a step.)"""
_STEP_LIMIT = 10_000


class Desk:
    """Runs dispatches of one story. Make one with ``open_desk``."""

    def __init__(self, story: Story, context: CuratorContext, saver: SqliteSaver) -> None:
        self.story = story
        self._context = context
        self._saver = saver
        self._graph = build_curator(saver)

    def dispatch_id(self, units: Sequence[Unit]) -> str:
        """The id that a dispatch of exactly these units has with these voices."""
        parts = [str(self.story.id), self.story.worldline, self._context.voices.fingerprint]
        parts += [f"{unit.ref}:{unit.content_hash}" for unit in units]
        return "d_" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]

    def run(self, units: Sequence[Unit], on_step: OnStep | None = None) -> DispatchReport:
        """Curate ``units`` as one batch.

        Raises:
            InputError: no unit was given, or another dispatch has curated one of them already.
        """
        if not units:
            raise InputError("A dispatch needs at least one unit.")
        dispatch_id, refs = self.dispatch_id(units), tuple(unit.ref for unit in units)
        known = self.story.dispatch_report(dispatch_id)
        if known is not None:
            return DispatchReport.from_row(known)
        pending = any(dispatch_id == other for other, _ in self.story.pending_dispatches())
        if not pending:
            self._refuse_curated(units)
            self.story.open_dispatch(dispatch_id, refs)
        return self._drive(dispatch_id, refs, on_step, resume=pending)

    def finish_pending(self, on_step: OnStep | None = None) -> Iterator[DispatchReport]:
        """Finish every dispatch that was begun and not closed, oldest first.

        One that other voices began and that hasn't written anything is dropped: its units are still to be curated.
        """
        for dispatch_id, refs in self.story.pending_dispatches():
            units = [self.story.unit(ref) for ref in refs]
            begun = bool(self.story.curated(units))
            if begun or self.dispatch_id(units) == dispatch_id:
                yield self._drive(dispatch_id, refs, on_step, resume=True)
            else:
                self._saver.delete_thread(dispatch_id)
                self.story.close_dispatch(dispatch_id, {"abandoned": True})

    def _refuse_curated(self, units: Sequence[Unit]) -> None:
        taken = self.story.curated(units)
        if taken:
            raise InputError(
                f"{', '.join(sorted(taken))} of {self.story.title!r} is curated already by another dispatch.",
                hint="Every unit has exactly one event; a changed unit is curated as its new version.",
            )

    def _drive(self, dispatch_id: str, refs: Sequence[str], on_step: OnStep | None, *, resume: bool) -> DispatchReport:
        config: RunnableConfig = {"configurable": {"thread_id": dispatch_id}, "recursion_limit": _STEP_LIMIT}
        start = {"dispatch_id": dispatch_id, "batch": list(refs)}
        begun = resume and (self._graph.get_state(config).next or self._go_on_after_facts(start, config))
        try:
            report = self._stream(None if begun else start, config, on_step)
        except StaleBase:
            self._saver.delete_thread(dispatch_id)
            report = self._stream(start, config, on_step)
        self._saver.delete_thread(dispatch_id)
        return report

    def _go_on_after_facts(self, start: Mapping[str, Any], config: RunnableConfig) -> bool:
        """Where the facts are in the library and the checkpoints are lost: stand at the step after the commit."""
        commit = self.story.commit_by_key(f"{start['dispatch_id']}:facts")
        if commit is None:
            return False
        batch, rules = [self.story.unit(ref) for ref in commit.batch], self._context.rules
        session = DispatchSession.after_facts(self.story, self.story.reader(), batch, rules, commit)
        self._graph.update_state(config, {**start, "session": session.snapshot()}, as_node="commit")
        return True

    def _stream(self, given: Any, config: RunnableConfig, on_step: OnStep | None) -> DispatchReport:
        report: Mapping[str, Any] | None = None
        stream: Iterator[Any] = self._graph.stream(
            given, config, context=self._context, stream_mode="updates", durability="sync"
        )
        for update in stream:
            for step, values in update.items():
                if on_step is not None:
                    on_step(step)
                if step == "close":
                    report = values["report"]
        if report is None:
            raise RuntimeError("the curator's graph ended without its closing step")
        return DispatchReport.from_row(report)


@contextmanager
def open_desk(story: Story, *, model: str = "builtin", voices: Voices | None = None) -> Iterator[Desk]:
    """Take the story's write lease and open its checkpoints.

    Args:
        voices: use these instead of the ones that ``model`` names.

    Raises:
        StoryLocked: another process writes this story.
        ModelError: ``model`` names no voice.
    """
    chosen = voices or resolve_voice(model, story.language)
    fallback = resolve_voice("builtin", story.language)
    context = CuratorContext(story, chosen, fallback, rule_book(story))
    with story.lease(chosen.name), _checkpoints(story) as connection:
        serde = JsonPlusSerializer(allowed_msgpack_modules=None)
        yield Desk(story, context, SqliteSaver(connection, serde=serde))


@contextmanager
def _checkpoints(story: Story) -> Iterator[sqlite3.Connection]:
    """The checkpoints' database; its errors as the library's own (a full disk, a damaged file)."""
    path = story.library.checkpoints_path
    try:
        with translated(path), closing(sqlite3.connect(path, check_same_thread=False, timeout=30)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            yield connection
    except LibraryDamaged as error:
        if str(path) not in error.message:
            raise
        raise LibraryDamaged(
            error.message, hint="Delete this file and run again: it holds the steps of unfinished runs, no memory."
        ) from error
