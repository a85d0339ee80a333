"""T1–T3: a thought has all its labels, skips nothing, and lists all that it was written from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from talekeeper.memory.text import fold
from talekeeper.rules.event_form import parse
from talekeeper.rules.family import EVENT, rule
from talekeeper.rules.lexicon import Words
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import occurrences, same_length_lower
from talekeeper.rules.subjects import ChildSummary, ThoughtSubject
from talekeeper.rules.thought import CLOSE_TAG, label_places
from talekeeper.rules.thought_parts import bare, grams, labels, read, segments_by, step

_LISTED, _THEMES = 0, 1
_ENDS = re.compile(r"[，,。.;；:：|｜/\n\r()（）\[\]【】、—–]+|\s-+\s|\s{2,}")
_RANGE = re.compile(
    r"(?<![A-Za-z_\d])([A-Za-z_]{0,20})(\d{1,6})\s?(?:-|–|—|~|～|至|到|to|\.\.)\s?([A-Za-z_]{0,20})(\d{1,6})"
)
_OPENING_REF = re.compile(r"^[ \t*_\-•]{0,6}([A-Za-z][A-Za-z_]{0,20}\d{1,7})\s?[:：]", re.MULTILINE)
_CJK_ENDS = re.compile(r"\s+")
_LEAST, _MOST_REFS = 2, 100
_ROW_SHARE, _EVENT_SHARE = 0.5, 0.3


def all_labels(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T1. The self-check stands last, or inside Step 6 before the final text, which then runs to the end: either way
    the final text has one beginning and one end."""
    if subject.type != EVENT:
        return
    text, wanted = subject.thought, labels(pack.language)
    found = read(text, pack.language).steps
    counts = Counter(s.label for s in found)
    for label in wanted:
        if not counts[label]:
            yield pack.report("T1", "missing", where="thought", label=label)
        elif counts[label] > 1:
            yield pack.report("T1", "twice", where="thought", label=label)
    order = [s.label for s in found if counts[s.label] == 1]
    late = next((b for a, b in pairwise(order) if wanted.index(b) < wanted.index(a)), None)
    if late is not None:
        yield pack.report("T1", "order", where="thought", label=late, order=pack.listed(wanted))
    for part in found[:-1] if found and found[-1].label == wanted[-1] else found:
        if not bare(part.content):
            yield pack.report("T1", "empty", where="thought", label=part.label)
            continue
        for start, end in elided(part.content, pack.words.elisions):
            span = (part.span[0] + start, part.span[0] + end)
            yield pack.report("T1", "elided", where="thought", text=text, span=span, label=part.label)
    yield from _self_check(subject, pack)


def elided(content: str, words: Words) -> Iterator[tuple[int, int]]:
    """Spans where a clause consists of an elision: 略 in "B3–B10 略", not in 谋略."""
    low = same_length_lower(content)
    wanted = frozenset(same_length_lower(word) for word in words)
    at = 0
    for cut in [*_ENDS.finditer(low), None]:
        stop = cut.start() if cut else len(low)
        if stop - at <= 200:
            yield from _elided_clause(low, at, stop, wanted)
        at = cut.end() if cut else stop


def _elided_clause(low: str, start: int, stop: int, wanted: frozenset[str]) -> Iterator[tuple[int, int]]:
    clause = low[start:stop].strip(" \t*_`~>#-\"'“”「」")
    if clause and clause in wanted:
        begin = low.index(clause, start)
        yield begin, begin + len(clause)
        return
    for word in _CJK_ENDS.split(clause):
        if word in wanted and not word.isascii() and bare(word):
            begin = low.index(word, start)
            yield begin, begin + len(word)


