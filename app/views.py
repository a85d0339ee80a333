"""What the reading commands tell, as plain dictionaries: the ``--json`` documents and the rendered tables show these.

Nothing here formats or prints, so a number on the screen and the one in a document can't differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from talekeeper.memory.errors import NotFound
from talekeeper.memory.models import Commit, Evidence, Language, Link, Node, SourceRecord, Unit, UnitDraft, UnitKind

if TYPE_CHECKING:
    from talekeeper.memory.library import Library
    from talekeeper.memory.reader import Reader
    from talekeeper.memory.story import Story

View = dict[str, Any]
CONTEXT_CHARS = 40
"""Characters of a unit shown on either side of a quotation."""


def story_view(story: Story) -> View:
    """``{id, title, language}`` of a story."""
    return {"id": story.id, "title": story.title, "language": story.language}


def kind_of(units: Sequence[UnitDraft]) -> UnitKind:
    """What a story is made of: turns, or chapters."""
    return units[0].kind if units else "turn"


def library_view(library: Library) -> View:
    """``{path, database, bytes}``: where the library lies and what it takes on disk, checkpoints included."""
    folder = library.path.resolve()
    size = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
    return {"path": str(folder), "database": str(folder / library.database_path.name), "bytes": size}


def node_view(node: Node) -> View:
    """A node's own data without evidence or links."""
    return {
        "id": node.id,
        "type": node.type,
        "title": node.title,
        "fields": dict(node.fields),
        "lifecycle": node.lifecycle,
        "depth": node.depth,
        "parent": node.parent,
        "time_from": node.time_from,
        "time_to": node.time_to,
        "version": node.version,
    }


def evidence_view(evidence: Iterable[Evidence], story: Story, reader: Reader) -> list[View]:
    """``[{unit, turn, start, end, before, quote, after}]``: the passages a version rests on, word for word.

    ``start`` and ``end`` count code points of the unit's text; ``before`` and ``after`` are what stands around them.
    """
    rows = []
    for e in evidence:
        unit = story.unit(e.unit)
        rows.append(
            {
                "unit": e.unit,
                "turn": unit.turn,
                "start": e.start,
                "end": e.end,
                "before": unit.text[max(0, e.start - CONTEXT_CHARS) : e.start],
                "quote": reader.evidence_text(e),
                "after": unit.text[e.end : e.end + CONTEXT_CHARS],
            }
        )
    return rows


def link_view(link: Link, titles: dict[str, str]) -> View:
    """One link with the titles of both ends."""
    return {
        "source": link.source,
        "source_title": titles.get(link.source, ""),
        "relation": link.relation,
        "target": link.target,
        "target_title": titles.get(link.target, ""),
        "lifecycle": link.lifecycle,
    }


def show_view(story: Story, reader: Reader, node: Node) -> View:
    """``{story, node, event, links, children, evidence, history}``; ``event`` is null for other types."""
    links = reader.links_of(node.id)
    ends = {end for link in links for end in (link.source, link.target)}
    titles = {n.id: n.title for n in reader.nodes(sorted(ends))}
    return {
        "story": story_view(story),
        "node": node_view(node),
        "links": [link_view(link, titles) for link in links],
        "event": event_view(node, story.language) if node.type == "event" else None,
        "children": [event_view(c, story.language) for c in reader.children(node.id)] if node.depth else [],
        "evidence": evidence_view(node.evidence, story, reader),
        "history": [
            {"version": past.version, **commit_view(commit), "title": past.title, "fields": dict(past.fields)}
            for commit, past in reader.history(node.id)
        ],
    }


def commit_view(commit: Commit) -> View:
    """``{commit, kind, dispatch, batch, author, at, flags}``."""
    return {
        "commit": commit.seq,
        "kind": commit.kind,
        "dispatch": commit.dispatch_id,
        "batch": list(commit.batch),
        "author": commit.author,
        "at": commit.created_at,
        "flags": list(commit.meta.get("flags") or ()),
    }


def event_view(event: Node, language: Language) -> View:
    """One event or rollup as the timeline shows it; ``units`` are the refs it rests on.

    A leaf has its parts (``time``, ``place``, ``prose`` …), a rollup its ``items``; ``summary`` is the whole text.
    """
    units = list(dict.fromkeys(e.unit for e in event.evidence))
    summary = str(event.fields.get("summary", ""))
    return {
        "id": event.id,
        "title": event.title,
        "depth": event.depth,
        "parent": event.parent,
        "time_from": event.time_from,
        "time_to": event.time_to,
        "units": units,
        "summary": summary,
        **(_rollup_parts(summary, language) if event.depth else _event_parts(summary, language)),
    }


def _event_parts(summary: str, language: Language) -> View:
    from talekeeper.rules.event_form import parse

    text = parse(summary, language)
    return {
        "time": text.time,
        "place": text.place,
        "prose": text.prose,
        "irreversible": list(text.irreversible),
        "open_threads": list(text.open_threads),
        "excerpts": [{"label": label, "text": verbatim} for label, verbatim in text.excerpts],
    }


def _rollup_parts(summary: str, language: Language) -> View:
    from talekeeper.rules.rollup_form import parse

    return {"items": [{"text": item.text, "patch": item.patch} for item in parse(summary, language).items]}


def timeline_view(story: Story, reader: Reader, *, leaves: bool, limit: int | None) -> View:
    """``{story, events}`` in story order: rollups and what is not rolled up yet, or every turn's own event."""
    events = [event_view(e, story.language) for e in reversed(reader.events(limit, leaves=leaves))]
    return {"story": story_view(story), "leaves": leaves, "events": events}


