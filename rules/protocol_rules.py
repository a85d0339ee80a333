"""P: the order and the books of one dispatch, and its closing sentence."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.rules.brief import compose_brief, parse_brief
from talekeeper.rules.family import rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import occurrences, sentences
from talekeeper.rules.subjects import ClosingSubject, ProtocolSubject

NEEDS_REVIEW = "needs_review"
_STABLE = frozenset({"create", "edit", "delete"})
_FACTS = _STABLE | {"event", "event_edit", "link", "event_link"}
_READ_ORDER = ("schema", "recent", "find", "brief")
_BEFORE: dict[str, tuple[str, ...]] = {
    "roll_call": ("schema", "recent"),
    **dict.fromkeys(_FACTS, ("schema", "recent", "roll_call")),
    "sweep": ("event",),
    "compact": ("event",),
    "finish": ("schema", "recent", "roll_call", "event"),
}
_ALIASES = {
    "list_candidates": "recent",
    "read_schema": "schema",
    "read_recent": "recent",
    "find_by_name": "find",
    "find_entities": "find",
    "node_brief": "brief",
    "brief_entities": "brief",
    "node_create": "create",
    "node_edit": "edit",
    "node_delete": "delete",
    "link_upsert": "link",
    "link_delete": "link",
    "write_event": "event",
    "sweep_threads": "sweep",
    "compact_nodes": "compact",
}


def _step(name: str) -> str:
    bare = name.removeprefix("memory_")
    return _ALIASES.get(bare, bare)


def order(subject: ProtocolSubject, pack: LanguagePack) -> Iterator[Violation]:
    """P1. A read out of turn is judged only while it is the last step: reading again in turn mends it."""
    steps = [_step(name) for name in subject.steps]
    first = {name: at for at, name in reversed(list(enumerate(steps)))}
    told: set[tuple[str, str]] = set()
    for at, name in enumerate(steps):
        needed = _BEFORE.get(name, ())
        if at == len(steps) - 1 and name in _READ_ORDER:
            needed = _READ_ORDER[: _READ_ORDER.index(name)]
        for before in needed:
            if first.get(before, at) >= at and (name, before) not in told:
                told.add((name, before))
                yield pack.report("P1", "too_early", where="steps", step=name, before=before)
        if name in _STABLE and first.get("event", at) < at and (name, "late") not in told:
            told.add((name, "late"))
            yield pack.report("P1", "too_late", where="steps", step=name)


def one_event(subject: ProtocolSubject, pack: LanguagePack) -> Iterator[Violation]:
    """P2."""
    if subject.events > 1:
        yield pack.report("P2", "second", where="event", count=subject.events)
    elif subject.finishing and subject.events < 1:
        yield pack.report("P2", "missing", where="event")


def read_once(subject: ProtocolSubject, pack: LanguagePack) -> Iterator[Violation]:
    """P3."""
    for question in subject.reread:
        yield pack.report("P3", "reread", where="steps", question=question)


def looked_up_first(subject: ProtocolSubject, pack: LanguagePack) -> Iterator[Violation]:
    """P4."""
    for node_id in subject.touched:
        yield pack.report("P4", "touched", where=node_id, node=node_id)


def evidence(subject: ProtocolSubject, pack: LanguagePack) -> Iterator[Violation]:
    """P5."""
    for name in subject.uncited:
        yield pack.report("P5", "uncited", where=name, write=name)
    for unit in subject.foreign:
        yield pack.report("P5", "foreign", where=unit, unit=unit)


def covered(subject: ProtocolSubject, pack: LanguagePack) -> Iterator[Violation]:
    """P6."""
    if subject.uncovered:
        yield pack.report("P6", "uncovered", where="event", units=pack.listed(subject.uncovered))


def one_commit(subject: ProtocolSubject, pack: LanguagePack) -> Iterator[Violation]:
    """P8. Facts land as one commit before the first rollup; nothing is added to them afterwards."""
    steps = [_step(name) for name in subject.steps]
    landed = next((at for at, name in enumerate(steps) if name in ("commit", "compact")), len(steps))
    late = next((name for name in steps[landed:] if name in _FACTS), None)
    if late is not None:
        yield pack.report("P8", "facts_after", where="steps", step=late)
    if steps.count("commit") > 1:
        yield pack.report("P8", "two_commits", where="steps")


def flagged(subject: ProtocolSubject, pack: LanguagePack) -> Iterator[Violation]:
    """P9."""
    if subject.kept and NEEDS_REVIEW not in subject.flags:
        yield pack.report("P9", "unflagged", where="event", rules=pack.listed(subject.kept))


def closing(subject: ClosingSubject, pack: LanguagePack) -> Iterator[Violation]:
    """P7."""
    if subject.has_tool_calls:
        yield pack.report("P7", "tool_calls", where="text")
    expected = {key: n for key, n in subject.counts.items() if n}
    right = compose_brief(expected, pack.language)
    text = subject.text.strip()
    if not text:
        yield pack.report("P7", "empty", where="text", right=right)
        return
    found = sentences(subject.text, pack.words.sentence_ends)
    if next(found, None) and next(found, None):
        yield pack.report("P7", "long", where="text", excerpt=text[:80], right=right)
    quotes = [q[0] for q in pack.words.quote_pairs] + ['"']
    spoken = occurrences(subject.text, quotes)
    if spoken:
        yield pack.report("P7", "dialogue", where="text", text=subject.text, span=spoken[0], right=right)
    told = {key: n for key, n in parse_brief(subject.text, pack.language).items() if n}
    if told != expected:
        yield pack.report("P7", "counts", where="text", excerpt=text[:80], right=right)


RULES = (
    rule("P1", "protocol", order),
    rule("P2", "protocol", one_event),
    rule("P3", "protocol", read_once),
    rule("P4", "protocol", looked_up_first),
    rule("P5", "protocol", evidence),
    rule("P6", "protocol", covered),
    rule("P7", "closing", closing),
    rule("P8", "protocol", one_commit),
    rule("P9", "protocol", flagged),
)
