"""A read-only view of one worldline up to a position: all that looks at memory looks through here.

Every answer is made of the newest visible version of each row, read in one snapshot. A reader at the head goes on
seeing what is committed after it was made; a reader of an earlier turn doesn't see what happened later.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

import sqlalchemy as sa

from talekeeper.memory import history, tables
from talekeeper.memory.context import StoryContext
from talekeeper.memory.errors import NotFound
from talekeeper.memory.keywords import KeywordSearch
from talekeeper.memory.lineage import Lineage
from talekeeper.memory.models import (
    Commit,
    CompactionGroup,
    Evidence,
    Link,
    NameMatch,
    NameSpan,
    Node,
    NodeWrite,
    SearchHit,
    Unit,
)
from talekeeper.memory.names import borne, choose, matches
from talekeeper.memory.nodes import EVENT, Listing, link_of, node_of
from talekeeper.memory.schema import Schema
from talekeeper.memory.text import name_keys


class Reader:
    """Made by ``Story.reader``; safe to share between threads."""

    def __init__(self, context: StoryContext, lineage: Lineage) -> None:
        self._context = context
        self._lineage = lineage
        self._database = context.database
        self._queries = context.queries(lineage)

    @property
    def schema(self) -> Schema:
        return self._context.schema

    # nodes

    def node(self, node_id: str) -> Node:
        """One node, rolled up or archived ones too.

        Raises:
            NotFound: no such node is visible; ``nearest`` names close ids and titles.
        """
        with self._database.reading() as connection:
            found = self._queries.by_ids(connection, [node_id]).get(node_id)
            if found is None:
                raise NotFound("node", node_id, self._context.nearest(connection, node_id))
            return found

    def known(self, ids: Collection[str]) -> dict[str, Node]:
        """Those of ``ids`` that are visible, by id."""
        with self._database.reading() as connection:
            return self._queries.by_ids(connection, ids)

    def nodes(self, ids: Sequence[str]) -> list[Node]:
        """Nodes in the order asked for.

        Raises:
            NotFound: for the first id that isn't visible.
        """
        with self._database.reading() as connection:
            found = self._queries.by_ids(connection, ids)
            for node_id in ids:
                if node_id not in found:
                    raise NotFound("node", node_id, self._context.nearest(connection, node_id))
        return [found[node_id] for node_id in ids]

    def list_nodes(
        self,
        types: Collection[str] | None = None,
        *,
        status: str | None = None,
        include_rolled_up: bool = False,
        limit: int | None = None,
        before_position: int | None = None,
    ) -> list[Node]:
        """Active nodes, newest first by ``Node.anchor``; with a small ``limit`` only as many rows are walked as needed.

        Args:
            types: node types; None = all of the schema.
            status: only nodes whose ``status`` field has this value.
            include_rolled_up: also nodes that a rollup holds.
            before_position: only nodes whose anchor lies before it (for paging).
        """
        wanted = list(dict.fromkeys(types)) if types is not None else [t.name for t in self.schema.types]
        with self._database.reading() as connection:
            nodes: list[Node] = []
            for name in wanted:
                shown = Listing(include_rolled_up, status is not None, before_position is not None, False, limit)
                nodes += self._listed(connection, shown, name, status=status, before=before_position)
        if len(wanted) > 1:
            nodes.sort(key=lambda node: (-node.anchor, node.id))
        return nodes[:limit]

    def children(self, node_id: str) -> list[Node]:
        """The nodes that a rollup holds, oldest first; empty for a leaf."""
        parent, version = tables.node.alias("holder"), tables.node_version.alias("member")
        members = (
            sa.select(version.c.node)
            .join(parent, parent.c.id == version.c.parent)
            .where(parent.c.story_id == self._context.story_id, parent.c.node_id == node_id)
        )
        with self._database.reading() as connection:
            found = self._queries.by_keys(connection, connection.execute(members).scalars().all())
        held = [node for node in found.values() if node.parent == node_id and node.lifecycle == "active"]
        return sorted(held, key=lambda node: (node.anchor, node.depth, node.version))

    def active_threads(self) -> list[Node]:
        """Every node with status ``active`` of the always-injected types that have a status, oldest first."""
        names = [t.name for t in self.schema.types if t.always_inject and "status" in t.table_columns]
        with self._database.reading() as connection:
            if self._lineage.is_head:
                frontier = self._context.frontier(connection)
                keys = [key for name in names for _, key in frontier.with_status(name, "active")]
                nodes = list(self._queries.by_keys(connection, keys).values())
            else:
                nodes = []
                for name in names:
                    nodes += self._listed(connection, Listing(with_status=True), name, status="active")
        return sorted(nodes, key=lambda node: (node.anchor, node.commit, node.version))

    def events(self, limit: int | None, *, leaves: bool = False, before: int | None = None) -> list[Node]:
        """Events newest first: the default view (rollups instead of what they hold), or every leaf.

        Args:
            before: only those whose anchor lies before this position.
        """
        with self._database.reading() as connection:
            if not leaves and self._lineage.is_head and limit is not None:
                places = self._context.frontier(connection).newest_open(EVENT, limit, before)
                found = self._queries.by_keys(connection, [key for _, key in places])
                return [found[key] for _, key in places if key in found]
            shown = Listing(leaves, before_anchor=before is not None, at_depth=leaves, limit=limit)
            return self._listed(connection, shown, EVENT, depth=0, before=before)

    def last_event(self, *, before: int | None = None) -> Node | None:
        """The newest leaf event, or the newest one before a position."""
        return next(iter(self.events(1, leaves=True, before=before)), None)

    def outdated_by(self, units: Sequence[Unit]) -> list[NodeWrite]:
        """What must be written so that events of older versions of ``units`` no longer count.

        The old leaf events are superseded, and so is every rollup that tells of them; the other nodes that those
        rollups held stand open again and are rolled up anew.
        """
        with self._database.reading() as connection:
            old = connection.execute(
                self._queries.events_of_older, {"units": [unit.id for unit in units], "type": EVENT}
            )
            told = [node_of(row) for row in old]
        gone: dict[str, Node] = {}
        while told:
            node = told.pop()
            if node.id not in gone:
                gone[node.id] = node
                told += self.nodes([node.parent]) if node.parent else []
        freed = {child.id: child for node in gone.values() if node.depth for child in self.children(node.id)}
        kept = [node.as_write(parent=None) for node in freed.values() if node.id not in gone]
        return [*(node.as_write(lifecycle="superseded", parent=None) for node in gone.values()), *kept]

    def compaction_groups(self, type: str, depth: int) -> list[CompactionGroup]:
        """Groups of a type and depth that are ready to be rolled up, oldest first; none where the type isn't compacted.

        Raises:
            NotFound: the schema has no such type.
        """
        spec = self.schema.type(type)
        if spec is None:
            raise NotFound("type", type, [t.name for t in self.schema.types])
        rule = spec.compression
        if rule.mode == "none" or depth >= rule.max_depth:
            return []
        with self._database.reading() as connection:
            open_ids = self._open_ids(connection, type, depth, at_least=rule.threshold)
        groups: list[CompactionGroup] = []
        while len(open_ids) >= rule.threshold and len(open_ids) - rule.keep_recent >= rule.fan_in:
            groups.append(CompactionGroup(type, depth, tuple(open_ids[: rule.fan_in])))
            open_ids = open_ids[rule.fan_in :]
        return groups

    def ready_depths(self, type: str) -> list[int]:
        """Depths of a type at which ``compaction_groups`` has something to give, lowest first.

        Raises:
            NotFound: the schema has no such type.
        """
        spec = self.schema.type(type)
        if spec is None:
            raise NotFound("type", type, [t.name for t in self.schema.types])
        rule = spec.compression
        if rule.mode == "none":
            return []
        if not self._lineage.is_head:
            return [depth for depth in range(rule.max_depth) if self.compaction_groups(type, depth)]
        enough = max(rule.threshold, rule.fan_in + rule.keep_recent)
        with self._database.reading() as connection:
            counts = self._context.frontier(connection).open_counts(type)
        return sorted(depth for depth, count in counts.items() if count >= enough and depth < rule.max_depth)

    def _open_ids(self, connection: sa.Connection, type: str, depth: int, *, at_least: int) -> list[str]:
        if self._lineage.is_head:
            keys = [key for _, key in self._context.frontier(connection).open_at(type, depth)]
            if len(keys) < at_least:
                return []
            found = self._queries.by_keys(connection, keys)
            return [found[key].id for key in keys if key in found]
        listed = self._listed(connection, Listing(rolled_up=False, at_depth=True), type, depth=depth)
        return [node.id for node in reversed(listed)]

    def _listed(self, connection: sa.Connection, shown: Listing, type: str, **given: Any) -> list[Node]:
        """Active nodes of a type, newest first. ``given``: ``status``, ``before`` and ``depth``, as ``shown`` needs."""
        parameters = {"story": self._context.story_id, "type": type, **given}
        return [node_of(row) for row in connection.execute(self._queries.listed(shown), parameters)]

    # names

    def find_by_name(self, query: str, types: Collection[str] | None = None) -> list[NameMatch]:
        """All active nodes whose title or an alias equals the query, or one name of a 、-joined query, after folding.

        Title hits come first, then story order.
        """
        asked = name_keys(query)
        if not asked:
            return []
        with self._database.reading() as connection:
            given = {"story": self._context.story_id, "keys": list(asked)}
            found = [node_of(row) for row in connection.execute(self._queries.bearers, given)]
        return matches((n for n in found if _counts(n, types)), asked)

    def names_in(self, text: str, types: Collection[str] | None = None) -> list[NameSpan]:
        """Known names standing in a text, in reading order. Where several overlap the longest counts.

        CJK names are found inside longer runs, others on word boundaries. Linear in the text, however big the story.
        """
        with self._database.reading() as connection:
            scanner = self._context.scanner(connection)
            candidates = scanner.candidates(text)
            rows = {key for one in candidates for key in scanner.nodes(one.key)}
            found = self._queries.by_keys(connection, sorted(rows))
        known: dict[str, tuple[str, ...]] = {}
        for node in sorted((n for n in found.values() if _counts(n, types)), key=lambda n: (n.anchor, n.id)):
            for key in borne(node):
                known[key] = (*known.get(key, ()), node.id)
        spans = [NameSpan(c.start, c.end, text[c.start : c.end], known[c.key]) for c in choose(candidates, known)]
        return sorted(spans, key=lambda span: span.start)

    def next_ids(self) -> dict[str, int]:
        """The next free number of every type: its ids are ``<prefix>_<number>``."""
        statement = self._queries.last_numbers(tuple(spec.name for spec in self.schema.types))
        with self._database.reading() as connection:
            return {
                name: (number or 0) + 1
                for number, name in connection.execute(statement, {"story": self._context.story_id})
            }

    # links

    def links_of(
        self,
        node_id: str,
        *,
        include_ended: bool = False,
        relations: Collection[str] | None = None,
        limit: int | None = None,
    ) -> list[Link]:
        """Links from and to a node, newest first. Ended ones, and those to a node no longer active, only on request.

        Args:
            relations: only these. limit: at most so many; a character of a long story may have thousands.
        """
        statement = self._queries.links_at(include_ended, relations is not None, limit)
        given = {"story": self._context.story_id, "node": node_id}
        if relations is not None:
            given["relations"] = list(relations)
        with self._database.reading() as connection:
            rows = {row.id: row for row in connection.execute(statement, given)}
        return [link_of(rows[number]) for number in sorted(rows, reverse=True)[:limit]]

    def links_among(self, ids: Collection[str]) -> list[Link]:
        """Active links whose both ends are among ``ids``, newest first; unknown ids have none."""
        given = {"story": self._context.story_id, "ids": list(ids)}
        with self._database.reading() as connection:
            return [link_of(row) for row in connection.execute(self._queries.links_among, given)]

    def links_between(self, one: str, other: str, *, include_ended: bool = False) -> list[Link]:
        """Links of two nodes in either direction, newest first; its cost doesn't grow with their other links."""
        node, link, version = tables.node, tables.link, tables.link_version
        ends = sa.select(node.c.id).where(node.c.story_id == self._context.story_id, node.c.node_id.in_([one, other]))
        with self._database.reading() as connection:
            keys = connection.execute(ends).scalars().all()
            statement = self._queries.links.where(link.c.source.in_(keys), link.c.target.in_(keys))
            if one != other:
                statement = statement.where(link.c.source != link.c.target)
            if not include_ended:
                statement = statement.where(version.c.lifecycle == "active")
            return [link_of(row) for row in connection.execute(statement)]

    # words, evidence, history

    def keyword_search(
        self,
        query: str,
        *,
        types: Collection[str] | None = None,
        kinds: Collection[str] = ("node",),
        k: int = 10,
    ) -> list[SearchHit]:
        """The ``k`` best hits by BM25 over CJK uni- and bigrams and stemmed words; "quoted phrases" must stand exactly.

        Args:
            types: node types (or unit kinds); None = all.
            kinds: ``node`` (rolled-up ones too), ``unit``, or both.
        """
        with self._database.reading() as connection:
            return self._search.run(connection, query, types, kinds, k)

    @cached_property
    def _search(self) -> KeywordSearch:
        return KeywordSearch(self._queries)

    def evidence_text(self, evidence: Evidence) -> str:
        """The words that a piece of evidence points to.

        Raises:
            NotFound: its unit isn't in the story.
        """
        return self.unit(evidence.unit).text[evidence.start : evidence.end]

    def unit(self, ref: str) -> Unit:
        """A unit version by its ref, superseded ones too.

        Raises:
            NotFound: the story has no such unit.
        """
        return self._context.unit(ref)

    def history(self, node_id: str) -> list[tuple[Commit, Node]]:
        """Every visible version of a node with the commit that wrote it, oldest first.

        Raises:
            NotFound: no such node is visible.
        """
        with self._database.reading() as connection:
            versions = history.versions(connection, self._context.story_id, self._lineage, node_id)
            if not versions:
                raise NotFound("node", node_id, self._context.nearest(connection, node_id))
            return versions

    def commits(self, limit: int | None = None) -> list[Commit]:
        """Visible commits, newest first."""
        with self._database.reading() as connection:
            return history.commits(connection, self._context.story_id, self._lineage, limit)


def _counts(node: Node, types: Collection[str] | None) -> bool:
    return node.lifecycle == "active" and (types is None or node.type in types)
