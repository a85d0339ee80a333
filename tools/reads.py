"""The eight reading tools. Each question goes to the store once; what comes back is noted in the ledger (P3, P4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from talekeeper.memory.errors import EmbeddingProfileMissing, NotFound
from talekeeper.memory.models import Link, Node
from talekeeper.memory.text import fold
from talekeeper.tools.arguments import as_flag, as_int, as_list, as_mapping, as_name, as_names, as_text
from talekeeper.tools.checks import in_turn
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.nearest import nearest_nodes
from talekeeper.tools.results import (
    Candidate,
    CandidatesResult,
    Edge,
    EdgeSummary,
    ExpandResult,
    FindResult,
    NodeBrief,
    RelationInfo,
    SchemaResult,
    SearchResult,
    TypeInfo,
)
from talekeeper.tools.state import EVENT, THREAD, DispatchState

LIST_LIMIT = 20
BRIEF_EDGES = 30
_SUMMARY_EDGES = 200
_EXPAND_EDGES = 50
_BRIEF_STEPS = {EVENT: "list", THREAD: "list"}
"""Events and threads are found by listing, not by name, so looking at one isn't the briefing of a hit."""
_MOST_HITS = 100
_MOST_HOPS = 5


def schema(state: DispatchState) -> SchemaResult:
    """Types, columns and relations of the story."""
    in_turn(state, "schema", "schema")
    repeated = state.ledger.ask("schema")
    types = tuple(
        TypeInfo(
            name=t.name,
            label=t.labels.get(state.language, t.name),
            table_columns=t.table_columns,
            required_columns=t.required_columns,
            list_columns=t.list_columns,
            choices=t.choices,
            editable=t.editable,
            deletable=t.deletable,
            compression_mode=t.compression.mode,
            compression_max_depth=t.compression.max_depth if t.compression.mode != "none" else 0,
            always_inject=t.always_inject,
            instructions=t.instructions.get(state.language, ""),
        )
        for t in state.schema.types
    )
    relations = tuple(
        RelationInfo(name=r.name, symmetric=r.symmetric) for r in state.schema.relations if r.agent_writable
    )
    return SchemaResult(types=types, relations=relations, repeated=repeated)


def list_candidates(
    state: DispatchState,
    types: object = None,
    seq_window: object = None,
    exclude_recent_messages: object = None,
    limit: object = LIST_LIMIT,
) -> CandidatesResult:
    """Nodes newest first, rollups instead of what they hold. Active threads are all listed when threads are asked for.

    Args:
        seq_window: ``{"from": turn, "to": turn}`` or ``[from, to]``, 1-based turns of the story, both ends included.
        exclude_recent_messages: leave out what rests on units that hold the last N messages before this batch.
    """
    wanted = state.types(as_names(types, "types"))
    most = as_int(limit, "limit", low=1, high=500)
    low, high = _window(state, seq_window, exclude_recent_messages)
    newest = high is None and low == 0 and (wanted is None or EVENT in wanted)
    in_turn(state, "recent" if newest else "list")
    repeated = state.ledger.ask(f"list:{wanted}:{low}:{high}:{most}")
    stored = state.reader.list_nodes(wanted, limit=most, before_position=high)
    if wanted is None or THREAD in wanted:
        stored = [*stored, *(n for n in state.reader.active_threads() if high is None or n.anchor < high)]
    state.view.remember(stored)
    kept = [n for n in {n.id: n for n in stored}.values() if n.id not in state.staging.nodes and n.anchor >= low]
    staged = [n for n in state.view.staged_nodes(wanted) if n.lifecycle == "active" and not n.parent]
    nodes = [*([] if high is not None else staged), *kept]
    state.ledger.saw(node.id for node in nodes)
    return CandidatesResult(candidates=tuple(candidate(state, node) for node in nodes), repeated=repeated)


