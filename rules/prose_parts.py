"""Which stretches of a summary are the writer's own words: an event's prose and rows, a rollup's items.

Titles of threads and verbatim excerpts are somebody else's words, and headers have rules of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from talekeeper.rules import event_form, rollup_form
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import same_length_lower
from talekeeper.rules.subjects import EventSubject, RollupSubject

Span = tuple[int, int]
_OWN_ROWS = ("irreversible", "unknown")


def own_words(subject: EventSubject | RollupSubject, pack: LanguagePack) -> list[Span]:
    """Spans in ``subject.summary``, in reading order."""
    if isinstance(subject, RollupSubject):
        outline = rollup_form.parse(subject.summary, pack.language)
        return list(outline.rows) or [(outline.header[1], len(subject.summary))]
    event = event_form.parse(subject.summary, pack.language)
    rows = [row for section in event.sections if section.kind in _OWN_ROWS for row in section.rows]
    return [event.spans["prose"], *rows]


def inside(spans: Iterable[Span], parts: Iterable[Span]) -> list[Span]:
    """The spans that lie wholly in one of the parts; both in reading order."""
    kept: list[Span] = []
    bounds = iter(parts)
    part = next(bounds, None)
    for span in spans:
        while part is not None and part[1] < span[1]:
            part = next(bounds, None)
        if part is None:
            break
        if part[0] <= span[0]:
            kept.append(span)
    return kept


def within_a_name(text: str, span: Span, names: Iterable[str] | None) -> bool:
    """The span is part of one of the names where it stands (契约 in 契约之塔)."""
    low = same_length_lower(text[max(0, span[0] - 40) : span[1] + 40])
    at, size = min(span[0], 40), span[1] - span[0]
    word = low[at : at + size]
    for name in names or ():
        bare = same_length_lower(name)
        offset = bare.find(word)
        while offset >= 0:
            if low.startswith(bare, at - offset) and at >= offset:
                return True
            offset = bare.find(word, offset + 1)
    return False
