"""What stands under the labels of a thought, taken apart: sentences, verdicts, candidate rows, classes.

Models write tables, lists and plain lines; all of these are read. What can't be read is told as a fault by the rules,
never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from talekeeper.memory.models import Language
from talekeeper.memory.text import CJK
from talekeeper.rules.lexicon import Lexicon, Words
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import lines, occurrences, same_length_lower, sentences
from talekeeper.rules.thought import Thought, parse_thought

Span = tuple[int, int]
MOST_ROWS = 400
"""Rows, sentences or segments of one step that are looked at; a thought with more has other faults."""
_NUMBER = re.compile(
    r"[-*•]?\s{0,4}[(（\[]?\s?(?:第|[SsEe句]|#)?\s?(\d{1,3})\s?(?:句|条|号)?\s?[)）\].、:：|｜]\s{0,4}"
)
_RULED = re.compile(r"[\s|｜:：\-—+]+")
_FIELDS = re.compile(r"[|｜;；\t→]|->|\s{3,}")
_ITEM_NUMBER = re.compile(r"\d{1,4}[)）.、]\s{0,4}")
_CLASS = re.compile(r"[BＢ]\s?[-_.]?\s?(10|[1-9])(?!\d)", re.IGNORECASE)
_CLASS_LINE = re.compile(r"[ \t]{0,8}(?:[-*•]\s)?[(（]?(10|[1-9])[)）.、:：]")
_JOINED = re.compile(r"\s{0,3}(?:[、,，&/和与及]|and)\s{0,3}")
_UNITS = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")
_QUOTED = re.compile(r"[「『“\"‘]([^「」『』“”\"‘’\n]{1,80})[」』”\"’]")


def step(thought: str, language: Language, index: int) -> tuple[str, int] | None:
    """Content of the step with this index of the pack's ``steps``, and where it begins; None if it isn't there."""
    parsed, wanted = read(thought, language), labels(language)[index]
    found = next((s for s in parsed.steps if s.label == wanted), None)
    return (found.content, found.span[0]) if found else None


@lru_cache(maxsize=8)
def read(thought: str, language: Language) -> Thought:
    """The parsed thought, kept for the rules that follow."""
    return parse_thought(thought, language)


def labels(language: Language) -> tuple[str, ...]:
    """The step labels in order, as code writes them."""
    from talekeeper.rules.lexicon import lexicon

    return tuple(names[0] for names in lexicon(language).steps)


def bare(text: str) -> str:
    """Letters and digits alone: what is left when marks and spaces are taken away."""
    return "".join(_UNITS.findall(text))


def split_draft(content: str, pack: LanguagePack, *, outline: bool) -> list[str]:
    """Sentences of a draft, or the items of an outline; header lines and section rows aside."""
    heads = (*pack.words.labels.time, *pack.words.labels.place)
    kept: list[str] = []
    for line in lines(content):
        text = line.text.strip(" \t>*_:：")
        if not bare(text) or text.startswith(tuple(f"{h}{c}" for h in heads for c in ":：")):
            continue
        if _is_section(text, pack):
            break
        if outline or _ITEM_NUMBER.match(text):
            kept.append(_ITEM_NUMBER.sub("", text, count=1))
        else:
            kept += _whole(text, pack)
        if len(kept) >= MOST_ROWS:
            break
    return kept


def _is_section(text: str, pack: LanguagePack) -> bool:
    given = pack.words.labels
    return text.rstrip(":： ") in (*given.irreversible, *given.open_threads, *given.excerpts)


def _whole(text: str, pack: LanguagePack) -> list[str]:
    """Sentences; what ends with an abbreviation (Mr., J.) goes on with the next."""
    found: list[str] = []
    held = ""
    for start, end in sentences(text, pack.words.sentence_ends):
        held += text[start:end]
        last = held.rstrip().rsplit(" ", 1)[-1].rstrip(".")
        short = held.rstrip().endswith(".") and (
            last in pack.words.latin_honorifics or (len(last) == 1 != last.isdigit())
        )
        if not short:
            found.append(held.strip())
            held = ""
    return [*found, held.strip()] if held.strip() else found


@dataclass(frozen=True, slots=True)
class Verdict:
    """One row of Step 3: its fields, what it says of deletion, and whether the sentence stays (None = not said)."""

    text: str
    start: int
    fields: tuple[str, ...]
    kept: bool | None
    consequence: str


def verdicts(content: str, words: Lexicon) -> list[Verdict]:
    """The rows of Step 3, continued lines joined to their row."""
    return [_verdict(text, start, words) for text, start in rows(content)]


def rows(content: str) -> list[tuple[str, int]]:
    """Rows of a step with their offsets: a line opens one if it has a number or a separator, else it goes on."""
    found: list[tuple[str, int]] = []
    numbered = sum(1 for line in lines(content) if _NUMBER.match(line.text.strip(" \t>|｜"))) >= 1
    for line in lines(content):
        text = line.text.strip()
        if not bare(text):
            if _RULED.fullmatch(text) and text.count("|") > 1 and found:
                found.pop()  # the header of a table
            continue
        opens = _NUMBER.match(text.strip("|｜ >")) is not None if numbered else True
        if opens or not found:
            if len(found) >= MOST_ROWS:
                break
            found.append((text, line.start + line.text.find(text)))
        else:
            found[-1] = (f"{found[-1][0]}；{text}", found[-1][1])
    return [row for row in found if not numbered or _NUMBER.match(row[0].strip("|｜ >"))]


def _verdict(text: str, start: int, words: Lexicon) -> Verdict:
    body = _NUMBER.sub("", text.strip("|｜ >"), count=1)
    fields = tuple(f.strip() for f in _FIELDS.split(body) if bare(f))
    kept: bool | None = None
    at = -1
    for index, field in enumerate(fields):
        said = _said(_after_label(field), words)
        if said is not None:
            kept, at = said, index
    marked = [f for i, f in enumerate(fields) if i != at and occurrences(f, words.consequence_marks)]
    return Verdict(text, start, fields, kept, marked[-1] if marked else "")


def _after_label(field: str) -> str:
    head, colon, rest = field.replace("：", ":").partition(":")
    return rest if colon and len(head) <= 16 else field


def _said(field: str, words: Lexicon) -> bool | None:
    """Keep, cut, or neither; only a short field is a verdict, and "cut, then …" tells a consequence."""
    low = same_length_lower(field.strip(" *_。.!！[]()（）「」\"'"))
    for given, kept in ((words.cut_words, False), (words.keep_words, True)):
        for word in given:
            if low == word or (len(word) > 1 and low.startswith(word) and _ends(low[len(word) :])):
                return kept
    return None


def _ends(rest: str) -> bool:
    """Nothing but a mark or "this one" follows a verdict."""
    return (len(bare(rest)) <= 2 and not rest.startswith("后")) or rest.strip() in ("it", "this", "this one")


def without(text: str, words: Iterable[Words]) -> str:
    """What is left of ``text`` when all of these words are taken out."""
    low = same_length_lower(text)
    for given in words:
        for start, end in reversed(occurrences(low, given)):
            low = low[:start] + " " + low[end:]
    return low


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that Step 4 weighs, and its answers."""

    text: str
    start: int
    answers: tuple[bool, ...]


