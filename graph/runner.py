"""The curator as functions: one dispatch, or a whole story unit by unit.

What the command line, a server and a role-play agent call; everything else of this folder is behind these few. The
desk is imported where a dispatch really runs: LangGraph takes a second to load, and a plan needs none of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from talekeeper.graph.reports import CurateReport, CurationPlan, DispatchReport, Progress
from talekeeper.memory.models import Unit
from talekeeper.memory.story import Story

if TYPE_CHECKING:
    from talekeeper.graph.desk import Desk

CALLS_PER_UNIT = 2
"""A routine dispatch costs a model at most this many calls (X8)."""


def dispatch(story: Story, units: Sequence[Unit], *, model: str = "builtin") -> DispatchReport:
    """Curate one batch: exactly one event, the facts that last, and the rollups that became due.

    A dispatch that was interrupted before is finished first.

    Args:
        story: an open story.
        units: stored units (see ``Story.add_units``), in order; usually one.
        model: ``builtin``, or the name of a chat model.

    Returns:
        What was written. The same batch given again returns the same report and writes nothing.

    Raises:
        StoryLocked: another process writes this story.
        InputError: no units, or another dispatch curated one of them already.
        ModelError: ``model`` is unknown or unusable.
        CurationFailed: nothing acceptable could be written; the units stay uncurated.
    """
    from talekeeper.graph.desk import open_desk

    with open_desk(story, model=model) as desk:
        for _ in desk.finish_pending():
            pass
        return desk.run(units)


async def adispatch(story: Story, units: Sequence[Unit], *, model: str = "builtin") -> DispatchReport:
    """``dispatch`` in a worker thread, for callers with an event loop. Errors as there."""
    return await asyncio.to_thread(dispatch, story, units, model=model)


def plan(story: Story, *, model: str = "builtin", start: int | None = None, end: int | None = None) -> CurationPlan:
    """What ``curate`` would do, without doing it. ``start`` and ``end`` are turn numbers, both included."""
    units = tuple(story.uncurated(start=start or 1, end=end))
    pending = tuple(dispatch_id for dispatch_id, _ in story.pending_dispatches())
    return CurationPlan(pending, units, 0 if model == "builtin" else CALLS_PER_UNIT * len(units))


def curate(
    story: Story,
    *,
    model: str = "builtin",
    start: int | None = None,
    end: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> CurateReport:
    """Curate every unit of a story that has no event yet, one dispatch a unit, after finishing what was interrupted.

    Args:
        start, end: first and last turn, both included; default all.
        on_progress: told of every step and every finished dispatch.
        stop: asked between dispatches; True ends the run, and the next one goes on from there.

    Raises:
        StoryLocked, ModelError, CurationFailed: as ``dispatch``; dispatches that ended before are kept.
    """
    from talekeeper.graph.desk import open_desk

    with open_desk(story, model=model) as desk:
        resumed = tuple(desk.finish_pending())
        units = story.uncurated(start=start or 1, end=end)
        reports: list[DispatchReport] = []
        for done, unit in enumerate(units):
            if stop is not None and stop():
                break
            reports.append(_one(desk, unit, done, len(units), on_progress))
    return CurateReport((*resumed, *reports), len(resumed), len(units) - len(reports))


def _one(
    desk: Desk, unit: Unit, done: int, total: int, on_progress: Callable[[Progress], None] | None
) -> DispatchReport:
    if on_progress is None:
        return desk.run([unit])

    def on_step(step: str) -> None:
        on_progress(Progress(done, total, unit, step))

    report = desk.run([unit], on_step)
    on_progress(Progress(done + 1, total, unit, "done", report))
    return report
