"""The curator inside other agents: as a node, as a subgraph, and behind the served graph."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.graph import END, START, StateGraph

from talekeeper.agents.voices import resolve_voice
from talekeeper.graph.build import build_curator
from talekeeper.graph.embed import curator_node, make_graph, turn_from_messages
from talekeeper.graph.state import CuratorContext, CuratorState
from talekeeper.memory.errors import InputError
from talekeeper.memory.library import Library
from talekeeper.rules.book import RuleBook
from tests.stories import story

ZH: list[AnyMessage] = [
    SystemMessage("你是旁白。"),
    AIMessage("雪夜，听雪楼里只有一盏灯。", name="沈舟"),
    HumanMessage("我推门进去。", name="林晚"),
    AIMessage("沈舟在听雪楼点起炉火，请林晚坐下。", name="沈舟"),
]


def test_the_newest_turn_is_the_last_user_run_and_its_replies() -> None:
    draft = turn_from_messages([*ZH, HumanMessage("我把信给他。", name="林晚"), AIMessage("他收下了信。", name="沈舟")])
    assert [(m.role, m.name, m.text) for m in draft.messages] == [
        ("user", "林晚", "我把信给他。"),
        ("character", "沈舟", "他收下了信。"),
    ]


def test_several_user_and_reply_rows_belong_to_one_turn() -> None:
    rows = [AIMessage("Hello."), HumanMessage("One."), HumanMessage("Two."), AIMessage("Three."), AIMessage("Four.")]
    draft = turn_from_messages(rows, user="Mara", character="Daniel")
    assert [(m.name, m.text) for m in draft.messages] == [
        ("Mara", "One."),
        ("Mara", "Two."),
        ("Daniel", "Three."),
        ("Daniel", "Four."),
    ]


def test_a_greeting_alone_is_a_turn() -> None:
    assert [m.text for m in turn_from_messages(ZH[:2]).messages] == ["雪夜，听雪楼里只有一盏灯。"]


def test_tool_and_system_messages_never_count() -> None:
    rows: list[AnyMessage] = [*ZH, ToolMessage("42", tool_call_id="x"), SystemMessage("继续")]
    assert [m.text for m in turn_from_messages(rows).messages] == ["我推门进去。", "沈舟在听雪楼点起炉火，请林晚坐下。"]


@pytest.mark.parametrize("rows", [[], [HumanMessage("hello?")], [SystemMessage("x")]])
def test_without_a_reply_there_is_no_turn(rows: list[AnyMessage]) -> None:
    with pytest.raises(InputError, match="don't end with a reply"):
        turn_from_messages(rows)


def test_dictionaries_are_messages_too() -> None:
    rows = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello.", "name": "Daniel"}]
    assert [m.name for m in turn_from_messages(rows).messages] == ["User", "Daniel"]


class PlayState(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], operator.add]
    curation: dict[str, Any]


def test_a_role_play_agent_dispatches_the_curator_after_each_turn(tmp_path: Path) -> None:
    replies = iter(["沈舟在听雪楼点起炉火。他答应送信到黑曜石堡。", "林晚离开听雪楼，来到渡口。"])

    def play(state: PlayState) -> PlayState:
        return {"messages": [AIMessage(next(replies), name="沈舟")]}

    agent = StateGraph(PlayState)
    agent.add_node("play", play)
    agent.add_node("curate", curator_node("夜信", library=tmp_path))
    agent.add_edge(START, "play")
    agent.add_edge("play", "curate")
    agent.add_edge("curate", END)
    app = agent.compile()
    first = app.invoke({"messages": [HumanMessage("我推门进去。", name="林晚")]})
    second = app.invoke({"messages": [*first["messages"], HumanMessage("我去渡口。", name="林晚")]})
    assert [first["curation"]["units"], second["curation"]["units"]] == [("u1",), ("u2",)]
    with Library.open(tmp_path, create=False) as library:
        reader = library.story("夜信").reader()
        assert len(reader.events(None, leaves=True)) == 2
        assert [match.title for match in reader.find_by_name("听雪楼")] == ["听雪楼"]


def test_the_same_turn_delivered_twice_is_curated_once(tmp_path: Path) -> None:
    node = curator_node("夜信", library=tmp_path)
    first, second = node({"messages": ZH}), node({"messages": ZH})
    assert first == second
    with Library.open(tmp_path, create=False) as library:
        assert library.story("夜信").unit_count() == 1


def test_the_served_graph_takes_a_turn_and_gives_the_report(tmp_path: Path) -> None:
    result = make_graph().invoke({"story": "night letter", "library": str(tmp_path), "messages": ZH})
    assert result["curation"]["counts"]["event create"] == 1
    with pytest.raises(InputError, match="names no story"):
        make_graph().invoke({"messages": ZH})


def test_as_a_subgraph_it_shares_the_parents_context_and_streams_its_steps(tmp_path: Path) -> None:
    class ParentState(CuratorState, total=False):
        note: str

    with story(tmp_path, turns=1) as made, made.lease("parent"):
        parent = StateGraph(ParentState, context_schema=CuratorContext)
        parent.add_node("curator", build_curator())
        parent.add_edge(START, "curator")
        parent.add_edge("curator", END)
        voices = resolve_voice("builtin", "zh")
        context = CuratorContext(made, voices, voices, RuleBook("zh"))
        made.open_dispatch("d_parent", ["u1"])
        given: ParentState = {"dispatch_id": "d_parent", "batch": ["u1"]}
        stream: Iterator[Any] = parent.compile().stream(given, context=context, stream_mode="custom", subgraphs=True)
        steps = [chunk["step"] for _, chunk in stream]
        assert steps[0] == "read_schema"
        assert steps[-1] == "close"
        assert len(made.reader().events(None)) == 1
