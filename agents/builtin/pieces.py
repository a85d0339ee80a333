"""A Chinese sentence as tagged words, clause by clause, with every known name in one piece.

The tagger cuts a story's invented names wherever it likes (照|夜坊); here they are put together again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from talekeeper.agents.builtin.condense_zh import Piece
from talekeeper.agents.builtin.names_zh import GLUED
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.sentences import MASK, Sentence
from talekeeper.agents.builtin.tagger import Token
from talekeeper.agents.builtin.words import Words, alternatives

_TAKES_ZHE = frozenset("当对沿借趁隔朝冲顺随迎冒就伴顶")
_MARKUP = re.compile(r"[*_~#`>]+")


@dataclass(frozen=True)
class Names:
    """Surfaces and their tags (PER, LOC), with the pattern that finds them."""

    tags: Mapping[str, str]
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, persons: Sequence[str], places: Sequence[str]) -> Names:
        tags = dict.fromkeys(places, "LOC") | dict.fromkeys(persons, "PER")
        return cls(tags, re.compile(alternatives(tags)))


def clause_pieces(sentence: Sentence, reading: Reading, names: Names, words: Words) -> list[list[Piece]]:
    """The pieces of each clause, cut where :func:`sentences.clauses` cuts; empty beyond the tagged text."""
    line = reading.tokens[sentence.unit]
    first = bisect_left(line, sentence.start, key=lambda t: t.start)
    tokens: list[Token] = []
    for token in line[first:]:
        if token.start >= sentence.end:
            break
        tokens.append(token)
    if not tokens or tokens[-1].end < sentence.end - 2:
        return []
    marks, ends = set(words.text("clause_marks")) | {"—"}, words.set("terminals")
    found: list[list[Piece]] = [[]]
    for piece in _pieces(tokens, sentence, names):
        if set(piece.word) <= marks:
            found.append([])
        elif piece.word == "着" and found[-1] and found[-1][-1].word in _TAKES_ZHE:
            found[-1][-1] = Piece(f"{found[-1][-1].word}着", "p")
        elif piece.word.strip(" \t\u3000") and not set(piece.word) <= ends:
            found[-1].append(piece)
    return [clause for clause in found if clause]


def _pieces(tokens: Sequence[Token], sentence: Sentence, names: Names) -> list[Piece]:
    """Pieces of the whole sentence; quoted text is one masked piece, markup is gone."""
    base, text = sentence.start, sentence.text
    spans = [(m.start() + base, m.end() + base, m.group()) for m in names.pattern.finditer(text)]
    pieces: list[Piece] = []
    at = base
    for token in tokens:
        while spans and spans[0][1] <= at:
            spans.pop(0)
        if spans and token.end > spans[0][0]:
            start, end, name = spans[0]
            if at < start:
                _add(pieces, text[at - base : start - base], token.tag)
            if at <= start:
                pieces.append(Piece(name, names.tags[name]))
                at = end
            if token.end > at:
                _add(pieces, text[at - base : token.end - base], token.tag)
                at = token.end
            continue
        if token.end > at:
            start = max(at, token.start)
            _add(pieces, text[start - base : token.end - base], token.tag)
            at = token.end
    return pieces


def _add(pieces: list[Piece], word: str, tag: str) -> None:
    if MASK in word:
        if not pieces or pieces[-1].word != MASK:
            pieces.append(Piece(MASK, "w"))
        return
    bare = _MARKUP.sub("", word)
    if bare:
        cut = tag in {"PER", "LOC"} and len(bare) == 1  # what a known name leaves of the tagger's own: 托|沈砚
        pieces.append(Piece(bare, "v" if cut and bare in GLUED else "n" if cut else tag))
