"""Holding a dispatch to its own roll-call: who must be named, which writes follow an entry, which promises are open.

The rules themselves are in ``talekeeper.rules``; what is here gathers what they look at from the ledger and the staged
writes, and knows which promises are still open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from talekeeper.memory.models import Node, NodeWrite
from talekeeper.memory.schema import NodeType
from talekeeper.memory.text import fold, name_keys
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import EntityEntry, NewThreadEntry, RollCall, RollCallSubject, WriteSubject
from talekeeper.tools.state import CHARACTER, LOCATION, THREAD, DispatchState

CALLED_TYPES = (CHARACTER, LOCATION, THREAD)


def subject_of(state: DispatchState, roll_call: RollCall) -> RollCallSubject:
    """What the roll-call rules look at."""
    columns = {t.name: t.table_columns for t in state.schema.types if t.name in CALLED_TYPES}
    expected = expected_names(state, roll_call)
    listed = {name: type_ for name, (_, type_) in _sections(roll_call).items()}
    asked = state.ledger.look_ups
    answers = {e.name: e.matches for k, e in asked.items() if state.ledger.looked_up(k, listed.get(k, CHARACTER))}
    return RollCallSubject(roll_call, expected, answers, state.active_threads, columns)


def expected_names(state: DispatchState, roll_call: RollCall) -> dict[str, tuple[str, ...]]:
    """Names that appear in the batch, by type: speakers, names looked up, known names in the text.

    A look-up without hits counts where the name really stands in the batch; of what type it is, the roll-call says.
    A name all of whose bearers stand in the roll-call under another of their names isn't asked for again.
    """
    sections = _sections(roll_call)
    covered = {hit for entry, _ in sections.values() for hit in (*entry.title_hits, *entry.alias_hits)}
    expected: dict[str, dict[str, None]] = {CHARACTER: {}, LOCATION: {}}

    def expect(name: str, type_: str, bearers: Iterable[str]) -> None:
        ids = set(bearers)
        entry = sections.get(fold(name))
        if entry is not None:
            expected[entry[1]][entry[0].name] = None
        elif not ids or not ids <= covered:
            expected[type_][name] = None

    known = {id_: node.type for span in state.known_spans for id_, node in _typed(state, span.node_ids)}
    for name in _speakers(state):
        expect(name, CHARACTER, (m.node_id for m in state.ledger.answers.get(name, ()) if m.type == CHARACTER))
    for look_up in state.ledger.look_ups.values():
        called = [m for m in look_up.matches if m.type in (CHARACTER, LOCATION)]
        hooked = any(fold(t.title) == fold(look_up.name) for t in roll_call.new_threads)
        asked_here = not look_up.types or {CHARACTER, LOCATION} & set(look_up.types)
        unknown = asked_here and not hooked and not look_up.matches and fold(look_up.name) in state.folded_text
        if called or unknown:
            type_ = called[0].type if called else LOCATION if look_up.types == (LOCATION,) else CHARACTER
            expect(look_up.name, type_, (m.node_id for m in called))
    for span in state.known_spans:
        expect(span.surface, known[span.node_ids[0]], span.node_ids)
    return {type_: tuple(names) for type_, names in expected.items()}


def unbriefed_hits(state: DispatchState) -> list[Violation]:
    """Characters and places that a look-up hit and nobody looked at (P1: brief every hit)."""
    hits = [m.node_id for entry in state.ledger.look_ups.values() for m in entry.matches if m.type in CALLED_TYPES]
    missed = [node_id for node_id in dict.fromkeys(hits) if node_id not in state.ledger.briefed]
    return [state.fault("unbriefed", ids=", ".join(missed))] if missed else []


def follows(
    state: DispatchState,
    spec: NodeType,
    write: NodeWrite,
    columns: Sequence[str],
    roll_call: RollCall | None = None,
    *,
    deleting: bool = False,
) -> list[Violation]:
    """R4: this write is what its entry decided. ``columns`` are those that it changes against the stored node."""
    call = roll_call or state.roll_call
    if spec.name not in CALLED_TYPES:
        return []
    if call is None:
        return [state.fault("no_roll_call", name=write.title)]
    subject = WriteSubject(
        roll_call=call,
        op="create" if write.new else "delete" if deleting else "edit",
        type=spec.name,
        names=(write.title, *(write.fields.get("aliases") or ())),
        node_id=write.node_id,
        fields=() if write.new else tuple(columns),
        status=write.fields.get("status") if "status" in columns and not write.new else None,
    )
    return state.rules.check("write", subject)


def open_thread_promises(state: DispatchState) -> list[Violation]:
    """R5, second half: every thread that the roll-call promised to touch was touched as promised."""
    if state.roll_call is None:
        return [state.fault("unswept")]
    faults = []
    for entry in state.roll_call.active_threads:
        write = state.staging.nodes.get(entry.node_id)
        changed = changed_columns(state, write) if write else ()
        if entry.decision == "EDIT":
            done, columns = bool(changed) or (write is not None and write.lifecycle != "active"), "note"
        elif entry.decision != "SKIP":
            done = write is not None and write.fields.get("status") == entry.decision.casefold()
            columns = f"status={entry.decision.casefold()}"
        else:
            continue
        if not done:
            values = {"node": entry.node_id, "name": entry.title, "decision": entry.decision, "columns": columns}
            faults.append(state.fault("stale_thread", **values))
    return faults


def open_entity_promises(state: DispatchState) -> list[Violation]:
    """R4, the other way round: what the roll-call decided to create or edit was written."""
    if state.roll_call is None:
        return []
    call, faults = state.roll_call, []
    made = {key for write in state.staging.nodes.values() if write.new for key in _names(write)}
    created: list[EntityEntry | NewThreadEntry] = [*call.characters, *call.locations, *call.new_threads]
    for entry in created:
        name = entry.title if isinstance(entry, NewThreadEntry) else entry.name
        if entry.decision == "CREATE" and fold(name) not in made and not made & set(name_keys(name)):
            faults.append(state.fault("promised_create", name=name))
    edited = [e for e in (*call.characters, *call.locations) if e.decision == "EDIT"]
    undone = [e for e in edited if e.node_id not in state.staging.nodes]
    return [*faults, *(state.fault("promised_edit", name=f"{e.node_id} {e.name}") for e in undone)]


def contradicted_writes(state: DispatchState, roll_call: RollCall) -> list[Violation]:
    """Writes staged already that a new roll-call would no longer allow."""
    faults: list[Violation] = []
    for write in state.staging.nodes.values():
        spec = state.type(write.type)
        deleting = write.lifecycle != "active"
        columns = () if deleting else changed_columns(state, write)
        faults += follows(state, spec, write, columns, roll_call, deleting=deleting)
    return faults


def changed_columns(state: DispatchState, write: NodeWrite) -> tuple[str, ...]:
    """Columns in which a staged node differs from the stored one; all of them for a new node."""
    if write.new:
        return ("title", *write.fields)
    return differing(state.view.stored(write.node_id), write.title, write.fields)


def differing(before: Node, title: str, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Columns whose value is not the same in both."""
    columns = dict.fromkeys((*before.fields, *fields))
    changed = [c for c in columns if _plain(before.fields.get(c)) != _plain(fields.get(c))]
    return (("title",) if title != before.title else ()) + tuple(changed)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | list) else value


def _names(write: NodeWrite) -> set[str]:
    return {fold(write.title), *name_keys(write.title), *name_keys(write.fields.get("aliases"))}


def _sections(roll_call: RollCall) -> dict[str, tuple[EntityEntry, str]]:
    listed = {fold(entry.name): (entry, LOCATION) for entry in roll_call.locations}
    return listed | {fold(entry.name): (entry, CHARACTER) for entry in roll_call.characters}


def _speakers(state: DispatchState) -> list[str]:
    said = (
        message.name
        for unit in state.batch
        if unit.kind == "turn"
        for message in unit.messages
        if message.text and message.name and message.role in ("user", "character")
    )
    return list(dict.fromkeys(said))


def _typed(state: DispatchState, ids: Sequence[str]) -> list[tuple[str, Node]]:
    return [(node.id, node) for node in state.view.nodes(ids)]
