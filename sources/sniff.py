"""What a text is, by what stands in it: a JSON document, JSON Lines, a transcript, or prose."""

from __future__ import annotations

import json
from enum import Enum

from talekeeper.memory.errors import InputError
from talekeeper.sources.named_text import find_speakers
from talekeeper.sources.novel import find_headings

FORMATS = (
    "sillytavern", "openai", "langchain", "sharegpt", "risu", "agnai", "kobold", "cai-tools", "webui", "locomo",
    "memorybank", "text", "novel", "chapters",
)  # fmt: skip
ACCEPTED = (
    "Accepted: SillyTavern chats (.jsonl), OpenAI-style messages (.json, .jsonl), ShareGPT, LangChain, RisuAI, Agnai, "
    "Kobold, CAI Tools, text-generation-webui, LoCoMo, MemoryBank, plain text with 'Name: …', a novel in one "
    "text file, a folder of chapters."
)
_SAMPLE_LINES = 60
_SAMPLE_CHARS = 400_000
_BLANKS = " \t\r\n\ufeff\u200b\x00"


class Shape(Enum):
    """The four ways in which a story stands in a text."""

    DOCUMENT = "document"
    LINES = "lines"
    TRANSCRIPT = "transcript"
    NOVEL = "novel"


def sniff_text(text: str, where: str, *, json_only: bool = False) -> Shape:
    """The shape of a text; ``json_only`` if it's known to be no prose.

    Raises:
        InputError: it should be JSON and holds none.
    """
    if (shape := _json_shape(text, where)) is not None:
        return shape
    if json_only or where.lower().endswith((".jsonl", ".json", ".ndjson")):
        start = text.strip(_BLANKS)[:40].replace("\n", " ")
        raise InputError(f"{where} holds no JSON (it begins {start!r}).", hint=ACCEPTED)
    return _prose_shape(text)


def _json_shape(text: str, where: str) -> Shape | None:
    """JSON Lines if one of the first lines is a whole object and others begin like one; a document by its start.

    A sound document is one even with one entry a line; a broken one is read by its lines, so that they aren't lost.
    """
    start = text.lstrip(_BLANKS)[:2]
    named = where.lower().endswith((".jsonl", ".ndjson"))
    if (start[:1] == "[" or (start[:1] == "{" and not named)) and _is_one_value(text):
        return Shape.DOCUMENT
    lines = _sample(text)
    opening = [line for line in lines if line.startswith("{")]
    whole = [line for line in opening if _is_object(line)]
    single = len(lines) == 1 and len(whole) == 1
    if whole and (named or (len(opening) >= 0.5 * len(lines) and not (single and start[0] == "{" and not named))):
        return Shape.LINES
    if named and opening and not start.startswith("["):
        return Shape.DOCUMENT if _is_object(text.strip(_BLANKS)) else Shape.LINES
    if start[:1] in ("{", "[") and (where.lower().endswith(".json") or _looks_like_json(start, text)):
        return Shape.DOCUMENT
    return None


def _sample(text: str) -> list[str]:
    """The first lines that aren't blank; a line is seen whole only if it ends within the sample or is the only one."""
    lines: list[str] = []
    position = 0
    while position < len(text) and len(lines) < _SAMPLE_LINES and (position < _SAMPLE_CHARS or not lines):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        if line := text[position:end].strip(_BLANKS):
            lines.append(line)
        position = end + 1
    return lines


def _is_object(line: str) -> bool:
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(value)


def _is_one_value(text: str) -> bool:
    try:
        return bool(json.JSONDecoder(strict=False).decode(text.strip(_BLANKS)))
    except (ValueError, RecursionError):
        return False


def _looks_like_json(start: str, text: str) -> bool:
    """``{"…`` or ``[{``: not a line of prose that begins with a bracket."""
    body = text.lstrip(_BLANKS)[1:200].lstrip(_BLANKS)
    return body.startswith('"') if start[0] == "{" else body[:1] in ("{", "[", "]") or body.startswith('"')


def _prose_shape(text: str) -> Shape:
    """A transcript if its messages outnumber its headings, else a novel."""
    speakers = find_speakers(text.replace("\r\n", "\n"))
    if not speakers:
        return Shape.NOVEL
    headings = len(find_headings(text.split("\n")))
    return Shape.TRANSCRIPT if sum(speakers.values()) > 3 * headings else Shape.NOVEL