def candidates(content: str, words: Lexicon) -> list[Candidate]:
    """Rows of Step 4 that have at least one yes or no."""
    blocks: list[tuple[str, int]] = []
    for line in lines(content):
        text = line.text.strip()
        if not bare(text):
            continue
        answers = _answers(text, words)
        lone = bool(answers) and len(bare(_FIELDS.split(text)[0])) <= 4
        if blocks and (line.text[:1].isspace() or lone) and not _answers_enough(blocks[-1][0], words):
            blocks[-1] = (f"{blocks[-1][0]}；{text}", blocks[-1][1])
        elif len(blocks) < MOST_ROWS:
            blocks.append((text, line.start + line.text.find(text)))
    found = (Candidate(text, start, tuple(_answers(text, words))) for text, start in blocks)
    return [c for c in found if c.answers]


def _answers_enough(text: str, words: Lexicon) -> bool:
    return len(_answers(text, words)) >= 3


_ANSWER_ENDS = re.compile(r"[；;，,。|｜/\t→]|->|\s{3,}")


def _answers(text: str, words: Lexicon) -> list[bool]:
    """The yes or no with which each part of a row ends, or which it is."""
    found: list[bool] = []
    for part in _ANSWER_ENDS.split(_QUOTED.sub("", text)):
        tail = same_length_lower(part.strip(" .。!！*_)）("))
        word = re.split(r"[\s:：=（(]", tail)[-1]
        if word in words.no_words or (len(tail) > 1 and tail.endswith(("否",)) and not tail.endswith("是否")):
            found.append(False)
        elif word in words.yes_words or (len(tail) > 1 and tail.endswith("是") and not tail.endswith(("不是", "但是"))):
            found.append(True)
    return found


