"""Rolling up: only a group that the store says is ready, one at a time, its depth given by code (C11, P8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from talekeeper.memory.models import CompactionGroup, Evidence, Node, NodeWrite
from talekeeper.memory.schema import NodeType
from talekeeper.rules.event_form import parse as parse_event
from talekeeper.rules.model import Violation
from talekeeper.rules.rollup_form import parse as parse_outline
from talekeeper.rules.subjects import ChildSummary, RollupSubject
from talekeeper.tools import checks
from talekeeper.tools.arguments import as_int, as_mapping, as_names, as_text, read_fields, without_nothing
from talekeeper.tools.errors import ArgumentRefused, WriteRefused
from talekeeper.tools.results import CompactResult, GroupInfo, GroupsResult
from talekeeper.tools.state import DispatchState


def candidates(state: DispatchState, type_: object, depth: object = 0) -> GroupsResult:
    """Groups of this type and depth that are ready now.

    Raises:
        WriteRefused: Phase A isn't committed yet (P1). NotFound: no such type.
    """
    spec = state.type(as_text(type_, "type").strip())
    level = as_int(depth, "depth", low=0, high=max(spec.compression.max_depth, 1))
    _require_facts(state)
    state.ledger.step("compaction_candidates")
    groups = _groups(state, spec.name, level) if not state.rollup_id else []
    return GroupsResult(
        type=spec.name,
        depth=level,
        groups=tuple(GroupInfo(child_ids=g.child_ids, depth=level, rollup_depth=level + 1) for g in groups),
    )


def compact(
    state: DispatchState,
    type_: object,
    child_ids: object,
    summary: object,
    fields: object = None,
    *,
    thought: object = "",
) -> CompactResult:
    """Stage one rollup over exactly one ready group.

    Raises:
        WriteRefused: not a ready group in its order, a child is rolled up already, a rollup is still waiting, or rules
            on outline or thought refuse it. NotFound: no such type or child.
    """
    spec = state.type(as_text(type_, "type").strip())
    _require_facts(state)
    _ = state.head_seq  # read before the children, so that a commit in between makes the rollup stale
    ids = [state.existing(given) for given in as_names(child_ids, "child_ids")]
    children = state.view.nodes(ids)
    text = as_text(summary, "summary")
    depth = max((child.depth for child in children), default=0) + 1
    values = read_fields(spec, without_nothing(spec, as_mapping(fields, "fields")), state.language)
    write = _rollup(state, spec, children, text, depth)
    title = str(values.values.pop("title", ""))
    if values.values.pop("summary", text.strip()) != text.strip():
        raise ArgumentRefused("The summary is given twice: as summary and, differently, in fields.")
    write = replace(write, title=title, fields={**values.values, "summary": text})
    groups = _groups(state, spec.name, depth - 1)
    own = [*values.faults, *_unready(state, children, groups)]
    violations = checks.node(state, spec, write, sent={**values.values, "summary": text}, own=own)
    subject = _subject(state, text, children, _meant(ids, groups), depth)
    chosen = checks.choose_thought(state, as_text(thought, "thought"), text)
    book = [*state.rules.check("rollup", subject), *checks.thought_of(state, text, chosen, subject.children)]
    soft = state.accept([*checks.prefer(own, [*violations, *book]), *checks.protocol(state, "compact")])
    _stage(state, write, children, chosen)
    state.soft.extend(soft)
    return CompactResult(node_id=write.node_id, type=spec.name, depth=depth, child_ids=tuple(ids), soft=soft)


def _require_facts(state: DispatchState) -> None:
    if not state.facts_landed:
        raise WriteRefused([state.fault("facts_first")])


def _groups(state: DispatchState, type_: str, depth: int) -> list[CompactionGroup]:
    spec = state.type(type_)
    if spec.compression.mode == "none" or depth >= spec.compression.max_depth:
        return []
    return list(state.reader.compaction_groups(type_, depth))


def _meant(ids: Sequence[str], groups: Sequence[CompactionGroup]) -> tuple[str, ...]:
    """The ready group that a call most likely means: the same one, else the one with most children in common."""
    exact = next((g.child_ids for g in groups if g.child_ids == tuple(ids)), None)
    if exact is not None or not groups:
        return exact or ()
    return max(groups, key=lambda g: len(set(g.child_ids) & set(ids))).child_ids


def _unready(state: DispatchState, children: Sequence[Node], groups: Sequence[CompactionGroup]) -> list[Violation]:
    faults: list[Violation] = []
    if state.rollup_id:
        faults.append(state.fault("second_rollup", node=state.rollup_id))
    held = [child for child in children if child.parent]
    faults += [state.fault("already_rolled_up", where="child_ids", node=c.id, parent=c.parent) for c in held]
    if not any(g.child_ids == tuple(child.id for child in children) for g in groups):
        ready = "; ".join("[" + ", ".join(g.child_ids) + "]" for g in groups) or "—"
        faults.append(state.fault("not_a_group", where="child_ids", groups=ready))
    return faults


def _subject(
    state: DispatchState, summary: str, children: Sequence[Node], group: tuple[str, ...], depth: int
) -> RollupSubject:
    told = tuple(
        ChildSummary(c.id, _summary(c), c.time_from, c.time_to, c.parent is not None, _changes(state, c))
        for c in children
    )
    return RollupSubject(summary, tuple(c.id for c in children), group, told, depth)


def _summary(node: Node) -> str:
    return str(node.fields.get("summary") or "")


def _changes(state: DispatchState, node: Node) -> tuple[str, ...]:
    """Irreversible rows of the leaves below a child of depth 1 (C3); deeper ones passed through an outline already."""
    if node.depth != 1:
        return ()
    leaves = state.view.children(node.id)
    rows = [row for leaf in leaves for row in parse_event(_summary(leaf), state.language).irreversible]
    return tuple(dict.fromkeys(rows))


def _rollup(state: DispatchState, spec: NodeType, children: Sequence[Node], summary: str, depth: int) -> NodeWrite:
    outline = parse_outline(summary, state.language)
    return NodeWrite(
        node_id=state.next_id(spec),
        type=spec.name,
        title="",
        fields={"summary": summary},
        evidence=_bounds(children),
        depth=depth,
        time_from=outline.time_from or (children[0].time_from if children else None),
        time_to=outline.time_to or (children[-1].time_to if children else None),
        new=True,
    )


def _bounds(children: Sequence[Node]) -> tuple[Evidence, ...]:
    """First and last evidence of each child: bounded at any depth; the rest is read through the children."""
    ends = [span for child in children if child.evidence for span in (child.evidence[0], child.evidence[-1])]
    return tuple(dict.fromkeys(ends))


def _stage(state: DispatchState, write: NodeWrite, children: Sequence[Node], thought: str) -> None:
    state.ledger.step("compact")
    state.staging.put_node(write)
    for child in children:
        held = NodeWrite(
            node_id=child.id,
            type=child.type,
            title=child.title,
            fields=child.fields,
            evidence=child.evidence,
            lifecycle=child.lifecycle,
            depth=child.depth,
            parent=write.node_id,
            time_from=child.time_from,
            time_to=child.time_to,
        )
        state.staging.put_node(held)
    state.rollup_id = write.node_id
    checks.consume_thought(state, thought)
    state.thoughts.by_node[write.node_id] = thought
