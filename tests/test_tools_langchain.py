"""The tools as an agent meets them: names, schemas, refusals as answers, one response at a time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import StructuredTool

from talekeeper.memory.story import Story
from talekeeper.rules.book import RuleBook
from talekeeper.rules.roll_call import render
from talekeeper.rules.subjects import RollCall
from talekeeper.tools.errors import WriteRefused
from talekeeper.tools.langchain import arguments_of, memory_tools, run_tool_calls, tool_names
from talekeeper.tools.session import DispatchSession
from tests.tools_story import WORDS, a_story, opened, roll_call, summary_of, thought_for

NAMES = [
    "memory_schema",
    "memory_list_candidates",
    "memory_expand_seeds",
    "memory_find_by_name",
    "memory_node_brief",
    "memory_edge_summary",
    "memory_keyword_search",
    "memory_vector_search",
    "memory_node_create",
    "memory_node_edit",
    "memory_node_delete",
    "memory_link_upsert",
    "memory_link_delete",
    "memory_compaction_candidates",
    "memory_compact_nodes",
]


@pytest.fixture(params=["zh", "en"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    with a_story(tmp_path, request.param) as made:
        yield made


@pytest.fixture
def session(story: Story) -> DispatchSession:
    return opened(story, story.units()[:1])


def said(text: str, *calls: tuple[str, dict[str, Any]]) -> AIMessage:
    rows = [
        {"name": name, "args": args, "id": f"call_{n}", "type": "tool_call"} for n, (name, args) in enumerate(calls)
    ]
    return AIMessage(text, tool_calls=rows)


def _forbids_strangers(tool: StructuredTool) -> bool:
    return arguments_of(tool.name.removeprefix("memory_"), "en").model_json_schema()["additionalProperties"] is False


def test_there_are_fifteen_tools_with_their_names(session: DispatchSession) -> None:
    tools = memory_tools(session)
    assert [tool.name for tool in tools] == list(tool_names()) == NAMES
    assert all(tool.description for tool in tools)


def test_a_schema_names_types_requirements_and_describes_every_argument(session: DispatchSession) -> None:
    tools = memory_tools(session)
    schemas = {
        t.name: arguments_of(t.name.removeprefix("memory_"), session.language).model_json_schema() for t in tools
    }
    create = schemas["memory_node_create"]
    assert create["required"] == ["type"]
    lax = [t.name for t in memory_tools(session) if not _forbids_strangers(t)]
    assert lax == []
    assert create["properties"]["fields"]["type"] == "object"
    assert create["properties"]["links"]["items"]["required"] == ["target", "relation"]
    for schema in schemas.values():
        assert all(p["description"] for p in schema["properties"].values())
    assert set(create["properties"]) == {"type", "title", "fields", "links", "ref", "thought", "evidence"}
    assert schemas["memory_link_upsert"]["required"] == ["source_node_id", "links"]


def test_a_refusal_is_an_answer_that_lists_everything(session: DispatchSession) -> None:
    args = {"type": "character_sheet", "title": WORDS[session.language].hero, "fields": {"mood": "x"}}
    [answer] = run_tool_calls(session, said("", ("memory_node_create", args)))
    assert (answer.status, answer.tool_call_id) == ("error", "call_0")
    text = str(answer.content)
    assert all(f"[{rule}]" in text for rule in ("P1", "R4", "N1"))


@pytest.mark.parametrize(
    ("name", "args", "hint"),
    [
        ("memory_node_brief", {"node_id": "char_77"}, "char_77"),
        ("memory_node_brief", {"node": "char_1"}, "node_id"),
        ("memory_find_by_name", {}, "query"),
        ("memory_vector_search", {"query": "x"}, "memory_keyword_search"),
        ("memory_find", {"query": "x"}, "memory_find_by_name"),
        ("memory_expand_seeds", {"seed_ids": 3}, "seed_ids"),
        ("memory_list_candidates", {"types": ["events"]}, "event"),
    ],
)
def test_wrong_calls_are_answered_with_the_nearest_right_thing(
    session: DispatchSession, name: str, args: dict[str, Any], hint: str
) -> None:
    [answer] = run_tool_calls(session, said("", (name, args)))
    assert answer.status == "error"
    assert hint in str(answer.content)


def test_wrong_argument_types_are_read_where_that_is_safe(session: DispatchSession) -> None:
    answers = run_tool_calls(
        session,
        said(
            "",
            ("memory_list_candidates", {"types": "event", "limit": "5"}),
            ("memory_find_by_name", {"query": WORDS[session.language].hero, "types": '["character_sheet"]'}),
        ),
    )
    assert [answer.status for answer in answers] == ["success", "success"]


def test_a_response_is_read_before_its_calls_are_run(session: DispatchSession) -> None:
    words = WORDS[session.language]
    text = f"…\n{render(roll_call(session), session.language)}\n"
    [answer] = run_tool_calls(
        session, said(text, ("memory_node_create", {"type": "character_sheet", "title": words.hero, "ref": "hero"}))
    )
    assert answer.status == "success"
    summary = summary_of(session, open_threads=())
    event = {"type": "event", "fields": {"summary": summary}, "links": [{"target": "@hero", "relation": "involved_in"}]}
    [made] = run_tool_calls(session, said(thought_for(session, summary), ("memory_node_create", event)))
    assert made.status == "success"
    assert session.event_id in str(made.content)


def test_a_refused_roll_call_stops_the_writes_of_its_response_and_no_reads(session: DispatchSession) -> None:
    words = WORDS[session.language]
    call = render(roll_call(session, locations=()), session.language)
    answers = run_tool_calls(
        session,
        said(
            call,
            ("memory_node_create", {"type": "character_sheet", "title": words.hero}),
            ("memory_find_by_name", {"query": words.town}),
        ),
    )
    assert [a.status for a in answers] == ["error", "success"]
    assert "[R1]" in str(answers[0].content)
    assert session.roll_call is None
    [read] = run_tool_calls(session, said(call, ("memory_find_by_name", {"query": words.town})))
    assert "[R1]" in str(read.content)
    with pytest.raises(WriteRefused):
        run_tool_calls(session, said(call))


def test_once_the_order_is_broken_later_writes_of_the_response_wait(session: DispatchSession) -> None:
    words = WORDS[session.language]
    create = ("memory_node_create", {"type": "character_sheet", "title": words.hero})
    find = ("memory_find_by_name", {"query": words.hero})
    first, second, third = run_tool_calls(session, said("", create, create, find))
    assert "[P1]" in str(first.content)
    assert "memory_node_create" in str(second.content)
    assert "[P1]" not in str(second.content)
    assert (second.status, third.status) == ("error", "success")


def test_a_plain_refusal_lets_later_calls_run(session: DispatchSession) -> None:
    session.submit_roll_call(roll_call(session))
    words = WORDS[session.language]
    bad = ("memory_node_create", {"type": "character_sheet", "title": words.hero, "fields": {"mood": "x"}})
    good = ("memory_node_create", {"type": "character_sheet", "title": words.pupil})
    assert [a.status for a in run_tool_calls(session, said("", bad, good))] == ["error", "success"]


def test_broken_json_is_answered(session: DispatchSession) -> None:
    broken = {"name": "memory_schema", "args": "{", "id": "x", "error": "unterminated", "type": "invalid_tool_call"}
    [answer] = run_tool_calls(session, AIMessage("", invalid_tool_calls=[broken]))
    assert (answer.tool_call_id, answer.status) == ("x", "error")
    assert "unterminated" in str(answer.content)


def test_a_whole_dispatch_by_an_agent_that_has_only_the_tools(story: Story) -> None:
    words = WORDS[story.language]
    rules = RuleBook(story.language)
    session = DispatchSession(story, story.reader(), story.units()[:1], rules, "free", autocommit=True)

    def run(text: str, *calls: tuple[str, dict[str, Any]]) -> list[ToolMessage]:
        answers = run_tool_calls(session, said(text, *calls))
        assert [str(a.content) for a in answers if a.status == "error"] == []
        return answers

    run("", ("memory_schema", {}), ("memory_list_candidates", {"types": ["event", "thread"]}))
    run("", *(("memory_find_by_name", {"query": name}) for name in (words.hero, words.pupil, words.town)))
    call = render(roll_call(session), session.language)
    sheets = [("memory_node_create", {"type": "character_sheet", "title": n}) for n in (words.hero, words.pupil)]
    place = ("memory_node_create", {"type": "location_state", "title": words.town})
    thread = ("memory_node_create", {"type": "thread", "title": words.thread, "fields": {"note": words.note}})
    run(call, *sheets, place, thread)
    summary = summary_of(session)
    run(thought_for(session, summary), ("memory_node_create", {"type": "event", "fields": {"summary": summary}}))
    run("", ("memory_compaction_candidates", {"type": "event", "depth": 0}))
    closing = session.brief()
    assert run(closing) == []
    assert session.check_closing(closing) == ()
    assert story.uncurated()[0].ref == "u2"


def test_langchain_is_imported_only_where_it_is_used() -> None:
    probe = "import sys, talekeeper.tools.session, talekeeper.tools.langchain; print('langchain_core' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"


def test_an_empty_roll_call_is_no_way_round(session: DispatchSession) -> None:
    with pytest.raises(WriteRefused):
        session.observe(render(RollCall(), session.language))
