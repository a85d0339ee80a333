"""A dispatch as plain data and back, so that a checkpoint is small and a killed run goes on where it stood.

Texts of the batch and answers of the store are not in it: both are read again. What the ledger says was answered is in
it, because the roll-call is measured against that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from talekeeper.memory.errors import InputError
from talekeeper.rules.subjects import RollCall
from talekeeper.tools.ledger import Ledger
from talekeeper.tools.staging import Staging
from talekeeper.tools.state import DispatchState, Thoughts, rows, violations_from

if TYPE_CHECKING:
    from talekeeper.memory.reader import Reader

FORMAT = 2
_CACHED = ("view", "free", "head_seq", "known_spans", "active_threads", "outdated")


def dump(state: DispatchState) -> dict[str, Any]:
    """The state as JSON-able data."""
    return {
        "format": FORMAT,
        "dispatch_id": state.dispatch_id,
        "author": state.author,
        "fingerprint": state.fingerprint,
        "base_seq": state.base_seq,
        "batch": list(state.batch_refs),
        "ledger": state.ledger.snapshot(),
        "staging": state.staging.snapshot(),
        "thoughts": asdict(state.thoughts),
        "roll_call": None if state.roll_call is None else _roll_call_form().dump_python(state.roll_call, mode="json"),
        "event_id": state.event_id,
        "facts_landed": state.facts_landed,
        "landed": dict(state.landed),
        "written": list(state.written),
        "rollups": list(state.rollups),
        "names": dict(state.names),
        "rollup_id": state.rollup_id,
        "soft": rows(state.soft),
        "kept": rows(state.kept),
        "flags": list(state.flags),
    }


def load(state: DispatchState, data: Mapping[str, Any]) -> None:
    """Bring a fresh state to what ``dump`` wrote. Reads nothing from the store.

    Raises:
        InputError: the snapshot is of another format or another batch.
    """
    if data.get("format") != FORMAT:
        raise InputError(
            f"Dispatch snapshot of unknown format {data.get('format')!r}.", hint="Start the dispatch anew."
        )
    if tuple(data["batch"]) != state.batch_refs:
        raise InputError(f"The snapshot is of units {', '.join(data['batch'])}, not {', '.join(state.batch_refs)}.")
    state.author, state.fingerprint = data["author"], data["fingerprint"]
    state.base_seq = data["base_seq"]
    state.ledger = Ledger.restore(data["ledger"])
    state.staging = Staging.restore(data["staging"])
    state.thoughts = Thoughts(**{key: _copy(value) for key, value in data["thoughts"].items()})
    state.roll_call = None if data["roll_call"] is None else _roll_call_form().validate_python(data["roll_call"])
    state.event_id, state.rollup_id = data["event_id"], data["rollup_id"]
    state.facts_landed = data["facts_landed"]
    state.landed = Counter(data["landed"])
    state.written, state.rollups, state.flags = list(data["written"]), list(data["rollups"]), list(data["flags"])
    state.names = dict(data["names"])
    state.soft, state.kept = violations_from(data["soft"]), violations_from(data["kept"])
    _forget(state)


def rebase(state: DispatchState, reader: Reader) -> None:
    """Let the state read from a newer reader."""
    state.reader = reader
    _forget(state)


def count_anew(state: DispatchState) -> None:
    """Ask the store for its next free numbers when they are needed next; everything else was read well."""
    state.__dict__.pop("free", None)


def _forget(state: DispatchState) -> None:
    """Drop what was read from an older state of the store."""
    for name in _CACHED:
        state.__dict__.pop(name, None)


@cache
def _roll_call_form() -> TypeAdapter[RollCall]:
    return TypeAdapter(RollCall)


def _copy(value: Any) -> Any:
    return copy(value)
