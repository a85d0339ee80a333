"""The sweep can fail: files of our own whose counts are known, and reports that are wrong in one thing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talekeeper.evals.own_counts import OwnCounts, own_counts
from talekeeper.evals.sweep import Run, _again_faults, _read_faults, _status_faults, sweep
from talekeeper.memory.errors import InputError
from tests.app_help import write_chat


def test_own_counts_of_each_kind_of_file(tmp_path: Path) -> None:
    lines = [
        {"user_name": "林", "chat_metadata": {}},
        {"name": "青禾", "mes": "乙", "swipes": ["甲", "乙", "丙"], "swipe_id": 1},
        {"name": "林", "mes": "走吧。", "is_user": True, "is_system": True},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join([*map(json.dumps, lines), '{"name": "青', ""]), "utf-8")
    assert own_counts(tmp_path / "a.jsonl") == OwnCounts(2, 4, hidden=1, swipes=2, damaged=(4,))
    documents = {
        "openai": ([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], 2),
        "bank": ({"林": {"history": {"2026-01-01": [{"query": "a", "response": "b"}]}}}, 2),
        "chain": ([{"type": "human", "data": {"content": "a"}}], 1),
        "talk": ({"session_1": [{"speaker": "A", "text": "a"}], "speaker_a": "A"}, 1),
    }
    for name, (document, count) in documents.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(document), "utf-8")
        assert own_counts(tmp_path / f"{name}.json").messages == count
    (tmp_path / "novel.txt").write_bytes("第一章 雪\n他说。\n第二章 风\n第二章里说过。\n".encode("gb18030"))
    assert own_counts(tmp_path / "novel.txt").messages == 2
    (tmp_path / "talk.txt").write_text("王五：走吧。\n李四：好。\n王五：来。\n", "utf-8")
    assert own_counts(tmp_path / "talk.txt").messages == 3
    (tmp_path / "book").mkdir()
    for number in (1, 2, 10):
        (tmp_path / "book" / f"第{number}章.md").write_text("雪。", "utf-8")
    (tmp_path / "book" / "README.md").write_text("about", "utf-8")
    assert own_counts(tmp_path / "book").messages == 3
    (tmp_path / "none.json").write_text("{}", "utf-8")
    with pytest.raises(InputError):
        own_counts(tmp_path / "none.json")


def read(**changed: Any) -> list[dict[str, Any]]:
    counts = {"rows": 4, "messages": 2, "hidden": 1, "swipes": 2, "header": 1, "blank": 0, "left_out": 0}
    return [{"story": {"title": "雪"}, "read": counts | {"damaged": [{"line": 4}]} | changed}]


def test_a_lost_row_is_a_fault() -> None:
    own = OwnCounts(2, 4, hidden=1, swipes=2, damaged=(4,))
    assert list(_read_faults(own, read())) == []
    wrong: list[dict[str, Any]] = [{"messages": 1}, {"rows": 3}, {"hidden": 0}, {"swipes": 3}, {"damaged": []}]
    for changed in wrong:
        assert list(_read_faults(own, read(**changed))), changed


def test_a_status_that_disagrees_is_a_fault() -> None:
    def status(**changed: Any) -> list[dict[str, Any]]:
        whole: dict[str, Any] = {
            "sources": [read()[0]["read"]],
            "messages": {"total": 2, "hidden": 1},
            "units": {"total": 1, "curated": 1, "pending": 0},
            "nodes": {"event": 1},
        }
        return [whole | changed]

    assert list(_status_faults(read(), status())) == []
    for changed in (
        {"sources": [read(messages=1)[0]["read"]]},
        {"sources": [read(damaged=[])[0]["read"]]},
        {"messages": {"total": 3, "hidden": 1}},
        {"units": {"total": 2, "curated": 1, "pending": 1}},
        {"nodes": {"event": 2}},
    ):
        assert list(_status_faults(read(), status(**changed))), changed


def test_a_second_run_with_work_is_a_fault() -> None:
    def again(**changed: int) -> Run:
        units = {"added": 0, "changed": 0, "missing": 0}
        row = {"curated": 0, "left": 0, "resumed": 0, "units": units} | changed
        return Run(0, json.dumps({"stories": [row]}), "", 1.0, 1)

    assert list(_again_faults(again())) == []
    assert list(_again_faults(again(curated=1)))
    assert list(_again_faults(Run(4, "", "full", 1.0, 1)))


@pytest.mark.slow
def test_a_chat_of_our_own_is_sound(tmp_path: Path) -> None:
    row = sweep(write_chat(tmp_path / "lantern.jsonl", "zh"), tmp_path / "library")
    assert row["faults"] == []
    assert (row["messages"], row["units"], row["events"]) == (7, 4, 4)
    assert row["peak_mib"] > 10
