"""The reading commands on a small curated library, in both languages: what they print and their documents hold."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.app_help import CHATS, KEEPER, PLAYER, document, run, write_chat


@pytest.fixture(scope="module", params=["zh", "en"])
def story(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A language, and the library with that language's chat curated."""
    language: str = request.param
    folder = tmp_path_factory.mktemp(language)
    result = run("curate", write_chat(folder / "lantern.jsonl", language), "--library", folder / "lib")
    assert result.exit_code == 0, result.output
    return language, folder / "lib"


def test_status_agrees_with_the_file(story: tuple[str, Path]) -> None:
    language, library = story
    status = document("status", "--library", library)
    assert status["format"] == "talekeeper.status/1"
    assert status["units"] == {"total": 4, "curated": 4, "pending": 0, "kind": "turn"}
    assert status["messages"] == {"total": len(CHATS[language]), "hidden": 0, "notices": 0}
    assert status["needs_review"] == []
    assert status["unfinished_dispatches"] == 0
    assert status["last_dispatch"]["batch"] == ["u4"]
    assert Path(status["library"]["database"]).is_file()
    assert status["library"]["bytes"] > 0


def test_timeline_is_in_story_order_and_names_its_units(story: tuple[str, Path]) -> None:
    _, library = story
    view = document("timeline", "--leaves", "--library", library)
    assert [event["units"] for event in view["events"]] == [["u1"], ["u2"], ["u3"], ["u4"]]
    assert all(event["summary"] for event in view["events"])
    newest = document("timeline", "--leaves", "--last", "1", "--library", library)["events"]
    assert newest == view["events"][-1:]
    printed = run("timeline", "--leaves", "--library", library)
    assert all(event["id"] in printed.stdout for event in view["events"])


def test_timeline_as_of_an_earlier_turn(story: tuple[str, Path]) -> None:
    _, library = story
    view = document("timeline", "--at", "2", "--library", library)
    assert [event["units"] for event in view["events"]] == [["u1"], ["u2"]]
    late = run("timeline", "--at", "99", "--library", library)
    assert late.exit_code == 3
    assert "99" in late.stderr


def test_show_prints_fields_passages_and_versions(story: tuple[str, Path]) -> None:
    language, library = story
    name = KEEPER[language]
    view = document("show", name, "--library", library)
    assert view["format"] == "talekeeper.node/1"
    assert view["node"]["type"] == "character_sheet"
    assert view["evidence"]
    assert all(row["quote"] and row["unit"].startswith("u") for row in view["evidence"])
    assert view["history"][0]["commit"] > 0
    by_id = document("show", view["node"]["id"], "--library", library)
    assert by_id == view
    printed = run("show", name, "--library", library)
    assert printed.exit_code == 0
    assert name in printed.stdout
    assert view["node"]["id"] in printed.stdout


def test_every_quotation_stands_in_its_unit(story: tuple[str, Path]) -> None:
    _, library = story
    for event in document("timeline", "--leaves", "--library", library)["events"]:
        for row in document("show", event["id"], "--library", library)["evidence"]:
            unit = document("show", row["unit"], "--library", library)["unit"]
            assert unit["text"][row["start"] : row["end"]] == row["quote"]


def test_show_of_a_unit_prints_its_text(story: tuple[str, Path]) -> None:
    language, library = story
    printed = run("show", "u1", "--library", library)
    assert CHATS[language][0][1].split("。")[0][:20] in printed.stdout.replace("\n", "")


def test_unknown_nodes_are_3_and_name_what_comes_close(story: tuple[str, Path]) -> None:
    _, library = story
    result = run("show", "char_999", "--library", library)
    assert result.exit_code == 3
    assert "char_999" in result.stderr
    assert "char_1" in result.stderr
    assert run("show", "u99", "--library", library).exit_code == 3


def test_threads_open_and_close(story: tuple[str, Path]) -> None:
    _, library = story
    every = document("threads", "--all", "--library", library)["threads"]
    assert every
    assert {t["status"] for t in every} <= {"active", "resolved", "abandoned"}
    assert all(t["opened"] for t in every)
    open_now = document("threads", "--library", library)["threads"]
    assert [t["id"] for t in open_now] == [t["id"] for t in every if t["status"] == "active"]
    assert run("threads", "--all", "--library", library).exit_code == 0


def test_find_takes_any_form_of_a_name(story: tuple[str, Path]) -> None:
    language, library = story
    asked = "沈硯" if language == "zh" else "SILAS REED"
    matches = document("find", asked, "--library", library)["matches"]
    assert [m["title"] for m in matches] == [PLAYER[language]]
    printed = run("find", asked, "--library", library)
    assert PLAYER[language] in printed.stdout
    nobody = run("find", "Zaphod", "--library", library)
    assert nobody.exit_code == 0
    assert "Zaphod" in nobody.stdout


