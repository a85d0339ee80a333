"""What all steps share: taking the dispatch's session out of the state, and trying a write within bounds.

A refused write changes nothing: what an attempt has staged before the refusal goes with its session, which is dropped
and restored from the state. The voice is then asked again with the violations; after ``max_tries`` the fallback voice
takes the step over and the dispatch is flagged ``needs_review`` (P9, Z2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from langgraph.config import get_stream_writer
from langgraph.runtime import Runtime
from langgraph.types import Command

from talekeeper.agents.protocols import Appearance, Briefing, Voices
from talekeeper.graph.errors import CurationFailed
from talekeeper.graph.live import LiveDispatch
from talekeeper.graph.state import CuratorContext, CuratorState
from talekeeper.memory.models import Unit
from talekeeper.rules.model import Violation
from talekeeper.tools.errors import WriteRefused
from talekeeper.tools.session import DispatchSession
from talekeeper.tools.state import rows, violations_from

Step = TypeVar("Step", bound=str)
Work = Callable[[LiveDispatch, Voices, tuple[Violation, ...]], Mapping[str, Any]]


def announce(step: str, state: CuratorState) -> None:
    """Tell whoever streams the run (``stream_mode="custom"``) which step begins."""
    get_stream_writer()({"step": step, "dispatch_id": state["dispatch_id"], "tries": state.get("tries", 0)})


def batch_units(state: CuratorState, context: CuratorContext) -> tuple[Unit, ...]:
    """The units of this dispatch, in order."""
    return tuple(context.story.unit(ref) for ref in state["batch"])


def open_dispatch(state: CuratorState, context: CuratorContext) -> LiveDispatch:
    """The dispatch as the last step left it: kept open since then, or restored, or new at the first step."""
    snapshot = state.get("session")
    live = context.live.get(state["dispatch_id"], snapshot)
    if live is not None:
        return live
    story, batch = context.story, batch_units(state, context)
    if snapshot:
        session = DispatchSession.restore(story, story.reader(), batch, context.rules, snapshot)
    else:
        voices = context.voices
        session = DispatchSession(
            story,
            story.reader(),
            batch,
            context.rules,
            state["dispatch_id"],
            author=voices.name,
            fingerprint=voices.fingerprint,
        )
    return LiveDispatch(session)


def kept(state: CuratorState, context: CuratorContext, live: LiveDispatch) -> dict[str, Any]:
    """The state update with which every step ends: where the session stands now."""
    return {"session": context.live.keep(state["dispatch_id"], live)}


def brief_voice(live: LiveDispatch, state: CuratorState, context: CuratorContext) -> Briefing:
    """Everything a voice may know, from look-ups that the session has made already."""
    session, story = live.session, context.story
    appearing = tuple(Appearance(name, type_, session.bearers(name)) for name, type_ in state.get("appearing", []))
    ids = dict.fromkeys(match.node_id for seen in appearing for match in seen.matches)
    nodes = {node.id: node for node in session.nodes(list(ids))}
    return Briefing(
        story_title=story.title,
        language=story.language,
        schema=story.schema,
        batch=session.batch,
        recent=live.recent,
        last_event=live.last_event,
        appearing=appearing,
        nodes=nodes,
        links=live.links_among(tuple(sorted(nodes))),
        active_threads=live.active_threads,
    )


def attempt(
    state: CuratorState,
    context: CuratorContext,
    step: Step,
    then: Step,
    work: Work,
    *,
    give_up: Step | None = None,
    salvage: Callable[[LiveDispatch, tuple[Violation, ...]], None] | None = None,
) -> Command[Step]:
    """Let ``work`` write into the session; go on to ``then``, or back to ``step`` with what was refused.

    Args:
        give_up: where to go, flagged, when the fallback voice is refused too; without it that is an error.
        salvage: writes what can be kept before giving up.

    Raises:
        CurationFailed: the fallback voice was refused too; the units stay uncurated and nothing was written.
    """
    tries, earlier = state.get("tries", 0), tuple(violations_from(state.get("violations", [])))
    taken_over = tries >= context.max_tries
    live = open_dispatch(state, context)
    try:
        update = work(live, context.fallback if taken_over else context.voices, earlier)
        if taken_over:
            live.session.accept_with_flag(earlier)
    except WriteRefused as refused:
        context.live.drop(state["dispatch_id"])
        if tries + 1 < 2 * context.max_tries:
            return Command(goto=step, update={"tries": tries + 1, "violations": rows(refused.violations)})
        if give_up is None:
            raise CurationFailed(step, live.session.batch, refused.violations) from refused
        left = open_dispatch(state, context)
        left.session.accept_with_flag(refused.violations)
        if salvage is not None:
            salvage(left, refused.violations)
        return Command(goto=give_up, update={**kept(state, context, left), "tries": 0, "violations": []})
    return Command(goto=then, update={**update, **kept(state, context, live), "tries": 0, "violations": []})


def context_of(runtime: Runtime[CuratorContext]) -> CuratorContext:
    """The run's context; a run without one is a mistake of the caller's that LangGraph would let through."""
    if runtime.context is None:
        raise CurationFailed.without_context()
    return runtime.context