def expand_seeds(
    state: DispatchState,
    seed_ids: object,
    hops: object = 1,
    include_children: object = True,
    exclude_internal: object = False,
) -> ExpandResult:
    """What is linked to the seeds within ``hops``, and what rollups among them hold."""
    seeds = as_names(seed_ids, "seed_ids")
    if not seeds:
        raise ArgumentRefused("Argument seed_ids is empty.", hint='Send seed_ids: ["event_12"].')
    steps = as_int(hops, "hops", low=0, high=_MOST_HOPS)
    with_children, semantic_only = (
        as_flag(include_children, "include_children"),
        as_flag(exclude_internal, "exclude_internal"),
    )
    found: dict[str, Node] = {}
    edges: dict[tuple[str, str, str], None] = {}
    unknown: dict[str, tuple[str, ...]] = {}
    for given in seeds:
        try:
            node = state.view.node(state.id_of(given))
        except NotFound:
            unknown[given] = nearest_nodes(given, state.view)
        else:
            found[node.id] = node
    if unknown and not found:
        raise NotFound("node", ", ".join(unknown), [near for ids in unknown.values() for near in ids])
    state.ledger.step("expand")
    repeated = state.ledger.ask(f"expand:{seeds}:{steps}:{with_children}:{semantic_only}")
    frontier = list(found.values())
    for _ in range(steps):
        frontier = _neighbours(state, frontier, found, edges, with_children, semantic_only)
    state.ledger.saw(found)
    nodes = tuple(candidate(state, node) for node in found.values())
    return ExpandResult(nodes=nodes, edges=tuple(edges), unknown=unknown, repeated=repeated)


def find_by_name(state: DispatchState, query: object, types: object = None) -> FindResult:
    """Everyone who bears this name as title or alias: all of them, so that nobody is merged by chance."""
    name = as_name(query, "query")
    if not name:
        raise ArgumentRefused("Argument query is empty.", hint="Send the bare name of one character, place or thread.")
    wanted = state.types(as_names(types, "types"))
    answered = state.ledger.whole_answer(name)
    in_turn(state, "find", f"find:{fold(name)}" if answered is None else "")
    repeated = state.ledger.ask(f"find:{name}")
    if answered is not None and not state.facts_landed:
        state.view.knows_bearers(name, answered)
    stored = [m for m in state.view.stored_bearers(name) if wanted is None or m.type in wanted]
    state.ledger.found(name, tuple(wanted or ()), stored)
    matches = state.view.find_by_name(name, wanted)
    return FindResult(
        query=name,
        matches=matches,
        title_exact=tuple(m.node_id for m in matches if m.via == "title"),
        alias_overlap=tuple(m.node_id for m in matches if m.via == "alias"),
        repeated=repeated,
    )


def node_brief(state: DispatchState, node_id: object) -> NodeBrief:
    """The present state of one node with its links; staged writes of this dispatch included.

    Raises:
        NotFound: no such node; a title gets the ids that bear it.
    """
    target = state.existing(as_text(node_id, "node_id"))
    node = state.view.node(target)
    in_turn(state, _BRIEF_STEPS.get(node.type, "brief"), f"brief:{target}")
    repeated = state.ledger.ask(f"brief:{target}")
    state.ledger.saw([target])
    state.ledger.briefed[target] = None
    edges = edges_of(state, target, BRIEF_EDGES)
    return NodeBrief(
        id=node.id,
        type=node.type,
        title=node.title,
        fields=dict(node.fields),
        aliases=node.aliases,
        edges=edges,
        edges_cut=len(edges) == BRIEF_EDGES,
        semantic_depth=node.depth,
        child_ids=tuple(child.id for child in state.view.children(target)) if node.depth else (),
        parent=node.parent,
        lifecycle=node.lifecycle,
        time_from=node.time_from,
        time_to=node.time_to,
        evidence=tuple(dict.fromkeys(span.unit for span in node.evidence)),
        staged=target in state.staging.nodes,
        repeated=repeated,
    )


def edge_summary(state: DispatchState, node_id: object, limit: object = _SUMMARY_EDGES) -> EdgeSummary:
    """The links of one node, with who is at the other end."""
    target = state.existing(as_text(node_id, "node_id"))
    most = as_int(limit, "limit", low=1, high=10_000)
    state.ledger.step("edges")
    repeated = state.ledger.ask(f"edges:{target}")
    state.ledger.saw([target])
    title = state.view.node(target).title
    edges = edges_of(state, target, most)
    return EdgeSummary(id=target, title=title, edges=edges, edges_cut=len(edges) == most, repeated=repeated)


def keyword_search(state: DispatchState, query: object, types: object = None, k: object = 10) -> SearchResult:
    """Search by description over committed memory; quoted phrases are exact."""
    words = as_text(query, "query").strip()
    if not words:
        raise ArgumentRefused("Argument query is empty.", hint="Send words, or a quoted phrase.")
    wanted = state.types(as_names(types, "types"))
    most = as_int(k, "k", low=1, high=_MOST_HITS)
    state.ledger.step("search")
    repeated = state.ledger.ask(f"search:{words}:{wanted}:{most}")
    hits = state.reader.keyword_search(words, types=wanted, k=most)
    return SearchResult(query=words, hits=tuple(hits), repeated=repeated)


