"""A run that is killed again and again ends with the memory of an unbroken run (the long form is ``make soak``)."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from talekeeper.evals.soak import SAMPLE, _command, contents, rounds


def _short_chat(folder: Path, rows: int = 17) -> Path:
    """The head of the bundled sample: eight turns."""
    chat = folder / "short.jsonl"
    chat.write_text("\n".join(SAMPLE.read_text("utf-8").split("\n")[:rows]), encoding="utf-8")
    return chat


def test_killed_runs_end_like_an_unbroken_one(tmp_path: Path) -> None:
    chat, unbroken, broken = _short_chat(tmp_path), tmp_path / "unbroken", tmp_path / "broken"
    subprocess.run(_command(chat, unbroken), check=True, capture_output=True)
    seen = list(rounds(chat, broken, 4, random.Random(3)))
    assert [row["problems"] for row in seen] == [[]] * 4
    assert not all(row["ended_before"] for row in seen), "no round was killed: the test shows nothing"
    subprocess.run(_command(chat, broken), check=True, capture_output=True)
    assert contents(broken) == contents(unbroken)
    assert contents(broken)[0]["commits"]
