"""Reading what an agent says beside its tool calls: the roll-call and the visible thoughts."""

from __future__ import annotations

from talekeeper.memory.text import clean
from talekeeper.rules.model import Violation
from talekeeper.rules.roll_call import blocks, parse
from talekeeper.rules.subjects import RollCall
from talekeeper.rules.thought import thought_blocks
from talekeeper.tools import roll_call as calls
from talekeeper.tools.checks import prefer, protocol
from talekeeper.tools.errors import WriteRefused
from talekeeper.tools.state import DispatchState

_MOST_WAITING = 32
"""Thoughts that wait for their write; older ones are forgotten, so that a checkpoint stays small."""


def observe(state: DispatchState, text: str) -> None:
    """Take thoughts and roll-call out of a response. A refused roll-call leaves the thoughts noted.

    Raises:
        WriteRefused: the roll-call breaks a rule.
    """
    text = clean(text)
    known = {*state.thoughts.pending, *state.thoughts.used}
    fresh = dict.fromkeys(block for block in thought_blocks(text) if block not in known)
    state.thoughts.pending = [*state.thoughts.pending, *fresh][-_MOST_WAITING:]
    found = tuple(
        dict.fromkeys(parse(block, state.language) for block in blocks(_without_thoughts(text), state.language))
    )
    if len(found) > 1:
        raise WriteRefused([state.fault("two_roll_calls", where="roll_call", count=len(found))])
    if found:
        submit(state, found[0])


def submit(state: DispatchState, roll_call: RollCall) -> tuple[Violation, ...]:
    """Accept a roll-call, or refuse it with everything that is wrong."""
    own = [state.fault("roll_call_late")] if state.facts_landed else calls.unbriefed_hits(state)
    book = state.rules.check("roll_call", calls.subject_of(state, roll_call))
    steps = prefer(own, protocol(state, "roll_call"))
    soft = state.accept([*steps, *book, *calls.contradicted_writes(state, roll_call)])
    state.ledger.step("roll_call")
    state.roll_call = roll_call
    state.soft.extend(soft)
    return soft


def promises(state: DispatchState) -> tuple[Violation, ...]:
    """What the roll-call promised and no write has done yet."""
    return (*calls.open_thread_promises(state), *calls.open_entity_promises(state))


def sweep(state: DispatchState) -> None:
    """Note the sweep; refuse while a thread promise is open."""
    faults = calls.open_thread_promises(state)
    if faults:
        raise WriteRefused(faults)
    state.accept(protocol(state, "sweep"))
    state.ledger.step("sweep")


def _without_thoughts(text: str) -> str:
    for block in thought_blocks(text):
        text = text.replace(block, "")
    return text
