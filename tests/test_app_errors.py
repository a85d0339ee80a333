"""Errors at the command line: message, next step, exit code; a document on stdout with --json; never a traceback."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from talekeeper.app.errors import GuardedGroup, explain
from talekeeper.app.options import JsonOption
from talekeeper.memory.errors import InputError, LibraryFull, ModelError, NotFound, StoryLocked, TalekeeperError


def app_raising(error: BaseException) -> typer.Typer:
    app = typer.Typer(cls=GuardedGroup, pretty_exceptions_enable=False)

    @app.callback()
    def root() -> None: ...

    @app.command()
    def work(as_json: JsonOption = False) -> None:
        raise error

    return app


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("No file x.jsonl.", hint="Check the path."), 3),
        (NotFound("node", "char_9", ["char_1"]), 3),
        (LibraryFull("The disk is full.", hint="Make room."), 4),
        (StoryLocked("Locked by pid 7.", hint="Wait."), 5),
        (ModelError("Unknown model.", hint="Try builtin."), 6),
        (TalekeeperError("Odd."), 1),
    ],
)
def test_error_on_purpose_gives_message_hint_and_its_own_code(error: TalekeeperError, code: int) -> None:
    result = CliRunner().invoke(app_raising(error), ["work"])
    assert result.exit_code == code
    assert result.stdout == ""
    assert error.message in result.stderr
    assert error.hint in result.stderr
    assert "Traceback" not in result.output


def test_with_json_the_error_is_a_document_of_its_own() -> None:
    result = CliRunner().invoke(app_raising(NotFound("node", "char_9", ["char_1"])), ["work", "--json"])
    document = json.loads(result.stdout)
    assert document["format"] == "talekeeper.error/1"
    assert document["error"]["kind"] == "NotFound"
    assert document["error"]["exit_code"] == result.exit_code == 3
    assert document["error"]["nearest"] == ["char_1"]


def test_text_of_an_error_is_not_read_as_markup() -> None:
    result = CliRunner().invoke(app_raising(InputError("No file [bold]a[/bold].jsonl.")), ["work"])
    assert "[bold]a[/bold].jsonl" in result.stderr


def test_full_disk_and_the_like_are_no_bugs() -> None:
    error = OSError(errno.ENOSPC, "No space left on device", "library.db")
    result = CliRunner().invoke(app_raising(error), ["work"])
    assert result.exit_code == 4
    assert "No space left on device: library.db" in result.stderr


def test_a_bug_is_short_on_the_screen_and_whole_in_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    result = CliRunner().invoke(app_raising(ZeroDivisionError("by zero")), ["work"])
    assert result.exit_code == 70
    assert "bug in talekeeper" in result.stderr
    assert "Traceback" not in result.stderr
    log = next(tmp_path.rglob("error-*.log"))
    assert str(log) in result.stderr.replace("\n", "")
    assert "ZeroDivisionError: by zero" in log.read_text("utf-8")
    assert "Traceback" in log.read_text("utf-8")


def test_a_bug_is_told_even_where_no_log_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(blocked))
    assert explain(ValueError("x")) == 70
    assert "could not be written" in capsys.readouterr().err


def test_ctrl_c_ends_with_130() -> None:
    assert CliRunner().invoke(app_raising(KeyboardInterrupt()), ["work"]).exit_code == 130


def test_wrong_usage_is_told_as_usage() -> None:
    result = CliRunner().invoke(app_raising(InputError("x")), ["work", "--nonsense"])
    assert result.exit_code == 2
    assert "--nonsense" in result.stderr
