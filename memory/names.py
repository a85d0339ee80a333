"""Known names: found by exact folded spelling, and found standing in a text.

The ``name`` table holds every key a node ever bore, so it may say too much, never too little; what it says is checked
against the version that the reader sees. The scanner keeps those keys in the process, by their first two characters,
and reads only the rows added since: its cost is that of the text, not of the story.
"""

from __future__ import annotations

import unicodedata
from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import sqlalchemy as sa

from talekeeper.memory import tables
from talekeeper.memory.models import Fields, NameMatch, Node
from talekeeper.memory.text import MIDDLE_DOTS, fold_plain, is_cjk, name_keys, names_by_key

_STRAIGHT = {"’": "'", "‘": "'", "ʼ": "'"}
_DOT = "·"


def borne(node: Node) -> dict[str, tuple[Literal["title", "alias"], str]]:
    """Every key that the node bears → (where, the name as it's spelled); the title wins over an alias of one key."""
    keys: dict[str, tuple[Literal["title", "alias"], str]] = {}
    for key, spelled in names_by_key(_aliases(node.fields)).items():
        keys[key] = ("alias", spelled)
    for key, spelled in names_by_key(node.title).items():
        keys[key] = ("title", spelled)
    return keys


def keys_of(title: str, fields: Fields) -> tuple[str, ...]:
    """Every key that a node with this title and these fields bears."""
    return tuple(dict.fromkeys([*name_keys(title), *name_keys(_aliases(fields))]))


def _aliases(fields: Fields) -> list[str]:
    aliases = fields.get("aliases") or ()
    return [aliases] if isinstance(aliases, str) else [str(alias) for alias in aliases]


def matches(nodes: Iterable[Node], asked: Iterable[str]) -> list[NameMatch]:
    """The nodes that bear one of the ``asked`` keys, title hits first, then in story order."""
    wanted = tuple(asked)
    found: list[tuple[bool, int, NameMatch]] = []
    for node in nodes:
        keys = borne(node)
        hits = [keys[key] for key in wanted if key in keys]
        if hits:
            via, name = max(hits, key=lambda hit: hit[0] == "title")
            found.append((via != "title", node.anchor, NameMatch(node.id, node.type, node.title, via, name)))
    return [match for _, _, match in sorted(found, key=lambda item: (item[0], item[1], item[2].node_id))]


_NEW_KEYS = (
    sa.select(tables.name.c.id, tables.name.c.key, tables.name.c.node)
    .where(tables.name.c.story_id == sa.bindparam("story"), tables.name.c.id > sa.bindparam("seen"))
    .order_by(tables.name.c.id)
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A key standing at ``text[start:end]``; whether a visible node bears it is still to be checked."""

    start: int
    end: int
    key: str


class NameScanner:
    """Finds the keys of one story in texts. Grows with the ``name`` table, forgets nothing."""

    def __init__(self, story_id: int) -> None:
        self._story_id = story_id
        self._seen = 0
        self._nodes: defaultdict[str, list[int]] = defaultdict(list)
        self._lengths: defaultdict[str, list[int]] = defaultdict(list)

    def refresh(self, connection: sa.Connection) -> None:
        """Takes in the keys added since the last call. Call it inside a read, never inside an unfinished write."""
        for number, key, node in connection.execute(_NEW_KEYS, {"story": self._story_id, "seen": self._seen}):
            self._nodes[key].append(node)
            lengths = self._lengths[key[:2]]
            if -len(key) not in lengths:
                insort(lengths, -len(key))
            self._seen = number

    def nodes(self, key: str) -> list[int]:
        """Row numbers of nodes that ever bore ``key``."""
        return self._nodes.get(key, [])

    def candidates(self, text: str) -> list[Candidate]:
        """Every key that stands in the text, whole words only in scripts with spaces; overlaps included."""
        folded, starts, ends = fold_with_offsets(text)
        found: list[Candidate] = []
        lengths, nodes = self._lengths, self._nodes
        for at in range(len(folded)):
            for head in {folded[at : at + 2], folded[at]}:
                for negative in lengths.get(head, ()):
                    end = at - negative
                    key = folded[at:end]
                    if key in nodes and len(key) == -negative and _whole(folded, at, end):
                        found.append(Candidate(starts[at], ends[end - 1], key))
        return found


def choose(candidates: Iterable[Candidate], known: Mapping[str, tuple[str, ...]]) -> Iterator[Candidate]:
    """Of the candidates that are ``known``, the longest first and none over another."""
    taken: set[int] = set()
    for one in sorted((c for c in candidates if c.key in known), key=lambda c: (c.start - c.end, c.start)):
        span = range(one.start, one.end)
        if taken.isdisjoint(span):
            taken.update(span)
            yield one


def fold_with_offsets(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """The text folded character by character, and where the source of each folded character starts and ends.

    Space is one plain blank; a middle dot inside a CJK name is gone, elsewhere it's a blank.
    """
    table = _scan_table()
    quick = text.translate(table)
    if len(quick) == len(text) and _DOT not in quick:
        return quick, range(len(text)), range(1, len(text) + 1)
    folded: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        piece = fold_plain(text[at:end]) if end > at + 1 else str(table[ord(text[at])])
        if piece == _DOT:
            between = at > 0 and end < len(text) and is_cjk(text[at - 1]) and is_cjk(text[end])
            piece = "" if between else " "
        for char in piece:
            folded.append(char)
            starts.append(at)
            ends.append(end)
        at = end
    return "".join(folded), starts, ends


class _ScanTable(dict[int, str]):
    """Character → its folded form, worked out when first met. Marks that aren't letters keep a width of one."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        folded = fold_plain(char)
        if char in MIDDLE_DOTS:
            folded = _DOT
        elif char.isspace():
            folded = " "
        elif unicodedata.combining(char):
            folded = ""
        elif len(folded) != 1 and not any(c.isalnum() for c in folded):
            folded = " "
        else:
            folded = _STRAIGHT.get(folded, folded)
        self[point] = folded
        return folded


@cache
def _scan_table() -> _ScanTable:
    return _ScanTable()


def _whole(folded: str, start: int, end: int) -> bool:
    """True unless the span cuts a word of a script with spaces."""
    before = start > 0 and _spaced(folded[start]) and _spaced(folded[start - 1])
    after = end < len(folded) and _spaced(folded[end - 1]) and _spaced(folded[end])
    return not before and not after


def _spaced(char: str) -> bool:
    return char.isalnum() and not is_cjk(char)
