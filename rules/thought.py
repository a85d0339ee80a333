"""The visible thought before an event summary: its labels, and the final text that the tool call must equal.

Tolerant about how a label is dressed (full-width colon, Markdown emphasis, headings); strict about the final text,
which is taken exactly as given (T8).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import Words, lexicon
from talekeeper.rules.scan import Line, lines

OPEN_TAG, CLOSE_TAG = "<thought>", "</thought>"
_DRESS = " \t#*_>`~-"
_LANGUAGES: tuple[Language, ...] = ("zh", "en")


@dataclass(frozen=True, slots=True)
class ThoughtStep:
    """One label with what stands under it: ``label`` as the pack writes it, ``content`` = ``thought[span]``."""

    label: str
    content: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Thought:
    """A parsed thought. ``steps`` in the order they stand; ``final`` is None where no final text is labelled."""

    steps: tuple[ThoughtStep, ...]
    final: str | None
    final_span: tuple[int, int] | None


def thought_blocks(text: str) -> list[str]:
    """All ``<thought>`` blocks of a message, tags included; one left open runs to the end.

    A block ends at the last closing tag before the next block opens: a closing tag that a quoted story holds doesn't
    let the rest of the quotation out into the response.
    """
    blocks: list[str] = []
    at = text.find(OPEN_TAG)
    while at >= 0:
        end = text.find(CLOSE_TAG, at)
        opening = text.find(OPEN_TAG, max(end, at + 1)) if end >= 0 else -1
        end = text.rfind(CLOSE_TAG, at, opening if opening >= 0 else len(text))
        stop = len(text) if end < 0 else end + len(CLOSE_TAG)
        blocks.append(text[at:stop])
        at = text.find(OPEN_TAG, stop)
    return blocks


def final_text(thought: str) -> str | None:
    """The text after ``最终 prose:`` / ``Final prose:``, to the closing tag, the self-check or the end.

    Only one line break after the label and one before what closes it are taken off (CRLF is one); every other byte
    stays. The last such label counts. None if there is none.
    """
    span = _final_span(thought)
    return None if span is None else thought[span[0] : span[1]]


def compose_thought(steps: Mapping[str, str], summary: str, language: Language, *, self_check: str = "") -> str:
    """A thought with all labels in order. ``steps`` maps ``1a``, ``1b``, ``2``, ``3``, ``3f``, ``4``, ``5`` to what
    stands under each label; ``final_text`` of the result is ``summary``, byte for byte."""
    words = lexicon(language)
    keys = ("1a", "1b", "2", "3", "3f", "4", "5")
    parts = [f"{label[0]}\n{steps[key]}" for label, key in zip(words.steps, keys, strict=False)]
    parts.append(f"{words.steps[-1][0]}\n{words.labels.final[0]}:\n{summary}")
    if self_check:
        parts.append(f"{words.labels.self_check[0]}: {self_check}")
    return f"{OPEN_TAG}\n" + "\n".join(parts) + f"\n{CLOSE_TAG}"


def parse_thought(thought: str, language: Language) -> Thought:
    """The labelled steps of a thought, and its final text."""
    marks = list(_labels(thought, language))
    span = _final_span(thought)
    close = thought.rfind(CLOSE_TAG)
    limit = close if close >= 0 else len(thought)
    steps: list[ThoughtStep] = []
    for index, (label, _, begin) in enumerate(marks):
        end = marks[index + 1][1] if index + 1 < len(marks) else limit
        end = max(begin, end)
        steps.append(ThoughtStep(label, thought[begin:end], (begin, end)))
    return Thought(tuple(steps), final_text(thought), span)


def _labels(thought: str, language: Language) -> Iterator[tuple[str, int, int]]:
    """(label, start of its line, end of the label) for each step label that begins a line."""
    steps = lexicon(language).steps
    firsts = _first_characters(tuple(name for names in steps for name in names))
    for line in lines(thought):
        if line.text.lstrip(_DRESS)[:1].lower() not in firsts:
            continue
        for names in steps:
            end = next((e for name in names if (e := _label_end(line, name)) is not None), None)
            if end is not None:
                yield names[0], line.start, end
                break


@cache
def _first_characters(names: Words) -> frozenset[str]:
    """What a line with one of these labels begins with; spares most lines a closer look."""
    return frozenset(name[:1].lower() for name in names)


def _label_end(line: Line, name: str, *, colon: bool = False) -> int | None:
    """Where the content after a label begins; None if the line doesn't begin with the label."""
    begin = len(line.text) - len(line.text.lstrip(_DRESS))
    if line.text[begin : begin + len(name)].lower() != name.lower():
        return None
    at = begin + len(name)
    while at < len(line.text) and line.text[at] in "*_`":
        at += 1
    has_colon = line.text[at : at + 1] in (":", "：") and at < len(line.text)
    if has_colon:
        at += 1
        while at < len(line.text) and line.text[at] in "*_`":
            at += 1
    elif colon or line.text[at : at + 1].isalnum():
        return None
    return line.start + at


