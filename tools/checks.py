"""Gathering what the rule book looks at, for every kind of write, so that an agent can't go round a rule.

Where the session knows more than a rule does (which id is nearest, which event stands already), its own violation takes
the place of the book's with the same rule id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

from talekeeper.memory.models import NameMatch, Node, NodeWrite, Unit
from talekeeper.memory.schema import NodeType
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import (
    ChildSummary,
    EventSubject,
    NodeSubject,
    ProtocolSubject,
    SweepSubject,
    SweptThread,
    ThoughtSubject,
)
from talekeeper.rules.thought import final_text
from talekeeper.tools.state import EVENT, THREAD, DispatchState

_RECENT_EVENTS = 5


def prefer(own: Sequence[Violation], book: Iterable[Violation]) -> list[Violation]:
    """Own violations, and the book's where none of them says the same (for columns: the same of the same column)."""
    rules = {v.rule for v in own if not v.rule.startswith("N")}
    columns = {(v.rule, v.where) for v in own}
    return [*own, *(v for v in book if v.rule not in rules and (v.rule, v.where) not in columns)]


def protocol(state: DispatchState, step: str, own: Sequence[Violation] = (), **facts: Any) -> list[Violation]:
    """P rules for a step about to happen."""
    steps = (*state.ledger.steps, step)
    subject = ProtocolSubject(steps=steps, **{**_books(state), **facts})
    return prefer(own, state.rules.check("protocol", subject))


def _books(state: DispatchState) -> dict[str, Any]:
    return {
        "events": state.event_count(),
        "repeats": state.ledger.repeats,
        "kept": tuple(dict.fromkeys(v.rule for v in state.kept)),
        "flags": tuple(state.flags),
    }


def in_turn(state: DispatchState, step: str, question: str = "") -> None:
    """Note a reading step that comes in its turn (P1), and that its question is put to the store once (P3).

    Raises:
        WriteRefused: something that belongs before it was left out; what it asks was read before, and the answer was
            dropped since (the caller rebased within Phase A).
    """
    again = bool(question) and question in state.ledger.put and question not in state.view.answered
    state.accept(protocol(state, step, reread=(question,) if again else ()))
    state.ledger.step(step)
    if question and not state.facts_landed:
        state.ledger.put.add(question)
        state.view.answered.add(question)


def unknown_name(state: DispatchState, spec: NodeType, title: str) -> list[Violation]:
    """P4 for a new node: its title was looked up among nodes of its type. Events and threads are found by other means
    than their name."""
    if spec.name in (EVENT, THREAD) or not title or state.ledger.looked_up(title, spec.name):
        return []
    return [state.fault("not_looked_up", name=title)]


def unknown_id(state: DispatchState, node_id: str) -> list[Violation]:
    """P4 for a stored node: a look-up of this dispatch showed it, or this dispatch made it."""
    if node_id in state.ledger.seen or node_id in state.staging.nodes or node_id in state.written:
        return []
    return [state.fault("not_looked_up", name=node_id)]


def unseen_namesakes(state: DispatchState, spec: NodeType, before: Node, write: NodeWrite) -> list[Violation]:
    """P4 for a name that an edit adds: sharing it is right only for whoever knows that another bears it already."""
    had = {before.title, *before.aliases}
    others = namesakes(state, spec, write, without=had)
    return [v for other in others for v in unknown_id(state, other.node_id)]


def namesakes(
    state: DispatchState, spec: NodeType, write: NodeWrite, *, without: Collection[str] = ()
) -> tuple[NameMatch, ...]:
    """Every other node of the type that bears the title or one of the aliases, those ``without`` aside."""
    if spec.name == EVENT:
        return ()
    names = dict.fromkeys(n for n in (write.title, *(write.fields.get("aliases") or ())) if n not in without)
    found = [m for name in names if name for m in state.view.find_by_name(name, [spec.name])]
    others = {m.node_id: m for m in reversed(found) if m.node_id != write.node_id}
    return tuple(reversed(others.values()))


def node(
    state: DispatchState,
    spec: NodeType,
    write: NodeWrite,
    *,
    sent: Mapping[str, Any],
    cleared: Sequence[str] = (),
    before: Node | None = None,
    own: Sequence[Violation] = (),
    deleting: bool = False,
) -> list[Violation]:
    """N rules for one create, edit or delete."""
    before_fields = None if before is None else {"title": before.title, **before.fields}
    subject = NodeSubject(
        spec=spec,
        title=write.title,
        fields=_with_title(spec, write.title, write.fields),
        sent=sent,
        cleared=tuple(cleared),
        before=before_fields,
        namesakes=namesakes(state, spec, write),
        batch_text=state.batch_text,
        deleting=deleting,
    )
    return prefer(own, state.rules.check("node", subject))


def _with_title(spec: NodeType, title: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"title": title, **fields} if title and "title" in spec.table_columns else dict(fields)