@dataclass(frozen=True, slots=True)
class ClassReport:
    """What Step 5 says of one class: ``none``; or the ``words`` that hit, with the text they become."""

    number: int
    text: str
    start: int
    none: bool
    words: tuple[str, ...]
    rewritten: str


def class_reports(content: str, words: Lexicon) -> dict[int, ClassReport]:
    """By class number; the first report of each class counts."""
    marks = [(m.start(), m.end(), int(m[1])) for m in _CLASS.finditer(content)]
    if not marks:
        marks = [
            (line.start, line.start + m.end(), int(m[1]))
            for line in lines(content)
            if (m := _CLASS_LINE.match(line.text)) is not None
        ]
    found: dict[int, ClassReport] = {}
    seen: list[tuple[int, int, int]] = []
    for mark in marks:
        if mark[2] not in {n for _, _, n in seen}:
            seen.append(mark)
    for (_, begin, number), following in zip(seen, [*seen[1:], (len(content), 0, 0)], strict=False):
        text = content[begin : following[0]]
        found[number] = _class_report(number, text, begin, words)
    return found


def _class_report(number: int, text: str, start: int, words: Lexicon) -> ClassReport:
    arrows = occurrences(text, words.rewrite_marks)
    before = text[: arrows[0][0]] if arrows else text
    rewritten = text[arrows[-1][1] :] if arrows else ""
    quoted = tuple(m[1].strip() for m in _QUOTED.finditer(before))
    none = not arrows and _says_none(text, words)
    return ClassReport(number, text, start, none, () if none else quoted, rewritten)


def _says_none(text: str, words: Lexicon) -> bool:
    return any(
        part.endswith(words.none_words) or part.startswith(words.none_words)
        for part in (same_length_lower(p.strip(" *_")) for p in re.split(r"[:：；;，,。.|｜\n()（）—–-]", text))
        if part
    )


def grams(text: str, size: int = 3) -> set[str]:
    """The set of runs of ``size`` characters, spaces and marks aside."""
    plain = bare(same_length_lower(text))
    return {plain[i : i + size] for i in range(max(1, len(plain) - size + 1))} if plain else set()


def shared(first: set[str], second: set[str]) -> float:
    """Jaccard similarity; 0 where both are empty."""
    return len(first & second) / len(first | second) if first or second else 0.0


def unquoted(text: str) -> str:
    """Text less what stands in quotation marks."""
    return _QUOTED.sub("", text)


def segments_by(content: str, refs: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """(ref, what follows it up to the next ref, where it stands), each ref at its first place as a whole word.

    Refs joined into one row (u1、u2: …) share what follows the last of them.
    """
    low = content.lower()
    places: list[tuple[int, int, str]] = []
    for ref in refs:
        hit = next(iter(occurrences(low, (ref,))), None)
        if hit is not None:
            places.append((*hit, ref))
    places.sort()
    stop = len(content)
    for (_, end, ref), following in zip(places, [*places[1:], (stop, 0, "")], strict=False):
        at, after = end, following
        while after[2] and _JOINED.fullmatch(content[at : after[0]]):
            at = after[1]
            later = places.index(after) + 1
            after = places[later] if later < len(places) else (stop, 0, "")
        yield ref, content[at : after[0]], at