@dataclass(frozen=True, slots=True)
class LabelPlaces:
    """Where a thought's last labels stand: (start of the line, end of the label); starts of ``Step 6`` lines."""

    finals: tuple[tuple[int, int], ...]
    checks: tuple[tuple[int, int], ...]
    last_step: tuple[int, ...]


def label_places(thought: str, language: Language) -> LabelPlaces:
    """All labels of the final text, and those of the self-check outside it."""
    names = _final_labels()
    finals: list[tuple[int, int]] = []
    checks: list[tuple[int, int]] = []
    steps: list[int] = []
    span = _final_span(thought)
    firsts = _opening_characters(names)
    for line in lines(thought):
        if (span is not None and span[0] <= line.start < span[1]) or _opening(line) not in firsts:
            continue
        after = _final_label_end(line, names)
        if after is not None:
            finals.append((line.start, after))
        check = next((e for n in names.self_check if (e := _label_end(line, n, colon=True)) is not None), None)
        if check is not None:
            checks.append((line.start, check))
        if any(_label_end(line, name) is not None for name in lexicon(language).steps[-1]):
            steps.append(line.start)
    return LabelPlaces(tuple(finals), tuple(checks), tuple(steps))


@dataclass(frozen=True, slots=True)
class _FinalLabels:
    final: Words
    step: re.Pattern[str]
    self_check: Words


@cache
def _final_labels() -> _FinalLabels:
    """Both languages' labels: which story a thought belongs to doesn't change where its final text stands."""
    packs = [lexicon(language).labels for language in _LANGUAGES]
    finals = tuple(sorted((w for p in packs for w in p.final), key=len, reverse=True))
    checks = tuple(sorted((w for p in packs for w in p.self_check), key=len, reverse=True))
    return _FinalLabels(finals, re.compile(r"[ \t#*_>`~\-]{0,12}Step 6[\s:：*_`.·\-—]{0,8}", re.IGNORECASE), checks)


def _final_span(thought: str) -> tuple[int, int] | None:
    labels = _final_labels()
    begin: int | None = None
    stop: int | None = None
    firsts = _opening_characters(labels)
    for line in lines(thought):
        if _opening(line) not in firsts:
            continue
        after = _final_label_end(line, labels)
        if after is not None:
            begin, stop = after, None
        elif (
            begin is not None
            and stop is None
            and any(_label_end(line, name, colon=True) is not None for name in labels.self_check)
        ):
            stop = line.start
    if begin is None:
        return None
    close = thought.find(CLOSE_TAG, begin)
    ends = [end for end in (stop, close if close >= 0 else None) if end is not None]
    return _without_one_break(thought, begin, min(ends, default=len(thought)))


def _opening(line: Line) -> str:
    return line.text.lstrip(_DRESS)[:1].lower()


def _opening_characters(labels: _FinalLabels) -> frozenset[str]:
    """First characters of all that may open a line of interest: a final label, a self-check, ``Step 6``, a tag."""
    return _first_characters((*labels.final, *labels.self_check, "s", "<"))


def _final_label_end(line: Line, labels: _FinalLabels) -> int | None:
    opening = len(line.text) - len(line.text.lstrip().removeprefix(OPEN_TAG))
    step = labels.step.match(line.text, opening)
    skipped = step.end() if step else opening
    bare = Line(line.start + skipped, line.end, line.text[skipped:])
    return next((e for name in labels.final if (e := _label_end(bare, name, colon=True)) is not None), None)


def _without_one_break(text: str, begin: int, end: int) -> tuple[int, int]:
    if text.startswith("\r\n", begin, end):
        begin += 2
    elif text.startswith("\n", begin, end):
        begin += 1
    if end > begin and text[end - 1] == "\n":
        end -= 2 if end - 2 >= begin and text[end - 2] == "\r" else 1
    return begin, end
