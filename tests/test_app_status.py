"""``status`` against the files a story was read from: their own counts, and each line that couldn't be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talekeeper.memory import migrate
from talekeeper.memory.sqlite import Database
from tests.app_help import CHATS, KEEPER, document, run, write_chat


def spoil(chat: Path, language: str) -> None:
    """A damaged row after the second, a hidden row, and a reply with two rejected alternatives."""
    header, *rows = [json.loads(line) for line in chat.read_text("utf-8").splitlines()]
    rows[2] |= {"is_system": True}
    rows[4] |= {"swipes": ["…", rows[4]["mes"], "no"], "swipe_id": 1}
    lines = [json.dumps(row, ensure_ascii=False) for row in (header, *rows)]
    chat.write_text("\n".join([*lines[:3], f'{{"name": "{KEEPER[language]}", "mes": "', "", *lines[3:]]), "utf-8")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_status_tells_what_each_file_held(tmp_path: Path, language: str) -> None:
    chat, library = write_chat(tmp_path / "lantern.jsonl", language), tmp_path / "lib"
    spoil(chat, language)
    (row,) = document("curate", chat, "--library", library)["stories"]
    (source,) = document("status", "--library", library)["sources"]
    assert source["place"] == str(chat.resolve())
    assert {name: source[name] for name in ("rows", "header", "messages", "hidden", "swipes", "blank")} == {
        "rows": 10,
        "header": 1,
        "messages": len(CHATS[language]),
        "hidden": 1,
        "swipes": 2,
        "blank": 1,
    }
    assert source["damaged"] == [{"line": 4, "reason": "cut off before its end"}]
    assert source["messages"] == row["read"]["messages"]
    printed = run("status", "--library", library).stdout
    assert "rows: 10" in printed
    assert "rejected swipes left out: 2" in printed
    assert "damaged rows: 1 (line 4)" in printed
    chinese = run("status", "--library", library, env={"TALEKEEPER_UI": "zh"}).stdout
    assert "损坏 1 行（第 4 行）" in chinese


def test_a_mended_file_is_told_as_it_is_now(tmp_path: Path) -> None:
    chat, library = write_chat(tmp_path / "lantern.jsonl", "zh"), tmp_path / "lib"
    whole = chat.read_bytes()
    chat.write_bytes(whole[:-40])
    run("curate", chat, "--library", library)
    assert [d["line"] for d in document("status", "--library", library)["sources"][0]["damaged"]] == [8]
    chat.write_bytes(whole)
    run("curate", chat, "--library", library)
    (source,) = document("status", "--library", library)["sources"]
    assert (source["damaged"], source["messages"]) == ([], len(CHATS["zh"]))


def test_a_story_of_several_files_names_each(tmp_path: Path) -> None:
    chats = [write_chat(tmp_path / f"{i}.jsonl", language) for i, language in enumerate(("zh", "en"))]
    library = tmp_path / "lib"
    run("curate", *chats, "--story", "Both", "--library", library)
    view: dict[str, Any] = document("status", "--library", library)
    assert [source["place"] for source in view["sources"]] == [str(chat.resolve()) for chat in chats]
    assert sum(source["messages"] for source in view["sources"]) == view["messages"]["total"]


def test_a_library_of_the_first_form_is_read_after_it_was_brought_up_to_date(tmp_path: Path) -> None:
    database = Database(tmp_path / "library.db")
    migrate.upgrade(database, "r0001")
    database.close()
    assert document("stories", "--library", tmp_path)["stories"] == []
    chat = write_chat(tmp_path / "lantern.jsonl", "en", count=1)
    run("curate", chat, "--library", tmp_path)
    assert document("status", "--library", tmp_path)["sources"][0]["messages"] == 1
