"""Phase A, extraction: read, find, brief, roll-call, write, sweep, commit.

Reads are code, not model calls. Each step is a node of its own, so that traces name it and a killed run resumes at it.
Writes are staged in the dispatch session and land together in ``commit``: nothing is visible before (P8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from talekeeper.agents.protocols import Briefing, FactPlan, LinkOp, NodeOp, Voices
from talekeeper.graph.live import LiveDispatch
from talekeeper.graph.state import CuratorContext, CuratorState
from talekeeper.graph.steps import announce, attempt, brief_voice, context_of, kept, open_dispatch
from talekeeper.memory.models import Evidence
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import RollCall
from talekeeper.tools.errors import WriteRefused
from talekeeper.tools.session import DispatchSession

CHARACTER, PLACE, THREAD, EVENT = "character_sheet", "location_state", "thread", "event"
_RECENT = 5
_NOT_NAMED_IN_TEXT = frozenset({EVENT, THREAD})


def read_schema(state: CuratorState, runtime: Runtime[CuratorContext]) -> dict[str, Any]:
    """Read the schema once (P3)."""
    announce("read_schema", state)
    context = context_of(runtime)
    live = open_dispatch(state, context)
    live.session.schema()
    return kept(state, context, live)


def read_recent(state: CuratorState, runtime: Runtime[CuratorContext]) -> dict[str, Any]:
    """Read where the timeline stands: the newest events with their summaries."""
    announce("read_recent", state)
    context = context_of(runtime)
    live = open_dispatch(state, context)
    live.session.list_candidates([EVENT], limit=_RECENT)
    return kept(state, context, live)


def find_entities(state: CuratorState, runtime: Runtime[CuratorContext]) -> dict[str, Any]:
    """Look up everyone and everywhere in the batch: speakers, known names in the text, and what the voice adds."""
    announce("find_entities", state)
    context = context_of(runtime)
    live = open_dispatch(state, context)
    session = live.session
    appearing = dict(_speakers(session)) | dict(_known_names(session, context))
    for name in appearing:
        session.find_by_name(name)
    rows = [[name, type_] for name, type_ in appearing.items()]
    briefing = brief_voice(live, {**state, "appearing": rows}, context)
    for proposed in context.voices.roll_caller.propose_names(briefing):
        if proposed.name not in appearing:
            appearing[proposed.name] = proposed.type
            session.find_by_name(proposed.name)
    return {**kept(state, context, live), "appearing": [[name, type_] for name, type_ in appearing.items()]}


def _speakers(session: DispatchSession) -> Iterable[tuple[str, str]]:
    for unit in session.batch:
        for message in unit.messages:
            if unit.kind == "turn" and message.text and message.role in ("user", "character") and message.name:
                yield message.name, CHARACTER


def _known_names(session: DispatchSession, context: CuratorContext) -> Iterable[tuple[str, str]]:
    types = [t.name for t in context.story.schema.types if t.name not in _NOT_NAMED_IN_TEXT]
    spans = [span for unit in session.batch for span in session.reader.names_in(unit.text, types)]
    bearers = {node.id: node.type for node in session.nodes(list(dict.fromkeys(span.node_ids[0] for span in spans)))}
    for span in spans:
        yield span.surface, bearers[span.node_ids[0]]


def brief_entities(state: CuratorState, runtime: Runtime[CuratorContext]) -> dict[str, Any]:
    """Read the current state of every hit, and list every active thread, before anything is decided."""
    announce("brief_entities", state)
    context = context_of(runtime)
    live = open_dispatch(state, context)
    found = [match.node_id for name, _ in state["appearing"] for match in live.session.bearers(name)]
    for node_id in dict.fromkeys(found):
        live.session.node_brief(node_id)
    live.session.list_candidates([THREAD], limit=1)
    return kept(state, context, live)


def roll_call(state: CuratorState, runtime: Runtime[CuratorContext]) -> Command[Literal["roll_call", "write_facts"]]:
    """Decide on every entity and every active thread, visibly and checked (R1 to R5)."""
    announce("roll_call", state)
    context = context_of(runtime)

    def work(live: LiveDispatch, voices: Voices, earlier: tuple[Violation, ...]) -> Mapping[str, Any]:
        call = voices.roll_caller.call(brief_voice(live, state, context), earlier)
        live.session.submit_roll_call(call)
        return {}

    return attempt(state, context, "roll_call", "write_facts", work)


def write_facts(
    state: CuratorState, runtime: Runtime[CuratorContext]
) -> Command[Literal["write_facts", "write_event"]]:
    """Write what the roll-call decided: sheets, places, threads, relations."""
    announce("write_facts", state)
    context = context_of(runtime)

    def work(live: LiveDispatch, voices: Voices, earlier: tuple[Violation, ...]) -> Mapping[str, Any]:
        _apply(live.session, voices.archivist.plan(brief_voice(live, state, context), _decided(live.session), earlier))
        return {}

    def salvage(live: LiveDispatch, refused: tuple[Violation, ...]) -> None:
        plan = context.fallback.archivist.plan(brief_voice(live, state, context), _decided(live.session), refused)
        _stage(live.session, plan)

    return attempt(state, context, "write_facts", "write_event", work, give_up="write_event", salvage=salvage)


def _decided(session: DispatchSession) -> RollCall:
    """The roll-call that was accepted; the graph's order lets no step come before it."""
    if session.roll_call is None:
        raise RuntimeError("a write step ran before the roll-call")
    return session.roll_call


