"""The commit chain: every commit is hashed with the one before, so that no row of history can change unseen.

The record of a commit is built in one way only, from a draft before it's written and from the rows when it's verified.
Times of writing are left out: the same story curated twice has the same chain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from talekeeper.memory.models import Evidence


@dataclass(slots=True)
class Record:
    """What a commit's hash covers. ``head``: worldline, position, key, kind, dispatch, author, fingerprint, meta."""

    head: Sequence[str | int]
    units: list[Sequence[str]] = field(default_factory=list)
    nodes: list[Sequence[object]] = field(default_factory=list)
    links: list[Sequence[object]] = field(default_factory=list)

    def add_unit(self, ref: str, content_hash: str) -> None:
        self.units.append((ref, content_hash))

    def add_node(self, *parts: str | int | None, evidence: Iterable[Evidence]) -> None:
        """Parts: node id, type, depth, title, fields (JSON), lifecycle, parent id, time from, time to."""
        self.nodes.append((*parts, _spans(evidence)))

    def add_link(self, *parts: str, evidence: Iterable[Evidence]) -> None:
        """Parts: source id, relation, target id, lifecycle."""
        self.links.append((*parts, _spans(evidence)))

    def digest(self, previous: str) -> str:
        """SHA-256 over the hash before and this record."""
        packed = json.dumps(
            [previous, self.head, self.units, self.nodes, self.links], ensure_ascii=False, separators=(",", ":")
        )
        return hashlib.sha256(packed.encode("utf-8")).hexdigest()


def _spans(evidence: Iterable[Evidence]) -> list[Sequence[str | int]]:
    return [(e.unit, e.start, e.end, e.quote_hash) for e in evidence]
