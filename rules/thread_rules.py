"""N12–N14: a thread's title is a question that a later event answers, its note says when, its status only moves on."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.memory.text import fold
from talekeeper.rules.family import THREAD, rule
from talekeeper.rules.model import Violation
from talekeeper.rules.node_rules import is_blank
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import length, occurrences, same_length_lower
from talekeeper.rules.subjects import NodeSubject

TITLE_LIMIT = {"zh": 10, "en": 8}
NOTE_LIMIT = {"zh": 80, "en": 50}


def answerable_title(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N12."""
    if subject.spec.name != THREAD or subject.deleting:
        return
    title = subject.title
    size, limit = length(title, pack.language), TITLE_LIMIT[pack.language]
    if size > limit:
        yield pack.report("N12", "too_long", where="title", excerpt=title, count=size, limit=limit)
    mark = next((i for i, c in enumerate(title) if c in "。！？!?；;\n"), None)
    if mark is not None:
        yield pack.report("N12", "sentence", where="title", text=title, span=(mark, mark + 1))
    if span := _vague_head(title, pack):
        yield pack.report("N12", "vague", where="title", text=title, span=span)


def _vague_head(title: str, pack: LanguagePack) -> tuple[int, int] | None:
    words = pack.words
    bare = title.rstrip(" .。")
    low = same_length_lower(bare)
    for ending in (*words.vague_thread_endings, *words.bare_invitations):
        at = len(bare) - len(ending)
        whole = ending[0] in "'’的" or not ending.isascii() or at == 0 or not low[at - 1 : at].isalnum()
        if at >= 0 and low.endswith(ending.lower()) and whole and not bare.endswith(words.vague_thread_free or ("\0",)):
            return at, len(bare)
    opener = next((o for o in words.vague_thread_openers if fold(low[: len(o) + 1]).startswith(o)), None)
    return (0, len(opener)) if opener and len(bare) > len(opener) else None


def note_says_when(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N13. What the note tells of the ending is asked for while the thread is open; a closed one tells how it ended."""
    note = subject.fields.get("note")
    if subject.spec.name != THREAD or subject.deleting or not isinstance(note, str) or is_blank(note):
        return
    size, limit = length(note, pack.language), NOTE_LIMIT[pack.language]
    if size > limit:
        yield pack.report("N13", "too_long", where="fields.note", excerpt=note, count=size, limit=limit)
    is_open = subject.fields.get("status") not in pack.words.closed_statuses
    if is_open and not occurrences(note, pack.words.condition_marks):
        yield pack.report("N13", "no_condition", where="fields.note", excerpt=note)


def status_moves_on(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N14. Any column with a fixed choice of values is held to it; a thread that ended stays ended."""
    if subject.deleting:
        return
    for column, choices in subject.spec.choices.items():
        value = subject.fields.get(column)
        if not is_blank(value) and value not in choices:
            values = {"column": column, "choices": pack.listed(choices)}
            yield pack.report("N14", "choice", where=f"fields.{column}", excerpt=str(value), values=values)
    before = (subject.before or {}).get("status")
    closed = pack.words.closed_statuses
    if subject.spec.name == THREAD and before in closed and subject.fields.get("status") not in closed:
        yield pack.report("N14", "reopened", where="fields.status", before=str(before))


RULES = (
    rule("N12", "node", answerable_title),
    rule("N13", "node", note_says_when),
    rule("N14", "node", status_moves_on),
)
