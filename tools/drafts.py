"""From staging to commits: one for the facts of a dispatch, one for each rollup (P8), each with a key of its own."""

from __future__ import annotations

import hashlib
from typing import Any

from talekeeper.memory.models import CommitDraft
from talekeeper.rules.model import Violation
from talekeeper.tools import checks, roll_call
from talekeeper.tools.errors import WriteRefused
from talekeeper.tools.snapshots import count_anew, rebase
from talekeeper.tools.state import EVENT, EVENT_REF, NEEDS_REVIEW, DispatchState, rows

COMMIT = "commit"
"""The step that the ledger notes when Phase A is found in the store; facts that come after it are refused (P8)."""


def facts(state: DispatchState) -> CommitDraft:
    """Phase A as one commit draft. Asked again once it is in the store (a killed run resumed), it is the same draft.

    Raises:
        WriteRefused: no event yet (P2), something that the roll-call promised wasn't written (R4, R5), a unit is
            uncovered (P6).
    """
    if state.facts_landed:
        raise WriteRefused([state.fault("facts_done"), *checks.protocol(state, COMMIT)])
    stored = state.event_id != "" and state.in_store(EVENT, state.event_id)
    soft = () if stored else state.accept(unfinished(state))
    state.ledger.step("sweep")
    meta = {**state.meta_rows(), "counts": dict(state.staging.counts()), "repeats": dict(state.ledger.repeats)}
    meta["soft"] = rows([*state.soft, *soft])
    meta |= {"event": state.event_id, "written": list(state.staging.nodes)}
    thoughts = dict(state.thoughts.by_node)
    if own := thoughts.pop(state.event_id, ""):
        meta["thought"] = own
    if thoughts:
        meta["thoughts"] = thoughts
    if state.roll_call is not None:
        from talekeeper.rules.roll_call import render

        meta["roll_call"] = render(state.roll_call, state.language)
    outdated = [write for write in state.reader.outdated_by(state.batch) if write.node_id not in state.staging.nodes]
    return CommitDraft(
        key=f"{state.dispatch_id}:facts",
        kind="facts",
        dispatch_id=state.dispatch_id,
        batch=state.batch_refs,
        nodes=(*state.staging.nodes.values(), *outdated),
        links=tuple(state.staging.links.values()),
        base_seq=state.base_seq,
        author=state.author,
        fingerprint=state.fingerprint,
        meta=meta,
    )


def unfinished(state: DispatchState) -> list[Violation]:
    """What still keeps Phase A from being committed; soft flags included.

    Promises that a voice made before it was taken over are kept as violations for review, they no longer bind (P9).
    """
    event = state.staging.nodes.get(state.event_id)
    covered = {span.unit for span in event.evidence} if event else set()
    uncovered = tuple(ref for ref in state.batch_refs if ref not in covered) if event else ()
    uncited = tuple(w.node_id for w in state.staging.nodes.values() if not w.evidence)
    uncited += tuple(f"{k.source} {k.relation} {k.target}" for k in state.staging.links.values() if not k.evidence)
    found = checks.protocol(state, "finish", finishing=True, uncited=uncited, uncovered=uncovered)
    promises = roll_call.open_entity_promises(state)
    if NEEDS_REVIEW in state.flags:
        state.kept = list(dict.fromkeys([*state.kept, *promises]))
        promises = []
    return [*found, *roll_call.open_thread_promises(state), *promises, *checks.swept(state)]


def rollup(state: DispatchState) -> CommitDraft:
    """The staged rollup as a commit draft.

    Raises:
        WriteRefused: none is staged.
    """
    if not state.rollup_id:
        raise WriteRefused([state.fault("no_rollup")])
    children = [w.node_id for w in state.staging.nodes.values() if w.parent == state.rollup_id]
    digest = hashlib.sha256("\n".join(children).encode()).hexdigest()[:16]
    meta: dict[str, Any] = {**state.meta_rows(), "children": children, "thought": state.thoughts.used[-1]}
    return CommitDraft(
        key=f"{state.dispatch_id}:rollup:{digest}",
        kind="rollup",
        dispatch_id=state.dispatch_id,
        batch=state.batch_refs,
        nodes=tuple(state.staging.nodes.values()),
        base_seq=state.head_seq,
        author=state.author,
        fingerprint=state.fingerprint,
        meta=meta,
    )


def settle(state: DispatchState) -> None:
    """Notice that what was staged is in the store by now (the caller committed, or a killed run resumed).

    Counts and ids are kept for the brief; staging is emptied.
    """
    if not (state.rollup_id or (state.event_id and not state.facts_landed)):
        return
    count_anew(state)
    if not state.facts_landed:
        if state.in_store(EVENT, state.event_id):
            state.names.update(written_names(state))
            state.landed.update(state.staging.counts())
            state.written.extend(state.staging.nodes)
            state.facts_landed = True
            state.ledger.step(COMMIT)
            state.ledger.put.clear()
            _clear(state)
    elif state.rollup_id and state.in_store(state.staging.nodes[state.rollup_id].type, state.rollup_id):
        state.landed["groups"] += 1
        state.rollups.append(state.rollup_id)
        state.rollup_id = ""
        _clear(state)


def written_names(state: DispatchState) -> dict[str, str]:
    """Titles and aliases of nodes created or edited here, and refs, to their ids."""
    names: dict[str, str] = {}
    here = [w for w in state.staging.nodes.values() if w.lifecycle == "active" and w.node_id != state.rollup_id]
    for write in here:
        names.setdefault(write.title, write.node_id)
    for write in here:
        for alias in write.fields.get("aliases") or ():
            names.setdefault(alias, write.node_id)
    for ref, node_id in state.staging.refs.items():
        if ref != EVENT_REF:
            names.setdefault(ref, node_id)
    names.pop("", None)
    return names


def _clear(state: DispatchState) -> None:
    state.staging.clear()
    state.soft.clear()
    rebase(state, state.reader)