def _self_check(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    names = pack.words.labels
    places = label_places(subject.thought, pack.language)
    if len(places.finals) > 1:
        yield pack.report("T1", "two_finals", where="thought", label=names.final[0], count=len(places.finals))
    if not places.checks:
        yield pack.report("T1", "no_self_check", where="thought", label=names.self_check[0])
        return
    if len(places.checks) > 1:
        yield pack.report("T1", "twice", where="thought", label=names.self_check[0])
        return
    begin, end = places.checks[0]
    stop = next((f for f, _ in places.finals if f > end), len(subject.thought))
    said = subject.thought[end:stop].replace(CLOSE_TAG, "")
    if not bare(said):
        yield pack.report("T1", "empty", where="thought", label=names.self_check[0])
    for a, b in elided(said, pack.words.elisions):
        span = (end + a, end + b)
        yield pack.report("T1", "elided", where="thought", text=subject.thought, span=span, label=names.self_check[0])
    if places.finals and begin < places.finals[0][0] and not any(s < begin for s in places.last_step):
        yield pack.report(
            "T1", "order", where="thought", label=names.self_check[0], order=pack.listed(labels(pack.language))
        )


def lists_all(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T2. One unit needs no name: whatever stands there tells of it."""
    found = step(subject.thought, pack.language, _LISTED)
    if subject.type != EVENT or found is None or not bare(found[0]):
        return
    content = found[0]
    refs = _refs(subject)
    told = {ref: text for ref, text, _ in segments_by(content, refs)}
    if len(refs) == 1:
        told = {refs[0]: content.replace(refs[0], "", 1)}
    for ref in refs:
        if ref not in told:
            yield pack.report("T2", "missing", where="thought", ref=ref)
        elif len(bare(told[ref])) < _LEAST:
            yield pack.report("T2", "nothing", where="thought", ref=ref)
    for child in subject.children:
        if child.id in told:
            yield from _rows_repeated(child, told[child.id], pack)


def _refs(subject: ThoughtSubject) -> tuple[str, ...]:
    return subject.refs or tuple(child.id for child in subject.children)


def _rows_repeated(child: ChildSummary, told: str, pack: LanguagePack) -> Iterator[Violation]:
    event = parse(child.summary, pack.language)
    have, plain = grams(told, 2), fold(told)
    for row in event.irreversible:
        wanted = grams(row, 2)
        if len(wanted & have) < _ROW_SHARE * len(wanted):
            yield pack.report("T2", "row", where="thought", ref=child.id, excerpt=row)
    for title in event.open_threads:
        if fold(title) not in plain:
            yield pack.report("T2", "thread", where="thought", ref=child.id, excerpt=title)
    for label, verbatim in event.excerpts:
        if fold(verbatim) not in plain and fold(label) not in plain:
            yield pack.report("T2", "excerpt", where="thought", ref=child.id, excerpt=verbatim)


def themed(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T3. An event is in a theme where Step 1b names its unit, says that all are meant, or repeats its words."""
    listed = step(subject.thought, pack.language, _LISTED)
    themes = step(subject.thought, pack.language, _THEMES)
    if subject.type != EVENT or listed is None or themes is None or not bare(themes[0]):
        return
    if occurrences(themes[0], pack.words.all_marks):
        return
    refs = _refs(subject) or tuple(dict.fromkeys(m[1] for m in _OPENING_REF.finditer(listed[0])))[:_MOST_REFS]
    named, have = _named(themes[0], refs), grams(themes[0], 2)
    parts = list(segments_by(listed[0], refs)) or [("", listed[0], 0)]
    for ref, text, start in parts:
        if ref in named:
            continue
        for event in _events(text):
            wanted = grams(event, 2)
            if len(wanted & have) < _EVENT_SHARE * len(wanted):
                span = _span_of(event, text, listed[1] + start)
                yield pack.report("T3", "left_out", where="thought", text=subject.thought, span=span, ref=ref or "1a")


def _events(text: str) -> list[str]:
    parts = re.split(r"[\n；;]|\s/\s", text)
    return [part.strip() for part in parts if len(bare(part)) >= 2 * _LEAST][:50]


def _span_of(event: str, text: str, offset: int) -> tuple[int, int]:
    at = text.index(event)
    return offset + at, offset + at + len(event)


def _named(themes: str, refs: tuple[str, ...]) -> set[str]:
    """Refs that the themes name, ranges (u3–u7) spelled out."""
    low = themes.lower()
    named = {ref for ref in refs if occurrences(low, (ref,))}
    for match in _RANGE.finditer(low):
        prefix, first, again, last = match[1], int(match[2]), match[3], int(match[4])
        if again in ("", prefix):
            named |= {r for r in refs if (n := r.removeprefix(prefix)).isdigit() and first <= int(n) <= last}
    return named


RULES = (
    rule("T1", "thought", all_labels),
    rule("T2", "thought", lists_all),
    rule("T3", "thought", themed),
)
