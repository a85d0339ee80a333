"""Stable writes without a model: what the roll-call decided, and ties that the text states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talekeeper.agents.builtin.case import Case, Desk
from talekeeper.agents.builtin.cast import Member
from talekeeper.agents.builtin.found import PERSON, PLACE
from talekeeper.agents.builtin.roll_caller import wanted_fields
from talekeeper.agents.protocols import Briefing, FactPlan, LinkOp, NodeOp
from talekeeper.memory.models import Evidence
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import EntityEntry, RollCall


class BuiltinArchivist:
    """Creates bare sheets, edits only what a sentence states, keeps threads up to date."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def plan(self, briefing: Briefing, roll_call: RollCall, violations: tuple[Violation, ...] = ()) -> FactPlan:
        """Writes for the roll-call; a retry writes titles alone and no ties."""
        case = self._desk.case(briefing)
        bare = bool(violations)
        nodes: list[NodeOp] = []
        ends: dict[str, str] = {m.title: m.node_id for m in case.cast.members if m.node_id and m.type == PERSON}
        for kind, entries in ((PERSON, roll_call.characters), (PLACE, roll_call.locations)):
            for entry in entries:
                op = _entity_op(case, kind, entry, f"{kind}{len(nodes) + 1}", bare)
                if op:
                    nodes.append(op)
                    if op.op == "create" and kind == PERSON:
                        ends[entry.name] = f"@{op.ref}"
        nodes.extend(_thread_ops(case, roll_call))
        links = () if bare else _tie_ops(case, ends)
        return FactPlan(tuple(nodes), links)


def _entity_op(case: Case, type: str, entry: EntityEntry, ref: str, bare: bool) -> NodeOp | None:
    member = case.cast.by_surface.get(entry.name)
    if entry.decision == "CREATE":
        fields: dict[str, Any] = {} if member is None else dict(wanted_fields(case, member))
        if bare:  # 姓乐名进，字文谦: a name that stands nowhere in one piece rests on its alias
            told = any(entry.name in text for text in case.reading.texts)
            fields = {} if told else {k: v for k, v in fields.items() if k == "aliases"}
        intent = f"{entry.name}首次出场，建档" if case.zh else f"{entry.name} appears for the first time"
        return NodeOp("create", type, entry.name, "", fields, (), _spans(case, entry.name), ref, intent)
    if entry.decision == "EDIT" and entry.node_id and member is not None:
        sent = _edited(case, member, entry)
        spans = tuple(f.evidence for f in case.facts if f.title == member.title) or _spans(case, entry.name)
        named = "、".join(sent)
        intent = f"记下正文明言的{named}" if case.zh else f"Record what the text states: {', '.join(sent)}"
        return NodeOp("edit", type, "", entry.node_id, sent, (), spans, "", intent)
    return None


def _edited(case: Case, member: Member, entry: EntityEntry) -> Mapping[str, Any]:
    wanted = wanted_fields(case, member)
    node = case.briefing.nodes.get(entry.node_id or "")
    sent: dict[str, Any] = {}
    for change in entry.changes:
        value = wanted.get(change.field, change.after)
        if change.field == "aliases" and isinstance(value, list):
            held = list(node.aliases) if node else []
            value = [*held, *(a for a in value if a not in held)]
        sent[change.field] = value
    return sent


def _spans(case: Case, name: str) -> tuple[Evidence, ...]:
    """The first mention of a name in each unit; the whole unit where only a speaker's label bears it."""
    spans = []
    for unit in case.reading.units:
        at = unit.text.find(name)
        if at >= 0:
            spans.append(Evidence.of(unit, at, at + len(name)))
    return tuple(spans) or (Evidence.of(case.reading.units[0]),)


def _thread_ops(case: Case, roll_call: RollCall) -> list[NodeOp]:
    ops = []
    hook = case.hook
    if hook and any(t.decision == "CREATE" and t.title == hook.title for t in roll_call.new_threads):
        fields = {"status": "active", "note": hook.note}
        intent = f"{hook.kind}要到另一场戏才能了结" if case.zh else f"A {hook.kind} that takes another scene to end"
        ops.append(NodeOp("create", "thread", hook.title, "", fields, (), (hook.evidence,), "thread1", intent))
    decided = {entry.node_id: entry.decision for entry in roll_call.active_threads}
    for verdict in case.verdicts:
        decision = decided.get(verdict.node.id, "SKIP")
        if decision == "SKIP" or decision != verdict.decision or verdict.evidence is None:
            continue
        status = {"RESOLVED": "resolved", "ABANDONED": "abandoned"}[decision]
        fields = {"status": status, "note": verdict.note}
        ops.append(NodeOp("edit", "thread", "", verdict.node.id, fields, (), (verdict.evidence,), "", verdict.reason))
    return ops


def _tie_ops(case: Case, ends: Mapping[str, str]) -> tuple[LinkOp, ...]:
    held = {(link.source, link.relation, link.target) for link in case.briefing.links}
    ops = []
    for tie in case.ties:
        source, target = ends.get(tie.source), ends.get(tie.target)
        if not source or not target or (source, tie.relation, target) in held or (target, tie.relation, source) in held:
            continue
        ops.append(LinkOp(source, tie.relation, target))
    return tuple(ops)
