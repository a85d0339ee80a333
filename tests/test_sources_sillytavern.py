"""SillyTavern's chats: rows, swipes, hidden rows, notices, damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talekeeper.memory.errors import InputError
from talekeeper.memory.models import Message
from talekeeper.sources.read import read_path
from talekeeper.sources.report import SourceStory

HEADER = {"user_name": "林", "character_name": "青禾", "create_date": "2026-09-15@19h27m59s", "chat_metadata": {}}


def row(name: str, mes: Any, *, user: bool = False, **extra: Any) -> dict[str, Any]:
    return {"name": name, "is_user": user, "is_system": False, "mes": mes} | extra


def written(path: Path, *rows: Any, join: str = "\n") -> Path:
    path.write_text(join.join(r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in rows), "utf-8")
    return path


def messages(story: SourceStory) -> list[Message]:
    assert story.report.balanced
    found = [message for unit in story.units for message in unit.messages]
    assert len(found) == story.report.messages
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "雪夜.jsonl"


def test_a_solo_chat_with_header(file: Path) -> None:
    story = read_path(
        written(
            file,
            HEADER,
            row("青禾", "雪落了。"),
            row("林", "{{char}}，进来坐。", user=True),
            row("青禾", "多谢{{user}}。"),
        )
    )
    assert (story.format, story.language, story.title) == ("sillytavern", "zh", "雪夜")
    assert [m.text for m in messages(story)] == ["雪落了。", "青禾，进来坐。", "多谢林。"]
    assert [len(unit.messages) for unit in story.units] == [1, 2], "the greeting is a unit of its own"
    assert story.report.header == 1
    assert dict(story.report.speakers) == {"青禾": 2, "林": 1}
    assert story.units[1].source == "雪夜.jsonl:3-4"


def test_raw_keeps_what_text_leaves_out(file: Path) -> None:
    raw = "<think>盘算</think>雪落了。\r\n他笑了。"
    [message] = messages(read_path(written(file, HEADER, row("青禾", raw))))
    assert message.raw == raw
    assert message.text == "雪落了。\n他笑了。"


def test_without_header_names_come_from_the_rows(file: Path) -> None:
    story = read_path(written(file, row("Nate", "Hi {{user}}."), row("Ann", "Hello.", user=True)))
    assert messages(story)[0].text == "Hi Ann."
    assert story.report.header == 0


@pytest.mark.parametrize("broken", ['{"user_name": "林", "chat_meta', "\x01garbage", "[1,2]"])
def test_a_damaged_header_is_reported_and_every_row_kept(file: Path, broken: str) -> None:
    story = read_path(written(file, broken, row("林", "走吧。", user=True), row("青禾", "好。")))
    assert len(messages(story)) == 2
    assert [damage.line for damage in story.report.damaged] == [1]
    assert any("first row" in notice for notice in story.report.notices)


def test_only_the_accepted_swipe_counts(file: Path) -> None:
    rows = [
        row("青禾", "甲", swipes=["甲", "乙", "丙"], swipe_id=0, swipe_info=[]),
        row("青禾", "丙", swipes=["甲", "乙", "丙"], swipe_id=2),
        row("青禾", "现行", swipes=["甲", "乙"], swipe_id=9),
        row("青禾", "", swipes=[{"message": "甲"}, {"message": "乙"}], swipe_id=1),
        row("青禾", {"message": "查布"}),
        row("青禾", "改过的甲", swipes=["甲", "乙"], swipe_id=0),
        row("青禾", "乙", swipes=["甲", "乙"], swipe_id=0),
    ]
    story = read_path(written(file, HEADER, *rows))
    assert [m.text for m in messages(story)] == ["甲", "丙", "现行", "乙", "查布", "改过的甲", "甲"]
    assert story.report.swipes == 2 + 2 + 2 + 1 + 0 + 1 + 1


def test_hidden_rows_are_story_and_notices_are_not(file: Path) -> None:
    rows = [
        row("林", "藏起来的话。", user=True) | {"is_system": True},
        row("青禾", "旁白也算。", extra={"type": "narrator"}),
        row("SillyTavern System", "欢迎使用。") | {"is_system": True},
        row("Note", "备忘", extra={"type": "comment"}) | {"is_system": True},
        row("System", "small", extra={"isSmallSys": True}) | {"is_system": True},
        row("System", "[]", extra={"tool_invocations": [{"id": 1}]}) | {"is_system": True},
        row("旁白", "小字旁白。", extra={"type": "narrator", "isSmallSys": True}),
        row("青禾", "译前", extra={"display_text": "shown"}),
    ]
    story = read_path(written(file, HEADER, *rows))
    found = messages(story)
    assert (found[0].role, found[0].hidden, found[0].text) == ("user", True, "藏起来的话。")
    assert found[1].role == "narrator"
    assert [m.role for m in found[2:6]] == ["system"] * 4
    assert all(m.text == "" and m.raw for m in found[2:6])
    assert [m.text for m in found[6:]] == ["小字旁白。", "译前"]
    assert (story.report.system, story.report.hidden) == (4, 5)


def test_the_narrators_label_is_no_speaker(file: Path) -> None:
    told = row("System", "Night falls.", extra={"type": "narrator"})
    story = read_path(written(file, told, row("Ann", "Hello.", user=True)))
    assert messages(story)[0] == Message("narrator", "", "Night falls.", "Night falls.", line=1)
    assert dict(story.report.speakers) == {"Ann": 1}


def test_rows_nested_too_deeply_cost_themselves(file: Path) -> None:
    deep = ['{"a":' * depth + '"\\ud83c"' + "}" * depth for depth in (900, 100_000)]
    story = read_path(written(file, HEADER, *deep, row("A", "x", user=True)))
    assert len(messages(story)) == 1
    assert [damage.line for damage in story.report.damaged] == [2, 3]


def test_hiding_a_row_changes_no_content_hash(file: Path) -> None:
    rows = [row("林", "走吧。", user=True), row("青禾", "好。")]
    before = read_path(written(file, HEADER, *rows)).units[0].content_hash
    rows[1]["is_system"] = True
    assert read_path(written(file, HEADER, *rows)).units[0].content_hash == before


@pytest.mark.parametrize("join", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_encodings_and_line_ends(file: Path, encoding: str, join: str) -> None:
    texts = [
        json.dumps(r, ensure_ascii=False)
        for r in (HEADER, row("林", "今夜的雪真大。", user=True), row("青禾", "炉火正旺。"))
    ]
    file.write_bytes(join.join([*texts, ""]).encode(encoding))
    story = read_path(file)
    assert [m.text for m in messages(story)] == ["今夜的雪真大。", "炉火正旺。"]
    assert story.report.rows == 3


def test_a_line_separator_inside_a_message_parts_nothing(file: Path) -> None:
    assert messages(read_path(written(file, HEADER, row("青禾", "一\u2028二\x85三"))))[0].raw == "一\u2028二\x85三"


def test_a_truncated_tail_costs_itself_alone(file: Path) -> None:
    whole = json.dumps(row("青禾", "没说完的话还有很多很多"), ensure_ascii=False)
    story = read_path(written(file, HEADER, row("林", "走吧。", user=True), whole[:50]))
    assert len(messages(story)) == 1
    [damage] = story.report.damaged
    assert (damage.line, damage.reason) == (3, "cut off before its end")
    assert damage.excerpt.startswith('{"name": "青禾"')


def test_a_tail_cut_inside_a_character_is_read_up_to_there(file: Path) -> None:
    data = written(file, HEADER, row("林", "走吧。", user=True), row("青禾", "好")).read_bytes()
    file.write_bytes(data[: data.rindex("好".encode()) + 1])
    story = read_path(file)
    assert len(messages(story)) == 1
    assert [damage.line for damage in story.report.damaged] == [3]


def test_two_rows_on_one_line_are_both_read(file: Path) -> None:
    fused = json.dumps(row("林", "甲", user=True)) + json.dumps(row("青禾", "乙"))
    story = read_path(written(file, HEADER, fused, row("青禾", "丙")))
    assert [m.text for m in messages(story)] == ["甲", "乙", "丙"]
    assert any(notice.startswith("line 2: 2 rows") for notice in story.report.notices)


def test_two_interleaved_rows_are_one_damaged_line(file: Path) -> None:
    torn = '{"name":"林","send_date":"2026-07-12T14:1{"name":"青禾","mes":"乙"}8:29Z","mes":"甲"}'
    story = read_path(written(file, HEADER, torn, row("青禾", "丙")))
    assert [m.text for m in messages(story)] == ["丙"]
    assert [damage.line for damage in story.report.damaged] == [2]


def test_trailing_commas_are_mended_and_said(file: Path) -> None:
    story = read_path(
        written(file, HEADER, '{"name":"林","is_user":true,"mes":"甲,}",}', '{"name":"青禾","mes":"乙"},')
    )
    assert [m.text for m in messages(story)] == ["甲,}", "乙"]
    assert sum("comma" in notice for notice in story.report.notices) == 2


def test_blank_lines_and_strange_objects_are_counted(file: Path) -> None:
    story = read_path(written(file, HEADER, "", row("林", "甲", user=True), '{"foo": 1}', "  ", "7"))
    assert (story.report.blank, len(story.report.damaged), story.report.rows) == (2, 2, 6)
    messages(story)


def test_surrogates_are_joined_or_replaced(file: Path) -> None:
    line = '{"name":"A","is_user":true,"mes":"a\\ud83c\\udf78b\\udeaac"}'
    [message] = messages(read_path(written(file, HEADER, line)))
    assert message.text == "a🍸b\ufffdc"
    assert message.raw.encode("utf-8")


def test_empty_rows_stay_as_raw_and_make_no_unit(file: Path) -> None:
    story = read_path(
        written(file, HEADER, row("林", "甲", user=True), row("青禾", ""), row("青禾", ""), row("林", "", user=True))
    )
    assert len(messages(story)) == 4
    assert len(story.units) == 1
    assert story.report.uncurated == 3


def test_bad_dates_cost_the_date_not_the_row(file: Path) -> None:
    dates: tuple[Any, ...] = ("soon", None, {}, "June 19, 2023 2:20pm", 1684669029632)
    rows = [row("A", "x", user=True, send_date=date) for date in dates]
    story = read_path(written(file, *rows))
    assert [m.sent_at for m in messages(story)] == [None, None, None, "2023-06-19T14:20:00", "2023-05-21T11:37:09.632Z"]
    assert (story.report.first_date, story.report.last_date) == ("2023-05-21T11:37:09.632Z", "2023-06-19T14:20:00")


def test_legacy_rooms_and_branches(file: Path) -> None:
    header = {"user_name": "You", "character_names": ["Megumin", "Aqua"], "create_date": 1684669029632}
    story = read_path(
        written(file, header, {"name": "Megumin", "is_user": False, "is_name": True, "send_date": 1, "mes": "Hi."})
    )
    assert story.report.known_names == ("You", "Megumin", "Aqua")
    branch = HEADER | {"chat_metadata": {"main_chat": "雪夜 - 1"}}
    assert "雪夜 - 1" in " ".join(read_path(written(file, branch, row("青禾", "甲"))).report.notices)


def test_unused_header_names_are_no_names(file: Path) -> None:
    header = HEADER | {"user_name": "unused", "character_name": "unused"}
    story = read_path(written(file, header, row("Isekai", "Hello, {{user}}."), row("Bran", "Hi.", user=True)))
    assert "unused" not in story.report.known_names
    assert messages(story)[0].text == "Hello, Bran."


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ((HEADER,), "without a message"),
        ((HEADER, '{"name": "A", "me'), "line 2: cut off"),
        ((HEADER, row("A", "<think>only this</think>")), "holds any story"),
        (('{"broken": ', '{"also'), "no readable row"),
    ],
)
def test_an_empty_read_is_an_error(file: Path, rows: tuple[Any, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_path(written(file, *rows))
