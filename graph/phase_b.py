"""Phase B, compaction: group by group, depth by depth, until none is ready.

Each group has its own thought, its own call and its own commit (C11, P8). The depth comes from code, never from a
voice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from talekeeper.agents.protocols import GroupBriefing, Voices
from talekeeper.graph.live import LiveDispatch
from talekeeper.graph.state import CuratorContext, CuratorState
from talekeeper.graph.steps import announce, attempt, context_of, kept, open_dispatch
from talekeeper.memory.models import CompactionGroup
from talekeeper.memory.schema import NodeType
from talekeeper.rules.model import Violation
from talekeeper.tools.session import DispatchSession


def pick_group(state: CuratorState, runtime: Runtime[CuratorContext]) -> Command[Literal["compact", "close"]]:
    """The lowest depth first; a new rollup may make a group of the next depth ready."""
    announce("pick_group", state)
    context = context_of(runtime)
    live = open_dispatch(state, context)
    for node_type in context.story.schema.types:
        group = _first_ready(live.session, node_type)
        if group is not None:
            row = {"type": group.type, "depth": group.depth, "child_ids": list(group.child_ids)}
            return Command(goto="compact", update={**kept(state, context, live), "group": row})
    return Command(goto="close", update=kept(state, context, live))


def _first_ready(session: DispatchSession, node_type: NodeType) -> CompactionGroup | None:
    for depth in session.reader.ready_depths(node_type.name):
        groups = session.compaction_candidates(node_type.name, depth).groups
        if groups:
            return CompactionGroup(node_type.name, depth, tuple(groups[0].child_ids))
    return None


def compact(
    state: CuratorState, runtime: Runtime[CuratorContext]
) -> Command[Literal["compact", "commit_rollup", "close"]]:
    """Merge one group by theme into an outline.

    A group that nobody can write within the rules is left for the next dispatch, flagged: its events are safe.
    """
    announce("compact", state)
    context = context_of(runtime)
    group = state["group"]

    def work(live: LiveDispatch, voices: Voices, earlier: tuple[Violation, ...]) -> Mapping[str, Any]:
        children = tuple(live.session.reader.nodes(group["child_ids"]))
        briefing = GroupBriefing(context.story.language, group["type"], group["depth"] + 1, children)
        draft = voices.compactor.compact(briefing, earlier)
        live.session.compact_nodes(group["type"], group["child_ids"], draft.summary, thought=draft.thought)
        return {}

    return attempt(state, context, "compact", "commit_rollup", work, give_up="close")


def commit_rollup(state: CuratorState, runtime: Runtime[CuratorContext]) -> dict[str, Any]:
    """Land one rollup as a commit of its own."""
    announce("commit_rollup", state)
    context = context_of(runtime)
    live = open_dispatch(state, context)
    live.session.commit_rollup()
    return kept(state, context, live)
