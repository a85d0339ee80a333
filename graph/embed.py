"""The curator inside another agent, and behind ``langgraph dev``.

A role-play agent plays a turn and then dispatches the curator. ``curator_node`` is that dispatch as one node: it takes
the newest turn out of ``messages``, stores it, curates it, and puts the report under ``curation``. Delivered twice, the
same turn is stored and curated once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypedDict

from langchain_core.messages import AnyMessage, convert_to_messages
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from talekeeper.graph.runner import dispatch
from talekeeper.memory.errors import InputError, NotFound
from talekeeper.memory.library import Library
from talekeeper.memory.models import Message, Role, UnitDraft
from talekeeper.memory.story import Story
from talekeeper.memory.text import detect_language

SPOKEN: Mapping[str, Role] = {"human": "user", "ai": "character"}


class TurnState(TypedDict, total=False):
    """What ``curator_node`` reads (``messages``) and writes (``curation``, a ``DispatchReport`` as plain data).

    ``story`` names the story for the served graph; ``library`` is its folder (default: the user's library).
    """

    messages: list[AnyMessage] | list[dict[str, Any]]
    story: str
    library: str
    model: str
    curation: dict[str, Any]


class CuratorNode(Protocol):
    """A node that takes any state with ``messages`` and returns ``{"curation": report}``."""

    def __call__(self, state: Any) -> dict[str, Any]: ...


def turn_from_messages(messages: Sequence[Any], *, user: str = "User", character: str = "Character") -> UnitDraft:
    """The newest turn: the last run of user messages and the replies after it. System and tool messages don't count.

    Args:
        messages: LangChain messages, or ``{"role", "content"}`` dictionaries; a ``name`` tells who speaks.
        user, character: names for messages that have none.

    Raises:
        InputError: there is no reply yet, so there is no turn.
    """
    spoken = [m for m in convert_to_messages(messages) if m.type in SPOKEN and str(m.text).strip()]
    if not spoken or spoken[-1].type != "ai":
        raise InputError("The messages don't end with a reply.", hint="Dispatch the curator after the turn was played.")
    replies = next((i for i, m in enumerate(reversed(spoken)) if m.type == "human"), len(spoken))
    opening = next((i for i, m in enumerate(reversed(spoken[: len(spoken) - replies])) if m.type == "ai"), None)
    first = 0 if opening is None else len(spoken) - replies - opening
    names = {"human": user, "ai": character}
    rows = [(SPOKEN[m.type], m.name or names[m.type], str(m.text)) for m in spoken[first:]]
    return UnitDraft("turn", tuple(Message(role, name, text, text) for role, name, text in rows), source="agent")


def curator_node(
    story: str,
    *,
    library: str | Path | None = None,
    model: str = "builtin",
    user: str = "User",
    character: str = "Character",
) -> CuratorNode:
    """A node for any agent's graph: ``graph.add_node("curate", curator_node("my story"))``.

    Args:
        story: title; the story is made if the library hasn't got it.
        library, model: as for ``open_library`` and ``dispatch``.
        user, character: names for messages that have none.
    """

    def curate_turn(state: Any) -> dict[str, Any]:
        draft = turn_from_messages(state["messages"], user=user, character=character)
        with Library.open(Path(library) if library else None) as opened:
            found = _story(opened, story, draft)
            unit = found.append_unit(draft)
            return {"curation": dispatch(found, [unit], model=model).as_dict()}

    return curate_turn


def _story(library: Library, title: str, draft: UnitDraft) -> Story:
    try:
        return library.story(title)
    except NotFound:
        return library.create_story(title, language=detect_language(draft.text), source="agent")


def _served(state: TurnState) -> dict[str, Any]:
    if not state.get("story"):
        raise InputError("The input names no story.", hint='Give {"story": "my story", "messages": [...]}.')
    node = curator_node(state["story"], library=state.get("library"), model=state.get("model") or "builtin")
    return node(state)


def make_graph() -> CompiledStateGraph[TurnState, None, TurnState, TurnState]:
    """The graph that ``langgraph dev`` serves: a turn's messages in, the dispatch report out."""
    graph = StateGraph(TurnState)
    graph.add_node("curate_turn", _served)
    graph.add_edge(START, "curate_turn")
    graph.add_edge("curate_turn", END)
    return graph.compile(name="talekeeper_curator")
