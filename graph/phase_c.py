"""Phase C, closing: one sentence that says what was written, and the report that callers keep."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from talekeeper.graph.state import CuratorContext, CuratorState
from talekeeper.graph.steps import announce, context_of, open_dispatch
from talekeeper.tools.state import rows


def close(state: CuratorState, runtime: Runtime[CuratorContext]) -> dict[str, Any]:
    """Compose the brief (P7) and mark the dispatch as done."""
    announce("close", state)
    context = context_of(runtime)
    session = open_dispatch(state, context).session
    report = {
        "dispatch_id": state["dispatch_id"],
        "brief": session.brief(),
        "units": list(state["batch"]),
        "event_id": session.event_id,
        "written": list(session.written_ids()),
        "rollups": list(session.rollup_ids),
        "counts": dict(session.counts),
        "violations": rows(session.violations),
        "flags": list(session.flags),
        "usage": {},
    }
    context.story.close_dispatch(state["dispatch_id"], report)
    context.live.drop(state["dispatch_id"])
    return {"report": report}
