"""Real chats and books through the command line: no row lost, one event a turn, nothing left to do, a clean library.

The whole set is ``python -m talekeeper.evals.sweep --all``; here are the shapes that differ most. With
``TALEKEEPER_SWEEP=all`` every file is taken.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from talekeeper.evals.own_counts import own_counts
from talekeeper.evals.sweep import Run, files, sweep, talekeeper
from tests.app_help import run
from tests.real_data import REAL, real

pytestmark = [pytest.mark.real, pytest.mark.slow]

CHOSEN = (
    "chats/tavernai_legacy_room_Konosuba.jsonl",
    "derived/SYNTHETIC_shape_zh_era_variables.jsonl",
    "derived/sharegpt_王峰.json",
    "derived/st_en_group_locomo42_headerless_1.12.jsonl",
    "derived/st_en_isekai_export.txt",
    "derived/st_en_isekai_hidden_5-10.jsonl",
    "derived/st_en_isekai_truncated_tail.jsonl",
    "derived/st_zh_张志强_humanized_BOM.jsonl",
    "derived/三国演义_第1-2回_gb18030.txt",
    "novels/novel_generator-暗潮汹涌",
)


def names() -> list[str]:
    if os.environ.get("TALEKEEPER_SWEEP") == "all" and REAL is not None:
        return [str(path.relative_to(REAL)) for path in files(REAL, long=True)]
    return list(CHOSEN)


def in_process(*args: str | int | Path) -> Run:
    """A command in this process: starting one anew for each would take longer than its work."""
    started = time.monotonic()
    result = run(*map(str, args))
    return Run(result.exit_code, result.stdout, result.stderr, time.monotonic() - started, 0)


@pytest.mark.parametrize("name", names())
def test_nothing_of_a_real_file_is_lost(name: str, tmp_path: Path) -> None:
    row = sweep(real(name), tmp_path / "library", talekeeper if "truncated_tail" in name else in_process)
    assert row["faults"] == []
    assert row["events"] == row["units"] > 0
    assert row["damaged"] == ([58] if "truncated_tail" in name else [])


def test_the_files_of_the_sweep_are_the_ones_meant() -> None:
    real("chats")
    assert REAL is not None
    found = {str(path.relative_to(REAL)) for path in files(REAL, long=True)}
    assert set(CHOSEN) <= found
    assert len(found) >= 28
    assert own_counts(REAL / "derived/st_en_isekai_truncated_tail.jsonl").damaged == (58,)
