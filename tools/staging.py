"""Writes of a dispatch that nobody outside sees yet, as full after-images with their final ids.

Ids are handed out at once from the store's next free numbers, so that a link can name a node created a moment ago and
what ``create`` answered is what the commit stores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from talekeeper.memory.models import Evidence, LinkWrite, NodeWrite

LinkKey = tuple[str, str, str]


@dataclass
class Staging:
    """Staged after-images.

    Attributes:
        nodes: by id, in the order first written.
        links: by (source, relation, target).
        refs: names given to created nodes (``@ref`` in later calls) → id.
        numbers: the number after the last one handed out here, by type.
    """

    numbers: dict[str, int] = field(default_factory=dict)
    nodes: dict[str, NodeWrite] = field(default_factory=dict)
    links: dict[LinkKey, LinkWrite] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)

    def next_number(self, type_: str, free: int) -> int:
        """The number that the next node of this type will have, ``free`` being the store's; taken when it is put."""
        return max(self.numbers.get(type_, 1), free)

    def put_node(self, write: NodeWrite) -> None:
        """Stage an after-image; a new node takes its number."""
        if write.new and write.node_id not in self.nodes:
            self.numbers[write.type] = number_of(write.node_id) + 1
        self.nodes[write.node_id] = write

    def drop_node(self, node_id: str) -> None:
        """Forget a node that was created here, with its links and ref; its id is not handed out again."""
        self.nodes.pop(node_id, None)
        self.links = {key: w for key, w in self.links.items() if node_id not in (key[0], key[2])}
        self.refs = {ref: id_ for ref, id_ in self.refs.items() if id_ != node_id}

    def put_link(self, write: LinkWrite) -> None:
        self.links[write.source, write.relation, write.target] = write

    def clear(self) -> None:
        """Forget everything staged (it was committed); refs go on naming their nodes."""
        self.nodes.clear()
        self.links.clear()

    @property
    def empty(self) -> bool:
        return not self.nodes and not self.links

    def counts(self) -> Counter[str]:
        """What would be written: ``{"event create": 1, "character_sheet edit": 2, "link create": 3}``."""
        counts: Counter[str] = Counter()
        for node in self.nodes.values():
            verb = "create" if node.new else "delete" if node.lifecycle == "archived" else "edit"
            counts[f"{node.type} {verb}"] += 1
        for link in self.links.values():
            counts["link delete" if link.lifecycle == "archived" else "link create"] += 1
        return counts

    def snapshot(self) -> dict[str, Any]:
        return {
            "numbers": dict(self.numbers),
            "nodes": [_node_row(node) for node in self.nodes.values()],
            "links": [
                [w.source, w.relation, w.target, evidence_rows(w.evidence), w.lifecycle] for w in self.links.values()
            ],
            "refs": dict(self.refs),
        }

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> Staging:
        staging = cls(numbers=dict(data["numbers"]), refs=dict(data["refs"]))
        for row in data["nodes"]:
            staging.nodes[row["node_id"]] = NodeWrite(**{**row, "evidence": evidence_from(row["evidence"])})
        for source, relation, target, evidence, lifecycle in data["links"]:
            staging.put_link(LinkWrite(source, relation, target, evidence_from(evidence), lifecycle))
        return staging


def number_of(node_id: str) -> int:
    """7 of ``char_7``; 0 where there is none."""
    digits = node_id.rpartition("_")[2]
    return int(digits) if digits.isdigit() else 0


def evidence_rows(evidence: tuple[Evidence, ...]) -> list[list[Any]]:
    """Evidence as plain rows."""
    return [[e.unit, e.start, e.end, e.quote_hash] for e in evidence]


def evidence_from(rows: list[list[Any]]) -> tuple[Evidence, ...]:
    """Evidence from plain rows."""
    return tuple(Evidence(*row) for row in rows)


def _node_row(node: NodeWrite) -> dict[str, Any]:
    return {
        "node_id": node.node_id,
        "type": node.type,
        "title": node.title,
        "fields": dict(node.fields),
        "evidence": evidence_rows(node.evidence),
        "lifecycle": node.lifecycle,
        "depth": node.depth,
        "parent": node.parent,
        "time_from": node.time_from,
        "time_to": node.time_to,
        "new": node.new,
    }
