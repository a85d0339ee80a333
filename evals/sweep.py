"""Curate real files through the command line, and hold what came out against what the files hold.

``python -m talekeeper.evals.sweep [--all] [--data DIR] [--out FILE] [FILE …]``: for each file a new library; it's
curated, curated again (there must be nothing to do), counted (``status``) and checked (``doctor``). The report is JSON
on stdout, progress goes to stderr; exit code 1 if anything was lost. ``--all`` takes the long novels too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from talekeeper.evals.own_counts import OwnCounts, own_counts
from talekeeper.memory.library import Library
from talekeeper.memory.story import Story

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "real"
FOLDERS = ("chats", "derived")
NO_CHATS = ("memorybank_probing_cn.jsonl", "group_1715000000000.json")
BOOKS = (
    "novels/lieque-novel",
    "novels/novel_generator-暗潮汹涌",
    "novels/classics/红楼梦_第37-41回.txt",
)
LONG_BOOKS = ("novels/classics/三国演义_全120回.txt",)
ONE_GIB_KB = 1 << 20


@dataclass(frozen=True, slots=True)
class Run:
    """One call of the command line: how it ended, what it printed, seconds and peak memory (KiB)."""

    code: int
    out: str
    err: str
    seconds: float
    peak_kb: int

    @property
    def document(self) -> dict[str, Any]:
        """The JSON document it printed; empty if it printed none."""
        return dict(json.loads(self.out)) if self.out.strip() else {}


def talekeeper(*args: str | int | Path) -> Run:
    """Call the command line in a process of its own."""
    command = [sys.executable, "-m", "talekeeper.app.cli", *map(str, args)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        printed, said = _whole(out), _whole(err)
    return Run(process.returncode, printed, said, round(seconds, 2), usage.ru_maxrss)


def _whole(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")


def files(data: Path, *, long: bool = False) -> list[Path]:
    """Every chat and book of a folder laid out like the default one."""
    chats = [path for name in FOLDERS for path in sorted((data / name).glob("*")) if path.name not in NO_CHATS]
    books = [data / name for name in (*BOOKS, *(LONG_BOOKS if long else ()))]
    return [path for path in (*chats, *books) if path.exists()]


def sweep(path: Path, library: Path, call: Callable[..., Run] = talekeeper) -> dict[str, Any]:
    """Curate one file into ``library``; ``faults`` says, one line each, what isn't as it must be.

    Args:
        call: calls the command line with these arguments.
    """
    own = own_counts(path)
    first = call("curate", path, "--library", library, "--json")
    if first.code != 0:
        return {"file": path.name, "faults": [f"curate exits {first.code}: {first.err.strip()[-300:]}"]}
    stories = first.document["stories"]
    statuses = [
        call("status", "--library", library, "--story", row["story"]["id"], "--json").document for row in stories
    ]
    again = call("curate", path, "--library", library, "--json")
    doctor = call("doctor", "--library", library, "--json")
    faults = [
        *_read_faults(own, stories),
        *_status_faults(stories, statuses),
        *_again_faults(again),
        *_event_faults(library),
    ]
    if doctor.code != 0 or not doctor.document.get("clean"):
        faults.append(f"doctor exits {doctor.code}: {doctor.out[-300:]}")
    if max(first.peak_kb, again.peak_kb, doctor.peak_kb) > ONE_GIB_KB:
        faults.append(f"peak memory {first.peak_kb} KiB")
    return {"file": path.name, **_figures(stories, statuses, first, again, doctor), "faults": faults}


def _read_faults(own: OwnCounts, stories: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What the file holds against what was read of it."""
    read = [row["read"] for row in stories]
    pairs = {"messages": own.messages, "hidden": own.hidden, "swipes": own.swipes}
    if own.rows is not None:
        pairs["rows"] = own.rows
    for name, count in pairs.items():
        found = sum(row[name] for row in read)
        if found != count:
            yield f"{name}: the file has {count}, {found} were read"
    damaged = tuple(entry["line"] for row in read for entry in row["damaged"])
    if damaged != own.damaged:
        yield f"damaged lines: the file has {own.damaged}, {damaged} were reported"
    for row in read:
        parts = row["header"] + row["messages"] + len(row["damaged"]) + row["blank"] + row["left_out"]
        if row["rows"] != parts:
            yield f"rows don't add up: {row['rows']} against {parts}"


