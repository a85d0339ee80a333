"""The story as this dispatch sees it: the store's newest state with the dispatch's own staged writes on top."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from talekeeper.memory.models import Link, NameMatch, Node, NodeWrite
from talekeeper.memory.names import matches
from talekeeper.memory.text import fold, name_keys
from talekeeper.tools.staging import Staging

if TYPE_CHECKING:
    from talekeeper.memory.reader import Reader


class StagedView:
    """Reads through staging into the store. ``position`` is where staged writes stand: the batch's last unit;
    ``answered`` are the questions that it can answer again without the store."""

    def __init__(self, reader: Reader, staging: Staging, position: int) -> None:
        self.reader, self.staging, self.position = reader, staging, position
        self._nodes: dict[str, Node] = {}
        self._found: dict[str, tuple[NameMatch, ...]] = {}
        self.answered: set[str] = set()
        self._links: dict[tuple[str, str | None, int | None], list[Link]] = {}

    def stored(self, node_id: str) -> Node:
        """The node as the store has it, read once.

        Raises:
            NotFound: no such node; names the nearest ids and titles.
        """
        if node_id not in self._nodes:
            self._nodes[node_id] = self.reader.node(node_id)
        return self._nodes[node_id]

    def remember(self, nodes: Iterable[Node]) -> None:
        """Keep nodes that another query has brought anyway."""
        self._nodes.update((node.id, node) for node in nodes)

    def node(self, node_id: str) -> Node:
        """The node with this dispatch's writes; raises NotFound."""
        write = self.staging.nodes.get(node_id)
        if write is None:
            return self.stored(node_id)
        return self._staged_node(write)

    def nodes(self, ids: Sequence[str]) -> list[Node]:
        """Several nodes, in the order asked; unknown ids raise NotFound."""
        missing = [i for i in ids if i not in self.staging.nodes and i not in self._nodes]
        if missing:
            self.remember(self.reader.nodes(missing))
        return [self.node(i) for i in ids]

    def exists(self, node_id: str) -> bool:
        """A visible node bears this id, and this dispatch hasn't deleted it."""
        if node_id not in self.staging.nodes and node_id not in self._nodes:
            self._nodes.update(self.reader.known([node_id]))
            if node_id not in self._nodes:
                return False
        return self.node(node_id).lifecycle == "active"

    def staged_nodes(self, types: Sequence[str] | None = None) -> list[Node]:
        """Nodes written here, newest first."""
        writes = [w for w in self.staging.nodes.values() if types is None or w.type in types]
        return [self._staged_node(w) for w in reversed(writes)]

    def stored_bearers(self, query: str) -> tuple[NameMatch, ...]:
        """All bearers of a name as the store has them, asked once."""
        key = fold(query)
        if key not in self._found:
            self._found[key] = tuple(self.reader.find_by_name(query))
        return self._found[key]

    def knows_bearers(self, query: str, answer: tuple[NameMatch, ...]) -> None:
        """Take an answer that the store gave earlier in this dispatch."""
        self._found.setdefault(fold(query), answer)

    def find_by_name(self, query: str, types: Sequence[str] | None = None) -> tuple[NameMatch, ...]:
        """All bearers of a name, title hits first: the store's answer with staged titles and aliases applied."""
        kept = [m for m in self.stored_bearers(query) if m.node_id not in self.staging.nodes]
        here = [self._staged_node(w) for w in self.staging.nodes.values() if w.lifecycle == "active"]
        wanted = [m for m in (*kept, *matches(here, name_keys(query))) if types is None or m.type in types]
        return tuple(sorted(wanted, key=lambda m: m.via != "title"))

    def links_of(self, node_id: str, *, relation: str | None = None, limit: int | None = None) -> list[Link]:
        """Active links at a node, staged ones first, then newest first.

        Args:
            limit: at most so many stored ones; a character of a long story has thousands.
        """
        staged = self.staging.links
        links = [
            Link(w.source, w.relation, w.target, "active", self.position, 0, 0, w.evidence)
            for w in reversed(staged.values())
            if node_id in (w.source, w.target) and w.lifecycle == "active" and relation in (None, w.relation)
        ]
        if not self._is_new(node_id):
            stored = self._stored_links(node_id, relation, limit)
            links += [k for k in stored if (k.source, k.relation, k.target) not in staged and self._stands(k, node_id)]
        return links

    def _stored_links(self, node_id: str, relation: str | None, limit: int | None) -> list[Link]:
        key = (node_id, relation, limit)
        if key not in self._links:
            wanted = None if relation is None else [relation]
            self._links[key] = self.reader.links_of(node_id, relations=wanted, limit=limit)
        return self._links[key]

    def _stands(self, link: Link, seen_from: str) -> bool:
        other = self.staging.nodes.get(link.target if link.source == seen_from else link.source)
        return other is None or other.lifecycle == "active"

    def has_link(self, source: str, relation: str, target: str) -> bool:
        """This relation stands already, staged writes included."""
        write = self.staging.links.get((source, relation, target))
        if write is not None:
            return write.lifecycle == "active"
        return any((k.source, k.target) == (source, target) for k in self.links_of(source, relation=relation))

    def children(self, node_id: str) -> list[Node]:
        """The nodes that a rollup holds, in story order."""
        staged = self.staging.nodes
        stored = [] if self._is_new(node_id) else [n for n in self.reader.children(node_id) if n.id not in staged]
        return stored + [self._staged_node(w) for w in staged.values() if w.parent == node_id]

    def _is_new(self, node_id: str) -> bool:
        write = self.staging.nodes.get(node_id)
        return write is not None and write.new

    def _staged_node(self, write: NodeWrite) -> Node:
        stored = None if write.new else self.stored(write.node_id)
        return Node(
            id=write.node_id,
            type=write.type,
            title=write.title,
            fields=write.fields,
            lifecycle=write.lifecycle,
            depth=write.depth,
            parent=write.parent,
            time_from=write.time_from,
            time_to=write.time_to,
            position=self.position,
            anchor=stored.anchor if stored else self.position,
            version=stored.version + 1 if stored else 1,
            commit=0,
            evidence=write.evidence,
        )
