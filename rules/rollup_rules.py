"""C: the outline that a group of nodes is rolled up into."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.memory.text import fold
from talekeeper.rules import event_form, rollup_form
from talekeeper.rules.family import rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.rollup_form import parse
from talekeeper.rules.story_time import StoryTime
from talekeeper.rules.subjects import ChildSummary, RollupSubject

PATCH_LIMIT = 40
_PATCHES_PER_ITEM = 3
_SEPARATORS = "；;。!！?？\n"
_BRACKETS = "()（）[]【】{}〔〕"
_QUOTES = '"“”‘’「」『』«»'


def outline_form(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C1."""
    labels = pack.words.labels
    form = f"{labels.time[0]}: A {labels.interval[0]} B;"
    for fault in parse(subject.summary, pack.language).faults:
        yield pack.report("C1", fault.kind, where="summary", text=subject.summary, span=fault.span, form=form)


def covers_children(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C2. Where two times can't be ordered, the header must repeat the first child's start and the last one's end."""
    outline = parse(subject.summary, pack.language)
    spans = [s for s in (_interval(child, pack) for child in subject.children) if s[0] or s[1]]
    if not outline.time_from or not spans:
        return
    starts, ends = [s[0] for s in spans if s[0]], [s[1] for s in spans if s[1]]
    for fault, told, wanted, edge in (
        ("starts_late", outline.time_from, starts, starts[0] if starts else ""),
        ("ends_early", outline.time_to, ends, ends[-1] if ends else ""),
    ):
        missed = _missed(told, wanted, edge, pack, start=fault == "starts_late")
        if missed:
            values = {"told": told, "wanted": missed}
            yield pack.report("C2", fault, where="summary", text=subject.summary, span=outline.header, values=values)


def _interval(child: ChildSummary, pack: LanguagePack) -> tuple[str, str]:
    if child.time_from or child.time_to:
        return child.time_from or child.time_to or "", child.time_to or child.time_from or ""
    outline = rollup_form.parse(child.summary, pack.language)
    if outline.time_from:
        return outline.time_from, outline.time_to
    time = event_form.parse(child.summary, pack.language).time
    return time, time


def _missed(told: str, wanted: list[str], edge: str, pack: LanguagePack, *, start: bool) -> str | None:
    """The first of ``wanted`` that the header's edge ``told`` leaves outside; ``edge`` is judged by its text too."""
    read = StoryTime.parse(told, pack.language)
    for text in wanted:
        if fold(text) == fold(told):
            continue
        theirs = StoryTime.parse(text, pack.language)
        reaches = None
        if read is not None and theirs is not None:
            reaches = read.covers_from(theirs) if start else read.covers_to(theirs)
        if reaches is False or (reaches is None and text == edge):
            return text
    return None


def patches(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C10."""
    outline = parse(subject.summary, pack.language)
    for span in outline.patches:
        if span is not None:
            yield from _patch(subject.summary, span, pack)
    count = sum(1 for span in outline.patches if span)
    if subject.depth >= 2 and count * _PATCHES_PER_ITEM > len(outline.items):
        yield pack.report("C10", "too_many", where="summary", count=count, items=len(outline.items))


def _patch(text: str, span: tuple[int, int], pack: LanguagePack) -> Iterator[Violation]:
    inner = text[span[0] : span[1]]
    if len(inner) > PATCH_LIMIT:
        yield pack.report("C10", "too_long", where="summary", text=text, span=span, count=len(inner), limit=PATCH_LIMIT)
    for fault, marks in (("nested", _BRACKETS), ("quoted", _QUOTES), ("two_matters", _SEPARATORS)):
        at = next((i for i, c in enumerate(inner) if c in marks), None)
        if at is not None:
            yield pack.report("C10", fault, where="summary", text=text, span=(span[0] + at, span[0] + at + 1))


def exact_group(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C11."""
    if tuple(subject.child_ids) != tuple(subject.group_ids):
        same = sorted(subject.child_ids) == sorted(subject.group_ids)
        values = {"got": pack.listed(subject.child_ids), "right": pack.listed(subject.group_ids)}
        yield pack.report("C11", "wrong_order" if same else "wrong_group", where="child_ids", values=values)
    for child in subject.children:
        if child.rolled_up:
            yield pack.report("C11", "rolled_up", where="child_ids", node=child.id)


RULES = (
    rule("C1", "rollup", outline_form),
    rule("C2", "rollup", covers_children),
    rule("C10", "rollup", patches),
    rule("C11", "rollup", exact_group),
)