def _status_faults(stories: Sequence[Mapping[str, Any]], statuses: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What was read against what ``status`` says is there."""
    for row, status in zip(stories, statuses, strict=True):
        read, units = row["read"], status["units"]
        (source,) = status["sources"]
        title = row["story"]["title"]
        for name in ("rows", "messages", "hidden", "swipes"):
            if source[name] != read[name]:
                yield f"{title}: status says {source[name]} {name}, {read[name]} were read"
        if [entry["line"] for entry in source["damaged"]] != [entry["line"] for entry in read["damaged"]]:
            yield f"{title}: status names other damaged lines"
        for name in ("hidden", "total"):
            if status["messages"][name] != read["messages" if name == "total" else name]:
                yield f"{title}: status counts {status['messages'][name]} messages ({name})"
        if units["pending"] or not units["total"] == units["curated"] == status["nodes"].get("event"):
            yield f"{title}: units {units}, events {status['nodes'].get('event')}"


def _again_faults(again: Run) -> Iterator[str]:
    """A second run must find nothing to do, and say so."""
    if again.code != 0:
        yield f"the second run exits {again.code}: {again.err[-300:]}"
        return
    for row in again.document["stories"]:
        units = row["units"]
        if row["curated"] or row["left"] or row["resumed"] or units["added"] or units["changed"] or units["missing"]:
            yield f"the second run finds work: {units}, curated {row['curated']}, left {row['left']}"


def _event_faults(folder: Path) -> Iterator[str]:
    """Each unit has exactly one leaf event."""
    with Library.open(folder, create=False, read_only=True) as library:
        for info in library.stories():
            yield from _unit_faults(library.story(info.id))


def _unit_faults(story: Story) -> Iterator[str]:
    events: Counter[str] = Counter()
    for event in story.reader().events(1 << 40, leaves=True):
        events.update({evidence.unit for evidence in event.evidence})
    for unit in story.units():
        if events[unit.ref] != 1:
            yield f"{story.title}: {unit.ref} has {events[unit.ref]} events"


def _figures(
    stories: Sequence[Mapping[str, Any]], statuses: Sequence[Mapping[str, Any]], first: Run, again: Run, doctor: Run
) -> dict[str, Any]:
    """The figures of a file, those of its stories added up."""
    read = [row["read"] for row in stories]
    nodes: Counter[str] = sum((Counter(status["nodes"]) for status in statuses), Counter())
    curating = sum(row["seconds"] for row in stories)
    units = sum(row["units"]["total"] for row in stories)
    return {
        "format": read[0]["format"],
        "stories": len(stories),
        **{name: sum(row[name] for row in read) for name in ("rows", "messages", "hidden", "swipes")},
        "damaged": [entry["line"] for row in read for entry in row["damaged"]],
        "units": units,
        "events": nodes["event"],
        "nodes": dict(nodes),
        "rollups": sum(sum(status["rollups"].values()) for status in statuses),
        "needs_review": sum(len(status["needs_review"]) for status in statuses),
        "curate_s": first.seconds,
        "units_per_s": round(units / curating, 1) if curating else None,
        "again_s": again.seconds,
        "doctor_s": doctor.seconds,
        "soft": doctor.document.get("soft"),
        "peak_mib": round(max(first.peak_kb, again.peak_kb, doctor.peak_kb) / 1024),
    }


def main() -> int:
    """Run the sweep; the exit code says if everything held."""
    parser = argparse.ArgumentParser(prog="talekeeper.evals.sweep", description=__doc__)
    parser.add_argument("file", nargs="*", type=Path)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("TALEKEEPER_REAL_DATA", DATA)))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    chosen = given.file or files(given.data, long=given.all)
    if not chosen:
        print(f"No files in {given.data}: name some, or a folder with --data.", file=sys.stderr)
        return 1
    rows = []
    for number, path in enumerate(chosen, start=1):
        with tempfile.TemporaryDirectory() as folder:
            rows.append(sweep(path, Path(folder, "library")))
        print(f"sweep {number}/{len(chosen)}: {path.name}: {rows[-1]['faults'] or 'sound'}", file=sys.stderr)
    report = json.dumps({"format": "talekeeper.sweep/1", "files": rows}, ensure_ascii=False, indent=2)
    if given.out is not None:
        given.out.write_text(report + "\n", "utf-8")
    else:
        print(report)
    return 1 if any(row["faults"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
