"""The graph's wiring: LangGraph drops unknown keys in silence and ends a run on a mistyped goto; both are held here."""

from __future__ import annotations

import ast
import inspect
import typing
from pathlib import Path
from types import ModuleType

import pytest
from langgraph.graph import END, START

from talekeeper.graph import phase_a, phase_b, phase_c, steps
from talekeeper.graph.build import EDGES, NODES, build_curator
from talekeeper.graph.state import CuratorState

KEYS = set(CuratorState.__annotations__)


def _dict_keys(node: ast.AST | None) -> set[str]:
    if not isinstance(node, ast.Dict):
        return set()
    return {key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def _update_keys(module: ModuleType) -> set[str]:
    """String keys of every dict that a node or its work returns, or puts into a Command's update."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Return) or (isinstance(node, ast.keyword) and node.arg == "update"):
            found |= _dict_keys(node.value)
    return found


@pytest.mark.parametrize("module", [phase_a, phase_b, phase_c, steps])
def test_every_returned_key_is_declared(module: ModuleType) -> None:
    keys = _update_keys(module)
    assert keys
    assert keys <= KEYS


def _gotos(node: typing.Callable[..., typing.Any]) -> set[str]:
    hint = typing.get_type_hints(node)["return"]
    return {target for argument in typing.get_args(hint) for target in typing.get_args(argument)}


def test_every_goto_is_a_node() -> None:
    routed = {
        name: _gotos(node) for name, node in NODES.items() if "Command" in str(typing.get_type_hints(node)["return"])
    }
    assert set(routed) == {"roll_call", "write_facts", "write_event", "sweep_threads", "pick_group", "compact"}
    for name, targets in routed.items():
        assert targets, name
        assert targets <= set(NODES), name


def test_literal_gotos_in_the_code_are_those_declared() -> None:
    for name, node in NODES.items():
        declared = _gotos(node) if "Command" in str(typing.get_type_hints(node)["return"]) else set()
        tree = ast.parse(inspect.getsource(node))
        strings = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        assert declared <= strings | {name}, name


def test_edges_join_existing_nodes_and_every_node_is_reached() -> None:
    for start, end in EDGES:
        assert start in NODES or start == START
        assert end in NODES or end == END
    drawn = build_curator().get_graph()
    reached = {edge.target for edge in drawn.edges}
    assert set(NODES) <= reached


def test_the_drawing_shows_every_step_and_loop() -> None:
    mermaid = build_curator().get_graph().draw_mermaid()
    for name in NODES:
        assert name in mermaid
    assert "roll_call -.-> write_facts" in mermaid
    assert "roll_call -.-> roll_call" in mermaid


def test_the_drawing_in_the_architecture_page_is_current() -> None:
    page = (Path(__file__).resolve().parents[1] / "ARCHITECTURE.md").read_text("utf-8")
    assert build_curator().get_graph().draw_mermaid(with_styles=False).strip() in page
