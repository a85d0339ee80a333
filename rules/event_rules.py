"""E: the summary of a leaf event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from talekeeper.memory.text import CJK, fold
from talekeeper.rules.event_form import EventText, parse
from talekeeper.rules.family import rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.quotes import quotations
from talekeeper.rules.scan import Line, length, lines, occurrences, sentences
from talekeeper.rules.story_time import StoryTime
from talekeeper.rules.subjects import EventSubject

_HEADER_FAULTS = ("no_time", "no_place", "no_blank_line")
_BLANK_DATE = re.compile(r"[xX×*?？○〇_＿某][xX×*?？○〇_＿]*\s*[年月日号时点:：/\-.]|[-/.:：][xX×?？_]{2}(?![a-zA-Z])")
_NUMERAL = re.compile(r"[\d〇零一二三四五六七八九十百千廿卅]")
_NUMBERED = re.compile(r"(?<![\w.(（])\d{1,3}[)）]\s*|[①-⑳⑴-⑽⒈-⒛❶-❿]")
_NUMBERED_LINE = re.compile(r"\d{1,3}(?:[)）、]|\.\s)|[(（]\d{1,3}[)）]")
_DASHES = "-*+–·"
_COMMA = re.compile("[，,、：:]")
_CHAIN_CHUNK = re.compile(f"[{CJK}]{{3,12}}(?:[ 　]+[{CJK}]{{3,12}}){{2,}}")


def header(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E1."""
    event = parse(subject.summary, pack.language)
    for fault in event.faults:
        if fault.kind in _HEADER_FAULTS:
            label = pack.words.labels.place[0] if fault.kind == "no_place" else pack.words.labels.time[0]
            yield pack.report("E1", fault.kind, where="summary", text=subject.summary, span=fault.span, label=label)
    if event.time:
        yield from _time(subject, event, pack)
    if event.place and _vague_place(event.place, pack):
        yield pack.report("E1", "vague_place", where="summary", text=subject.summary, span=event.spans["place"])


def _time(subject: EventSubject, event: EventText, pack: LanguagePack) -> Iterator[Violation]:
    span = event.spans["time"]
    if _is_placeholder_time(event.time, pack):
        yield pack.report("E1", "placeholder_time", where="summary", text=subject.summary, span=span)
        return
    read = StoryTime.parse(event.time, pack.language)
    if fold(event.time) in _folded(pack.words.vague_times) or not (read or _names_a_calendar(event.time, pack)):
        yield pack.report("E1", "vague_time", where="summary", text=subject.summary, span=span)
    elif read is not None and not read.dated:
        yield pack.report("E1", "undated", where="summary", text=subject.summary, span=span)
    before = StoryTime.parse(subject.previous_time, pack.language) if subject.previous_time else None
    if read is None or before is None or read.compare(before) != -1:
        return
    if not occurrences(subject.batch_text, pack.words.flashback_marks):
        yield pack.report(
            "E1", "backwards", where="summary", text=subject.summary, span=span, before=subject.previous_time or ""
        )


def _is_placeholder_time(value: str, pack: LanguagePack) -> bool:
    if len(value) > 200 or not any(c.isalnum() for c in value):
        return True
    return bool(occurrences(value, pack.words.placeholder_times)) or _BLANK_DATE.search(value) is not None


def _names_a_calendar(value: str, pack: LanguagePack) -> bool:
    """A time that no reader knows still counts as concrete where it has a number or names a unit of some calendar."""
    return _NUMERAL.search(value) is not None or bool(occurrences(value, pack.words.calendar_words))


def _vague_place(value: str, pack: LanguagePack) -> bool:
    words = pack.words
    bare = fold(value.strip(" .。,，()（）[]【】<>"))
    if not any(c.isalnum() for c in bare) or bare in _folded(words.vague_places):
        return True
    if len(bare) > 60:
        return False
    if occurrences(value, words.placeholder_places) or _BLANK_DATE.search(value):
        return True
    generic = _folded(words.generic_places)
    openers = sorted(_folded(words.vague_place_openers), key=len, reverse=True)
    return any(bare.removeprefix(opener).strip() in generic for opener in openers if bare.startswith(opener))


