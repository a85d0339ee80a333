"""Relations: ends by id, one canonical direction, nothing written twice.

A symmetric relation is stored once with its ends in natural order, whichever way it was given. A directed one runs from
the source that was named unless ``direction`` says ``in``; it is never written both ways.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from talekeeper.memory.errors import NotFound
from talekeeper.memory.models import Evidence, LinkWrite
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import LinkSubject
from talekeeper.tools.arguments import as_list, as_mapping, as_text
from talekeeper.tools.checks import prefer, protocol
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.evidence import Citation, cite
from talekeeper.tools.nearest import nearest, nearest_nodes
from talekeeper.tools.results import LinkOutcome, LinksResult
from talekeeper.tools.state import EVENT, DispatchState

_TARGETS = ("target", "target_node_id", "target_id", "node_id")
_RELATIONS = ("relation", "type", "rel")
_KEYS = (*_TARGETS, *_RELATIONS, "direction", "evidence")
_DIRECTIONS = {"": "out", "out": "out", "outgoing": "out", "in": "in", "incoming": "in", "both": "both"}


@dataclass
class PlannedLinks:
    """Links ready to be staged, what each came to, and what is wrong."""

    writes: list[LinkWrite] = field(default_factory=list)
    outcomes: list[LinkOutcome] = field(default_factory=list)
    faults: list[Violation] = field(default_factory=list)

    def stage(self, state: DispatchState) -> tuple[LinkOutcome, ...]:
        for write in self.writes:
            state.staging.put_link(write)
        return tuple(self.outcomes)


@dataclass(frozen=True)
class Ends:
    """One link as asked for, ends as ids."""

    source: str
    relation: str
    target: str
    direction: str


def upsert(state: DispatchState, source: object, links: object, evidence: object = None) -> LinksResult:
    """Stage relations of one source. All of them, or none (Z1)."""
    given = as_text(source, "source_node_id")
    planned = plan(state, given, links, evidence)
    if not planned.outcomes and not planned.faults:
        raise ArgumentRefused("Argument links is empty.", hint='Send links: [{"target": "char_2", "relation": "…"}].')
    about_event = state.event_id in {end for w in planned.writes for end in (w.source, w.target)} and state.event_id
    step = "event_link" if about_event else "link"
    soft = state.accept([*protocol(state, step), *planned.faults])
    state.ledger.step(step)
    state.soft.extend(soft)
    return LinksResult(source=state.id_of(given), links=planned.stage(state), soft=soft)


def plan(
    state: DispatchState, source: str, links: object, evidence: object = None, *, new: tuple[str, str] | None = None
) -> PlannedLinks:
    """Check links and find out what each comes to, without staging.

    Args:
        new: (id, type) of a node that is about to be created in the same call and is the source.
    """
    planned = PlannedLinks()
    for item in as_list(links, "links"):
        row = _row(item)
        ends = Ends(
            source=new[0] if new else state.id_of(source),
            relation=as_text(row.get("relation"), "links.relation").strip(),
            target=state.id_of(as_text(row.get("target"), "links.target")),
            direction=as_text(row.get("direction"), "links.direction").strip().casefold(),
        )
        faults = check(state, ends, new)
        citation = _citation(state, ends, row.get("evidence") or evidence, new)
        planned.faults += faults + citation.faults
        if all(fault.severity == "soft" for fault in (*faults, *citation.faults)):
            _resolve(state, ends, citation.spans, planned)
    return planned


def check(state: DispatchState, ends: Ends, new: tuple[str, str] | None = None) -> list[Violation]:
    """L rules and P4 for one link."""
    own: list[Violation] = []
    types: dict[str, str | None] = {}
    for end in (ends.source, ends.target):
        types[end] = new[1] if new and end == new[0] else _type_of(state, end)
        if types[end] is None:
            near = ", ".join(nearest_nodes(end, state.view)) or "—"
            own.append(state.fault("unknown_end", where="link", excerpt=end, end=end, nearest=near))
        elif end not in state.ledger.seen and end not in state.staging.nodes and not (new and end == new[0]):
            own.append(state.fault("not_looked_up", where="link", excerpt=end, name=end))
    if ends.source == ends.target:
        own.append(state.fault("self_link", where="link", excerpt=ends.source, end=ends.source))
    if ends.direction not in _DIRECTIONS:
        direction = nearest(ends.direction, ("out", "in"), limit=1)[0]
        raise ArgumentRefused(f"Direction {ends.direction!r} isn't known.", hint=f"Nearest: {direction}.")
    subject = LinkSubject(
        relations=state.schema.vocabulary,
        source=ends.source,
        target=ends.target,
        relation=ends.relation,
        known_ids=frozenset({*state.ledger.seen, *state.staging.nodes, *((new[0],) if new else ())}),
        source_type=types[ends.source],
        target_type=types[ends.target],
        direction=ends.direction or None,
        reverse_stands=_reverse_stands(state, ends),
    )
    book = state.rules.check("link", subject)
    if any(v.rule == "P4" for v in own):
        book = [v for v in book if v.rule != "L3"]
    return prefer(own, book)


def delete(
    state: DispatchState,
    source: object,
    target: object,
    relation: object,
    direction: object = None,
    evidence: object = None,
) -> LinksResult:
    """End one relation; the rows before it stay.

    Raises:
        NotFound: there is no such link; names what does hold between the two.
    """
    ends = Ends(
        state.id_of(as_text(source, "source_node_id")),
        as_text(relation, "relation").strip(),
        state.id_of(as_text(target, "target_node_id")),
        as_text(direction, "direction").strip().casefold(),
    )
    citation = cite(state, evidence)
    soft = state.accept([*protocol(state, "link"), *check(state, ends), *citation.faults])
    standing = _standing(state, ends)
    if standing is None:
        raise NotFound("link", f"{ends.source} {ends.relation} {ends.target}", _between(state, ends))
    state.ledger.step("link")
    end(state, standing, citation.spans)
    state.soft.extend(soft)
    return LinksResult(
        source=ends.source,
        links=(LinkOutcome(source=standing[0], relation=standing[1], target=standing[2], outcome="ended"),),
        soft=soft,
    )


def end(state: DispatchState, link: tuple[str, str, str], evidence: tuple[Evidence, ...]) -> None:
    """Stage the end of a standing link; one that only this dispatch has staged is forgotten."""
    if _stored(state, link):
        state.staging.put_link(LinkWrite(*link, evidence, "archived"))
    else:
        state.staging.links.pop(link)


def canonical(state: DispatchState, ends: Ends) -> tuple[str, str, str]:
    """(source, relation, target) as stored."""
    source, target = ends.source, ends.target
    relation = state.schema.vocabulary.get(ends.relation)
    if relation is not None and relation.symmetric:
        source, target = sorted((source, target), key=natural)
    elif _DIRECTIONS[ends.direction] == "in":
        source, target = target, source
    return source, ends.relation, target


def natural(node_id: str) -> tuple[tuple[int, str], ...]:
    """Sort key that puts ``char_2`` before ``char_10``."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", node_id) if part)


