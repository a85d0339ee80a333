"""L: relations between nodes."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from talekeeper.memory.schema import Relations
from talekeeper.rules.family import CHARACTER, EVENT, LOCATION, THREAD, rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.subjects import LinkSubject, ProtocolSubject

_BOTH_WAYS = frozenset({"both", "bidirectional", "undirected", "symmetric", "mutual", "双向", "<->", "↔"})
_PERSONAL = frozenset(
    {"partner_of", "family_of", "allied_with", "hostile_to", "mentor_of", "sworn_to", "debt_owed_to", "deceiving"}
)
_TYPES = frozenset({CHARACTER, LOCATION, EVENT, THREAD})
_NAME_LIMIT = 60


def canonical(subject: LinkSubject, pack: LanguagePack) -> Iterator[Violation]:
    """L1."""
    name, relations = subject.relation, subject.relations
    if relations.get(name) is not None or _inner(relations, name):
        return
    known = [r.name for r in relations.relations if r.agent_writable]
    right = relations.canonical_for(name)
    if right is not None:
        yield pack.report("L1", "synonym", where="relation", excerpt=name, right=right)
        return
    near = get_close_matches(name.strip().casefold()[:_NAME_LIMIT], known, n=1, cutoff=0.6)
    values = {"right": near[0] if near else "", "known": pack.listed(known)}
    yield pack.report("L1", "close" if near else "unknown", where="relation", excerpt=name, values=values)


def _inner(relations: Relations, name: str) -> bool:
    """One of the store's own relations, however it is spelled."""
    low = name.strip().casefold()
    right = relations.get(low) or relations.get(relations.canonical_for(low) or "")
    return right is not None and not right.agent_writable


def store_alone(subject: LinkSubject, pack: LanguagePack) -> Iterator[Violation]:
    """L2."""
    if _inner(subject.relations, subject.relation):
        yield pack.report("L2", "inner", where="relation", excerpt=subject.relation)


def real_ends(subject: LinkSubject, pack: LanguagePack) -> Iterator[Violation]:
    """L3."""
    for where, end in (("source", subject.source), ("target", subject.target)):
        if end not in subject.known_ids:
            yield pack.report("L3", "unknown_end", where=where, excerpt=end or pack.words.punctuation.blank)


def direction(subject: LinkSubject, pack: LanguagePack) -> Iterator[Violation]:
    """L4."""
    relation = subject.relations.get(subject.relation)
    if relation is None:
        return
    both = (subject.direction or "").strip().casefold() in _BOTH_WAYS
    if not relation.symmetric and both:
        yield pack.report("L4", "both_ways", where="direction", excerpt=subject.relation)
    if relation.symmetric and subject.reverse_stands:
        yield pack.report(
            "L4", "reverse", where="relation", excerpt=subject.relation, source=subject.source, target=subject.target
        )
    for where, end, type_ in (
        ("source", subject.source, subject.source_type),
        ("target", subject.target, subject.target_type),
    ):
        if relation.name in _PERSONAL and type_ in (EVENT, THREAD):
            yield pack.report("L4", "no_doer", where=where, excerpt=end, relation=relation.name, type=type_)


def fitting(subject: LinkSubject, pack: LanguagePack) -> Iterator[Violation]:
    """L5. A link whose ends are of unknown type, or of one of the story's own, fits."""
    name, ends = subject.relation, (subject.source_type, subject.target_type)
    if not set(ends) <= _TYPES or subject.deleting or subject.relations.get(name) is None:
        return
    if name == "related" and ends not in ((CHARACTER, CHARACTER), (LOCATION, LOCATION)):
        values = {"source": str(ends[0]), "target": str(ends[1])}
        yield pack.report("L5", "related", where="relation", excerpt=name, values=values)
    right = _from_an_event(subject) if ends[0] == EVENT else ()
    if right and name not in right and name != "related":
        values = {"target": str(ends[1]), "right": pack.listed(right)}
        yield pack.report("L5", "unfit", where="relation", excerpt=name, values=values)


def _from_an_event(subject: LinkSubject) -> tuple[str, ...]:
    """The relations that fit between an event and its target; empty where any does."""
    if subject.target_type == CHARACTER:
        if subject.acting is None:
            return ("involved_in", "mentions", "evidence")
        return ("involved_in", "evidence") if subject.acting else ("mentions", "evidence")
    if subject.target_type == LOCATION:
        return ("occurred_at", "mentions", "evidence")
    if subject.target_type == THREAD:
        if subject.note_rewritten is None:
            return ("advances", "updates", "evidence")
        return ("updates", "evidence") if subject.note_rewritten else ("advances", "evidence")
    return ()


def ended_with_evidence(subject: LinkSubject | ProtocolSubject, pack: LanguagePack) -> Iterator[Violation]:
    """L6. For one link: an end needs evidence. For the dispatch: who takes part in the event is linked to it."""
    if isinstance(subject, ProtocolSubject):
        if subject.unlinked and subject.finishing:
            yield pack.report("L6", "unlinked", where="links", nodes=pack.listed(subject.unlinked))
    elif subject.deleting and not subject.cited:
        yield pack.report("L6", "uncited", where="relation", excerpt=subject.relation)


RULES = (
    rule("L1", "link", canonical),
    rule("L2", "link", store_alone),
    rule("L3", "link", real_ends),
    rule("L4", "link", direction),
    rule("L5", "link", fitting, "soft"),
    rule("L6", "link", ended_with_evidence, "soft", also=("protocol",)),
)