def test_search_finds_memory_and_text(story: tuple[str, Path]) -> None:
    language, library = story
    word = "渡口" if language == "zh" else "landing"
    hits = document("search", word, "--in", "both", "--library", library)["hits"]
    assert hits
    assert [h["score"] for h in hits] == sorted((h["score"] for h in hits), reverse=True)
    assert all(h["kind"] == "unit" for h in document("search", word, "--in", "text", "--library", library)["hits"])
    assert len(document("search", word, "--in", "both", "-k", "1", "--library", library)["hits"]) == 1
    assert run("search", word, "--library", library).exit_code == 0
    assert "qqqq" in run("search", "qqqq", "--library", library).stdout


def test_doctor_finds_nothing_wrong(story: tuple[str, Path]) -> None:
    _, library = story
    view = document("doctor", "--library", library)
    assert view["clean"] is True
    assert view["hard"] == 0
    assert view["problems"] == []
    assert run("doctor", "--library", library).exit_code == 0


def test_doctor_ends_with_1_where_the_file_was_tampered_with(story: tuple[str, Path], tmp_path: Path) -> None:
    _, library = story
    copy = tmp_path / "lib"
    shutil.copytree(library, copy)
    with sqlite3.connect(copy / "library.db") as database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute("UPDATE node_version SET title = title || '!' WHERE version = 1")
    database.close()
    result = run("doctor", "--library", copy, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["clean"] is False


def test_labels_follow_the_asked_language(story: tuple[str, Path]) -> None:
    _, library = story
    assert "消息" in run("status", "--library", library, env={"TALEKEEPER_UI": "zh"}).stdout
    assert "messages" in run("status", "--library", library, env={"TALEKEEPER_UI": "en"}).stdout


@pytest.mark.parametrize("width", ["40", "200"])
def test_any_width_and_no_colour_when_piped(story: tuple[str, Path], width: str) -> None:
    from rich.cells import cell_len

    _, library = story
    for command in (["status"], ["timeline"], ["threads", "--all"], ["find", "a"]):
        result = run(*command, "--library", library, env={"COLUMNS": width})
        assert result.exit_code == 0
        assert "\x1b" not in result.stdout
        assert all(cell_len(line) <= int(width) for line in result.stdout.splitlines())


def test_with_two_stories_one_must_be_named(tmp_path: Path) -> None:
    for language in ("zh", "en"):
        run("curate", write_chat(tmp_path / f"{language}.jsonl", language), "--library", tmp_path / "lib")
    result = run("status", "--library", tmp_path / "lib")
    assert result.exit_code == 3
    titles = [s["title"] for s in document("stories", "--library", tmp_path / "lib")["stories"]]
    assert all(title in result.stderr for title in titles)
    printed = run("stories", "--library", tmp_path / "lib").stdout
    assert all(title in printed for title in titles)
    assert document("status", "--story", titles[1], "--library", tmp_path / "lib")["story"]["title"] == titles[1]
    assert run("status", "--story", "Nobody's", "--library", tmp_path / "lib").exit_code == 3


@pytest.mark.parametrize("command", [["status"], ["timeline"], ["threads"], ["find", "x"], ["search", "x"], ["doctor"]])
def test_no_library_is_an_error_and_makes_none(tmp_path: Path, command: list[str]) -> None:
    result = run(*command, "--library", tmp_path / "nowhere")
    assert result.exit_code in (3, 4)
    assert "nowhere" in result.stderr
    assert not (tmp_path / "nowhere").exists()


def test_a_file_that_is_no_library_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_text("not a database, by any means" * 100)
    result = run("status", "--library", tmp_path)
    assert result.exit_code == 4
    assert "library.db" in result.stderr


def test_a_folder_that_cannot_be_written_is_read_and_not_curated(
    story: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rights are feigned: tests may run as root, who may write everything."""
    _, library = story
    really = os.access
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK and really(path, mode))
    view = document("status", "--library", library)
    assert view["units"]["curated"] == 4
    written = run("curate", "--story", view["story"]["title"], "--library", library)
    assert written.exit_code == 4, written.output
    assert "can't be written" in written.stderr


def test_a_library_option_that_names_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    result = run("curate", write_chat(tmp_path / "c.jsonl", "zh"), "--library", tmp_path / "file")
    assert result.exit_code == 4, result.output
    assert "file" in result.stderr
