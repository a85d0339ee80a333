"""The curator as a LangGraph machine, assembled in one place.

    START → read_schema → read_recent → find_entities → brief_entities → roll_call ⟲ → write_facts ⟲ → write_event ⟲
          → sweep_threads ⟲ → commit → pick_group → [compact ⟲ → commit_rollup → pick_group] → close → END

⟲ is a bounded repair loop (see ``steps.attempt``). Use it alone through ``runner``, or as a subgraph of an agent whose
own context is a ``CuratorContext``, or as one node of any other agent through ``curator_node`` in ``embed``.
"""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from talekeeper.graph import phase_a, phase_b, phase_c
from talekeeper.graph.state import CuratorContext, CuratorState

Curator = CompiledStateGraph[CuratorState, CuratorContext, CuratorState, CuratorState]

NODES = {
    "read_schema": phase_a.read_schema,
    "read_recent": phase_a.read_recent,
    "find_entities": phase_a.find_entities,
    "brief_entities": phase_a.brief_entities,
    "roll_call": phase_a.roll_call,
    "write_facts": phase_a.write_facts,
    "write_event": phase_a.write_event,
    "sweep_threads": phase_a.sweep_threads,
    "commit": phase_a.commit,
    "pick_group": phase_b.pick_group,
    "compact": phase_b.compact,
    "commit_rollup": phase_b.commit_rollup,
    "close": phase_c.close,
}
EDGES = (
    (START, "read_schema"),
    ("read_schema", "read_recent"),
    ("read_recent", "find_entities"),
    ("find_entities", "brief_entities"),
    ("brief_entities", "roll_call"),
    ("commit", "pick_group"),
    ("commit_rollup", "pick_group"),
    ("close", END),
)


def build_curator(checkpointer: BaseCheckpointSaver[Any] | None = None) -> Curator:
    """The compiled graph; give a checkpointer to make it resumable when it runs on its own."""
    graph = StateGraph(CuratorState, context_schema=CuratorContext)
    for name, node in NODES.items():
        graph.add_node(name, node)
    for start, end in EDGES:
        graph.add_edge(start, end)
    return graph.compile(checkpointer=checkpointer, name="talekeeper_curator")
