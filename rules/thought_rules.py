"""T: the visible thought before an event summary."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.rules.family import rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import char_name, visible
from talekeeper.rules.subjects import ThoughtSubject
from talekeeper.rules.thought import final_text

_CONTEXT = 12


def byte_equal(subject: ThoughtSubject, pack: LanguagePack) -> Iterator[Violation]:
    """T8. Shows the first byte that differs, what stands there on both sides, and invisible characters by name."""
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


RULES = (rule("T8", "thought", byte_equal),)
