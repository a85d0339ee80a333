"""Does the history still say what it said? Hashes, evidence and coverage of every story, checked from the rows."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.chain import Record
from talekeeper.memory.models import Evidence, UnitDraft, quote_hash
from talekeeper.memory.nodes import PARENT, SOURCE, TARGET, chunks
from talekeeper.memory.sqlite import Database
from talekeeper.memory.units import unpack_messages


def problems(database: Database) -> list[str]:
    """One line for each thing found, naming story, place and what is wrong."""
    found: list[str] = []
    with database.reading() as connection:
        stories = connection.execute(sa.select(tables.story.c.id, tables.story.c.title)).all()
        for story_id, title in stories:
            for check in (_units, _chain, _coverage):
                found += [f"{title}: {line}" for line in check(connection, story_id)]
    return found


def _units(connection: sa.Connection, story_id: int) -> Iterator[str]:
    """Content hashes of units, and the quotations that rest on them."""
    unit, evidence = tables.unit, tables.evidence
    ids = (
        connection.execute(sa.select(unit.c.id).where(unit.c.story_id == story_id).order_by(unit.c.id)).scalars().all()
    )
    for part in chunks(ids, 100):
        rows = connection.execute(sa.select(unit).where(unit.c.id.in_(part)).order_by(unit.c.id)).all()
        texts: dict[int, tuple[str, str]] = {}
        for row in rows:
            draft = UnitDraft(row.kind, unpack_messages(row.messages), row.title, row.source)
            texts[row.id] = (row.ref, draft.text)
            if draft.content_hash != row.content_hash:
                yield f"unit {row.ref} isn't the text that was stored"
        for piece in connection.execute(sa.select(evidence).where(evidence.c.unit_id.in_(part))):
            ref, text = texts[piece.unit_id]
            if quote_hash(text[piece.start : piece.stop]) != piece.quote_hash:
                yield f"evidence {ref}[{piece.start}:{piece.stop}] doesn't match its unit"


def _chain(connection: sa.Connection, story_id: int) -> Iterator[str]:
    """Every commit hashed anew from its rows, with the one before."""
    commit = tables.commit
    seqs = connection.execute(
        sa.select(commit.c.seq).where(commit.c.story_id == story_id).order_by(commit.c.seq)
    ).scalars()
    previous = ""
    for part in chunks(list(seqs), 200):
        records = _records(connection, list(part))
        for row in connection.execute(sa.select(commit).where(commit.c.seq.in_(part)).order_by(commit.c.seq)):
            if records[row.seq].digest(previous) != row.chain:
                yield f"commit {row.seq} isn't what was stored (its chain hash doesn't fit)"
            previous = row.chain


def _records(connection: sa.Connection, seqs: list[int]) -> dict[int, Record]:
    """The hashed records of some commits, built from the rows."""
    commit, covered, unit = tables.commit, tables.commit_unit, tables.unit
    records: dict[int, Record] = {}
    for row in connection.execute(sa.select(commit).where(commit.c.seq.in_(seqs))):
        head = (
            row.worldline_id,
            row.position,
            row.key,
            row.kind,
            row.dispatch_id,
            row.author,
            row.fingerprint,
            row.meta,
        )
        records[row.seq] = Record(list(head))
    units = sa.select(covered.c.commit_seq, unit.c.ref, unit.c.content_hash).join(unit, unit.c.id == covered.c.unit_id)
    for seq, ref, content_hash in connection.execute(
        units.where(covered.c.commit_seq.in_(seqs)).order_by(covered.c.id)
    ):
        records[seq].add_unit(ref, content_hash)
    _add_nodes(connection, records)
    _add_links(connection, records)
    return records


def _add_nodes(connection: sa.Connection, records: dict[int, Record]) -> None:
    node, version, parent = tables.node, tables.node_version, PARENT
    rows = connection.execute(
        sa.select(version, node.c.node_id, node.c.type, node.c.depth, parent.c.node_id.label("parent_id"))
        .join(node, node.c.id == version.c.node)
        .outerjoin(parent, parent.c.id == version.c.parent)
        .where(version.c.commit_seq.in_(list(records)))
        .order_by(version.c.version)
    ).all()
    evidence = _evidence(connection, tables.evidence.c.node_version, tables.node_version, list(records))
    for row in rows:
        parts = (row.node_id, row.type, row.depth, row.title, row.fields, row.lifecycle, row.parent_id)
        records[row.commit_seq].add_node(*parts, row.time_from, row.time_to, evidence=evidence[row.version])


def _add_links(connection: sa.Connection, records: dict[int, Record]) -> None:
    link, version = tables.link, tables.link_version
    source, target = SOURCE, TARGET
    rows = connection.execute(
        sa.select(version, link.c.relation, source.c.node_id.label("source"), target.c.node_id.label("target"))
        .join(link, link.c.id == version.c.link)
        .join(source, source.c.id == link.c.source)
        .join(target, target.c.id == link.c.target)
        .where(version.c.commit_seq.in_(list(records)))
        .order_by(version.c.version)
    ).all()
    evidence = _evidence(connection, tables.evidence.c.link_version, tables.link_version, list(records))
    for row in rows:
        parts = (row.source, row.relation, row.target, row.lifecycle)
        records[row.commit_seq].add_link(*parts, evidence=evidence[row.version])


def _evidence(
    connection: sa.Connection, owner: sa.Column[Any], versions: sa.Table, seqs: list[int]
) -> defaultdict[int, list[Evidence]]:
    row, unit = tables.evidence, tables.unit
    found: defaultdict[int, list[Evidence]] = defaultdict(list)
    statement = (
        sa.select(owner, unit.c.ref, row.c.start, row.c.stop, row.c.quote_hash)
        .join(versions, versions.c.version == owner)
        .join(unit, unit.c.id == row.c.unit_id)
        .where(versions.c.commit_seq.in_(seqs))
        .order_by(row.c.id)
    )
    for version, *piece in connection.execute(statement):
        found[version].append(Evidence(*piece))
    return found


def _coverage(connection: sa.Connection, story_id: int) -> Iterator[str]:
    """No unit version rests in two facts commits of a worldline, and each of those made exactly one leaf event."""
    commit, covered, unit = tables.commit, tables.commit_unit, tables.unit
    facts = sa.and_(commit.c.story_id == story_id, commit.c.kind == "facts")
    rests = connection.execute(
        sa.select(unit.c.ref, commit.c.worldline_id)
        .join(covered, covered.c.unit_id == unit.c.id)
        .join(commit, commit.c.seq == covered.c.commit_seq)
        .where(facts)
    )
    for (ref, _), times in Counter((ref, line) for ref, line in rests).items():
        if times > 1:
            yield f"unit {ref} was curated {times} times"
    node, version, early = tables.node, tables.node_version, tables.node_version.alias("early")
    first = sa.select(sa.func.min(early.c.version)).where(early.c.node == node.c.id).scalar_subquery()
    made = connection.execute(
        sa.select(version.c.commit_seq)
        .select_from(node)
        .join(version, version.c.version == first)
        .where(node.c.story_id == story_id, node.c.type == "event", node.c.depth == 0)
    ).scalars()
    events = Counter(made)
    for row in connection.execute(sa.select(commit.c.seq, commit.c.batch).where(facts).order_by(commit.c.seq)):
        if events[row.seq] != 1:
            yield f"commit {row.seq} over {', '.join(json.loads(row.batch))} made {events[row.seq]} events, not one"
