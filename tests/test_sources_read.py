"""The door: whatever comes in, a story or an error that says what was seen."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talekeeper.memory.errors import InputError
from talekeeper.sources.read import read_all, read_path
from talekeeper.sources.sniff import FORMATS


def refused(path: Path, says: str, format: str | None = None) -> None:
    with pytest.raises(InputError, match=says):
        read_path(path, format=format)


def test_files_that_are_none(tmp_path: Path) -> None:
    refused(tmp_path / "absent.jsonl", "There's no file")
    (tmp_path / "empty.jsonl").touch()
    refused(tmp_path / "empty.jsonl", "is empty")
    (tmp_path / "card.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    refused(tmp_path / "card.png", "PNG image.*cards can't be read yet")
    (tmp_path / "bin.txt").write_bytes(bytes(range(256)) * 16)
    refused(tmp_path / "bin.txt", "binary|can't be decoded")
    (tmp_path / "prose.jsonl").write_text("Not JSON at all.\nNo.", "utf-8")
    refused(tmp_path / "prose.jsonl", "no JSON.*begins 'Not JSON")


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "locked.txt"
    path.write_text("text", "utf-8")

    def denied(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    refused(path, "locked.txt can't be read: Permission denied. Check its permissions")


def test_a_device_is_no_story() -> None:
    refused(Path("/dev/null"), "no regular file")


def test_formats_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("王五：走吧。\n李四：好。\n王五：来。\n", "utf-8")
    refused(path, "No format 'docx'", format="docx")
    refused(tmp_path, "is a folder", format="novel")
    refused(path, "read from a folder", format="chapters")
    assert read_path(path).format == "text"
    assert read_path(path, format="novel").format == "novel"
    refused(path, "holds no JSON", format="sillytavern")
    assert "sillytavern" in FORMATS


def test_a_string_path_will_do(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A quiet night. Nothing moved.", "utf-8")
    assert read_path(str(tmp_path / "a.txt")).units  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.txt", "a" * 50_000_000, "50,000,000 characters"),
        ("a.jsonl", "{" * 50_000_000, "no readable row|no JSON"),
        ("a.jsonl", '{"name":"A","mes":"' + "a" * 50_000_000 + '"}', "50,000,000 characters"),
        ("a.json", "[" * 50_000_000, "nested too deeply|broken JSON"),
        ("a.jsonl", "x" * 50_000_000, "no JSON"),
    ],
    ids=["text", "braces", "message", "brackets", "letters"],
)
def test_a_single_line_of_50_mb_ends_quickly(tmp_path: Path, name: str, content: str, says: str) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    start = time.perf_counter()
    refused(path, says)
    assert time.perf_counter() - start < 10


def test_reading_is_deterministic(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("王五：走吧。\n李四：好。\n" * 20, "utf-8")
    assert read_path(path) == read_path(path)


FRAGMENTS = st.sampled_from(
    [
        b'{"user_name":"A","character_name":"B","chat_metadata":{}}',
        b'{"name":"A","is_user":true,"mes":"hi"}',
        b'{"name":"B","mes":"yo <b>x"}',
        b'{"role":"user","content":"hi"}',
        b'{"role":"assistant","content":null}',
        b'{"messages":[',
        b"]}",
        b"[",
        b"{",
        b'"',
        b",",
        b"\n",
        b"\r\n",
        "王五：走吧。".encode(),
        "第一章 雪".encode(),
        "第一章".encode("gbk"),
        b"Chapter 1",
        b"A: hi",
        b"\xff\xfe",
        b"\x00",
        b"\xef\xbb\xbf",
        b" ",
        b'{"swipes":[1,{"message":2}],"swipe_id":null,"name":3,"mes":{}}',
        b'{"type":"risuChat","data":{"message":[{},1,null]}}',
        b'{"session_1":[1,{"text":"x"}]}',
        b'{"conversations":[{"from":"human","value":"x"}]}',
        b'{"actions":[1,"x"],"prompt":null}',
        b'{"histories":{"histories":[{"msgs":[{}]},2]}}',
        b'{"data_visible":[["a"],["a","b"],3]}',
        b'{"a":{"history":{"d":[{"query":"x"}]}}}',
        b'{"lc":1,"kwargs":{},"id":[]}',
        b'{"messages":[{"msg":"x"},{"msg":3}]}',
        b"\\ud83c",
        b"\xed\xa0\xbc",
        b"<think>",
        b"```",
    ]
)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(
        st.binary(max_size=300),
        st.lists(FRAGMENTS, max_size=12).map(b"".join),
        st.lists(FRAGMENTS, max_size=12).map(b"\n".join),
    ),
    st.sampled_from(["a.jsonl", "a.json", "a.txt", "a.md", "a"]),
)
def test_no_bytes_raise_anything_but_input_error_and_rows_add_up(tmp_path: Path, data: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    try:
        stories = read_all(path)
    except InputError:
        return
    for story in stories:
        report = story.report
        assert report.balanced, report
        assert sum(len(unit.messages) for unit in story.units) == report.messages
        assert any(unit.text for unit in story.units)
        json.dumps(report.as_dict(), ensure_ascii=False).encode("utf-8")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(FORMATS[:-1]), st.lists(FRAGMENTS, max_size=6).map(b"\n".join))
def test_a_forced_format_fails_no_worse(tmp_path: Path, format: str, data: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    try:
        assert all(story.report.balanced for story in read_all(path, format=format))
    except InputError:
        return
