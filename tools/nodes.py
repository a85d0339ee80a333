"""Writing nodes: create, edit, delete. A refused call has staged nothing, an accepted one a full after-image."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from talekeeper.memory.models import Evidence, Node, NodeWrite
from talekeeper.memory.schema import NodeType
from talekeeper.memory.text import name_keys
from talekeeper.rules.event_form import parse as parse_event
from talekeeper.rules.model import Violation
from talekeeper.rules.rollup_form import parse as parse_outline
from talekeeper.rules.subjects import ChildSummary, RollupSubject
from talekeeper.tools import checks, links, roll_call
from talekeeper.tools.arguments import (
    FieldValues,
    as_mapping,
    as_names,
    as_text,
    merged_names,
    read_fields,
    visible_name,
    without_nothing,
)
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.evidence import cite
from talekeeper.tools.results import LinkOutcome, WriteResult
from talekeeper.tools.state import CHARACTER, EVENT, EVENT_REF, LOCATION, THREAD, DispatchState, bare_name

_REF = re.compile(r"\w{1,40}")
_TITLE = "title"
_ALIASES = "aliases"


@dataclass(frozen=True)
class Edit:
    """One edit as asked for, ready to be checked: the after-image and what the call carried."""

    before: Node
    write: NodeWrite
    sent: Mapping[str, Any]
    cleared: tuple[str, ...]
    columns: tuple[str, ...]


def create(
    state: DispatchState,
    type_: object,
    title: object = "",
    fields: object = None,
    relations: object = None,
    ref: object = "",
    *,
    thought: object = "",
    evidence: object = None,
) -> WriteResult:
    """Stage a new node, with its links, or nothing.

    Raises:
        WriteRefused: rules refuse it; all of them are listed. NotFound: no such type. ArgumentRefused: a wrong shape.
    """
    spec = state.type(as_text(type_, "type").strip())
    values = read_fields(spec, without_nothing(spec, as_mapping(fields, "fields")), state.language)
    name = _title(as_text(title, "title"), values)
    handle = _handle(state, spec, as_text(ref, "ref"))
    citation = cite(state, evidence, whole_batch=spec.name == EVENT)
    write = NodeWrite(
        node_id=state.next_id(spec),
        type=spec.name,
        title=name,
        fields={**_defaults(spec), **values.values},
        evidence=citation.spans,
        new=True,
    )
    planned = links.plan(state, write.node_id, relations, evidence, new=(write.node_id, spec.name))
    own = [*values.faults, *citation.faults]
    own += checks.unknown_name(state, spec, name) + roll_call.follows(state, spec, write, (_TITLE, *write.fields))
    own += unfounded(state, spec, write)
    violations = checks.node(state, spec, write, sent=_sent(name, values.values), own=own) + planned.faults
    thought_text = ""
    if spec.name == EVENT:
        summary = str(write.fields.get("summary") or "")
        thought_text = checks.choose_thought(state, as_text(thought, "thought"), summary)
        violations += _new_event(state, write, summary, thought_text)
        write = _timed(state, write, summary)
    else:
        violations += checks.protocol(state, "create")
    soft = state.accept(violations)
    _stage_new(state, spec, write, handle, thought_text)
    state.soft.extend(soft)
    return _result(write, "create", (*((_TITLE,) if name else ()), *write.fields), planned.stage(state), soft)


def edit(
    state: DispatchState,
    node_id: object,
    set_fields: object = None,
    clear_fields: object = None,
    title: object = None,
    *,
    thought: object = "",
    evidence: object = None,
) -> WriteResult:
    """Stage changes of one node. ``aliases`` are added to those there are; clear and set them at once to replace them.

    Raises:
        WriteRefused, ArgumentRefused: as for ``create``. NotFound: no such node; a title gets the ids that bear it.
    """
    target = state.existing(as_text(node_id, "node_id"))
    before = state.view.node(target)
    spec = state.type(before.type)
    values = read_fields(spec, as_mapping(set_fields, "set_fields"), state.language)
    citation = cite(state, evidence, whole_batch=target == state.event_id)
    cleared = tuple(as_names(clear_fields, "clear_fields"))
    held = before.evidence if target in state.staging.nodes or spec.name == EVENT else ()
    change = _edit(before, values, cleared, _title(as_text(title, "title"), values), (*held, *citation.spans))
    made_here = target in state.staging.nodes and state.staging.nodes[target].new
    change = replace(change, write=replace(change.write, new=made_here))
    own = [*values.faults, *citation.faults]
    own += checks.unknown_id(state, target) + _standing(state, before)
    own += checks.unseen_namesakes(state, spec, before, change.write)
    if not change.columns:
        own.append(state.fault("no_change", where="fields", node=target))
    elif not made_here:
        own += roll_call.follows(state, spec, change.write, change.columns)
    violations = checks.node(state, spec, change.write, sent=change.sent, cleared=cleared, before=before, own=own)
    thought_text, write = "", change.write
    if spec.name == EVENT and "summary" in change.columns:
        summary = str(write.fields.get("summary") or "")
        thought_text = checks.choose_thought(state, as_text(thought, "thought"), summary)
        write = _timed(state, write, summary)
        violations += _event_edit(state, before, write, thought_text)
    step = _edit_step(state, spec)
    violations += checks.protocol(state, step)
    soft = state.accept(violations)
    state.ledger.step(step)
    state.staging.put_node(write)
    _keep_thought(state, target, thought_text)
    state.soft.extend(soft)
    return _result(write, "edit", change.columns, (), soft)


def delete(state: DispatchState, node_id: object, *, evidence: object = None) -> WriteResult:
    """Stage the archiving of a node and the end of its links; a node made by this dispatch is simply forgotten.

    Raises:
        WriteRefused: its type can't be deleted by agents (events), or it was not looked up. NotFound: no such node.
    """
    target = state.existing(as_text(node_id, "node_id"))
    before = state.view.node(target)
    spec = state.type(before.type)
    citation = cite(state, evidence)
    write = _after(before, before.title, before.fields, citation.spans)
    own = [*citation.faults, *checks.unknown_id(state, target), *_standing(state, before)]
    made_here = target in state.staging.nodes and state.staging.nodes[target].new
    if not made_here:
        own += roll_call.follows(state, spec, write, (), deleting=True)
    if before.depth:
        own.append(state.fault("holds_others", node=target))
    violations = checks.node(state, spec, write, sent={}, before=before, own=own, deleting=True)
    soft = state.accept([*violations, *checks.protocol(state, "delete")])
    state.ledger.step("delete")
    ended: list[LinkOutcome] = []
    for link in state.view.links_of(target):
        outcome = LinkOutcome(source=link.source, relation=link.relation, target=link.target, outcome="ended")
        ended.append(outcome)
        links.end(state, (link.source, link.relation, link.target), citation.spans)
    if made_here:
        state.staging.drop_node(target)
    else:
        state.staging.put_node(replace(write, lifecycle="archived"))
    state.soft.extend(soft)
    return _result(write, "delete", (), tuple(ended), soft)


def _new_event(state: DispatchState, write: NodeWrite, summary: str, thought: str) -> list[Violation]:
    own: list[Violation] = []
    if state.event_id:
        own.append(state.fault("second_event", event=state.event_id))
    uncovered = tuple(ref for ref in state.batch_refs if ref not in {span.unit for span in write.evidence})
    if uncovered and write.evidence:
        own.append(state.fault("unit_uncovered", where="evidence", units=", ".join(uncovered)))
    faults = checks.protocol(state, "event", own, events=state.event_count() + 1)
    return faults + (checks.event(state, summary, thought) if summary else [])


def _event_edit(state: DispatchState, before: Node, write: NodeWrite, thought: str) -> list[Violation]:
    summary = str(write.fields.get("summary") or "")
    if before.id == state.event_id:
        return checks.event(state, summary, thought)
    if before.depth == 0:
        return checks.event(state, summary, thought, earlier=before) + checks.later_events(state, before, write)
    children = state.view.children(before.id)
    ids = tuple(child.id for child in children)
    told = tuple(ChildSummary(c.id, str(c.fields.get("summary") or ""), c.time_from, c.time_to) for c in children)
    subject = RollupSubject(summary, ids, ids, told, before.depth)
    return [*state.rules.check("rollup", subject), *checks.thought_of(state, summary, thought, told)]


def _stage_new(state: DispatchState, spec: NodeType, write: NodeWrite, handle: str, thought: str) -> None:
    state.ledger.step("event" if spec.name == EVENT else "create")
    state.staging.put_node(write)
    if spec.name == EVENT:
        state.event_id = write.node_id
        state.staging.refs[EVENT_REF] = write.node_id
        _keep_thought(state, write.node_id, thought)
    if handle:
        state.staging.refs[handle] = write.node_id


def _keep_thought(state: DispatchState, node_id: str, thought: str) -> None:
    checks.consume_thought(state, thought)
    if thought:
        state.thoughts.by_node[node_id] = thought


def _edit(before: Node, values: FieldValues, cleared: Sequence[str], title: str, spans: tuple[Evidence, ...]) -> Edit:
    kept = {column: value for column, value in before.fields.items() if column not in cleared}
    sent = dict(values.values)
    after = {**kept, **sent}
    if _ALIASES in sent and isinstance(sent[_ALIASES], list):
        after[_ALIASES] = merged_names(kept.get(_ALIASES) or (), sent[_ALIASES])
    name = title or ("" if _TITLE in cleared else before.title)
    write = _after(before, name, after, spans)
    return Edit(before, write, _sent(title, sent), tuple(cleared), roll_call.differing(before, write.title, after))


def _after(before: Node, title: str, fields: Mapping[str, Any], spans: tuple[Evidence, ...]) -> NodeWrite:
    """The after-image of an edit. Its evidence is what this version rests on; earlier versions keep their own."""
    return NodeWrite(
        node_id=before.id,
        type=before.type,
        title=title,
        fields=dict(fields),
        evidence=tuple(dict.fromkeys(spans)),
        depth=before.depth,
        parent=before.parent,
        time_from=before.time_from,
        time_to=before.time_to,
    )


def _edit_step(state: DispatchState, spec: NodeType) -> str:
    if not state.event_id:
        return "edit"
    return "sweep" if spec.name == THREAD else "event_edit" if spec.name == EVENT else "edit"


def _standing(state: DispatchState, node: Node) -> list[Violation]:
    """What was archived, or is held by a rollup that tells it, isn't changed any more."""
    if node.lifecycle != "active":
        return [state.fault("rolled_up", node=node.id, lifecycle=node.lifecycle)]
    if node.type == EVENT and node.id in state.outdated:
        return [state.fault("rolled_up", node=node.id, lifecycle="superseded")]
    return [state.fault("held", node=node.id, parent=node.parent)] if node.parent else []


