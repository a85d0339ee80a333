"""Phase C, closing: one sentence that says what was written, and the report that callers keep."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from talekeeper.graph.state import CuratorContext, CuratorState
from talekeeper.graph.steps import announce, context_of, open_session


def close(state: CuratorState, runtime: Runtime[CuratorContext]) -> dict[str, Any]:
    """Compose the brief (P7) and mark the dispatch as done."""
    announce("close", state)
    context = context_of(runtime)
    session = open_session(state, context)
    report = {
        "dispatch_id": state["dispatch_id"],
        "brief": session.brief(),
        "units": list(state["batch"]),
        "event_id": session.event_id,
        "written": list(session.written_ids()),
        "rollups": list(state.get("rollups", [])),
        "counts": dict(session.counts),
        "violations": list(state.get("kept", [])),
        "flags": sorted(set(state.get("flags", []))),
        "usage": {},
    }
    context.story.close_dispatch(state["dispatch_id"], report)
    return {"report": report}
