"""The work behind ``curate`` and ``demo``: read, match, add, run; reports as plain dictionaries.

A run may be broken off at any moment: what a dispatch wrote is there or isn't, and the next run goes on from it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talekeeper.app import intake as intakes
from talekeeper.app.intake import Intake
from talekeeper.app.opening import choose_story, library_exists, reading, writing
from talekeeper.app.output import Output
from talekeeper.app.progress import SoftStop, shown_progress
from talekeeper.app.views import kind_of, library_view, story_view
from talekeeper.memory.errors import InputError, TalekeeperError
from talekeeper.memory.models import Language

if TYPE_CHECKING:
    from talekeeper.graph.reports import DispatchReport, Progress
    from talekeeper.memory.library import Library
    from talekeeper.memory.story import Story

View = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """What the user asked ``curate`` for; see the options there."""

    files: Sequence[Path]
    story: str | None = None
    library: Path | None = None
    model: str = "builtin"
    language: Language | None = None
    first: int | None = None
    last: int | None = None
    format: str | None = None
    schema: Path | None = None


def plan_all(request: Request, out: Output) -> View:
    """What a run would do; writes nothing.

    Gives ``{library, stories: [{story, file, read, units, kind, to_curate, pending, model_calls}], skipped}``.
    """
    from talekeeper.graph.runner import CALLS_PER_UNIT

    _check(request)
    if not request.files:
        with reading(request.library) as library:
            story = choose_story(library, request.story)
            return {"library": library_view(library), "stories": [_plan_stored(story, request)], "skipped": []}
    read, skipped = _read(request, out)
    calls = 0 if request.model == "builtin" else CALLS_PER_UNIT
    if not library_exists(request.library):
        rows = [_plan(None, None, parts, request, calls) for parts in _groups(read, request)]
        return {"library": None, "stories": rows, "skipped": skipped}
    with reading(request.library) as library:
        rows = []
        for parts in _groups(read, request):
            story_or_none = intakes.find_story(library, parts, named=request.story is not None)
            rows.append(_plan(library, story_or_none, parts, request, calls))
        return {"library": library_view(library), "stories": rows, "skipped": skipped}


def _plan_stored(story: Story, request: Request) -> View:
    from talekeeper.graph.runner import plan

    planned = plan(story, model=request.model, start=request.first, end=request.last)
    return {
        "story": story_view(story),
        "file": None,
        "read": None,
        "units": {"new": 0, "changed": 0, "unchanged": story.unit_count(), "missing": 0},
        "kind": kind_of(planned.units or story.units(end=1)),
        "to_curate": len(planned.units),
        "pending": len(planned.pending),
        "model_calls": planned.model_calls,
    }


def _plan(
    library: Library | None,
    story: Story | None,
    parts: Sequence[Intake],
    request: Request,
    calls_per_unit: int,
) -> View:
    intake, drafts = parts[0], intakes.drafts_of(parts)
    change = intakes.difference(story, drafts)
    waiting = len(story.uncurated(start=request.first or 1, end=request.last)) if story else 0
    if story is None:
        window = range(request.first or 1, min(request.last or len(drafts), len(drafts)) + 1)
        to_curate = len(window)
    else:
        to_curate = waiting + change.new + change.changed
    name = story_view(story) if story else None
    return {
        "story": name or {"id": None, "title": intakes.free_title(library, intake.title), "language": intake.language},
        "file": str(intake.path),
        "read": intakes.read_view(intake),
        "units": asdict(change),
        "kind": kind_of(drafts),
        "to_curate": to_curate,
        "pending": len(story.pending_dispatches()) if story else 0,
        "model_calls": to_curate * calls_per_unit,
    }


def curate_all(request: Request, out: Output) -> View:
    """``{library, stories: [...], skipped, stopped}``: add what the files hold, and curate all that isn't yet.

    Raises:
        TalekeeperError: as the readers, the library and the runner raise; dispatches that ended before are kept.
    """
    _check(request)
    read, skipped = _read(request, out) if request.files else ([], [])
    if not request.files:
        with reading(request.library):
            pass
    stop = SoftStop(lambda: out.note(out.words("stopping"), "yellow"))
    with stop.armed(), writing(request.library) as library:
        rows: list[View] = []
        try:
            for story, parts in _stories(library, read, request):
                rows.append(_curate_one(story, parts, request, out, stop))
                if stop.asked:
                    break
        except KeyboardInterrupt:
            stop.asked = True
        stopped = stop.asked and (not rows or rows[-1]["left"] > 0 or len(rows) < len(_groups(read, request)))
        return {"library": library_view(library), "stories": rows, "skipped": skipped, "stopped": stopped}


def _check(request: Request) -> None:
    """Fail on what needs no file to be read: the model's name, the schema, the span of turns."""
    from talekeeper.agents.voices import resolve_voice
    from talekeeper.memory.schema import load_schema

    if not request.files and request.story is None:
        raise InputError("Nothing to curate: no FILE and no --story.", hint="Try: talekeeper curate chat.jsonl")
    if request.first and request.last and request.first > request.last:
        raise InputError(f"--from {request.first} comes after --to {request.last}.", hint="Swap them.")
    if request.model != "builtin":
        resolve_voice(request.model, request.language or "en")
    if request.schema is not None:
        if not request.schema.is_file():
            raise InputError(f"No schema file {request.schema}.", hint="--schema takes the path of a YAML file.")
        load_schema(request.schema)