def _timed(state: DispatchState, write: NodeWrite, summary: str) -> NodeWrite:
    if write.depth:
        outline = parse_outline(summary, state.language)
        times = outline.time_from or write.time_from, outline.time_to or write.time_to
        return replace(write, time_from=times[0], time_to=times[1])
    time = parse_event(summary, state.language).time or None
    return replace(write, time_from=time, time_to=time)


def unfounded(state: DispatchState, spec: NodeType, write: NodeWrite) -> list[Violation]:
    """P5 for a newcomer: its title, or an alias that was looked up too, stands in a unit that is cited."""
    aliases = [a for a in write.fields.get(_ALIASES) or () if state.ledger.looked_up(a, spec.name)]
    keys = name_keys([write.title, *aliases])
    if spec.name not in (CHARACTER, LOCATION) or not keys or not write.evidence:
        return []
    texts = [state.names_text(ref) for ref in dict.fromkeys(span.unit for span in write.evidence)]
    if any(bare_name(key) in text for key in keys for text in texts):
        return []
    return [state.fault("unfounded", where="title", excerpt=write.title, name=write.title)]


def _title(given: str, values: FieldValues) -> str:
    inner = values.values.pop(_TITLE, None)
    if inner is not None and given and given.strip() != str(inner).strip():
        raise ArgumentRefused(f"The title is given twice: {given!r} and fields.title {str(inner)!r}.")
    return visible_name(given or str(inner or ""))


