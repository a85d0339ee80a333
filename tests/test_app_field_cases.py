"""Faults that users met in tools of this kind, each as a small input of our own and the value that would be right.

They go through the command line into a library, because most of them showed only at the far end.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.app_help import document, run

HEADER = {"user_name": "沈砚", "character_name": "林晚照", "chat_metadata": {}}


def row(name: str, mes: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "is_user": name in ("沈砚", "Silas"), "mes": mes} | more


def chat(path: Path, *rows: Any) -> Path:
    lines = [r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in rows]
    path.write_text("\n".join(lines), "utf-8")
    return path


def curated(tmp_path: Path, *rows: Any) -> tuple[dict[str, Any], Path]:
    """What ``curate`` says of a chat of these rows, and the library; the file must be as it was."""
    file, library = chat(tmp_path / "雪夜.jsonl", *rows), tmp_path / "lib"
    before = (file.read_bytes(), os.stat(file).st_mtime_ns)
    (story,) = document("curate", file, "--library", library)["stories"]
    assert (file.read_bytes(), os.stat(file).st_mtime_ns) == before, "the user's file is never written"
    assert document("doctor", "--library", library)["clean"]
    return story, library


def texts(library: Path) -> list[str]:
    """The curated text of every message, in story order."""
    total = document("status", "--library", library)["units"]["total"]
    units = [document("show", f"u{n}", "--library", library)["unit"] for n in range(1, total + 1)]
    return [message["text"] for unit in units for message in unit["messages"]]


def everything(library: Path) -> str:
    """All that a library's files hold, as the bytes say it."""
    return "".join(file.read_bytes().decode("utf-8", "ignore") for file in library.glob("*.db*"))


def test_dates_of_every_kind_in_one_chat_keep_every_row_in_the_files_order(tmp_path: Path) -> None:
    dates = ("April 26, 2024 6:06am", "2024-04-26@06h07m00s", 1714111680000, "2024-04-26T06:09:00Z", "someday", None)
    rows = [row("林晚照" if i % 2 else "沈砚", f"第{i}句。", send_date=d, is_name=True) for i, d in enumerate(dates)]
    _, library = curated(tmp_path, HEADER, *rows)
    assert texts(library) == [f"第{i}句。" for i in range(6)]
    unit = document("show", "u1", "--library", library)["unit"]
    assert [m["sent_at"] for m in unit["messages"]] == ["2024-04-26T06:06:00", "2024-04-26T06:07:00"]
    last = document("show", "u3", "--library", library)["unit"]
    assert [m["sent_at"] for m in last["messages"]] == [None, None]


@pytest.mark.parametrize("first", ['{"user_name": "沈砚", "chat_', "\ufeff" + json.dumps(HEADER, ensure_ascii=False)])
def test_a_broken_or_marked_first_line_costs_no_message(tmp_path: Path, first: str) -> None:
    story, library = curated(tmp_path, first, row("沈砚", "走吧。"), row("林晚照", "林晚照点起了灯。"))
    assert story["read"]["messages"] == 2
    assert [d["line"] for d in story["read"]["damaged"]] == ([] if first.startswith("\ufeff") else [1])
    assert texts(library) == ["走吧。", "林晚照点起了灯。"]


def test_a_torn_last_line_costs_itself_and_is_named(tmp_path: Path) -> None:
    story, library = curated(tmp_path, HEADER, row("沈砚", "走吧。"), row("林晚照", "好。"), '{"name": "沈砚", "me')
    assert [d["line"] for d in story["read"]["damaged"]] == [4]
    assert texts(library) == ["走吧。", "好。"]
    assert "雪夜" in run("stories", "--library", library).stdout, "the chat is still listed"


def test_two_saves_woven_into_one_line_cost_that_line_alone(tmp_path: Path) -> None:
    torn = '{"name":"沈砚","send_date":"2026-07-12T14:1{"name":"林晚照","mes":"乙"}8:29Z","mes":"甲"}'
    story, library = curated(tmp_path, HEADER, row("沈砚", "走吧。"), torn, row("林晚照", "好。"))
    assert [d["line"] for d in story["read"]["damaged"]] == [3]
    assert texts(library) == ["走吧。", "好。"]


