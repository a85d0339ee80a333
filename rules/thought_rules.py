"""T8–T10: the thought ends with the summary, was written for it alone, and goes with event summaries only."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from talekeeper.rules.family import EVENT, rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import char_name, sentences, visible
from talekeeper.rules.subjects import ThoughtSubject
from talekeeper.rules.thought import final_text
from talekeeper.rules.thought_parts import class_reports, grams, labels, read, shared, step, unquoted

_CONTEXT = 12
_TOO_ALIKE = 0.8
_LEAST_GRAMS = 20
_FULL = 3
"""Labelled steps from which a text is a thought and no longer a sentence of intent."""


def byte_equal(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T8. Shows the first byte that differs, what stands there on both sides, and invisible characters by name."""
    if subject.type != EVENT:
        return
    final = final_text(subject.thought)
    if final is None:
        yield pack.report("T8", "no_label", where="thought", label=pack.words.labels.final[0])
        return
    if final == subject.summary:
        return
    at = _common_length(final, subject.summary)
    yield pack.report(
        "T8",
        "differs",
        where="summary",
        text=subject.summary,
        span=(at, min(at + 1, len(subject.summary))),
        excerpt=subject.summary[at : at + 1],
        offset=_byte_offset(final, subject.summary, at),
        context=visible(final[max(0, at - _CONTEXT) : at]),
        wanted=visible(final[at : at + _CONTEXT]) or pack.words.punctuation.end,
        wanted_char=_char_at(final, at, pack),
        got=visible(subject.summary[at : at + _CONTEXT]) or pack.words.punctuation.end,
        got_char=_char_at(subject.summary, at, pack),
    )


def _common_length(first: str, second: str) -> int:
    """How many characters both texts begin with alike, by halving: comparing slices is what Python does fastest."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _byte_offset(first: str, second: str, at: int) -> int:
    """0-based UTF-8 offset of the first byte that differs, given the first character that does."""
    mine, theirs = (t[at : at + 1].encode("utf-8", "surrogatepass") for t in (first, second))
    pairs = enumerate(zip(mine, theirs, strict=False))
    shared = next((i for i, (a, b) in pairs if a != b), min(len(mine), len(theirs)))
    return len(first[:at].encode("utf-8", "surrogatepass")) + shared


def _char_at(text: str, at: int, pack: LanguagePack) -> str:
    return char_name(text[at]) if at < len(text) else pack.words.punctuation.end


def written_for_this(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T9. Step 1a quotes the input, the final text is the summary, and a class without a hit reads the same in every
    thought: what is left is compared."""
    if subject.type != EVENT or not subject.thought.strip():
        return
    mine = grams(_own_content(subject.thought, pack))
    for number, other in enumerate(subject.earlier, 1):
        if other.strip() == subject.thought.strip():
            yield pack.report("T9", "reused", where="thought", number=number)
        elif len(mine) >= _LEAST_GRAMS and (alike := shared(mine, grams(_own_content(other, pack)))) >= _TOO_ALIKE:
            yield pack.report("T9", "alike", where="thought", number=number, percent=round(100 * alike))


def _own_content(thought: str, pack: LanguagePack) -> str:
    """What the writer had to think of: Steps 1b to 4, and the hits of Step 5."""
    kept: list[str] = []
    for index in range(1, len(labels(pack.language)) - 1):
        found = step(thought, pack.language, index)
        if found is None:
            continue
        if index == len(labels(pack.language)) - 2:
            reports = class_reports(found[0], pack.words).values()
            kept += [report.text for report in reports if not report.none]
        else:
            kept.append(unquoted(found[0]))
    return "\n".join(kept)


def only_for_events(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T10. ``thought`` of another type's write is its sentence of intent."""
    text = subject.thought.strip()
    if subject.type == EVENT:
        if not text:
            yield pack.report("T10", "none", where="thought")
        return
    if len(read(subject.thought, pack.language).steps) >= _FULL:
        yield pack.report("T10", "not_asked", where="thought", type=subject.type)
    elif len(list(islice(sentences(text, pack.words.sentence_ends), 2))) > 1:
        yield pack.report("T10", "long", where="thought", type=subject.type)


RULES = (
    rule("T8", "thought", byte_equal),
    rule("T9", "thought", written_for_this),
    rule("T10", "thought", only_for_events),
)