def _read(request: Request, out: Output) -> tuple[list[Intake], list[View]]:
    """What the files hold, and those that can't be used; if that is all of them, the first one's error is raised."""
    found: list[Intake] = []
    refused: list[TalekeeperError] = []
    skipped: list[View] = []
    for path in request.files:
        try:
            here = intakes.read_intakes(path, name=request.story, language=request.language, format=request.format)
        except TalekeeperError as error:
            refused.append(error)
            skipped.append({"file": str(path), "message": error.message, "hint": error.hint})
            continue
        for intake in here:
            _tell_read(intake, out)
        found += here
    if refused and not found:
        raise refused[0]
    for row in skipped:
        out.note(out.words("skipped", message=row["message"]), "red")
    return found, skipped


def _tell_read(intake: Intake, out: Output) -> None:
    """What the file holds, one line; damaged rows by number."""
    report, words = intake.read.report, out.in_language(intake.language).words
    parts = [
        words("n_units", n=len(intake.read.units), unit=words.unit(kind_of(intake.read.units), len(intake.read.units))),
        words("n_messages", n=report.messages),
    ]
    parts += [words("n_hidden", n=report.hidden)] if report.hidden else []
    parts += [words("n_swipes", n=report.swipes)] if report.swipes else []
    out.note(f"{intake.path.name}: {intake.read.format}, {words('list_comma').join(parts)}")
    for damage in report.damaged[:5]:
        out.note(words("damaged", line=damage.line, reason=damage.reason), "yellow")
    if len(report.damaged) > 5:
        out.note(words("damaged_more", n=len(report.damaged) - 5), "yellow")
    for notice in report.notices:
        out.note("  " + notice, "yellow")


def _groups(read: Sequence[Intake], request: Request) -> list[tuple[Intake, ...]]:
    """One entry a story; a title given with --story joins all files to one."""
    if request.story is not None:
        read = [replace(i, group="named") for i in read]
    return intakes.parts_of(read)


def _stories(library: Library, read: Sequence[Intake], request: Request) -> Iterator[tuple[Story, tuple[Intake, ...]]]:
    """Each story in its turn, made when its turn comes: a run that is stopped leaves no empty ones behind."""
    if not request.files:
        yield choose_story(library, request.story), ()
    schema = request.schema.read_text("utf-8") if request.schema else ""
    for parts in _groups(read, request):
        intake = parts[0]
        story = intakes.find_story(library, parts, named=request.story is not None)
        if story is None:
            story = library.create_story(
                intakes.free_title(library, intake.title),
                language=intake.language,
                source=intake.place,
                schema_yaml=schema,
            )
        yield story, parts


def _curate_one(
    story: Story,
    parts: Sequence[Intake],
    request: Request,
    out: Output,
    stop: SoftStop,
) -> View:
    from talekeeper.graph.runner import curate, plan

    added = story.add_units(intakes.drafts_of(parts)) if parts else None
    for part in parts:
        story.record_source(part.place, intakes.read_view(part))
    planned = plan(story, model=request.model, start=request.first, end=request.last)
    started = time.monotonic()
    reports: list[DispatchReport] = []
    broken_off = False
    total, kind = len(planned.units), kind_of(planned.units or story.units(end=1))
    with shown_progress(out.err, story.title, total, out.words.unit(kind)) as advance:

        def on_progress(progress: Progress) -> None:
            advance(progress.done, progress.step)
            if progress.report is not None:
                reports.append(progress.report)

        try:
            if not planned.nothing_to_do:
                curate(
                    story,
                    model=request.model,
                    start=request.first,
                    end=request.last,
                    on_progress=on_progress,
                    stop=stop,
                )
        except KeyboardInterrupt:
            broken_off = stop.asked = True
    left = len(story.uncurated(start=request.first or 1, end=request.last))
    seconds = time.monotonic() - started
    return {
        "story": story_view(story),
        "file": str(parts[0].path) if parts else None,
        "read": intakes.read_view(parts[0]) if parts else None,
        "units": {
            "total": story.unit_count(),
            "added": len(added.added) if added else 0,
            "changed": len(added.changed) if added else 0,
            "unchanged": added.unchanged if added else story.unit_count(),
            "missing": added.missing if added else 0,
        },
        "kind": kind,
        "curated": total - left,
        "resumed": len(planned.pending),
        "left": left,
        "broken_off": broken_off,
        "seconds": round(seconds, 3),
        "written": dict(sum((Counter(r.counts) for r in reports), Counter[str]())),
        "needs_review": [r.dispatch_id for r in reports if "needs_review" in r.flags],
        "usage": dict(sum((Counter(r.usage) for r in reports), Counter[str]())),
    }
