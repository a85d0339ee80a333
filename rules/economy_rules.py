"""E9–E11, E14 and E15: what a summary could do without. Soft, for no lexicon knows what a later writer needs."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.rules.event_form import parse
from talekeeper.rules.family import rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.prose_parts import Span, inside, within_a_name
from talekeeper.rules.scan import occurrences, sentences
from talekeeper.rules.subjects import EventSubject

PLAIN_SENTENCES, SENTENCES_PER_ROW = 4, 2


def _prose_hits(subject: EventSubject, name: str, pack: LanguagePack) -> list[Span]:
    prose = parse(subject.summary, pack.language).spans["prose"]
    return inside(pack.words.classes.hits(subject.summary)[name], [prose])


def _sentences(subject: EventSubject, pack: LanguagePack) -> Iterator[Span]:
    begin, end = parse(subject.summary, pack.language).spans["prose"]
    return sentences(subject.summary, pack.words.sentence_ends, begin, end)


def granularity(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E9. Rows below the prose tell that there is more to say."""
    event = parse(subject.summary, pack.language)
    rows = sum(len(section.rows) for section in event.sections)
    allowed = PLAIN_SENTENCES + SENTENCES_PER_ROW * rows
    count = sum(1 for _ in _sentences(subject, pack))
    if count > allowed:
        span = event.spans["prose"]
        yield pack.report(
            "E9", "long", where="summary", text=subject.summary, span=span, values={"count": count, "limit": allowed}
        )


def inner_life(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E10."""
    for span in _prose_hits(subject, "E10", pack):
        yield pack.report("E10", "guess", where="summary", text=subject.summary, span=span)


def consequence(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E11: a sentence of mere atmosphere, in which nobody known does anything."""
    moods = _prose_hits(subject, "E11", pack)
    if not moods or not subject.known_names:
        return
    for span in _sentences(subject, pack):
        text = subject.summary[span[0] : span[1]]
        if inside(moods, [span]) and not any(name and name in text for name in subject.known_names):
            yield pack.report("E11", "atmosphere", where="summary", text=subject.summary, span=span)


def counts(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E14. A count that the batch itself gives is the story's own."""
    for span in _prose_hits(subject, "E14", pack):
        counted = subject.summary[span[0] : span[1]]
        if not occurrences(subject.batch_text, [counted]) and not within_a_name(
            subject.summary, span, subject.known_names
        ):
            yield pack.report("E14", "count", where="summary", text=subject.summary, span=span)


def background(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E15."""
    if not subject.newcomers:
        return
    told = _prose_hits(subject, "E15", pack)
    for sentence in _sentences(subject, pack):
        text = subject.summary[sentence[0] : sentence[1]]
        if any(name and name in text for name in subject.newcomers):
            for span in inside(told, [sentence]):
                yield pack.report("E15", "background", where="summary", text=subject.summary, span=span)


RULES = (
    rule("E9", "event", granularity, "soft"),
    rule("E10", "event", inner_life, "soft"),
    rule("E11", "event", consequence, "soft"),
    rule("E14", "event", counts, "soft"),
    rule("E15", "event", background, "soft"),
)
