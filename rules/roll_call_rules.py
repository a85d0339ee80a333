"""R: the dedup roll-call, and whether a write follows what it announced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from talekeeper.memory.text import fold, name_keys
from talekeeper.rules.family import CHARACTER, LOCATION, THREAD, rule
from talekeeper.rules.lexicon import Words
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import length, occurrences
from talekeeper.rules.subjects import (
    ActiveThreadEntry,
    EntityEntry,
    RollCall,
    RollCallSubject,
    WriteSubject,
)

_TITLE = "title"


def _entries(roll_call: RollCall) -> list[tuple[str, EntityEntry]]:
    return [(CHARACTER, e) for e in roll_call.characters] + [(LOCATION, e) for e in roll_call.locations]


def listed_by_name(subject: RollCallSubject, pack: LanguagePack) -> Iterator[Violation]:
    """R1. A name counts as listed when its own entry, or entries for all its bearers, stand there. A name of the batch
    that holds a comma ("Bergen, the quay") is one name."""
    entries = _entries(subject.roll_call)
    whole = {fold(name) for expected in subject.expected.values() for name in expected}
    if subject.roll_call.shorthand:
        yield pack.report("R1", "shorthand", where="roll_call", excerpt=subject.roll_call.shorthand)
    shorthand = {fold(word) for word in pack.words.shorthand_names}
    for _, entry in entries:
        if fold(entry.name) in shorthand or not entry.name.strip():
            yield pack.report("R1", "shorthand", where=entry.name, excerpt=entry.name)
        elif len(name_keys(entry.name)) > 1 and fold(entry.name) not in whole:
            yield pack.report("R1", "joined", where=entry.name, excerpt=entry.name)
    names = {key for _, entry in entries for key in (fold(entry.name), *name_keys(entry.name))}
    ids = {hit for _, entry in entries for hit in (*entry.title_hits, *entry.alias_hits)}
    answers = {fold(name): matches for name, matches in subject.looked_up.items()}
    for type_, expected in subject.expected.items():
        for name in expected:
            bearers = {match.node_id for match in answers.get(fold(name), ())}
            if fold(name) not in names and not names & set(name_keys(name)) and not (bearers and bearers <= ids):
                yield pack.report("R1", "missing", where=name, name=name, type=type_)


def answers_stand(subject: RollCallSubject, pack: LanguagePack) -> Iterator[Violation]:
    """R2."""
    answers = {fold(name): matches for name, matches in subject.looked_up.items()}
    for _, entry in _entries(subject.roll_call):
        if fold(entry.name) not in answers:
            yield pack.report("R2", "not_asked", where=entry.name, name=entry.name)
            continue
        matches = answers[fold(entry.name)]
        titles = {m.node_id for m in matches if m.via == "title"}
        aliases = {m.node_id for m in matches if m.via == "alias"}
        told = {*entry.title_hits, *entry.alias_hits}
        strange = sorted(told - titles - aliases)
        left_out = sorted((titles | aliases) - told)
        by_title, by_alias = set(entry.title_hits) & aliases, set(entry.alias_hits) & titles
        misplaced = sorted((by_title - titles) | (by_alias - aliases))
        if strange:
            yield pack.report("R2", "not_returned", where=entry.name, name=entry.name, ids=pack.listed(strange))
        if left_out:
            yield pack.report("R2", "left_out", where=entry.name, name=entry.name, ids=pack.listed(left_out))
        if misplaced:
            yield pack.report("R2", "misplaced", where=entry.name, name=entry.name, ids=pack.listed(misplaced))


def vague(reason: str, words: Words, pack: LanguagePack) -> bool:
    """The reason says nothing beyond the stock phrases in ``words``."""
    rest = fold(reason)
    if len(rest) > 200:
        return False
    for start, end in reversed(occurrences(rest, words)):
        rest = rest[:start] + rest[end:]
    return length("".join(c if c.isalnum() else " " for c in rest), pack.language) < 2


def decisions(subject: RollCallSubject, pack: LanguagePack) -> Iterator[Violation]:
    """R3."""
    for type_, entry in _entries(subject.roll_call):
        hits = (*entry.title_hits, *entry.alias_hits)
        if entry.decision == "CREATE":
            if hits:
                yield pack.report("R3", "create_over_hit", where=entry.name, name=entry.name, ids=pack.listed(hits))
        elif entry.decision == "EDIT":
            yield from _edit(entry, hits, subject.columns.get(type_), pack)
        elif entry.decision == "SKIP":
            if vague(entry.reason, pack.words.vague_skips, pack):
                yield pack.report("R3", "skip_unsaid", where=entry.name, name=entry.name, excerpt=entry.reason)
        else:
            yield pack.report("R3", "unknown", where=entry.name, name=entry.name, excerpt=str(entry.decision))


def _edit(
    entry: EntityEntry, hits: Sequence[str], columns: Sequence[str] | None, pack: LanguagePack
) -> Iterator[Violation]:
    name = entry.name
    if not entry.node_id or entry.node_id not in hits:
        yield pack.report("R3", "edit_which", where=name, name=name, ids=pack.listed(hits), node=entry.node_id or "—")
    if not entry.changes:
        yield pack.report("R3", "edit_what", where=name, name=name)
    for change in entry.changes:
        if columns is not None and change.field not in columns:
            yield pack.report("R3", "edit_column", where=name, field=change.field, columns=pack.listed(columns))
        if change.before == change.after:
            yield pack.report("R3", "edit_same", where=name, field=change.field, excerpt=change.after)
    if vague(entry.reason, pack.words.vague_reasons, pack):
        yield pack.report("R3", "edit_why", where=name, name=name, excerpt=entry.reason)


def follows_roll_call(subject: WriteSubject, pack: LanguagePack) -> Iterator[Violation]:
    """R4. What is deleted needs an EDIT entry too."""
    roll_call = subject.roll_call
    if subject.type == THREAD:
        yield from _thread_follows(subject, pack)
    elif subject.type in (CHARACTER, LOCATION):
        entries = roll_call.characters if subject.type == CHARACTER else roll_call.locations
        if subject.op == "create":
            keys = {key for name in subject.names for key in (fold(name), *name_keys(name))}
            mine = [e for e in entries if fold(e.name) in keys or keys & set(name_keys(e.name))]
            yield from _create_follows(subject, [e.decision for e in mine], pack)
        else:
            yield from _edit_follows(subject, [e for e in entries if e.node_id == subject.node_id], pack)


def _create_follows(subject: WriteSubject, found: Sequence[str], pack: LanguagePack) -> Iterator[Violation]:
    name = next(iter(subject.names), "")
    if not found:
        yield pack.report("R4", "no_entry", where=name, name=name)
    elif "CREATE" not in found:
        yield pack.report("R4", "other_decision", where=name, name=name, decision=found[0], op="CREATE")


def _edit_follows(subject: WriteSubject, entries: Iterable[EntityEntry], pack: LanguagePack) -> Iterator[Violation]:
    edits = [e for e in entries if e.decision == "EDIT"]
    if not edits:
        yield pack.report("R4", "no_edit_entry", where=subject.node_id, node=subject.node_id)
        return
    announced = {change.field for entry in edits for change in entry.changes}
    extra = [f for f in subject.fields if f not in announced]
    if extra:
        fields, said = pack.listed(extra), pack.listed(sorted(announced))
        yield pack.report("R4", "other_fields", where=subject.node_id, node=subject.node_id, fields=fields, said=said)


def _thread_follows(subject: WriteSubject, pack: LanguagePack) -> Iterator[Violation]:
    roll_call = subject.roll_call
    if subject.op == "create":
        keys = {fold(name) for name in subject.names}
        yield from _create_follows(subject, [e.decision for e in roll_call.new_threads if fold(e.title) in keys], pack)
        return
    entry = next((e for e in roll_call.active_threads if e.node_id == subject.node_id), None)
    if entry is None or entry.decision == "SKIP":
        yield pack.report("R4", "no_edit_entry", where=subject.node_id, node=subject.node_id)
        return
    ending = subject.status if subject.status in pack.words.closed_statuses else None
    said = {"RESOLVED": "resolved", "ABANDONED": "abandoned"}.get(entry.decision)
    if ending != said and (ending or "status" in subject.fields):
        yield pack.report(
            "R4", "other_status", where=subject.node_id, node=subject.node_id, said=entry.decision, status=ending or "—"
        )


def threads_swept(subject: RollCallSubject, pack: LanguagePack) -> Iterator[Violation]:
    """R5."""
    roll_call = subject.roll_call
    told: dict[str, list[ActiveThreadEntry]] = {}
    for entry in roll_call.active_threads:
        told.setdefault(entry.node_id, []).append(entry)
        if entry.decision not in ("SKIP", "EDIT", "RESOLVED", "ABANDONED"):
            yield pack.report("R5", "unknown", where=entry.node_id, node=entry.node_id, excerpt=str(entry.decision))
        elif vague(entry.reason, pack.words.vague_skips, pack):
            yield pack.report("R5", "unsaid", where=entry.node_id, node=entry.node_id, title=entry.title)
    for node_id, title in subject.active_threads.items():
        entries = told.get(node_id, [])
        if not entries:
            yield pack.report("R5", "missing", where=node_id, node=node_id, title=title)
        elif len({e.decision for e in entries}) > 1:
            yield pack.report("R5", "twice", where=node_id, node=node_id)
    for node_id in told:
        if node_id not in subject.active_threads:
            yield pack.report("R5", "not_active", where=node_id, node=node_id)
    if not subject.active_threads and not roll_call.active_threads and not roll_call.said_no_active:
        yield pack.report("R5", "say_none", where="roll_call")
    if subject.active_threads and roll_call.said_no_active:
        yield pack.report("R5", "not_none", where="roll_call", count=len(subject.active_threads))


RULES = (
    rule("R1", "roll_call", listed_by_name),
    rule("R2", "roll_call", answers_stand),
    rule("R3", "roll_call", decisions),
    rule("R4", "write", follows_roll_call),
    rule("R5", "roll_call", threads_swept),
)
