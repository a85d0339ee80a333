"""E8 and B1–B10: what no summary may hold, leaf and rollup alike.

B2–B10 are word classes of the language's pack. A word that is part of a known name is innocent, and so is a contract
word that the batch itself tells in its narration: then there is a real document. E8 is the list that a story adds.
"""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.rules.family import rule
from talekeeper.rules.model import Check, Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.prose_parts import Span, inside, own_words, within_a_name
from talekeeper.rules.residue import narration, spoken_on_the_spot
from talekeeper.rules.subjects import EventSubject, RollupSubject

Summary = EventSubject | RollupSubject
_STAGES = 3
_STAGE_LIMIT = 120


def _batch(subject: Summary) -> str:
    return subject.batch_text if isinstance(subject, EventSubject) else ""


def class_hits(subject: Summary, name: str, pack: LanguagePack) -> Iterator[Span]:
    """Spans of one class in the summary's own words, names aside."""
    parts = own_words(subject, pack)
    for span in inside(pack.words.classes.hits(subject.summary)[name], parts):
        if not within_a_name(subject.summary, span, subject.known_names):
            yield span


def _listed(rule_id: str) -> Check:
    def check(subject: Summary, pack: LanguagePack) -> Iterator[Violation]:
        for span in class_hits(subject, rule_id, pack):
            yield pack.report(rule_id, "word", where="summary", text=subject.summary, span=span)

    check.__doc__ = f"{rule_id}."
    return check


def residue(subject: Summary, pack: LanguagePack) -> Iterator[Violation]:
    """B1."""
    for span in class_hits(subject, "B1", pack):
        yield pack.report("B1", "title", where="summary", text=subject.summary, span=span)
    names = subject.known_names or frozenset()
    for start, end in own_words(subject, pack):
        for a, b in spoken_on_the_spot(subject.summary[start:end], _batch(subject), pack.words, names):
            yield pack.report("B1", "said", where="summary", text=subject.summary, span=(start + a, start + b))


def about_the_story(subject: Summary, pack: LanguagePack) -> Iterator[Violation]:
    """B2. Where the batch itself talks of films or novels, their heroes and plots are what is talked of."""
    told = _batch(subject).lower()
    for start, end in class_hits(subject, "B2", pack):
        word = subject.summary[start:end].lower()
        if word not in pack.words.works_words or word not in told:
            yield pack.report("B2", "word", where="summary", text=subject.summary, span=(start, end))


def contract_words(subject: Summary, pack: LanguagePack) -> Iterator[Violation]:
    """B4."""
    told = narration(_batch(subject), pack.words).lower()
    for start, end in class_hits(subject, "B4", pack):
        if subject.summary[start:end].lower() not in told:
            yield pack.report("B4", "word", where="summary", text=subject.summary, span=(start, end))


def reactions(subject: Summary, pack: LanguagePack) -> Iterator[Violation]:
    """B9."""
    for span in class_hits(subject, "B9", pack):
        yield pack.report("B9", "word", where="summary", text=subject.summary, span=span)
    text = subject.summary
    feelings = inside(pack.words.classes.hits(text)["feelings"], own_words(subject, pack))
    for first, last in zip(feelings, feelings[_STAGES - 1 :], strict=False):
        stretch = text[first[0] : last[1]]
        at = feelings.index(first)
        kinds = {text[a:b] for a, b in feelings[at : at + _STAGES]}
        ended = any(end in stretch for end in pack.words.sentence_ends)
        if len(stretch) <= _STAGE_LIMIT and len(kinds) == _STAGES and not ended:
            yield pack.report("B9", "stages", where="summary", text=text, span=(first[0], last[1]))
            return


def story_list(subject: Summary, pack: LanguagePack) -> Iterator[Violation]:
    """E8: the words that a story itself bans."""
    for span in class_hits(subject, "banned", pack):
        yield pack.report("E8", "word", where="summary", text=subject.summary, span=span)


_CHECKS: dict[str, Check] = {"B1": residue, "B2": about_the_story, "B4": contract_words, "B9": reactions}
_CLASSES = tuple(f"B{number}" for number in range(1, 11))

RULES = (
    rule("E8", "event", story_list, also=("rollup",)),
    *(rule(name, "event", _CHECKS.get(name) or _listed(name), also=("rollup",)) for name in _CLASSES),
)
