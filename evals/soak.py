"""Kill a running curation at random moments, again and again; the library must come out as if nothing had happened.

``python -m talekeeper.evals.soak [--rounds 20] [--seed 7] [FILE]``: curates FILE (default: the bundled Chinese sample)
once without a break, then in a second library under ``kill -9``. After each kill the library must pass its integrity
check; at the end both must hold the same memory. Exit code 1 and a JSON report otherwise.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from talekeeper.memory.library import Library

SAMPLE = Path(__file__).resolve().parents[1] / "app" / "samples" / "lantern_zh.jsonl"


def contents(folder: Path) -> list[dict[str, Any]]:
    """All that a library's stories remember, clock times and process ids aside."""
    with Library.open(folder, create=False, read_only=True) as library:
        return [_story(library, info.id) for info in library.stories()]


def _story(library: Library, story_id: int) -> dict[str, Any]:
    story = library.story(story_id)
    reader = story.reader()
    nodes = reader.list_nodes(include_rolled_up=True)
    return {
        "title": story.title,
        "units": [[unit.ref, unit.content_hash] for unit in story.units()],
        "nodes": sorted(
            [n.id, n.title, n.lifecycle, n.depth, n.parent, json.dumps(dict(n.fields), sort_keys=True, default=list)]
            for n in nodes
        ),
        "links": sorted([x.source, x.relation, x.target] for n in nodes for x in reader.links_of(n.id)),
        "commits": [[c.kind, c.dispatch_id, list(c.batch), c.author] for c in reader.commits()],
    }


def _command(file: Path, library: Path) -> list[str]:
    return [sys.executable, "-m", "talekeeper.app.cli", "curate", str(file), "--library", str(library), "--json"]


def rounds(file: Path, library: Path, number: int, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Start the run ``number`` times and kill each at a random moment; yield what the library looks like after each."""
    for index in range(number):
        after = chance.uniform(0.3, 4.0)
        process = subprocess.Popen(_command(file, library), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(after)
        ended = process.poll() is not None
        process.kill()
        process.wait()
        problems = []
        if (library / "library.db").exists():
            with Library.open(library) as opened:
                problems = opened.check()
        yield {"round": index + 1, "killed_after_s": round(after, 2), "ended_before": ended, "problems": problems}


def main() -> int:
    """Run the soak; the exit code says if everything held."""
    parser = argparse.ArgumentParser(prog="talekeeper.evals.soak", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        unbroken, broken = Path(folder, "unbroken"), Path(folder, "broken")
        subprocess.run(_command(given.file, unbroken), check=True, stdout=subprocess.DEVNULL)
        seen = []
        for row in rounds(given.file, broken, given.rounds, random.Random(given.seed)):
            print(f"soak: round {row['round']}/{given.rounds}, killed after {row['killed_after_s']} s", file=sys.stderr)
            seen.append(row)
        subprocess.run(_command(given.file, broken), check=True, stdout=subprocess.DEVNULL)
        same = contents(unbroken) == contents(broken)
    problems = [problem for row in seen for problem in row["problems"]]
    killed = sum(not row["ended_before"] for row in seen)
    print(json.dumps({"rounds": len(seen), "killed": killed, "problems": problems, "same_as_unbroken": same}, indent=2))
    return 0 if same and not problems else 1


if __name__ == "__main__":
    sys.exit(main())