def test_a_chat_saved_empty_takes_no_memory_away(tmp_path: Path) -> None:
    rows = [row("沈砚", "走吧。"), row("林晚照", "林晚照点起了灯。"), row("沈砚", "停下。"), row("林晚照", "灯灭了。")]
    _, library = curated(tmp_path, HEADER, *rows)
    before = document("timeline", "--leaves", "--library", library)
    for content in ([HEADER], ["{}"], []):
        assert run("curate", chat(tmp_path / "雪夜.jsonl", *content), "--library", library).exit_code == 3
    shorter = run("curate", chat(tmp_path / "雪夜.jsonl", HEADER, *rows[:2]), "--library", library)
    assert shorter.exit_code == 0
    assert document("timeline", "--leaves", "--library", library) == before


def test_hidden_rows_and_rows_with_nothing_but_a_name_are_story(tmp_path: Path) -> None:
    hidden = row("沈砚", "沈砚把青灯藏进了柜子。", is_system=True)
    story, library = curated(tmp_path, HEADER, hidden, {"name": "秦伯", "mes": "秦伯推开了门，看见了沈砚。"})
    assert (story["read"]["messages"], story["read"]["hidden"]) == (2, 1)
    assert document("status", "--library", library)["messages"]["hidden"] == 1
    assert "沈砚把青灯藏进了柜子。" in texts(library)
    found = document("find", "秦伯", "--library", library)["matches"]
    assert [match["type"] for match in found] == ["character_sheet"]


@pytest.mark.parametrize("info", [{}, {"swipe_info": None}, {"swipe_info": []}, {"swipe_info": [{}]}])
def test_only_the_chosen_alternative_is_remembered_even_if_it_is_the_first(tmp_path: Path, info: Any) -> None:
    swipes = ["林晚照点起了灯。", "顾寒舟烧掉了渡口。"]
    first = row("林晚照", swipes[0], swipes=swipes, swipe_id=0, **info)
    second = row("林晚照", "秦伯修好了船。", swipes=["顾寒舟凿沉了船。", "秦伯修好了船。"], swipe_id=1, **info)
    story, library = curated(tmp_path, HEADER, row("沈砚", "走吧。"), first, row("沈砚", "停下。"), second)
    assert texts(library) == ["走吧。", swipes[0], "停下。", "秦伯修好了船。"]
    assert story["read"]["swipes"] == 2
    assert document("find", "顾寒舟", "--library", library)["matches"] == []
    assert document("search", "顾寒舟", "--in", "both", "--library", library)["hits"] == []
    assert "顾寒舟" not in everything(library)


def test_another_alternative_chosen_later_replaces_the_first(tmp_path: Path) -> None:
    swipes = ["林晚照点起了灯。", "秦伯推开了门。"]
    rows = [row("沈砚", "走吧。"), row("林晚照", swipes[0], swipes=swipes, swipe_id=0)]
    _, library = curated(tmp_path, HEADER, *rows)
    rows[1] |= {"mes": swipes[1], "swipe_id": 1}
    (story,) = document("curate", chat(tmp_path / "雪夜.jsonl", HEADER, *rows), "--library", library)["stories"]
    assert (story["units"]["changed"], story["curated"]) == (1, 1)
    events = document("timeline", "--leaves", "--library", library)["events"]
    assert len(events) == 1
    assert "秦伯" in events[0]["summary"]
    assert "点起了灯" not in events[0]["summary"]


def test_an_export_in_an_unknown_shape_is_an_error_and_no_blank_chat(tmp_path: Path) -> None:
    turn = {"author": {"is_human": False}, "candidates": [{"raw_content": "Hello."}]}
    file = chat(tmp_path / "export.jsonl", turn, turn)
    result = run("curate", file, "--library", tmp_path / "lib")
    assert result.exit_code == 3
    assert "author" in result.stderr, "what was seen"
    assert "SillyTavern" in result.stderr, "what is accepted"
    assert not (tmp_path / "lib").exists()


