"""``python -m talekeeper.evals.bench [voice|dispatch|startup|rules …] [--out FOLDER]``: run benchmarks, print JSON."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from talekeeper.agents.voices import resolve_voice
from talekeeper.evals.bench.canned import canned_voices
from talekeeper.evals.bench.filled import fill, turn
from talekeeper.evals.bench.measure import Figures, as_json, process_seconds
from talekeeper.evals.bench.rules import rules_cost
from talekeeper.graph.desk import open_desk
from talekeeper.graph.runner import curate
from talekeeper.memory.library import Library
from talekeeper.sources.read import read_path

SIZES = (1_000, 10_000, 100_000)
DISPATCHES = 60
BUNDLED = Path(__file__).resolve().parents[2] / "app" / "samples"


def dispatch_cost() -> dict[str, Any]:
    """Milliseconds of a dispatch besides its voice, in stories of 1k, 10k and 100k nodes."""
    figures = {str(size): _dispatches(size) for size in SIZES}
    return {"ms_by_nodes": figures, "p95_ratio_100k_to_1k": round(figures["100000"].p95 / figures["1000"].p95, 2)}


def _dispatches(size: int) -> Figures:
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder)) as library:
        story = library.create_story("bench", language="zh")
        fill(story, size)
        story.add_units([turn(number) for number in range(DISPATCHES + 6)])
        seconds: list[float] = []
        with open_desk(story, voices=canned_voices()) as desk:
            for unit in story.uncurated():
                begin = time.perf_counter()
                desk.run([unit])
                seconds.append(time.perf_counter() - begin)
        return Figures.of(seconds[5:])


def voice_rate(files: list[Path]) -> dict[str, Any]:
    """Turns a second of whole curation (reading aside) with the built-in voice, by file."""
    return {path.name: _rate(path) for path in files}


def _rate(path: Path) -> dict[str, Any]:
    source = read_path(path)
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder)) as library:
        story = library.create_story(path.stem, language=source.language)
        story.add_units(source.units)
        resolve_voice("builtin", source.language)
        begin = time.perf_counter()
        report = curate(story)
        seconds = time.perf_counter() - begin
    turns = len(report.reports)
    return {"turns": turns, "seconds": round(seconds, 2), "turns_per_second": round(turns / seconds, 1)}


def start_up() -> dict[str, Any]:
    """Wall milliseconds of ``talekeeper --help`` and ``import talekeeper``, whole processes."""
    help_command = ["-m", "talekeeper.app.cli", "--help"]
    return {
        "help": Figures.of(process_seconds(help_command, 7)),
        "import": Figures.of(process_seconds(["-c", "import talekeeper"], 7)),
        "bare_python": Figures.of(process_seconds(["-c", "pass"], 7)),
    }


def main() -> None:
    """Run what was asked for, all by default."""
    parser = argparse.ArgumentParser(prog="talekeeper.evals.bench", description=__doc__)
    parser.add_argument("which", nargs="*", help="voice, dispatch, startup, rules (default: all)")
    parser.add_argument("--file", type=Path, action="append", default=[], help="a further chat for 'voice'")
    parser.add_argument("--out", type=Path, help="write a JSON file for each benchmark into this folder too")
    given = parser.parse_args()
    benchmarks: dict[str, Callable[[], Mapping[str, Any]]] = {
        "voice": lambda: voice_rate([*sorted(BUNDLED.glob("*.jsonl")), *given.file]),
        "dispatch": dispatch_cost,
        "startup": start_up,
        "rules": rules_cost,
    }
    strangers = sorted(set(given.which) - set(benchmarks))
    if strangers:
        parser.error(f"no benchmark {', '.join(strangers)}; there are {', '.join(benchmarks)}")
    result: dict[str, Mapping[str, Any]] = {}
    for name in given.which or benchmarks:
        print(f"bench: {name} …", file=sys.stderr)
        result[name] = benchmarks[name]()
        if given.out:
            given.out.mkdir(parents=True, exist_ok=True)
            (given.out / f"{name}.json").write_text(as_json(result[name]) + "\n", encoding="utf-8")
    print(as_json(result))


if __name__ == "__main__":
    main()