def _apply(session: DispatchSession, plan: FactPlan) -> None:
    """Stage the whole plan; the voice hears of all refusals at once (Z1)."""
    refusals = _stage(session, plan)
    if refusals:
        raise WriteRefused(refusals)


def _stage(session: DispatchSession, plan: FactPlan) -> list[Violation]:
    """Stage what the rules let through; returns what they refused."""
    refusals: list[Violation] = []
    for op in plan.nodes:
        _collect(refusals, lambda op=op: _stage_node(session, op))
    for link in plan.links:
        _collect(refusals, lambda link=link: stage_link(session, link))
    return refusals


def _collect(refusals: list[Violation], write: Any) -> None:
    try:
        write()
    except WriteRefused as refused:
        refusals.extend(refused.violations)


def _stage_node(session: DispatchSession, op: NodeOp) -> None:
    evidence = _refs(op.evidence)
    if op.op == "create":
        session.node_create(op.type, op.title, dict(op.set_fields), ref=op.ref or None, evidence=evidence)
    elif op.op == "edit":
        session.node_edit(
            op.node_id,
            set_fields=dict(op.set_fields),
            clear_fields=list(op.clear_fields),
            title=op.title or None,
            evidence=evidence,
        )
    else:
        session.node_delete(op.node_id, evidence=evidence)


def _refs(evidence: tuple[Evidence, ...]) -> list[Evidence] | None:
    return list(evidence) or None


def stage_link(session: DispatchSession, link: LinkOp) -> None:
    """Stage one relation, or take it back."""
    if link.end:
        session.link_delete(link.source, link.target, link.relation)
    else:
        session.link_upsert(link.source, [{"target": link.target, "relation": link.relation}])


def write_event(
    state: CuratorState, runtime: Runtime[CuratorContext]
) -> Command[Literal["write_event", "sweep_threads"]]:
    """Write the one event of the dispatch, with its visible thought (P2, E, T8)."""
    announce("write_event", state)
    context = context_of(runtime)

    def work(live: LiveDispatch, voices: Voices, earlier: tuple[Violation, ...]) -> Mapping[str, Any]:
        briefing: Briefing = brief_voice(live, state, context)
        session = live.session
        draft = voices.scribe.write(briefing, _decided(session), session.written_names(), earlier)
        session.node_create(EVENT, draft.title, {"summary": draft.summary}, thought=draft.thought, ref="event")
        for link in draft.links:
            stage_link(session, link)
        return {}

    return attempt(state, context, "write_event", "sweep_threads", work)


def sweep_threads(state: CuratorState, runtime: Runtime[CuratorContext]) -> Command[Literal["sweep_threads", "commit"]]:
    """Look at every active thread once more, now that the event stands: what the roll-call promised must be done.

    Refused, the archivist mends the threads and the sweep is taken again.
    """
    announce("sweep_threads", state)
    context = context_of(runtime)

    def work(live: LiveDispatch, voices: Voices, earlier: tuple[Violation, ...]) -> Mapping[str, Any]:
        if earlier:
            plan = voices.archivist.plan(brief_voice(live, state, context), _decided(live.session), earlier)
            _apply(live.session, FactPlan(nodes=tuple(op for op in plan.nodes if op.type == THREAD)))
        live.session.sweep()
        return {}

    return attempt(state, context, "sweep_threads", "commit", work)


def commit(state: CuratorState, runtime: Runtime[CuratorContext]) -> dict[str, Any]:
    """Land Phase A as one transaction (P8); the same dispatch again finds its commit there."""
    announce("commit", state)
    context = context_of(runtime)
    live = open_dispatch(state, context)
    live.session.commit_facts()
    return kept(state, context, live)