def event(state: DispatchState, summary: str, thought: str, *, earlier: Node | None = None) -> list[Violation]:
    """E rules and T8 for a leaf event's summary: this dispatch's own, or an ``earlier`` one that is corrected."""
    position = earlier.anchor if earlier else state.batch[0].position
    stored = state.reader.last_event(before=position)
    last = state.view.node(stored.id) if stored else None
    recent = state.reader.events(_RECENT_EVENTS, before=position)
    subject = EventSubject(
        summary=summary,
        batch_text=_told(state, earlier) if earlier else state.batch_text,
        previous_time=(last.time_to or last.time_from) if last else None,
        thread_titles=frozenset(open_threads(state)),
        recent_summaries=tuple(str(n.fields.get("summary") or "") for n in recent if n.id != state.event_id),
        created_threads=frozenset(open_threads(state, new=True)),
        known_names=known_names(state, summary),
        context_text="\n".join([state.story.title, *speakers(state.batch), _summary(last)]),
    )
    return [*state.rules.check("event", subject), *thought_of(state, summary, thought)]


def later_events(state: DispatchState, before: Node, write: NodeWrite) -> list[Violation]:
    """E1 for the event that follows a corrected one: its time isn't left behind."""
    later = _next_leaf(state, before)
    if later is None or write.time_to == before.time_to:
        return []
    summary = str(later.fields.get("summary") or "")

    def faults(previous: str | None) -> int:
        subject = EventSubject(summary, batch_text=_told(state, later), previous_time=previous)
        return sum(violation.rule == "E1" for violation in state.rules.check("event", subject))

    if faults(write.time_to) <= faults(None):
        return []
    time = later.time_from
    return [state.fault("time_past_next", where="summary", node=before.id, later=later.id, time=time)]


def _next_leaf(state: DispatchState, before: Node) -> Node | None:
    """The leaf event after a stored one, this dispatch's own included."""
    after = [node for node in state.view.staged_nodes([EVENT]) if node.id == state.event_id]
    reach = _RECENT_EVENTS
    while True:
        leaves = state.reader.events(reach, leaves=True)
        if len(leaves) < reach or any(leaf.anchor <= before.anchor for leaf in leaves):
            break
        reach *= 4
    after += [leaf for leaf in leaves if leaf.anchor > before.anchor]
    nearest = min(after, key=lambda leaf: leaf.anchor, default=None)
    return None if nearest is None else state.view.node(nearest.id)


def _told(state: DispatchState, node: Node) -> str:
    """The text that a stored event rests on, this dispatch's batch included."""
    refs = dict.fromkeys((*(span.unit for span in node.evidence), *state.batch_refs))
    return "\n\n".join(state.story.unit(ref).text for ref in refs)


def thought_of(
    state: DispatchState, summary: str, thought: str, children: Sequence[ChildSummary] = ()
) -> list[Violation]:
    """T rules for the thought that goes with an event summary; with ``children``, that of a rollup over them.

    An edit of this dispatch's event may take up what was thought at its first writing.
    """
    if not thought:
        return [state.fault("thought_missing", where="thought")]
    kind: Literal["leaf", "rollup"] = "rollup" if children else "leaf"
    refs = tuple(child.id for child in children) or state.batch_refs
    used = state.thoughts.used
    own = state.thoughts.by_node.get(state.event_id)
    earlier = tuple(used if children else (t for t in used if t != own))
    subject = ThoughtSubject(thought, summary, kind, earlier, refs, tuple(children))
    return state.rules.check("thought", subject)


def _summary(event: Node | None) -> str:
    return str(event.fields.get("summary") or "") if event else ""


def open_threads(state: DispatchState, *, new: bool = False) -> list[str]:
    """Titles of threads that this dispatch creates or edits and that stay active (E6); ``new``: only created ones."""
    writes = [w for w in state.staging.nodes.values() if w.type == THREAD and w.lifecycle == "active"]
    return [w.title for w in writes if w.fields.get("status") == "active" and (w.new or not new)]


def known_names(state: DispatchState, text: str) -> frozenset[str]:
    """Names in the text that memory or this dispatch knows, and the batch's speakers."""
    staged = (name for w in state.staging.nodes.values() for name in (w.title, *(w.fields.get("aliases") or ())))
    stored = (span.surface for span in state.reader.names_in(text))
    return frozenset([*stored, *(name for name in staged if name), *speakers(state.batch)])


def speakers(units: Iterable[Unit]) -> tuple[str, ...]:
    """Who speaks in the units, in order."""
    said = (message.name for unit in units for message in unit.messages if message.name)
    return tuple(dict.fromkeys(said))


def swept(state: DispatchState) -> list[Violation]:
    """R6: no thread that the event ended or advanced was left alone."""
    event = state.staging.nodes.get(state.event_id)
    if event is None:
        return []
    threads = tuple(SweptThread(i, t, edited=i in state.staging.nodes) for i, t in state.active_threads.items())
    found = state.rules.check("sweep", SweepSubject(str(event.fields.get("summary") or ""), threads))
    return [violation for violation in found if violation.severity == "hard"]


def choose_thought(state: DispatchState, given: str, summary: str) -> str:
    """The thought for this summary: the argument, else the waiting one that ends with it, else the last waiting one."""
    if given.strip():
        return given
    waiting = state.thoughts.pending
    fitting = next((t for t in waiting if final_text(t) == summary), None)
    return fitting if fitting is not None else waiting[-1] if waiting else ""


def consume_thought(state: DispatchState, thought: str) -> None:
    """A thought serves one write (T9)."""
    if thought:
        state.thoughts.pending = [t for t in state.thoughts.pending if t != thought]
        state.thoughts.used.append(thought)
