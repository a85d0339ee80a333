"""``curate`` with the built-in voice: what lands, what a second run does, what a plan says, what stops it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.app_help import CHATS, document, run, write_chat

LANGUAGES = ["zh", "en"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chat_becomes_a_story_with_one_event_a_turn(tmp_path: Path, language: str) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", language)
    done = document("curate", chat, "--library", tmp_path / "lib")
    (row,) = done["stories"]
    assert done["format"] == "talekeeper.curate/1"
    assert done["stopped"] is False
    assert row["story"]["language"] == language
    assert row["read"]["messages"] == len(CHATS[language])
    assert row["units"]["total"] == row["curated"] == 4
    assert row["left"] == 0
    status = document("status", "--library", tmp_path / "lib")
    assert status["nodes"]["event"] == status["units"]["total"] == status["units"]["curated"] == 4
    assert status["messages"]["total"] == len(CHATS[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_second_run_has_nothing_to_do_and_says_so(tmp_path: Path, language: str) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", language)
    run("curate", chat, "--library", tmp_path / "lib")
    before = document("status", "--library", tmp_path / "lib")
    again = run("curate", chat, "--library", tmp_path / "lib")
    assert again.exit_code == 0
    assert "nothing to do" in again.stdout
    after = document("status", "--library", tmp_path / "lib")
    assert {k: before[k] for k in before if k != "library"} == {k: after[k] for k in after if k != "library"}


def test_a_grown_file_costs_only_what_is_new(tmp_path: Path) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", "zh", count=5)
    run("curate", chat, "--library", tmp_path / "lib")
    write_chat(chat, "zh")
    plan = document("curate", chat, "--library", tmp_path / "lib", "--dry-run")["stories"][0]
    assert (plan["units"]["new"], plan["units"]["changed"], plan["to_curate"]) == (1, 0, 1)
    (row,) = document("curate", chat, "--library", tmp_path / "lib")["stories"]
    assert (row["units"]["added"], row["units"]["unchanged"], row["curated"]) == (1, 3, 1)


def test_an_edited_turn_is_curated_again_in_its_place(tmp_path: Path) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", "zh")
    run("curate", chat, "--library", tmp_path / "lib")
    chat.write_text(chat.read_text("utf-8").replace("秦伯认出了那截船绳", "秦伯没有认出那截船绳"), "utf-8")
    plan = document("curate", chat, "--library", tmp_path / "lib", "--dry-run")["stories"][0]
    assert (plan["units"]["new"], plan["units"]["changed"], plan["to_curate"]) == (0, 1, 1)
    (row,) = document("curate", chat, "--library", tmp_path / "lib")["stories"]
    assert (row["units"]["changed"], row["curated"], row["units"]["total"]) == (1, 1, 4)


def test_a_renamed_and_grown_file_goes_to_its_story(tmp_path: Path) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", "zh", count=5)
    run("curate", chat, "--library", tmp_path / "lib")
    chat.unlink()
    (row,) = document("curate", write_chat(tmp_path / "moved.jsonl", "zh"), "--library", tmp_path / "lib")["stories"]
    assert (row["units"]["added"], row["units"]["unchanged"]) == (1, 3)
    assert len(document("stories", "--library", tmp_path / "lib")["stories"]) == 1


def test_a_copy_is_its_story_and_a_branch_or_checkpoint_gets_its_own(tmp_path: Path) -> None:
    run("curate", write_chat(tmp_path / "lantern.jsonl", "zh"), "--library", tmp_path / "lib")
    copy = document("curate", write_chat(tmp_path / "copy.jsonl", "zh"), "--library", tmp_path / "lib")
    assert copy["stories"][0]["units"]["added"] == 0
    branch = write_chat(
        tmp_path / "Branch #1.jsonl", "zh", count=5, more=[("沈砚", "*我走了。*"), ("林晚照", "雪停了。")]
    )
    checkpoint = write_chat(tmp_path / "Checkpoint #1.jsonl", "zh", count=5)
    done = document("curate", branch, checkpoint, "--library", tmp_path / "lib")
    assert [row["file"] for row in done["stories"]] == [str(branch), str(checkpoint)]
    stories = document("stories", "--library", tmp_path / "lib")["stories"]
    assert len(stories) == len({s["title"] for s in stories}) == 3


def test_several_files_are_several_stories_unless_one_is_named(tmp_path: Path) -> None:
    zh, en = write_chat(tmp_path / "灯.jsonl", "zh"), write_chat(tmp_path / "lamp.jsonl", "en")
    done = document("curate", zh, en, "--library", tmp_path / "two")
    assert [row["story"]["language"] for row in done["stories"]] == ["zh", "en"]
    one = document("curate", zh, en, "--story", "Both", "--library", tmp_path / "one")
    assert [row["story"]["title"] for row in one["stories"]] == ["Both"]
    assert one["stories"][0]["units"]["total"] == 8


def test_one_file_that_is_no_story_does_not_stop_the_others(tmp_path: Path) -> None:
    good, bad = write_chat(tmp_path / "good.jsonl", "zh"), tmp_path / "empty.jsonl"
    bad.write_bytes(b"")
    result = run("curate", bad, good, "--library", tmp_path / "lib", "--json")
    assert result.exit_code == 3
    done = json.loads(result.stdout)
    assert [row["file"] for row in done["skipped"]] == [str(bad)]
    assert "empty.jsonl" in result.stderr
    assert [row["curated"] for row in done["stories"]] == [4]


def test_dry_run_writes_nothing_at_all(tmp_path: Path) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", "zh")
    plan = document("curate", chat, "--library", tmp_path / "lib", "--dry-run")
    assert plan["format"] == "talekeeper.plan/1"
    assert plan["library"] is None
    assert plan["stories"][0]["to_curate"] == 4
    assert plan["stories"][0]["model_calls"] == 0
    assert not (tmp_path / "lib").exists()


def test_from_and_to_choose_turns_and_the_rest_follows_later(tmp_path: Path) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", "en")
    (row,) = document("curate", chat, "--to", "2", "--library", tmp_path / "lib")["stories"]
    assert (row["curated"], row["left"]) == (2, 0)
    assert document("status", "--library", tmp_path / "lib")["units"]["pending"] == 2
    (row,) = document("curate", chat, "--from", "3", "--library", tmp_path / "lib")["stories"]
    assert row["curated"] == 2


def test_a_story_goes_on_by_name_without_its_file(tmp_path: Path) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", "zh")
    run("curate", chat, "--to", "1", "--story", "灯", "--library", tmp_path / "lib")
    chat.unlink()
    (row,) = document("curate", "--story", "灯", "--library", tmp_path / "lib")["stories"]
    assert (row["file"], row["curated"], row["left"]) == (None, 3, 0)


def test_damaged_lines_are_named_and_nothing_else_is_lost(tmp_path: Path) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", "zh")
    lines = chat.read_text("utf-8").splitlines()
    chat.write_text("\n".join([*lines[:3], '{"name": "broken', *lines[3:]]), "utf-8")
    result = run("curate", chat, "--library", tmp_path / "lib")
    assert result.exit_code == 0
    assert "line 4" in result.stderr
    assert document("status", "--library", tmp_path / "lib")["messages"]["total"] == len(CHATS["zh"])


def test_own_node_types_come_from_a_schema_file(tmp_path: Path) -> None:
    schema = tmp_path / "own.yaml"
    schema.write_text(
        "types:\n  - {name: faction, prefix: fac, table_columns: [title, aim], required_columns: [title]}\n", "utf-8"
    )
    chat = write_chat(tmp_path / "lantern.jsonl", "zh")
    assert run("curate", chat, "--schema", schema, "--library", tmp_path / "lib").exit_code == 0
    assert run("find", "x", "--type", "faction", "--library", tmp_path / "lib").exit_code == 0
    assert run("find", "x", "--type", "fraction", "--library", tmp_path / "lib").exit_code == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("absent.jsonl", None),
        ("empty.jsonl", b""),
        ("image.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20),
        ("table.csv", b"\x00\x01\x02\x03" * 200),
    ],
)
def test_files_that_are_no_story_are_refused_with_3(tmp_path: Path, name: str, content: bytes | None) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    result = run("curate", path, "--library", tmp_path / "lib")
    assert result.exit_code == 3, result.output
    assert name in result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "lib").exists()


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--model", "no-such-model"], 6, "no-such-model"),
        (["--from", "3", "--to", "2"], 3, "--from 3"),
        (["--schema", "absent.yaml"], 3, "absent.yaml"),
        (["--format", "no-such-format"], 3, "no-such-format"),
        (["--lang", "fr"], 2, "--lang"),
    ],
)
def test_options_that_cannot_be_are_refused_before_anything_is_written(
    tmp_path: Path, options: list[str], code: int, says: str
) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", "zh")
    result = run("curate", chat, *options, "--library", tmp_path / "lib")
    assert result.exit_code == code, result.output
    assert says in result.stderr
    assert not (tmp_path / "lib").exists()


def test_neither_file_nor_story_is_wrong_usage(tmp_path: Path) -> None:
    result = run("curate", "--library", tmp_path / "lib")
    assert result.exit_code == 3
    assert "--story" in result.stderr


def test_a_locked_story_names_its_holder(tmp_path: Path) -> None:
    from talekeeper.memory.library import Library

    chat = write_chat(tmp_path / "lantern.jsonl", "zh")
    run("curate", chat, "--to", "1", "--library", tmp_path / "lib")
    with Library.open(tmp_path / "lib") as library, library.story(library.stories()[0].title).lease("another hand"):
        result = run("curate", chat, "--library", tmp_path / "lib")
    assert result.exit_code == 5
    assert "another hand" in result.stderr
    assert run("curate", chat, "--library", tmp_path / "lib").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_saves_what_is_done_says_so_and_the_next_run_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    more = [("沈砚" if i % 2 else "林晚照", f"沈砚在第{i}天走到了渡口，替秦伯修好了第{i}条船。") for i in range(1, 800)]
    chat = write_chat(tmp_path / "long.jsonl", "zh", more=more)
    command = [sys.executable, "-m", "talekeeper.app.cli", "curate", str(chat), "--library", str(tmp_path / "lib")]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TALEKEEPER_UI": "en"}
    )
    wait_for_turns(tmp_path / "lib", 2, process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    assert "Stopping" in err
    assert "saved" in err
    assert "talekeeper curate" in err
    status = document("status", "--library", tmp_path / "lib")
    assert 2 <= status["units"]["curated"] < status["units"]["total"]
    assert status["nodes"]["event"] == status["units"]["curated"]
    done = status["units"]["curated"]
    (row,) = document("curate", chat, "--to", str(done + 2), "--library", tmp_path / "lib")["stories"]
    assert row["curated"] == 2
    assert document("doctor", "--library", tmp_path / "lib")["clean"]


def wait_for_turns(library: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until ``count`` turns are curated and the run is still going."""
    from talekeeper.memory.library import Library

    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        if (library / "library.db").exists():
            with Library.open(library, create=False, read_only=True) as opened:
                infos = opened.stories()
                if infos and infos[0].curated >= count:
                    return
        time.sleep(0.2)
    raise AssertionError("the run didn't get going")


def test_stdout_of_a_run_is_one_document_whatever_goes_to_stderr(tmp_path: Path) -> None:
    chat = write_chat(tmp_path / "lantern.jsonl", "zh")
    command = [
        sys.executable,
        "-m",
        "talekeeper.app.cli",
        "curate",
        str(chat),
        "--library",
        str(tmp_path / "lib"),
        "--json",
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["format"] == "talekeeper.curate/1"
    assert "\x1b" not in ran.stdout + ran.stderr