def vector_search(state: DispatchState, query: object, types: object = None, k: object = 10) -> SearchResult:
    """Search by meaning.

    Raises:
        EmbeddingProfileMissing: always, as long as the story has no embedding profile; it never falls back (K11).
    """
    as_text(query, "query")
    raise EmbeddingProfileMissing(
        f"Vector search needs an embedding profile, and story {state.story.title!r} has none.",
        hint="Use memory_keyword_search or memory_find_by_name; nothing falls back by itself.",
    )


def edges_of(state: DispatchState, node_id: str, limit: int) -> tuple[Edge, ...]:
    """The newest active links at a node as edges seen from it."""
    links = state.view.links_of(node_id, limit=limit)[:limit]
    others = {n.id: n for n in state.view.nodes(list(dict.fromkeys(_other(link, node_id) for link in links)))}
    return tuple(_edge(state, link, node_id, others[_other(link, node_id)]) for link in links)


def candidate(state: DispatchState, node: Node) -> Candidate:
    """A node as a list shows it."""
    return Candidate(
        id=node.id,
        type=node.type,
        title=node.title,
        fields=dict(node.fields),
        semantic_depth=node.depth,
        child_count=len(state.view.children(node.id)) if node.depth else 0,
        parent=node.parent,
        time_from=node.time_from,
        time_to=node.time_to,
        staged=node.id in state.staging.nodes,
    )


def _edge(state: DispatchState, link: Link, seen_from: str, other: Node) -> Edge:
    relation = state.schema.vocabulary.get(link.relation)
    symmetric = relation is not None and relation.symmetric
    return Edge(
        relation=link.relation,
        direction="both" if symmetric else "out" if link.source == seen_from else "in",
        node_id=other.id,
        title=other.title,
        type=other.type,
        staged=(link.source, link.relation, link.target) in state.staging.links,
    )


def _other(link: Link, node_id: str) -> str:
    return link.target if link.source == node_id else link.source


def _neighbours(
    state: DispatchState,
    frontier: Sequence[Node],
    found: dict[str, Node],
    edges: dict[tuple[str, str, str], None],
    include_children: bool,
    exclude_internal: bool,
) -> list[Node]:
    new: list[Node] = []
    for node in frontier:
        links = state.view.links_of(node.id, limit=_EXPAND_EDGES)[:_EXPAND_EDGES]
        near = state.view.nodes(list(dict.fromkeys(_other(link, node.id) for link in links)))
        edges.update(dict.fromkeys((k.source, k.relation, k.target) for k in links))
        held = state.view.children(node.id) if include_children and node.depth else []
        if not exclude_internal:
            edges.update(dict.fromkeys((node.id, "contains", child.id) for child in held))
        for other in (*held, *near):
            if other.id not in found:
                found[other.id] = other
                new.append(other)
    return new


def _window(state: DispatchState, seq_window: object, exclude: object) -> tuple[int, int | None]:
    """(lowest position included, first position excluded); turns and positions never shift when a message is hidden."""
    low, high = 0, None
    if seq_window not in (None, "", [], {}):
        first, last = _turns(seq_window)
        ahead = state.story.units(start=first, end=last)
        if not ahead:
            raise ArgumentRefused(f"No turn lies between {first} and {last}.", hint="Turns count from 1.")
        low, high = ahead[0].position, ahead[-1].position + 1
    if exclude not in (None, "", 0, "0"):
        left = as_int(exclude, "exclude_recent_messages", low=1, high=1_000_000)
        cut = _cut(state, left)
        high = cut if high is None else min(high, cut)
    return low, high


def _cut(state: DispatchState, messages: int) -> int:
    turn, cut = state.batch[0].turn - 1, state.batch[0].position
    while messages > 0 and turn >= 1:
        unit = state.story.units(start=turn, end=turn)[0]
        messages -= len(unit.messages)
        cut, turn = unit.position, turn - 1
    return cut


def _turns(value: object) -> tuple[int, int]:
    items = as_list(value, "seq_window")
    if len(items) == 1 and isinstance(items[0], Mapping):
        given = as_mapping(items[0], "seq_window")
        items = [given.get("from", 1), given.get("to", 2**31)]
    if len(items) != 2:
        raise ArgumentRefused("Argument seq_window needs two turns.", hint='Send {"from": 1, "to": 20} or [1, 20].')
    first, last = (as_int(item, "seq_window", low=1, high=2**31) for item in items)
    return first, last
