"""The keyword index: one contentless FTS5 table a story, over terms that ``text.terms`` cut.

A table of its own keeps a story's BM25 figures free of every other story's. The terms are cut in code, because no
tokenizer of SQLite finds a Chinese name of two characters; the index holds no text, only where terms stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

Entry = tuple[str, int]
"""("node", node version) or ("unit", unit id): what one row of the index stands for."""

PREFIX = "terms_"


def create(connection: sa.Connection, story_id: int) -> None:
    """Makes the story's index. To the ``ascii`` tokenizer letters, digits and all of Unicode are token characters."""
    connection.exec_driver_sql(
        f"CREATE VIRTUAL TABLE {PREFIX}{story_id} USING fts5(terms, content='', tokenize='ascii')"
    )


def add(connection: sa.Connection, story_id: int, rows: Sequence[tuple[Entry, Sequence[str]]]) -> None:
    """Indexes entries; each once, in the transaction that stores the row itself."""
    values = [(_rowid(entry), " ".join(terms)) for entry, terms in rows if terms]
    if values:
        connection.exec_driver_sql(f"INSERT INTO {PREFIX}{story_id}(rowid, terms) VALUES (?, ?)", values)


def pages(
    connection: sa.Connection, story_id: int, any_of: Sequence[str], all_of: Sequence[str], size: int
) -> Iterator[list[tuple[Entry, float]]]:
    """Entries that hold every term of ``all_of`` and, where given, one of ``any_of``, with their BM25 score.

    Best first, equal ones oldest first, in pages that grow, so that a caller who filters can go on for long.
    """
    query = _query(any_of, all_of)
    table, offset = f"{PREFIX}{story_id}", 0
    while query:
        rows = connection.exec_driver_sql(
            f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? ORDER BY rank, rowid LIMIT ? OFFSET ?",
            (query, size, offset),
        ).all()
        yield [(_entry(rowid), -float(rank)) for rowid, rank in rows]
        if len(rows) < size:
            return
        offset, size = offset + size, size * 4


def _query(any_of: Sequence[str], all_of: Sequence[str]) -> str:
    parts = [_quoted(term) for term in dict.fromkeys(all_of)]
    if any_of:
        parts.append("(" + " OR ".join(_quoted(term) for term in dict.fromkeys(any_of)) + ")")
    return " AND ".join(parts)


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _rowid(entry: Entry) -> int:
    kind, number = entry
    return number * 2 + (kind == "unit")


def _entry(rowid: int) -> Entry:
    return ("unit" if rowid % 2 else "node", rowid // 2)
