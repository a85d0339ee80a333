"""C8, C9 and C12: what each depth still tells, what no rollup tells of, and that rolling up loses nothing."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.rules import rollup_form
from talekeeper.rules.family import rule
from talekeeper.rules.model import Violation
from talekeeper.rules.outline_parts import MOST_ITEMS, children
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import length
from talekeeper.rules.subjects import HiddenChild, RollupSubject, StoredRollupSubject

HEADING_LIMIT = {"zh": 40, "en": 28}
_CONCRETE = ("C8_combat", "C8_intimate", "C8_move")
_SCENES = ("C9_post", "C9_flirt", "C9_meal", "C9_rest")


def by_depth(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C8. A permanent change keeps its words. From depth 3 on an item is a chapter's heading: a long one is only
    flagged, for it may hold many changes."""
    hits = pack.words.classes.hits(subject.summary)
    rows = "\n".join(children(subject, pack).rows)
    for name in _CONCRETE:
        spans = [span for span in hits.get(name, ()) if subject.summary[span[0] : span[1]] not in rows]
        if subject.depth >= 2:
            for span in spans:
                yield pack.report(
                    "C8", "concrete", where="summary", text=subject.summary, span=span, depth=subject.depth
                )
        elif len(spans) > 1:
            words = pack.listed(subject.summary[a:b] for a, b in spans[:5])
            told: dict[str, str | int] = {"count": len(spans), "words": words}
            yield pack.report("C8", "repeated", where="summary", text=subject.summary, span=spans[1], values=told)
    if subject.depth < 3:
        return
    outline = rollup_form.parse(subject.summary, pack.language)
    limit = HEADING_LIMIT[pack.language]
    for span, item in zip(outline.rows[:MOST_ITEMS], outline.items, strict=False):
        if length(item.text, pack.language) > limit:
            yield pack.report(
                "C8", "no_heading", where="summary", text=subject.summary, span=span, limit=limit, severity="soft"
            )


def no_scene(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C9."""
    hits = pack.words.classes.hits(subject.summary)
    for name in _SCENES:
        for span in hits.get(name, ()):
            yield pack.report("C9", name.removeprefix("C9_"), where="summary", text=subject.summary, span=span)


def loses_nothing(subject: StoredRollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C12."""
    if not subject.children:
        yield pack.report("C12", "no_children", where=subject.node_id, node=subject.node_id)
    for child in subject.children:
        fault = _fault(subject, child)
        if fault:
            yield pack.report("C12", fault, where=child.id, child=child.id, node=subject.node_id)


def _fault(subject: StoredRollupSubject, child: HiddenChild) -> str:
    if not child.summary.strip():
        return "unreadable"
    if child.shown:
        return "shown"
    if not child.expanded:
        return "unreachable"
    return "wrong_depth" if child.depth != subject.depth - 1 else ""


RULES = (
    rule("C8", "rollup", by_depth),
    rule("C9", "rollup", no_scene),
    rule("C12", "stored_rollup", loses_nothing),
)
