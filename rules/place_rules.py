"""N11: what a place is for good, and not what one visit left."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.rules.family import LOCATION, rule
from talekeeper.rules.lexicon import Words
from talekeeper.rules.model import Violation
from talekeeper.rules.node_rules import items
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import length, occurrences, outside
from talekeeper.rules.subjects import NodeSubject

STATE_LIMIT = {"zh": 50, "en": 30}


def lasting(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N11."""
    if subject.spec.name != LOCATION or subject.deleting:
        return
    words, free = pack.words, (*pack.words.stream_free, *pack.words.temporary_free)
    state = "\n".join(items(subject.fields.get("state")))
    size, limit = length(state, pack.language), STATE_LIMIT[pack.language]
    if size > limit:
        yield pack.report("N11", "too_long", where="fields.state", excerpt=state, count=size, limit=limit)
    for fault, listed in (
        ("stream", words.stream_words),
        ("trace", words.visit_traces),
        ("personified", words.personified_scenes),
    ):
        yield from _found(subject, "state", fault, listed, free, pack)
    for column in ("resources", "controller", "danger"):
        yield from _found(subject, column, "stream", words.stream_words, free, pack)
    yield from _found(subject, "controller", "temporary", words.temporary_words, free, pack)


def _found(
    subject: NodeSubject, column: str, fault: str, listed: Words, free: Words, pack: LanguagePack
) -> Iterator[Violation]:
    value = subject.fields.get(column)
    many = isinstance(value, list | tuple)
    for index, text in enumerate(value if isinstance(value, list | tuple) else (value,)):
        if isinstance(text, str):
            where = f"fields.{column}[{index}]" if many else f"fields.{column}"
            for span in outside(occurrences(text, listed), occurrences(text, free)):
                yield pack.report("N11", fault, where=where, text=text, span=span, column=column)


RULES = (rule("N11", "node", lasting),)
