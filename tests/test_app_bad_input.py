"""Bad input and bad surroundings through the real command line: a clear error, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from talekeeper.memory.library import Library
from tests.app_help import write_chat

pytestmark = pytest.mark.slow

CLI = [sys.executable, "-m", "talekeeper.app.cli"]
LONG = [("沈砚" if i % 2 else "林晚照", f"沈砚在第{i}天走到了渡口，替秦伯修好了第{i}条船。") for i in range(1, 1200)]


def start(*args: str | Path, before: Sequence[str] = ()) -> subprocess.Popen[str]:
    """A command in a process of its own, labels in English."""
    env = {**os.environ, "TALEKEEPER_UI": "en", "COLUMNS": "200"}
    command = [*before, *CLI, *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def call(*args: str | Path, before: Sequence[str] = ()) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    process = start(*args, before=before)
    out, err = process.communicate(timeout=240)
    return process.returncode, out, err


def document(*args: str | Path) -> dict[str, Any]:
    code, out, err = call(*args, "--json")
    assert code == 0, err
    loaded: dict[str, Any] = json.loads(out)
    return loaded


def refused(code: int, says: str, *args: str | Path, before: Sequence[str] = ()) -> str:
    """A command that fails as it should: code, message, no traceback, and an error document with --json."""
    ended, out, err = call(*args, "--json", before=before)
    assert ended == code, (ended, out, err)
    assert re.search(says, err), err
    assert "Traceback" not in err + out
    error = json.loads(out)["error"]
    assert error["exit_code"] == code
    assert error["hint"], "an error names the next step"
    kind: str = error["kind"]
    return kind


@pytest.fixture(scope="module")
def curated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a chat and its library. Take a copy of it to spoil it."""
    folder = tmp_path_factory.mktemp("curated")
    chat = write_chat(folder / "lantern.jsonl", "zh")
    assert call("curate", chat, "--library", folder / "lib")[0] == 0
    return folder


@pytest.fixture
def folder(curated: Path, tmp_path: Path) -> Path:
    shutil.copytree(curated, tmp_path / "copy")
    return tmp_path / "copy"


