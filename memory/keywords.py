"""Keyword search: what a query asks for, which visible rows answer, and the piece of text that shows why."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from talekeeper.memory import fulltext, tables
from talekeeper.memory.models import Node, SearchHit, Unit
from talekeeper.memory.names import fold_with_offsets
from talekeeper.memory.nodes import NodeQueries, node_of
from talekeeper.memory.text import is_cjk, stem, words
from talekeeper.memory.units import unit_of, visible_units

SNIPPET = 80

_quoted = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」|『([^』]+)』')


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: ``phrases`` must stand in a hit exactly, of ``any_of`` one term is enough."""

    any_of: tuple[str, ...]
    all_of: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Query:
        quotes = [next(group for group in m.groups() if group) for m in _quoted.finditer(text)]
        rest = words(_quoted.sub(" ", text))
        phrases = tuple(tuple(words(quote)) for quote in quotes)
        exact = [word for phrase in phrases for word in phrase]
        return cls(_asked(rest), _asked(exact), tuple(p for p in phrases if p), (*exact, *rest))


def _asked(parts: Collection[str]) -> tuple[str, ...]:
    """The terms that stand for words: bigrams where a CJK run has any, single characters only where it's one."""
    found: dict[str, None] = {}
    for word in parts:
        if not is_cjk(word[0]):
            found[stem(word)] = None
        elif len(word) == 1:
            found[word] = None
        else:
            found.update(dict.fromkeys(word[i : i + 2] for i in range(len(word) - 1)))
    return tuple(found)


def node_text(title: str, fields: Mapping[str, object]) -> str:
    """What the index knows of a node: its title and every text in its fields."""
    parts = [title]
    for value in fields.values():
        parts += (
            [value] if isinstance(value, str) else [str(v) for v in value] if isinstance(value, list | tuple) else []
        )
    return "\n".join(parts)


def holds(text: str, phrases: Collection[tuple[str, ...]]) -> bool:
    """True when every phrase stands in the text, word for word; a CJK phrase may stand inside a longer run."""
    there = words(text) if phrases else []
    return all(any(_stands(there, at, phrase) for at in range(len(there) - len(phrase) + 1)) for phrase in phrases)


def _stands(there: list[str], at: int, phrase: tuple[str, ...]) -> bool:
    last = len(phrase) - 1
    for i, word in enumerate(phrase):
        found = there[at + i]
        if word == found:
            continue
        if not is_cjk(word[0]):
            return False
        inside = (
            word in found
            if last == 0
            else found.endswith(word)
            if i == 0
            else found.startswith(word)
            if i == last
            else False
        )
        if not inside:
            return False
    return True


def snippet(text: str, asked: Collection[str]) -> str:
    """About ``SNIPPET`` characters of the text around the first word asked for (or a term of it)."""
    folded, starts, _ = fold_with_offsets(text)
    places = [folded.find(word) for word in asked] or [-1]
    if max(places) < 0:
        places = [folded.find(term) for term in _asked(asked)] or [-1]
    hit = min((place for place in places if place >= 0), default=0)
    start = max(0, (starts[hit] if folded else 0) - SNIPPET // 4)
    piece = " ".join(text[start : start + SNIPPET].split())
    return ("…" if start else "") + piece + ("…" if start + SNIPPET < len(text) else "")


class KeywordSearch:
    """Searches one story along one lineage."""

    def __init__(self, queries: NodeQueries) -> None:
        self._queries = queries

    def run(
        self, connection: sa.Connection, text: str, types: Collection[str] | None, kinds: Collection[str], k: int
    ) -> list[SearchHit]:
        """The ``k`` best visible hits; the same query over the same state gives the same list."""
        query = Query.parse(text)
        hits: list[SearchHit] = []
        if k <= 0:
            return hits
        story_id = self._queries.story_id
        for page in fulltext.pages(connection, story_id, query.any_of, query.all_of, max(64, 4 * k)):
            for hit in self._page(connection, page, query, types, kinds):
                hits.append(hit)
                if len(hits) == k:
                    return hits
        return hits

    def _page(
        self,
        connection: sa.Connection,
        page: list[tuple[fulltext.Entry, float]],
        query: Query,
        types: Collection[str] | None,
        kinds: Collection[str],
    ) -> Iterator[SearchHit]:
        wanted = [number for (kind, number), _ in page if kind == "node"] if "node" in kinds else []
        nodes = self._nodes(connection, wanted, types)
        wanted = [number for (kind, number), _ in page if kind == "unit"] if "unit" in kinds else []
        units = self._units(connection, wanted, types)
        for (kind, number), score in page:
            node, unit = (nodes.get(number), None) if kind == "node" else (None, units.get(number))
            if node is not None and holds(body := node_text(node.title, node.fields), query.phrases):
                yield SearchHit("node", node.id, node.type, node.title, score, snippet(body, query.words))
            elif unit is not None and holds(unit.text, query.phrases):
                yield SearchHit("unit", unit.ref, unit.kind, unit.title, score, snippet(unit.text, query.words))

    def _nodes(self, connection: sa.Connection, versions: list[int], types: Collection[str] | None) -> dict[int, Node]:
        if not versions:
            return {}
        version = tables.node_version
        statement = self._queries.nodes.where(version.c.version.in_(versions), version.c.lifecycle == "active")
        if types is not None:
            statement = statement.where(tables.node.c.type.in_(list(types)))
        # an unfiltered read would walk every node: start from the versions that were found
        owners = sa.select(version.c.node).where(version.c.version.in_(versions))
        rows = connection.execute(statement.where(tables.node.c.id.in_(owners))).all()
        return {row.version: node_of(row) for row in rows}

    def _units(self, connection: sa.Connection, ids: list[int], types: Collection[str] | None) -> dict[int, Unit]:
        if not ids:
            return {}
        statement = visible_units(self._queries.lineage, among=tables.unit.c.id.in_(ids))
        rows = connection.execute(statement).all()
        return {row.id: unit_of(row, turn=0) for row in rows if types is None or row.kind in types}
