"""What a file holds by its own bytes, counted without the readers: the measure that they are held against.

Deliberately simple: a second, independent look, so that a reader's mistake can't hide behind itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from talekeeper.memory.errors import InputError

_HEADING = re.compile(r"^[\s【＃#]*第\s?([零〇一二三四五六七八九十百千两\d０-９]+)\s?[章回节]", re.MULTILINE)
_SPEECH = re.compile(r"^([^\s:：][^:：\n]{0,38})[:：] ?\S", re.MULTILINE)
_TEXT_KEYS = (("role", "content"), ("from", "value"), ("speaker", "text"), ("handle", "msg"), ("role", "data"))


@dataclass(frozen=True, slots=True)
class OwnCounts:
    """Messages (or chapters) in a file; for JSON Lines also lines, hidden rows, rejected swipes and broken lines."""

    messages: int
    rows: int | None = None
    hidden: int = 0
    swipes: int = 0
    damaged: tuple[int, ...] = ()


def own_counts(path: Path) -> OwnCounts:
    """Count what stands in a chat, a transcript, a novel or a folder of chapters.

    Raises:
        InputError: there is nothing to count in it.
    """
    if path.is_dir():
        return _folder(path)
    text = _text(path.read_bytes())
    if path.suffix == ".jsonl":
        counted = _lines(text)
    elif path.suffix == ".json":
        counted = OwnCounts(sum(_in_document(json.loads(text))))
    else:
        counted = OwnCounts(len(set(_HEADING.findall(text))) or _speeches(text))
    if not counted.messages:
        raise InputError(f"{path.name} holds no message and no chapter.")
    return counted


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030")


def _folder(path: Path) -> OwnCounts:
    """Chapters: the Markdown files of the folder that holds most of them, those without a number left out."""
    folders = {file.parent for file in path.rglob("*.md")}
    counts = [sum(bool(re.search(r"\d", f.stem)) for f in folder.glob("*.md")) for folder in folders]
    return OwnCounts(max(counts, default=0))


def _lines(text: str) -> OwnCounts:
    lines = text.split("\n")
    lines = lines[:-1] if not lines[-1].strip() else lines
    damaged, rows = [], []
    for number, line in enumerate(lines, start=1):
        try:
            rows.append(json.loads(line))
        except ValueError:
            damaged.append(number)
    messages = [row for row in rows if isinstance(row, dict) and ("mes" in row or "role" in row)]
    return OwnCounts(
        messages=len(messages),
        rows=len(lines),
        hidden=sum(row.get("is_system") is True for row in messages),
        swipes=sum(len(row["swipes"]) - 1 for row in messages if row.get("swipes")),
        damaged=tuple(damaged),
    )


def _in_document(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        for item in value:
            yield from _in_document(item)
    elif isinstance(value, dict):
        wrapped = value.get("data")
        if any(a in value and isinstance(value.get(b), str) for a, b in _TEXT_KEYS):
            yield 1
        elif "query" in value and "response" in value:
            yield 2
        elif "type" in value and isinstance(wrapped, dict) and "content" in wrapped:
            yield 1
        else:
            for item in value.values():
                yield from _in_document(item)


def _speeches(text: str) -> int:
    """Messages of a transcript: lines opened by a name that opens at least a tenth of all such lines."""
    names = [match.group(1) for match in _SPEECH.finditer(text)]
    return sum(names.count(name) for name in set(names) if names.count(name) * 10 >= len(names))
