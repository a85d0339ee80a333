"""E5–E7: the rows under 不可逆, 未结 and 原文摘录."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talekeeper.memory.text import fold, is_cjk, stem
from talekeeper.rules.event_form import EventText, Span, parse
from talekeeper.rules.family import rule
from talekeeper.rules.lexicon import Lexicon
from talekeeper.rules.model import Severity, Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.prose_parts import inside, within_a_name
from talekeeper.rules.scan import length, occurrences, same_length_lower, sentences, units
from talekeeper.rules.subjects import EventSubject

_THREAD_ROW = re.compile(r'→ thread "([^"]{1,200})"')
_EXCERPT_ROW = re.compile(r'([^"“”「」:：]{1,60}): "(.+)"')
_NEAR = 60
_SHARE, _SHARE_OF_NAMED = 0.2, 0.4


def _rows(event: EventText, kind: str) -> list[Span]:
    return [row for section in event.sections if section.kind == kind for row in section.rows]


def permanent_changes(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E5."""
    event = parse(subject.summary, pack.language)
    rows = _rows(event, "irreversible")
    if not rows:
        return
    passing: set[int] = set()
    for span in inside(pack.words.classes.hits(subject.summary)["E5"], rows):
        if not within_a_name(subject.summary, span, subject.known_names):
            passing.add(next(start for start, end in rows if end >= span[1]))
            yield pack.report("E5", "passing", where="summary", text=subject.summary, span=span)
    told = _Told(event.prose, pack.words)
    for row in rows:
        text = subject.summary[row[0] : row[1]]
        size = length(text, pack.language)
        if size > pack.words.row_limit:
            limits = {"count": size, "limit": pack.words.row_limit}
            yield pack.report("E5", "too_long", where="summary", text=subject.summary, span=row, values=limits)
        elif len(list(sentences(text, pack.words.sentence_ends))) > 1:
            yield pack.report("E5", "two_sentences", where="summary", text=subject.summary, span=row)
        elif row[0] not in passing and not told.tells(text, subject.known_names):
            severity: Severity = "soft" if told.knows(text, subject.known_names) else "hard"
            yield pack.report("E5", "unsaid", where="summary", text=subject.summary, span=row, severity=severity)


class _Told:
    """What the prose tells: what it is about, and which kinds of change it names."""

    def __init__(self, prose: str, words: Lexicon) -> None:
        low = same_length_lower(prose)
        self._prose, self._words, self._about = prose, words, content(prose, words)
        self._groups = [group for group in words.change_groups if occurrences(low, group)]

    def tells(self, row: str, names: frozenset[str] | None) -> bool:
        """The row's change: by a word of the same kind of change, or by what the row is about. A row whose kind of
        change the prose doesn't name must share more of its words."""
        if any(occurrences(row, group) for group in self._groups):
            return True
        mine = content(_without_names(row, self._prose, names), self._words)
        named = any(occurrences(row, group) for group in self._words.change_groups)
        return not mine or len(mine & self._about) >= max(1, (_SHARE_OF_NAMED if named else _SHARE) * len(mine))

    def knows(self, row: str, names: frozenset[str] | None) -> bool:
        """The prose speaks of everybody whom the row names: then it may tell the change in words that no list has, and
        nobody can be sure that it doesn't."""
        bearers = [name for name in names or () if name and name in row]
        return all(name in self._prose or content(name, self._words) & self._about for name in bearers)


def content(text: str, words: Lexicon) -> set[str]:
    """What a text is about: its CJK characters and word stems, plain ones left out."""
    plain = {*words.plain_characters, *words.plain_words}
    found = {unit for unit in units(same_length_lower(text)) if unit not in plain}
    return {unit if is_cjk(unit[0]) else stem(words.irregular_words.get(unit, unit)) for unit in found}


def _without_names(row: str, prose: str, names: frozenset[str] | None) -> str:
    """The row without the names in it. Where no names are known: without what both texts call somebody, which is a
    capitalised word, or (zh) how the row begins."""
    if names is not None:
        for name in sorted(names, key=len, reverse=True):
            if name and name in row:
                row = row.replace(name, " ")
        return row
    if row[:1].isascii():
        return " ".join(w for w in row.split() if not (w[:1].isupper() and w.strip(".,'’s") in prose))
    size = next((n for n in (4, 3, 2) if row[:n] in prose), 0)
    return row[size:]


def open_threads(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E6."""
    event = parse(subject.summary, pack.language)
    titled: set[str] = set()
    known = {fold(title) for title in subject.thread_titles}
    for row in _rows(event, "open_threads"):
        match = _THREAD_ROW.fullmatch(subject.summary, *row)
        if match is None:
            yield pack.report("E6", "form", where="summary", text=subject.summary, span=row)
            continue
        titled.add(fold(match[1]))
        if subject.created_threads is not None and fold(match[1]) not in known:
            yield pack.report("E6", "not_open", where="summary", text=subject.summary, span=match.span(1))
    for title in sorted(subject.created_threads or ()):
        if fold(title) not in titled:
            yield pack.report("E6", "no_row", where="summary", title=title)


def excerpts(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E7. That an excerpt is ordinary dialogue is only flagged: who can tell for certain what an oath is?"""
    event = parse(subject.summary, pack.language)
    for row in _rows(event, "excerpts"):
        match = _EXCERPT_ROW.fullmatch(subject.summary, *row)
        if match is None:
            yield pack.report("E7", "form", where="summary", text=subject.summary, span=row)
            continue
        verbatim = match[2]
        at = subject.batch_text.find(verbatim)
        if subject.batch_text and at < 0:
            yield pack.report("E7", "not_verbatim", where="summary", text=subject.summary, span=match.span(2))
            continue
        before = subject.batch_text[max(0, at - _NEAR) : at] if at >= 0 else ""
        if not _is_carried(match[1], before, pack.words):
            span = match.span(2)
            yield pack.report("E7", "dialogue", where="summary", text=subject.summary, span=span, severity="soft")


def _is_carried(label: str, before: str, words: Lexicon) -> bool:
    """A text on some carrier, or a ritual utterance: its label says so, or the words before it in the source do."""
    return bool(occurrences(label, words.carrier_words) or occurrences(before, words.carrier_words))


RULES = (
    rule("E5", "event", permanent_changes),
    rule("E6", "event", open_threads),
    rule("E7", "event", excerpts),
)
