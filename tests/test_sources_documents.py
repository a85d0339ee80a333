"""Chats in JSON: model messages and the exports of other programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talekeeper.memory.errors import InputError
from talekeeper.sources.read import read_all, read_path
from talekeeper.sources.report import SourceStory


def saved(tmp_path: Path, value: Any, name: str = "chat.json") -> Path:
    path = tmp_path / name
    if name.endswith(".jsonl"):
        path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in value), "utf-8")
    else:
        path.write_text(json.dumps(value, ensure_ascii=False, indent=1), "utf-8")
    return path


def texts(story: SourceStory) -> list[tuple[str, str]]:
    assert story.report.balanced
    return [(message.role, message.text) for unit in story.units for message in unit.messages]


OPENAI = [
    {"role": "system", "content": "You are a smith."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "Is the blade ready?"}, {"type": "image_url", "image_url": {}}],
        "name": "Ann",
    },
    {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
    {"role": "tool", "content": "42", "tool_call_id": "1"},
    {"role": "assistant", "content": "It is ready, Ann."},
]
EXPECTED = [
    ("system", ""),
    ("user", "Is the blade ready?"),
    ("character", ""),
    ("system", ""),
    ("character", "It is ready, Ann."),
]


@pytest.mark.parametrize(
    "value", [OPENAI, {"messages": OPENAI}, {"model": "m", "messages": OPENAI}, [{"messages": OPENAI}]]
)
def test_openai_json(tmp_path: Path, value: Any) -> None:
    story = read_path(saved(tmp_path, value))
    assert story.format == "openai"
    assert texts(story) == EXPECTED
    assert story.units[0].messages[1].name == "Ann"


def test_openai_json_lines(tmp_path: Path) -> None:
    story = read_path(saved(tmp_path, OPENAI, "chat.jsonl"))
    assert (story.format, texts(story)) == ("openai", EXPECTED)


def test_openai_lines_report_damage(tmp_path: Path) -> None:
    path = saved(tmp_path, OPENAI, "chat.jsonl")
    path.write_text(path.read_text() + '\n{"role": "user", "cont\n\n{"foo": 1}', "utf-8")
    report = read_path(path).report
    assert [damage.line for damage in report.damaged] == [6, 8]
    assert (report.blank, report.balanced) == (1, True)


def test_a_conversation_on_each_line(tmp_path: Path) -> None:
    path = saved(tmp_path, [{"messages": OPENAI}, {"messages": OPENAI}], "tuning.jsonl")
    path.write_text(
        path.read_text() + '\n{"messages": [\n\n{"foo": 1}\n{"messages": [{"role": "system", "content": "x"}]}'
    )
    stories = read_all(path)
    assert [story.title for story in stories] == ["tuning 1", "tuning 2"]
    assert [texts(story) for story in stories] == [EXPECTED, EXPECTED]
    assert [damage.line for damage in stories[0].report.damaged] == [3, 5]
    assert any("left out: tuning.jsonl (tuning 6)" in notice for notice in stories[0].report.notices)


def test_one_conversation_on_one_line(tmp_path: Path) -> None:
    assert texts(read_path(saved(tmp_path, [{"messages": OPENAI}], "chat.jsonl"))) == EXPECTED


def test_langchain(tmp_path: Path) -> None:
    dicts = [
        {"type": "human", "data": {"content": "Hi", "name": "王五"}},
        {"type": "ai", "data": {"content": "Hello", "name": None}},
    ]
    dumped = [
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", "HumanMessage"],
            "kwargs": {"content": "Hi"},
        },
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", "AIMessage"],
            "kwargs": {"content": "Hello"},
        },
    ]
    for value in (dicts, dumped):
        story = read_path(saved(tmp_path, value))
        assert (story.format, texts(story)) == ("langchain", [("user", "Hi"), ("character", "Hello")])
    assert read_path(saved(tmp_path, dicts)).report.known_names == ("王五",)


def test_sharegpt_holds_several(tmp_path: Path) -> None:
    talk = {"id": "a", "conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Yo"}]}
    assert texts(read_path(saved(tmp_path, talk))) == [("user", "Hi"), ("character", "Yo")]
    path = saved(tmp_path, [talk, talk | {"id": "b"}])
    assert [story.title for story in read_all(path)] == ["a", "b"]
    with pytest.raises(InputError, match="2 stories: a, b"):
        read_path(path)


USER_HI, CHARACTER_YO = ("user", "Hi"), ("character", "Yo")
EXPORTS: list[tuple[str, Any, list[tuple[str, str]]]] = [
    (
        "risu",
        {"type": "risuChat", "data": {"message": [{"role": "user", "data": "Hi"}, {"role": "char", "data": "Yo"}]}},
        [USER_HI, CHARACTER_YO],
    ),
    (
        "agnai",
        {
            "greeting": "Hey",
            "messages": [{"msg": "Hi", "userId": "anon"}, {"msg": "Yo", "characterId": "imported", "name": "B"}],
        },
        [("character", "Hey"), USER_HI, CHARACTER_YO],
    ),
    (
        "kobold",
        {"prompt": "Once.", "actions": [" Then.", "\n\n> You run.\n", ""]},
        [("narrator", "Once."), ("narrator", "Then."), ("user", "You run.")],
    ),
    (
        "cai-tools",
        {
            "histories": {
                "histories": [{"msgs": [{"src": {"is_human": True}, "text": "Hi"}, {"src": {}, "text": "Yo"}]}]
            }
        },
        [USER_HI, CHARACTER_YO],
    ),
    ("webui", {"data": [], "data_visible": [["", "Hey"], ["Hi", "Yo"]]}, [("character", "Hey"), USER_HI, CHARACTER_YO]),
    (
        "locomo",
        {
            "session_10": [{"speaker": "A", "text": "ten"}],
            "session_2": [{"speaker": "B", "text": "two"}],
            "session_1": [],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
        },
        [("character", "two"), ("character", "ten")],
    ),
    (
        "sillytavern",
        [
            {"user_name": "A", "character_name": "B"},
            {"name": "A", "is_user": True, "mes": "Hi"},
            {"mes": "Yo", "name": "B"},
        ],
        [USER_HI, CHARACTER_YO],
    ),
]


@pytest.mark.parametrize(("format", "value", "expected"), EXPORTS, ids=[export[0] for export in EXPORTS])
def test_exports_of_other_programs(tmp_path: Path, format: str, value: Any, expected: list[tuple[str, str]]) -> None:
    story = read_path(saved(tmp_path, value))
    assert (story.format, texts(story)) == (format, expected)


def test_memorybank_is_a_story_for_each_person(tmp_path: Path) -> None:
    day = {"2023-04-28": [{"query": "二", "response": "好的"}], "2023-04-27": [{"query": "一", "response": "你好"}]}
    path = saved(tmp_path, {"张三": {"name": "张三", "history": day}, "李四": {"name": "李四", "history": day}})
    stories = read_all(path)
    assert [story.title for story in stories] == ["张三", "李四"]
    assert [text for _, text in texts(stories[0])] == ["一", "你好", "二", "好的"]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"foo": 1, "bar": 2}, "keys foo, bar"),
        ([], "JSON list"),
        ({}, "empty object"),
        ([1, 2], "JSON list"),
        ("text", "holds no JSON|not a chat"),
        ({"spec": "chara_card_v2", "data": {}}, "character card"),
        ({"entries": {}}, "lorebook"),
        ({"id": "1", "members": ["a.png"], "chats": []}, "group's settings"),
        ({"messages": []}, "unknown shape"),
        ([{"role": "system", "content": "only rules"}], "none of its 1 messages"),
    ],
)
def test_json_that_is_no_chat(tmp_path: Path, value: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_path(saved(tmp_path, value))


@pytest.mark.parametrize("frame", ["[\n%s\n]", '{"messages": [\n%s\n]}', '{"messages": [%s]}\n'])
@pytest.mark.parametrize("suffix", [".json", ".txt"])
def test_a_sound_document_with_an_entry_a_line_has_no_damage(tmp_path: Path, frame: str, suffix: str) -> None:
    rows = ['{"role": "user", "content": "Wait."}', '{"role": "assistant", "content": "He stays."}']
    path = tmp_path / f"a{suffix}"
    path.write_text(frame % ",\n".join(rows), "utf-8")
    report = read_path(path).report
    assert (report.messages, report.rows, report.damaged) == (2, 2, ())


def test_a_trailing_comma_fails_visibly(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text('[\n{"role": "user", "content": "Hi"},\n]', "utf-8")
    with pytest.raises(InputError, match=r"broken JSON at line \d, column \d+"):
        read_path(path)
