"""E12, E13 and E16: an event that is new, rests on what was shown, and holds nothing of a model's machinery."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from talekeeper.rules.event_form import parse
from talekeeper.rules.family import rule
from talekeeper.rules.grounding import ground, strangers
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.prose_parts import Span, own_words
from talekeeper.rules.scan import lines, same_length_lower, units
from talekeeper.rules.subjects import EventSubject

ALIKE = 0.85
_SHINGLE = 3
_ROUTINE = 16
"""Units of prose below which a turn is routine, and may well be told in the words of the one before."""

_FOREIGN_WORDS = 4
_LATIN_RUN = re.compile(r"(?<![A-Za-z'’\-])[A-Za-z][A-Za-z'’\-]{0,30}(?:[ ,;:.]{1,3}[A-Za-z][A-Za-z'’\-]{0,30}){4,200}")
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’\-]*")


@lru_cache(maxsize=32)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Three units in a row, header labels aside."""
    values = [line.text.split(":", 1)[-1] if i < 2 else line.text for i, line in enumerate(lines(text))]
    spelt = units(same_length_lower("\n".join(values)))
    return frozenset(zip(*(spelt[i:] for i in range(_SHINGLE)), strict=False))


def not_a_repeat(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E12."""
    begin, end = parse(subject.summary, pack.language).spans["prose"]
    if len(units(subject.summary[begin:end])) < _ROUTINE:
        return
    mine = _shingles(subject.summary)
    for recent in subject.recent_summaries:
        theirs = _shingles(recent)
        shared = len(mine & theirs)
        if shared >= ALIKE * (len(mine) + len(theirs) - shared):
            yield pack.report("E12", "repeat", where="summary", text=subject.summary, span=(begin, end))
            return


def grounded(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E13. Judged where batch and known names are given: without them nothing can be called a stranger. The place of
    the header may come from what a batch shows beside its text, such as a status bar."""
    if subject.known_names is None or not subject.batch_text:
        return
    place = parse(subject.summary, pack.language).place
    shown = ground((subject.batch_text, subject.context_text, place, *subject.recent_summaries), subject.known_names)
    for start, end in own_words(subject, pack):
        for a, b in strangers(subject.summary[start:end], shown, pack.words):
            yield pack.report("E13", "stranger", where="summary", text=subject.summary, span=(start + a, start + b))


def no_machinery(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E16. Verbatim excerpts may hold anything."""
    event = parse(subject.summary, pack.language)
    verbatim = [row for section in event.sections if section.kind == "excerpts" for row in section.rows]
    for span in pack.words.classes.hits(subject.summary)["E16"]:
        if not _within(span, verbatim):
            yield pack.report("E16", "machinery", where="summary", text=subject.summary, span=span)
    for span in _foreign(subject, pack):
        if not _within(span, verbatim):
            yield pack.report("E16", "language", where="summary", text=subject.summary, span=span)


def _within(span: Span, rows: list[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in rows)


def _foreign(subject: EventSubject, pack: LanguagePack) -> Iterator[Span]:
    """Text of another language that is no name: scripts that the story doesn't use, and (zh) English sentences."""
    names = " ".join(subject.known_names or ())
    begin, end = parse(subject.summary, pack.language).spans["prose"]
    for match in _scripts(pack.words.machine_scripts).finditer(subject.summary, begin, end):
        if match[0] not in subject.batch_text and match[0] not in names:
            yield match.span()
    if pack.language == "zh":
        for match in _LATIN_RUN.finditer(subject.summary, begin, end):
            plain = [word for word in _LATIN_WORD.findall(match[0]) if word.islower()]
            if len(plain) >= _FOREIGN_WORDS and match[0] not in subject.batch_text:
                yield match.span()


@cache
def _scripts(ranges: str) -> re.Pattern[str]:
    return re.compile(f"[{ranges}]{{2,}}|[{ranges}](?:[^\\s。，,.!?{ranges}]{{1,4}}[{ranges}]){{2,200}}")


RULES = (
    rule("E12", "event", not_a_repeat),
    rule("E13", "event", grounded),
    rule("E16", "event", no_machinery),
)