def _handle(state: DispatchState, spec: NodeType, ref: str) -> str:
    handle = ref.strip().removeprefix("@")
    if handle and _REF.fullmatch(handle) is None:
        raise ArgumentRefused(f"{handle[:40]!r} can't be a ref.", hint="Use one word of at most 40 letters, digits, _.")
    if handle and state.view.exists(handle):
        raise ArgumentRefused(f"@{handle} looks like the id of a node that is there.", hint="Choose another ref.")
    if handle and handle in state.staging.refs and (spec.name, handle) != (EVENT, EVENT_REF):
        raise ArgumentRefused(f"@{handle} names {state.staging.refs[handle]} already.", hint="Choose another ref.")
    if handle == EVENT_REF and spec.name != EVENT:
        raise ArgumentRefused("@event is kept for the event of the dispatch.", hint="Choose another ref.")
    return handle


def _defaults(spec: NodeType) -> dict[str, Any]:
    return {column: value for column, value in spec.defaults.items() if column != _TITLE}


def _sent(title: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {**({_TITLE: title} if title else {}), **values}


def _result(
    write: NodeWrite, operation: Any, changed: tuple[str, ...], outcomes: tuple[LinkOutcome, ...], soft: Any
) -> WriteResult:
    return WriteResult(
        node_id=write.node_id,
        type=write.type,
        operation=operation,
        title=write.title,
        changed=changed,
        links=outcomes,
        soft=tuple(soft),
    )