def test_strange_rows_among_messages_are_named_one_by_one(tmp_path: Path) -> None:
    story, library = curated(tmp_path, HEADER, row("沈砚", "走吧。"), {"author": 1}, row("林晚照", "好。"), "[]")
    assert [d["line"] for d in story["read"]["damaged"]] == [3, 5]
    assert texts(library) == ["走吧。", "好。"]


def test_a_trailing_comma_fails_where_it_stands_and_imports_nothing(tmp_path: Path) -> None:
    file = tmp_path / "messages.json"
    file.write_text('{"messages": [\n {"role": "user",\n  "content": "a"},\n]}', "utf-8")
    result = run("curate", file, "--library", tmp_path / "lib")
    assert result.exit_code == 3
    assert "line 4" in result.stderr
    assert not (tmp_path / "lib").exists()


def test_a_broken_list_with_a_message_a_line_gives_its_messages_and_says_so(tmp_path: Path) -> None:
    file, library = tmp_path / "messages.json", tmp_path / "lib"
    lines = '[\n {"role": "user", "content": "Wait."},\n {"role": "assistant", "content": "Wren stayed."}'
    for end, damaged in ((",\n]", [1, 4]), ("\n]", [])):
        file.write_text(lines + end, "utf-8")
        (story,) = document("curate", file, "--library", library)["stories"]
        assert story["read"]["messages"] == 2
        assert [d["line"] for d in story["read"]["damaged"]] == damaged
        assert texts(library) == ["Wait.", "Wren stayed."]


def test_halves_of_characters_are_joined_or_marked_and_can_be_printed(tmp_path: Path) -> None:
    line = '{"name":"林晚照","mes":"林晚照举起了\\ud83c\\udf78。门外\\udeaa响。"}'
    _, library = curated(tmp_path, HEADER, row("沈砚", "走吧。"), line)
    assert texts(library)[1] == "林晚照举起了🍸。门外\ufffd响。"
    for command in (["show", "u1"], ["timeline"], ["search", "林晚照", "--in", "both"]):
        result = run(*command, "--library", library)
        assert result.exit_code == 0
        assert result.stdout.encode("utf-8")


HEADINGS = ("第 1 章 雪夜", "＃ 第２章", "【第三章】", "番外 秦伯")


@pytest.mark.parametrize("encoding", ["gbk", "gb18030", "utf-16", "utf-8-sig"])
def test_a_novels_chapters_end_where_the_next_begins_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    before = "序言\n写在雪停之后。\n\n卷一\n"
    text = before + "".join(f"{h}\n林晚照点起了第{i}盏灯。\n秦伯走了。\n\n" for i, h in enumerate(HEADINGS, start=1))
    file, library = tmp_path / "novel.txt", tmp_path / "lib"
    file.write_bytes(text.replace("\n", "\r\n").encode(encoding))
    document("curate", file, "--library", library)
    status = document("status", "--library", library)
    total = status["units"]["total"]
    units = [document("show", f"u{n}", "--library", library)["unit"] for n in range(1, total + 1)]
    assert "写在雪停之后" in units[0]["text"], "what stands before the first chapter is kept"
    chapters = units[-4:]
    for number, unit in enumerate(chapters, start=1):
        assert f"第{number}盏灯" in unit["text"]
        assert unit["text"].rstrip().endswith("秦伯走了。"), "no character of the next title"
    assert status["nodes"]["event"] == total


def test_a_scene_is_summarised_once_however_often_it_is_asked_for(tmp_path: Path) -> None:
    rows = [row("沈砚", "走吧。"), row("林晚照", "林晚照点起了灯。"), row("沈砚", "停下。"), row("林晚照", "灯灭了。")]
    story, library = curated(tmp_path, HEADER, *rows)
    for options in ([], ["--from", "1", "--to", "1"], ["--story", "雪夜"], ["--from", "2"]):
        (again,) = document("curate", tmp_path / "雪夜.jsonl", *options, "--library", library)["stories"]
        assert (again["curated"], again["left"]) == (0, 0)
    events = document("timeline", "--leaves", "--library", library)["events"]
    assert [event["units"] for event in events] == [["u1"], ["u2"]]
    assert story["curated"] == 2