@cache
def _folded(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(fold(word) for word in words)


def whole_sentences(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E2."""
    event = parse(subject.summary, pack.language)
    begin, end = event.spans["prose"]
    if not event.prose.strip():
        yield pack.report("E2", "no_prose", where="summary", text=subject.summary, span=(begin, begin))
        return
    rows = lines(subject.summary, begin, end)
    for line in rows:
        mark = _list_mark(line, pack)
        if mark is not None:
            yield pack.report("E2", "list_mark", where="summary", text=subject.summary, span=mark)
    for match in _NUMBERED.finditer(subject.summary, begin, end):
        if not _opens_line(rows, match.start()):
            yield pack.report("E2", "list_mark", where="summary", text=subject.summary, span=match.span())
    for paragraph in _paragraphs(rows):
        yield from _sentences(subject.summary, paragraph, pack)


def _list_mark(line: Line, pack: LanguagePack) -> tuple[int, int] | None:
    start, _, text = line.stripped()
    if text[:1] in pack.words.bullet_marks and (text[:1] not in _DASHES or len(text) == 1 or text[1].isspace()):
        return start, start + 1
    match = _NUMBERED_LINE.match(text)
    return (start, start + match.end()) if match else None


def _opens_line(rows: list[Line], at: int) -> bool:
    """A number that opens its line was reported with the line."""
    low, high = 0, len(rows) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if rows[middle].start <= at else (low, middle - 1)
    start, _, text = rows[low].stripped()
    return start == at and _NUMBERED_LINE.match(text) is not None


def _paragraphs(rows: list[Line]) -> Iterator[tuple[int, int]]:
    begin: int | None = None
    end = 0
    for line in rows:
        if line.blank:
            if begin is not None:
                yield begin, end
            begin = None
            continue
        begin = line.stripped()[0] if begin is None else begin
        end = line.stripped()[1]
    if begin is not None:
        yield begin, end


def _sentences(text: str, paragraph: tuple[int, int], pack: LanguagePack) -> Iterator[Violation]:
    begin, end = paragraph
    last = end
    while last > begin and text[last - 1] in "”’」』》〉)）]】\"'":
        last -= 1
    if last == begin or text[last - 1] not in pack.words.sentence_ends:
        yield pack.report("E2", "unfinished", where="summary", text=text, span=(max(begin, end - 20), end))
    for start, stop in sentences(text, pack.words.sentence_ends, begin, end):
        if _is_chain(text[start:stop], pack):
            yield pack.report("E2", "chain", where="summary", text=text, span=(start, stop))


def _is_chain(sentence: str, pack: LanguagePack) -> bool:
    """Three or more bare clauses joined by semicolons, or (zh) by spaces; a clause with a comma in it is not bare."""
    clauses = [c for c in re.split("[;；]", sentence) if c.strip()]
    limit = pack.words.clause_limit
    if len(clauses) >= 3 and all(_COMMA.search(c) is None and length(c, pack.language) <= limit for c in clauses):
        return True
    return pack.language == "zh" and _CHAIN_CHUNK.search(sentence) is not None


def no_quotes(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E3."""
    begin, end = parse(subject.summary, pack.language).spans["prose"]
    for span in quotations(subject.summary, pack.words, begin, end, subject.work_titles):
        yield pack.report("E3", "quote", where="summary", text=subject.summary, span=span)


def three_sections(subject: EventSubject, pack: LanguagePack) -> Iterator[Violation]:
    """E4."""
    event = parse(subject.summary, pack.language)
    labels = pack.words.labels
    names = pack.listed(f"{words[0]}:" for words in (labels.irreversible, labels.open_threads, labels.excerpts))
    for fault in event.faults:
        if fault.kind not in _HEADER_FAULTS:
            yield pack.report("E4", fault.kind, where="summary", text=subject.summary, span=fault.span, names=names)
    empty = _folded(pack.words.empty_rows)
    for section in event.sections:
        for start, stop in section.rows:
            row = subject.summary[start:stop]
            if len(row) <= 20 and fold(row.strip(' .。()（）[]【】"')) in empty:
                yield pack.report("E4", "placeholder_row", where="summary", text=subject.summary, span=(start, stop))


RULES = (
    rule("E1", "event", header),
    rule("E2", "event", whole_sentences),
    rule("E3", "event", no_quotes),
    rule("E4", "event", three_sections),
)