def wait_for_turns(library: Path, count: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        if (library / "library.db").exists():
            with Library.open(library, read_only=True) as opened:
                if any(info.curated >= count for info in opened.stories()):
                    return
        time.sleep(0.05)
    pytest.fail(f"{count} turns were not curated within a minute")


# files


def mojibake() -> bytes:
    return bytes((i * 37 + 129) % 256 for i in range(4000)).translate(None, b"\0")


FILES = {
    "empty.jsonl": (b"", "is empty"),
    "blank.txt": (b"\xef\xbb\xbf \r\n\r\n", "nothing but blanks"),
    "picture.jsonl": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "PNG image"),
    "noise.txt": (bytes(range(256)) * 99, "binary|can't be decoded"),
    "marked.jsonl": (
        b"\xef\xbb\xbf" + '{"name":"林","mes":"雪落了，炉火正旺。"}'.encode("gb18030") * 9,
        "marked as utf-8",
    ),
    "mixed.txt": (mojibake(), "binary|can't be decoded"),
    "line.txt": (b"a" * 50_000_000, "50,000,000 characters"),
    "line.jsonl": (b'{"name":"A","mes":"' + b"a" * 50_000_000 + b'"}', "50,000,000 characters"),
    "header.jsonl": (b'{"user_name":"A","character_name":"B","chat_metadata":{}}\n', "without a message"),
    "comma.json": (b'[{"role":"user","content":"a"},]', "broken JSON at line 1"),
    "card.json": (b'{"spec":"chara_card_v2","data":{"name":"A"}}', "card|unknown"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_story_changes_nothing(name: str, folder: Path) -> None:
    content, says = FILES[name]
    path, library = folder / name, folder / "lib"
    path.write_bytes(content)
    before = (library / "library.db").read_bytes()
    started = time.monotonic()
    assert refused(3, says, "curate", path, "--library", library) == "InputError"
    assert time.monotonic() - started < 30
    assert refused(3, says, "curate", path, "--story", "lantern", "--library", library) == "InputError"
    assert (library / "library.db").read_bytes() == before


def test_a_chat_that_came_back_empty_takes_nothing_away(folder: Path) -> None:
    """The file of a curated story is emptied, or left with its header alone: the memory stays as it was."""
    chat, library = folder / "lantern.jsonl", folder / "lib"
    status = document("status", "--library", library)
    header = chat.read_text("utf-8").splitlines()[0]
    for content in ("", header, "{}"):
        chat.write_text(content, "utf-8")
        refused(3, "lantern.jsonl", "curate", chat, "--library", library)
        assert document("status", "--library", library) == status


def test_an_unknown_model(folder: Path) -> None:
    chat, library = folder / "lantern.jsonl", folder / "other"
    assert refused(6, "no-such-model", "curate", chat, "--model", "no-such-model", "--library", library) == "ModelError"
    assert not library.exists()


# libraries


def test_a_library_path_that_is_a_file(folder: Path) -> None:
    chat, path = folder / "lantern.jsonl", folder / "notes.txt"
    path.write_text("mine", "utf-8")
    for command in (("curate", chat), ("status",), ("doctor",)):
        refused(4, "notes.txt", *command, "--library", path)
    refused(4, "notes.txt", "curate", chat, "--library", path / "deeper")
    assert path.read_text("utf-8") == "mine"


def test_a_library_of_a_newer_version_is_left_alone(folder: Path) -> None:
    library = folder / "lib"
    connection = sqlite3.connect(library / "library.db")
    connection.execute("UPDATE alembic_version SET version_num = 'r9999'")
    connection.commit()
    connection.close()
    before = (library / "library.db").read_bytes()
    for command in (("curate", folder / "lantern.jsonl"), ("status",), ("doctor",)):
        assert refused(4, "r9999", *command, "--library", library) == "LibraryTooNew"
    assert (library / "library.db").read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"not a database at all\n" * 900, b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_database_file_that_is_none(folder: Path, content: bytes) -> None:
    library = folder / "lib"
    (library / "library.db").write_bytes(content)
    for command in (("curate", folder / "lantern.jsonl"), ("status",), ("doctor",)):
        assert refused(4, "library.db", *command, "--library", library) == "LibraryDamaged"
    assert (library / "library.db").read_bytes() == content


def test_a_database_damaged_inside_or_cut_off_is_told(folder: Path) -> None:
    file = folder / "lib" / "library.db"
    whole = file.read_bytes()
    for spoilt in (whole[:20_000] + b"\xa5" * (len(whole) - 20_000), whole[: len(whole) // 2]):
        file.write_bytes(spoilt)
        ended, out, err = call("doctor", "--library", folder / "lib", "--json")
        assert ended in (1, 4), err
        assert "Traceback" not in err
        told = json.loads(out)
        assert told.get("problems") or told["error"]["kind"] == "LibraryDamaged"
        ended, out, err = call("curate", folder / "lantern.jsonl", "--library", folder / "lib", "--json")
        assert ended == 4, (ended, err)


def test_damaged_checkpoints_cost_a_message_not_the_memory(folder: Path) -> None:
    library, chat = folder / "lib", folder / "lantern.jsonl"
    for name in ("checkpoints.db-wal", "checkpoints.db-shm"):
        (library / name).unlink(missing_ok=True)
    (library / "checkpoints.db").write_bytes(b"no database" * 999)
    write_chat(chat, "zh", more=[("沈砚", "*我走了。*"), ("林晚照", "雪停了，沈砚去了渡口。")])
    go_on = ("curate", chat, "--story", "lantern", "--library", library)
    assert refused(4, "checkpoints.db", *go_on) == "LibraryDamaged"
    (library / "checkpoints.db").unlink()
    assert document(*go_on)["stories"][0]["curated"] == 1
    assert document("doctor", "--library", library)["clean"]


# the machine


def read_only(folder: Path) -> list[str]:
    """What to put before a command so that it finds ``folder`` read-only, whoever runs the tests."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        return []
    script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    before = ["unshare", "--mount", "sh", "-c", script, str(folder)]
    if shutil.which("unshare") is None or subprocess.run([*before, "true"], capture_output=True).returncode != 0:
        pytest.skip("run as root, and no mount namespace is permitted: no folder can be made read-only")
    return before


def test_a_read_only_folder_can_be_read_and_not_written(folder: Path) -> None:
    library, chat = folder / "lib", folder / "lantern.jsonl"
    write_chat(chat, "zh", more=[("沈砚", "*我走了。*"), ("林晚照", "雪停了。")])
    before = read_only(library)
    assert refused(4, "can't be written", "curate", chat, "--library", library, before=before) == "LibraryReadOnly"
    for command in (["status"], ["timeline"], ["doctor"], ["find", "沈砚"]):
        code, _, err = call(*command, "--library", library, before=before)
        assert code == 0, err
    library.chmod(0o755)
    empty = folder / "empty"
    empty.mkdir()
    kind = refused(4, "can't be written", "curate", chat, "--library", empty / "new", before=read_only(empty))
    assert kind == "LibraryReadOnly"
    empty.chmod(0o755)
    assert list(empty.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)], capture_output=True)
    if made.returncode != 0:
        pytest.skip("no small file system can be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_full_disk_ends_the_run_and_space_lets_it_go_on(small_disk: Path, tmp_path: Path) -> None:
    chat, library = write_chat(tmp_path / "long.jsonl", "zh", more=LONG[:80]), small_disk / "lib"
    assert call("curate", chat, "--to", "1", "--library", library)[0] == 0
    filler = small_disk / "filler"
    space = os.statvfs(small_disk)
    filler.write_bytes(b"x" * (space.f_bavail * space.f_frsize - 150_000))
    assert refused(4, "disk is full", "curate", chat, "--library", library) == "LibraryFull"
    with Library.open(library, read_only=True) as opened:
        (info,) = opened.stories()
        assert 1 <= info.curated < 44
        assert opened.check() == []
    assert refused(4, "disk is full", "curate", chat, "--library", library) == "LibraryFull"
    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    (row,) = document("curate", chat, "--library", library)["stories"]
    assert row["left"] == 0
    status = document("status", "--library", library)
    assert status["nodes"]["event"] == status["units"]["total"] == status["units"]["curated"] > 40
    assert document("doctor", "--library", library)["clean"]


def test_a_disk_too_full_for_a_new_library_keeps_nothing_of_it(small_disk: Path, tmp_path: Path) -> None:
    chat, library = write_chat(tmp_path / "short.jsonl", "zh"), small_disk / "lib"
    space = os.statvfs(small_disk)
    (small_disk / "filler").write_bytes(b"x" * (space.f_bavail * space.f_frsize - 50_000))
    assert refused(4, "disk is full", "curate", chat, "--library", library) == "LibraryFull"
    assert not library.exists() or list(library.iterdir()) == []
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    assert document("curate", chat, "--library", library)["stories"][0]["left"] == 0


def pause_outside_a_write(process: subprocess.Popen[str], library: Path) -> None:
    """Stop the process where it holds its lease but not the database's lock, as while a model thinks."""
    connection = sqlite3.connect(library / "library.db", timeout=0, isolation_level=None)
    for _ in range(1000):
        process.send_signal(signal.SIGSTOP)
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            process.send_signal(signal.SIGCONT)
            time.sleep(0.002)
            continue
        connection.execute("ROLLBACK")
        break
    else:
        pytest.fail("the database was never free")
    connection.close()


def test_two_processes_on_one_story(tmp_path: Path) -> None:
    chat, library = write_chat(tmp_path / "long.jsonl", "zh", more=LONG[:60]), tmp_path / "lib"
    first = start("curate", chat, "--library", library, "--json")
    wait_for_turns(library, 1, first)
    pause_outside_a_write(first, library)
    assert refused(5, f"process {first.pid}", "curate", chat, "--library", library) == "StoryLocked"
    for command in (("status",), ("timeline", "--last", "1")):
        assert call(*command, "--library", library)[0] == 0, "reading goes on meanwhile"
    first.send_signal(signal.SIGCONT)
    out, err = first.communicate(timeout=240)
    assert first.returncode == 0, err
    (row,) = json.loads(out)["stories"]
    assert (row["left"], row["curated"]) == (0, row["units"]["total"])
    assert document("doctor", "--library", library)["clean"]


def test_a_second_ctrl_c_breaks_off_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    chat, library = write_chat(tmp_path / "long.jsonl", "zh", more=LONG), tmp_path / "lib"
    process = start("curate", chat, "--library", library)
    wait_for_turns(library, 1, process)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    assert "Traceback" not in err
    with Library.open(library) as opened:
        assert opened.check() == []
        done = opened.stories()[0].curated
    (row,) = document("curate", chat, "--to", str(done + 2), "--library", library)["stories"]
    assert row["left"] == 0
    assert document("doctor", "--library", library)["clean"]


def test_killed_again_and_again_even_without_its_checkpoints(tmp_path: Path) -> None:
    chat, library = write_chat(tmp_path / "long.jsonl", "zh", more=LONG[:40]), tmp_path / "lib"
    for turns in (1, 5, 12):
        process = start("curate", chat, "--library", library)
        wait_for_turns(library, turns, process)
        process.kill()
        process.communicate()
        with Library.open(library) as opened:
            assert opened.check() == []
        if turns == 5:
            for file in library.glob("checkpoints.db*"):
                file.unlink()
    (row,) = document("curate", chat, "--library", library)["stories"]
    status = document("status", "--library", library)
    assert row["left"] == status["unfinished_dispatches"] == 0
    assert status["nodes"]["event"] == status["units"]["total"]
    assert document("doctor", "--library", library)["clean"]
