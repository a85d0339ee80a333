"""What an outline says, in terms that can be compared: the units of a text, an item's subject, its class of verb.

Chinese is compared by characters and pairs of characters, English by words without their endings. Nothing here knows
grammar; whatever isn't plain counts as unknown, and unknown is never a fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from talekeeper.memory.models import Language
from talekeeper.memory.text import is_cjk
from talekeeper.rules import event_form, rollup_form
from talekeeper.rules.lexicon import Lexicon, lexicon
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import same_length_lower, units
from talekeeper.rules.subjects import ChildSummary, RollupSubject

MOST_ITEMS = 60
"""Items and rows that are compared with each other; an outline with more has other faults."""
_STEM_LEAST = 3
_ENDINGS = ("ingly", "edly", "ing", "ied", "ies", "ed", "es", "s", "ly", "d", "e")
_SUBJECT_LIMIT = {"zh": 14, "en": 8}
_SPOKEN_FOR = re.compile(
    r"(?:在|把|将|被|因|为|向|对|从|于|以|经|由|用|给|替|随|先后|一同|共同|拒|已|又|仍|遂|后来|最终|则|也|都)"
)
_JOINTS = re.compile(r"[与和及、跟同,，]| and | & ")
Units = frozenset[str]


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_LEAST:
            return word[: -len(ending)]
    return word


def parts(text: str, language: Language) -> list[str]:
    """The units of a text in order: pairs of CJK characters within a run, stems of other words."""
    spelt = units(same_length_lower(text))
    if language == "en":
        return [_stem(unit) for unit in spelt]
    found: list[str] = []
    held = ""
    for unit in spelt:
        if not is_cjk(unit):
            found.append(unit)
            held = ""
        else:
            if held:
                found.append(held + unit)
            held = unit
    return found


@lru_cache(maxsize=512)
def part_set(text: str, language: Language) -> Units:
    """The distinct units of a text."""
    return frozenset(parts(text, language))


def contained(small: Units, large: Units) -> float:
    """Share of ``small`` that ``large`` holds; 0 where ``small`` is empty."""
    return len(small & large) / len(small) if small else 0.0


@lru_cache(maxsize=256)
def content(text: str, language: Language) -> Units:
    """What carries meaning: single characters (zh) or stems (en), words of grammar left out."""
    words = lexicon(language)
    if language == "zh":
        return frozenset(u for u in units(same_length_lower(text)) if u not in words.plain_characters)
    plain = _plain_stems(words)
    return frozenset(p for p in parts(text, language) if p not in plain)


@lru_cache(maxsize=4)
def _plain(words: tuple[str, ...]) -> Units:
    return frozenset(_stem(word.lower()) for word in words)


def _plain_stems(words: Lexicon) -> Units:
    return _plain(words.plain_words)


@dataclass(frozen=True, slots=True)
class Children:
    """A group's children as one: their texts, what they share (names, mostly), and their irreversible rows."""

    bodies: tuple[str, ...]
    common: Units
    rows: tuple[str, ...]


@lru_cache(maxsize=8)
def children_of(group: tuple[ChildSummary, ...], language: Language) -> Children:
    """``common`` are units that two children have, or three places of one."""
    bodies = tuple(body(child.summary, language) for child in group)
    counts: Counter[str] = Counter()
    for text in bodies:
        seen = Counter(parts(text, language))
        counts.update({unit: 2 if n >= 3 else 1 for unit, n in seen.items()})
    rows: list[str] = []
    for child in group:
        told = child.changes or event_form.parse(child.summary, language).irreversible
        rows += [row for row in told if row.strip()]
    return Children(bodies, frozenset(u for u, n in counts.items() if n >= 2), tuple(dict.fromkeys(rows)))


@lru_cache(maxsize=64)
def body(summary: str, language: Language) -> str:
    """A child's text without its header of time."""
    outline = rollup_form.parse(summary, language)
    if outline.time_from:
        return summary[outline.header[1] :]
    event = event_form.parse(summary, language)
    return f"{event.place}\n{summary[event.spans['prose'][0] :]}" if "time" in event.spans else summary


def children(subject: RollupSubject, pack: LanguagePack) -> Children:
    """The subject's children."""
    return children_of(subject.children, pack.language)


def item_texts(subject: RollupSubject, pack: LanguagePack) -> list[str]:
    """Items with their patches, the first of very many."""
    found = rollup_form.parse(subject.summary, pack.language).items[:MOST_ITEMS]
    return [f"{item.text} ({item.patch})" if item.patch else item.text for item in found]


def item_subject(text: str, pack: LanguagePack) -> Units:
    """The names that an item begins with; empty where it's not plain who acts."""
    language = pack.language
    head = _marked_head(text, language)
    if head is None:
        stops = [span[0] for name, span in _verbs(text, pack) if span[0] > 0][:1]
        if language == "zh" and (match := _SPOKEN_FOR.search(text, 1)):
            stops.append(match.start())
        if not stops:
            return frozenset()
        head = text[: min(stops)]
        if language == "en":
            head = _capitalised_head(head)
    names = [n.strip(" :：等") for n in _JOINTS.split(head)]
    names = [same_length_lower(n) for n in names if n]
    size = sum(len(n) for n in names) if language == "zh" else sum(len(n.split()) for n in names)
    fits = 0 < size <= _SUBJECT_LIMIT[language] and all(len(n) >= 2 for n in names)
    return frozenset(names) if fits else frozenset()


def _marked_head(text: str, language: Language) -> str | None:
    """The subject that stands before a colon (en) or a space (zh), where the outline marks it so."""
    mark = ": " if language == "en" else " "
    head, found, rest = text.partition(mark)
    limit = 60 if language == "en" else _SUBJECT_LIMIT["zh"] + 4
    return head if found and rest and len(head) <= limit and not head[-1:].isdigit() and "(" not in head else None


def _capitalised_head(head: str) -> str:
    """Leading words up to the last capitalised one; a head that begins small is nobody's."""
    words = head.split()
    last = max((i for i, w in enumerate(words) if w[:1].isupper()), default=-1)
    return " ".join(words[: last + 1])


def verb_class(text: str, pack: LanguagePack) -> str:
    """The class of an item's first verb, or empty."""
    return next((name for name, _ in _verbs(text, pack)), "")


def _verbs(text: str, pack: LanguagePack) -> list[tuple[str, tuple[int, int]]]:
    hits = pack.words.classes.hits(text)
    found = [(span, name) for name, spans in hits.items() if name.startswith("V_") for span in spans]
    return [(name, span) for span, name in sorted(found, key=lambda f: (f[0][0], -f[0][1]))]


def change_of(row: str, shared: Units, language: Language) -> Units:
    """What a row tells beside the names that its neighbours have too: its content less what is common."""
    told = content(row, language)
    if language == "en":
        return frozenset(told - shared) or told
    covered = {c for pair in parts(row, language) if pair in shared for c in pair}
    rest = frozenset(told - covered)
    return rest if len(rest) > 1 else told


def same_change(row: str, line: str, groups: Sequence[tuple[str, ...]]) -> bool:
    """Row and line speak of the same kind of change, in other words."""
    return any(any(_has(row, w) for w in group) and any(_has(line, w) for w in group) for group in groups)


def _has(text: str, word: str) -> bool:
    """The word stands in the text; Latin words begin where a word begins."""
    at = same_length_lower(text).find(word)
    return at >= 0 and (not word.isascii() or at == 0 or not text[at - 1].isalnum())
