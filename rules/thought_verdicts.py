"""T4–T7: every sentence judged, only what was judged stands in the final text, and every class was looked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from talekeeper.memory.text import fold
from talekeeper.rules.event_form import parse
from talekeeper.rules.family import EVENT, rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import length
from talekeeper.rules.subjects import ThoughtSubject
from talekeeper.rules.thought_parts import (
    Candidate,
    Verdict,
    bare,
    candidates,
    class_reports,
    read,
    split_draft,
    step,
    verdicts,
    without,
)

CLASSES = 10
_DRAFT, _VERDICTS, _FINAL, _SECTIONS, _SCAN = 2, 3, 4, 5, 6
_LEAST_FIELDS = 4
_QUESTIONS = 3
_LEAST_CONSEQUENCE = 3


def _draft(subject: ThoughtSubject, pack: LanguagePack, index: int) -> list[str] | None:
    found = step(subject.thought, pack.language, index)
    if subject.type != EVENT or found is None or not bare(found[0]):
        return None
    return split_draft(found[0], pack, outline=subject.kind == "rollup")


def judged(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T4."""
    draft = _draft(subject, pack, _DRAFT)
    found = step(subject.thought, pack.language, _VERDICTS)
    if draft is None or found is None or not bare(found[0]):
        return
    rows = verdicts(found[0], pack.words)
    if len(rows) != len(draft):
        yield pack.report("T4", "count", where="thought", rows=len(rows), sentences=len(draft))
    for number, row in enumerate(rows, 1):
        start = found[1] + row.start
        span = (start, start + _one_line(subject.thought, start))
        fault = _row_fault(row, pack)
        if fault:
            yield pack.report("T4", fault, where="thought", text=subject.thought, span=span, number=number)


def _one_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return (len(text) if end < 0 else end) - start


def _row_fault(row: Verdict, pack: LanguagePack) -> str:
    if row.kept is None:
        return "no_verdict"
    if len(row.fields) < _LEAST_FIELDS:
        return "short"
    if not row.kept:
        return ""
    if not row.consequence:
        return "no_consequence"
    words = pack.words
    # Whole phrases first: a filler taken out of the middle would hide the phrase.
    rest = without(row.consequence, (words.vague_consequences, words.consequence_marks, words.consequence_fillers))
    return "vague" if length(" ".join(_words(rest)), pack.language) < _LEAST_CONSEQUENCE else ""


def _words(text: str) -> list[str]:
    return ["".join(c for c in word if c.isalnum()) for word in text.split()]


def draft_less_cut(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T5."""
    draft, final = _draft(subject, pack, _DRAFT), _draft(subject, pack, _FINAL)
    found = step(subject.thought, pack.language, _VERDICTS)
    if draft is None or final is None or found is None:
        return
    rows = verdicts(found[0], pack.words)
    have = [bare(s) for s in final]
    known = {bare(s) for s in draft}
    for sentence in final:
        if bare(sentence) not in known:
            yield pack.report("T5", "added", where="thought", excerpt=sentence)
    if len(rows) != len(draft):
        return
    kept = [bare(s) for s, row in zip(draft, rows, strict=True) if row.kept is not False]
    for sentence, row in zip(draft, rows, strict=True):
        if row.kept is False and bare(sentence) in have and bare(sentence) not in kept:
            yield pack.report("T5", "still_there", where="thought", excerpt=sentence)
        elif row.kept is not False and bare(sentence) not in have:
            yield pack.report("T5", "lost", where="thought", excerpt=sentence)
    if sorted(kept) == sorted(have) and kept != have:
        yield pack.report("T5", "order", where="thought")


def sections_weighed(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T6. A row of the final text is found again in Step 4 by its words, a thread by its title, an excerpt by its
    wording or its label."""
    found = step(subject.thought, pack.language, _SECTIONS)
    if subject.type != EVENT or subject.kind == "rollup" or found is None or not bare(found[0]):
        return
    content, start = found
    weighed = candidates(content, pack.words)
    final = read(subject.thought, pack.language).final
    kept = _final_rows(subject.summary if final is None else final, pack)
    if not weighed and not kept:
        if length(content, pack.language) < _QUESTIONS:
            yield pack.report("T6", "unsaid", where="thought", excerpt=content.strip())
        return
    for row in weighed:
        span = (start + row.start, start + row.start + _one_line(content, row.start))
        if len(row.answers) < _QUESTIONS:
            yield pack.report("T6", "answers", where="thought", text=subject.thought, span=span, count=len(row.answers))
            continue
        stands = any(_meant(names, row) for names in kept)
        if all(row.answers) and not stands:
            yield pack.report("T6", "left_out", where="thought", text=subject.thought, span=span)
        elif not all(row.answers) and stands:
            yield pack.report("T6", "not_all_yes", where="thought", text=subject.thought, span=span)
    for names in kept:
        if not any(_meant(names, row) for row in weighed):
            yield pack.report("T6", "unweighed", where="summary", excerpt=names[0])


def _final_rows(summary: str, pack: LanguagePack) -> list[tuple[str, ...]]:
    """By what each row of the final text may be called."""
    event = parse(summary, pack.language)
    rows: list[tuple[str, ...]] = [(row,) for row in event.irreversible]
    rows += [(title,) for title in event.open_threads]
    return rows + [(verbatim, label) for label, verbatim in event.excerpts]


def _meant(names: Sequence[str], row: Candidate) -> bool:
    plain = bare(fold(row.text))
    return any(bare(fold(name)) in plain for name in names if bare(name))


def classes_scanned(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T7."""
    found = step(subject.thought, pack.language, _SCAN)
    if subject.type != EVENT or found is None or not bare(found[0]):
        return
    reports = class_reports(found[0], pack.words)
    missing = [f"B{n}" for n in range(1, CLASSES + 1) if n not in reports]
    if missing:
        yield pack.report("T7", "missing", where="thought", classes=pack.listed(missing))
    final = read(subject.thought, pack.language).final
    text = subject.summary if final is None else final
    for number, report in sorted(reports.items()):
        begin = found[1] + report.start
        span = (begin, begin + len(report.text.rstrip()))
        name = f"B{number}"
        if report.none:
            continue
        if not report.words and not report.rewritten:
            yield pack.report("T7", "unsaid", where="thought", text=subject.thought, span=span, name=name)
        elif len(bare(report.rewritten)) < 2:
            yield pack.report("T7", "not_rewritten", where="thought", text=subject.thought, span=span, name=name)
        for word in report.words:
            if word in text:
                yield pack.report("T7", "still_there", where="thought", excerpt=word, name=name)


RULES = (
    rule("T4", "thought", judged),
    rule("T5", "thought", draft_less_cut),
    rule("T6", "thought", sections_weighed),
    rule("T7", "thought", classes_scanned),
)