def thread_view(node: Node) -> View:
    """One thread; ``units`` are the refs that its newest version rests on."""
    return {
        "id": node.id,
        "title": node.title,
        "status": node.fields.get("status"),
        "note": node.fields.get("note", ""),
        "version": node.version,
        "units": list(dict.fromkeys(e.unit for e in node.evidence)),
    }


def threads_view(story: Story, reader: Reader, *, every: bool) -> View:
    """``{story, all, threads}``: the active threads, or all of them, in the order in which they were opened."""
    types = [t.name for t in story.schema.types if t.always_inject and "status" in t.table_columns]
    nodes = reader.list_nodes(types, include_rolled_up=True) if every else reader.active_threads()
    threads = [_with_life(thread_view(n), reader, n) for n in sorted(nodes, key=lambda n: (n.anchor, n.id))]
    return {"story": story_view(story), "all": every, "threads": threads}


def _with_life(view: View, reader: Reader, node: Node) -> View:
    """Adds ``opened`` and ``closed``: refs of the units at which the thread came up and got its last status."""
    history = reader.history(node.id)
    opened = history[0][0].batch if history else ()
    ended = next((c.batch for c, n in history if n.fields.get("status") != "active"), ())
    return {**view, "opened": next(iter(opened), None), "closed": next(iter(ended), None)}


def status_view(library: Library, story: Story) -> View:
    """All counts of one story; see the fields of the document in the README's table."""
    reader = story.reader()
    units = story.units()
    messages = [m for u in units for m in u.messages]
    nodes = reader.list_nodes(None, include_rolled_up=True)
    leaves = [n for n in nodes if n.depth == 0]
    pending = len(story.uncurated())
    commits = reader.commits()
    flagged = [c for c in commits if "needs_review" in (c.meta.get("flags") or ())]
    newest = max(commits, key=lambda c: c.seq, default=None)
    return {
        "library": library_view(library),
        "story": story_view(story),
        "units": {"total": len(units), "curated": len(units) - pending, "pending": pending, "kind": kind_of(units)},
        "messages": {
            "total": len(messages),
            "hidden": sum(m.hidden for m in messages),
            "notices": sum(m.role == "system" for m in messages),
        },
        "sources": [source_view(record) for record in story.sources()],
        "nodes": dict(sorted(Counter(n.type for n in leaves).items())),
        "threads": dict(Counter(str(n.fields.get("status")) for n in leaves if n.type == "thread")),
        "rollups": {str(d): c for d, c in sorted(Counter(n.depth for n in nodes if n.depth).items())},
        "needs_review": [{"dispatch": c.dispatch_id, "batch": list(c.batch)} for c in flagged],
        "unfinished_dispatches": len(story.pending_dispatches()),
        "last_dispatch": commit_view(newest) if newest else None,
    }


_COUNTS = ("format", "units", "rows", "header", "messages", "hidden", "system", "swipes", "blank", "left_out")


def source_view(record: SourceRecord) -> View:
    """What a file held when it was last read: its own counts, and each line that couldn't be read."""
    counts = {name: record.report.get(name) for name in _COUNTS}
    damaged = [{"line": d["line"], "reason": d["reason"]} for d in record.report.get("damaged", ())]
    return {"place": record.place, "read_at": record.read_at, **counts, "damaged": damaged}


def matches_view(story: Story, reader: Reader, name: str, types: list[str] | None) -> View:
    """``{story, query, matches}``: every node that bears the name, title hits first."""
    found = [asdict(m) for m in reader.find_by_name(name, types)]
    return {"story": story_view(story), "query": name, "matches": found}


_KINDS: Mapping[str, tuple[str, ...]] = {"memory": ("node",), "text": ("unit",), "both": ("node", "unit")}


def hits_view(
    story: Story, reader: Reader, query: str, types: list[str] | None, within: Literal["memory", "text", "both"], k: int
) -> View:
    """``{story, query, in, hits}``, best first; ``score`` is BM25, higher is better."""
    hits = reader.keyword_search(query, types=types, kinds=_KINDS[within], k=k)
    return {"story": story_view(story), "query": query, "in": within, "hits": [asdict(h) for h in hits]}


def unit_view(story: Story, reader: Reader, unit: Unit) -> View:
    """``{story, unit}``: a turn or chapter as curated, and the rows it was made from."""
    messages = [
        {"role": m.role, "name": m.name, "text": m.text, "hidden": m.hidden, "sent_at": m.sent_at, "line": m.line}
        for m in unit.messages
    ]
    head = {"ref": unit.ref, "turn": unit.turn, "kind": unit.kind, "title": unit.title, "text": unit.text}
    return {"story": story_view(story), "unit": {**head, "messages": messages}}


def stories_view(library: Library) -> View:
    """``{library, stories}``: every story with its size."""
    rows = [
        {
            "id": info.id,
            "title": info.title,
            "language": info.language,
            "source": info.source,
            "created_at": info.created_at,
            "units": info.units,
            "pending": info.units - info.curated,
        }
        for info in library.stories()
    ]
    return {"library": library_view(library), "stories": rows}


def check_types(story: Story, types: list[str] | None) -> None:
    """Raises NotFound for a type that the story's schema hasn't."""
    known = [t.name for t in story.schema.types]
    for name in types or ():
        if name not in known:
            raise NotFound("node type", name, known)
