"""Cuts a unit into narration and speech, with code-point offsets into ``Unit.text``.

Dialogue must never reach a summary, so the cut is made once, here, and everything else sees which side it is on.
Quoted text is masked, not removed: offsets stay true, and a sentence that only introduces speech is still recognised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from talekeeper.agents.builtin.verbs_en import is_past
from talekeeper.agents.builtin.words import Words
from talekeeper.memory.models import Message, Unit

MASK = "\x01"
"""Stands for one character of quoted text."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence outside quotes (quoted parts masked), or one whole stretch of speech.

    Attributes:
        unit: index of the unit in the batch; start, end: code points of that unit's text.
        speaker: name of the message's author, empty in a chapter.
        user: whether the message is the user's.
    """

    kind: Literal["narration", "speech"]
    text: str
    unit: int
    start: int
    end: int
    speaker: str = ""
    user: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted stretch: ``text`` without its marks."""

    text: str
    unit: int
    start: int
    end: int
    speaker: str = ""


def split_unit(unit: Unit, index: int, words: Words) -> tuple[list[Sentence], list[Quote]]:
    """All sentences and quotations of a unit, in order."""
    sentences: list[Sentence] = []
    quotes: list[Quote] = []
    for message, start in bodies(unit):
        _split_message(message, unit, start, index, words, sentences, quotes)
    return sentences, quotes


def bodies(unit: Unit) -> Iterator[tuple[Message, int]]:
    """Each shown message with the offset of its body in ``unit.text``."""
    offset = 0
    for message in unit.messages:
        if not message.text:
            continue
        prefix = f"{message.name}: " if unit.kind == "turn" and message.name else ""
        yield message, offset + len(prefix)
        offset += len(prefix) + len(message.text) + 2


def _split_message(
    message: Message,
    unit: Unit,
    base: int,
    index: int,
    words: Words,
    sentences: list[Sentence],
    quotes: list[Quote],
) -> None:
    name = message.name if unit.kind == "turn" else ""
    masked, spans = mask_quotes(message.text, words)
    head = header_end(message.text, words)
    quotes.extend(Quote(message.text[a + 1 : b - 1], index, base + a, base + b, name) for a, b in spans)
    spoken = unit.kind == "turn" and not spans and _is_conversation(message.text, words)
    kind: Literal["narration", "speech"] = "speech" if spoken else "narration"
    for start, end in sentence_spans(masked, words, head):
        text = masked[start:end]
        if text.strip(MASK + ' \t\n*_“”"「」『』'):
            sentences.append(Sentence(kind, text, index, base + start, base + end, name, message.role == "user"))


def _is_conversation(text: str, words: Words) -> bool:
    """A chat line without quotation marks is speech when it talks to somebody or of itself, without stage marks."""
    if "*" in text or text.lstrip().startswith(("（", "(")):
        return False
    if words.language == "zh":
        return bool(re.search("[你您我吗吧呢啊咱]", text))
    if re.search(r"\b(?:I|I'm|I've|you|your|my|me|we|us)\b", text, re.IGNORECASE):
        return True
    return len(text) < 120 and not _tells_a_story(text)


_TELLER = r"(?:[Tt]he [a-z]+|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?(?:, [a-z ]+,)?|[Hh]e|[Ss]he|[Ss]omebody)"
_TELLING = re.compile(rf"(?:^|[.;]\s){_TELLER}\s(?P<verb>[a-z]+)\b")


def _tells_a_story(text: str) -> bool:
    """Whether a short English text says in the past tense what somebody did: Mara took the key."""
    return "!" not in text and any(is_past(m["verb"]) for m in _TELLING.finditer(text))


def mask_quotes(text: str, words: Words) -> tuple[str, list[tuple[int, int]]]:
    """``text`` with every quoted inside masked, and the quotes' spans, marks included.

    A mark left open closes at the end of its paragraph, so that one missing mark can't swallow a chapter.
    """
    chars = list(text)
    terminals = words.set("terminals")
    spans: list[tuple[int, int]] = []
    pairs = {mark[0]: mark[1] for mark in words.list("quotes")}
    at = 0
    while at < len(chars):
        close = pairs.get(chars[at])
        if close is None:
            at += 1
            continue
        stop = _closing(text, at, close)
        ends_sentence = chars[stop - 2] in terminals  # stays visible: the sentence outside ends with it
        for i in range(at + 1, stop - (2 if ends_sentence else 1)):
            chars[i] = MASK
        if stop - at > 2:
            spans.append((at, stop))
        at = stop
    return "".join(chars), spans


def _closing(text: str, start: int, close: str) -> int:
    paragraph = text.find("\n", start)
    paragraph = len(text) if paragraph < 0 else paragraph
    depth, opening = 0, text[start]
    for i in range(start + 1, paragraph):
        if text[i] == close:
            if depth == 0:
                return i + 1
            depth -= 1
        elif text[i] == opening:
            depth += 1
    return paragraph


_CLOSERS = '”」』’")）*_'
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|No|vs|etc)|\b[A-Z])\.$")


def header_end(text: str, words: Words) -> int:
    """Where the story begins in a message that opens with a bracketed line of time and place; else 0."""
    match = words.pattern("scene_header").match(text)
    return match.end() if match and re.search(r"[·・|｜]|\d", match["v"]) else 0


def sentence_spans(masked: str, words: Words, begin: int = 0) -> list[tuple[int, int]]:
    """Spans of sentences of a masked text: at terminals, line ends, and after a quotation that ends a sentence."""
    spans: list[tuple[int, int]] = []
    terminals = words.set("terminals")
    start = at = begin
    while at < len(masked):
        char = masked[at]
        if char == "\n":
            _add(spans, masked, start, at)
            start = at = at + 1
            continue
        if char in terminals and not _inside_word(masked, at, words):
            at += 1
            while at < len(masked) and masked[at] in terminals | set(_CLOSERS):
                at += 1
            _add(spans, masked, start, at)
            start = at
            continue
        at += 1
    _add(spans, masked, start, len(masked))
    return spans


def _inside_word(masked: str, at: int, words: Words) -> bool:
    if words.language == "zh" or masked[at] != ".":
        return False
    if at + 1 < len(masked) and not masked[at + 1].isspace() and masked[at + 1] not in _CLOSERS:
        return True
    return bool(_ABBREVIATION.search(masked[max(0, at - 5) : at + 1]))


def _add(spans: list[tuple[int, int]], masked: str, start: int, end: int) -> None:
    while start < end and masked[start].isspace():
        start += 1
    while end > start and masked[end - 1].isspace():
        end -= 1
    if end > start:
        spans.append((start, end))


def clauses(text: str, words: Words) -> list[str]:
    """A sentence cut at its commas and semicolons, marks dropped, blanks trimmed."""
    marks = re.escape(words.text("clause_marks"))
    cut = rf"[{marks}—]+" if words.language == "zh" else rf"[{marks}]\s+|\s*—\s*|\s+-\s+"
    return [part.strip(" \t\u3000*_~") for part in re.split(cut, text) if part.strip(" \t\u3000*_~")]