def _resolve(state: DispatchState, ends: Ends, evidence: tuple[Evidence, ...], planned: PlannedLinks) -> None:
    source, relation, target = canonical(state, ends)
    known = any((w.source, w.relation, w.target) == (source, relation, target) for w in planned.writes)
    stands = known or _standing(state, ends) is not None
    if not stands:
        planned.writes.append(LinkWrite(source, relation, target, evidence))
    planned.outcomes.append(
        LinkOutcome(source=source, relation=relation, target=target, outcome="unchanged" if stands else "created")
    )


def _standing(state: DispatchState, ends: Ends) -> tuple[str, str, str] | None:
    """The link as it stands now; a symmetric one is found whichever way it was stored."""
    source, relation, target = canonical(state, ends)
    spec = state.schema.vocabulary.get(relation)
    ways = [(source, target), (target, source)] if spec is not None and spec.symmetric else [(source, target)]
    for a, b in ways:
        if state.view.exists(a) and state.view.has_link(a, relation, b):
            return a, relation, b
    return None


def _reverse_stands(state: DispatchState, ends: Ends) -> bool:
    """Writing this link would put a second edge beside the one that runs the other way."""
    source, relation, target = canonical(state, ends)
    if state.schema.vocabulary.get(relation) is None or _standing(state, ends) is not None:
        return False
    return state.view.exists(target) and state.view.has_link(target, relation, source)


def _stored(state: DispatchState, link: tuple[str, str, str]) -> bool:
    source, relation, target = link
    write = state.staging.nodes.get(source)
    if write is not None and write.new:
        return False
    links = state.reader.links_of(source, relations=[relation])
    return any((k.source, k.target) == (source, target) for k in links)


def _between(state: DispatchState, ends: Ends) -> tuple[str, ...]:
    links = [k for k in state.view.links_of(ends.source) if ends.target in (k.source, k.target)]
    return tuple(f"{k.source} {k.relation} {k.target}" for k in links)


def _type_of(state: DispatchState, node_id: str) -> str | None:
    try:
        found = state.view.node(node_id)
    except NotFound:
        return None
    return found.type if found.lifecycle == "active" else None


def _citation(state: DispatchState, ends: Ends, given: object, new: tuple[str, str] | None) -> Citation:
    """Evidence of a link; without any, it rests on what its staged ends rest on."""
    staged = [state.staging.nodes[end] for end in (ends.source, ends.target) if end in state.staging.nodes]
    if not given and len(state.batch) > 1:
        inherited = [span for write in staged for span in write.evidence if span.unit in state.batch_refs]
        if inherited:
            return Citation(inherited)
    return cite(state, given, whole_batch=new is not None and new[1] == EVENT)


def _row(item: Any) -> Mapping[str, Any]:
    row = as_mapping(item.model_dump() if hasattr(item, "model_dump") else item, "links")
    strangers = [key for key in row if key not in _KEYS]
    if strangers:
        near = ", ".join(nearest(strangers[0], ("target", "relation", "direction", "evidence"), limit=1))
        raise ArgumentRefused(f"A link has no key {strangers[0]!r}.", hint=f"Nearest: {near}.")
    target = next((row[key] for key in _TARGETS if row.get(key)), None)
    relation = next((row[key] for key in _RELATIONS if row.get(key)), None)
    if not target or not relation:
        raise ArgumentRefused("A link needs target and relation.", hint='{"target": "char_2", "relation": "mentor_of"}')
    return {"target": target, "relation": relation, "direction": row.get("direction"), "evidence": row.get("evidence")}
