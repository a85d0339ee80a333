"""JSON Lines as chats really have them: a line that's broken costs itself alone, and says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from talekeeper.memory.errors import InputError
from talekeeper.sources.decode import join_surrogates

MAX_ROWS_ON_A_LINE = 100_000
_DECODER = json.JSONDecoder(strict=False)
_TRAILING_COMMA = re.compile(r'"(?:[^"\\]++|\\.)*+"|,(?=\s*[}\]])', re.DOTALL)
_BEGUN = frozenset(word[:length] for word in ("true", "false", "null", "-") for length in range(len(word)))
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_BLANKS = " \t\r\n\ufeff\u200b\x00"


@dataclass(frozen=True, slots=True)
class Line:
    """One object of a JSONL file. ``value`` is None where ``error`` tells why; ``note`` tells what was mended."""

    number: int
    text: str
    value: dict[str, Any] | None = None
    error: str = ""
    note: str = ""

    @property
    def blank(self) -> bool:
        return self.value is None and not self.error


def read_lines(text: str) -> Iterator[Line]:
    """The rows of a JSONL text, by line. Only line feeds part rows: U+2028 may stand inside a message.

    Two whole objects run together on one line give two rows with the same number.
    """
    parts = text.split("\n") if "\n" in text or "\r" not in text else text.split("\r")
    if parts and not parts[-1].strip(_BLANKS):
        parts.pop()
    for number, part in enumerate(parts, start=1):
        line = part.strip(_BLANKS)
        if line:
            yield from _read_line(number, line)
        else:
            yield Line(number, part)


def _read_line(number: int, line: str) -> Iterator[Line]:
    try:
        value, end = _DECODER.raw_decode(line)
        value = _whole(line, value)
    except (ValueError, RecursionError) as error:
        yield _mended(number, line) or Line(number, line, error=_reason(error, line))
        return
    after = _next_row(line, end)
    if not isinstance(value, dict):
        yield Line(number, line, error=f"a JSON {type(value).__name__}, not an object")
    elif after == len(line):
        yield Line(number, line, value, note="a comma after the row was passed over" if "," in line[end:] else "")
    else:
        yield from _run_together(number, line, value, after)


def _run_together(number: int, line: str, first: dict[str, Any], position: int) -> Iterator[Line]:
    rows = [first]
    escaped = _ESCAPED_SURROGATE.search(line) is not None
    while position < len(line):
        try:
            value, position = _DECODER.raw_decode(line, position)
            value = _joined(value) if escaped else value
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            yield Line(number, line, error="two rows run together, one of them broken")
            return
        rows.append(value)
        if len(rows) > MAX_ROWS_ON_A_LINE:
            yield Line(number, line, error=f"more than {MAX_ROWS_ON_A_LINE:,} rows run together")
            return
        position = _next_row(line, position)
    note = f"{len(rows)} rows stood on this line; each was read"
    for row in rows:
        yield Line(number, line, row, note=note)
        note = ""


def _next_row(line: str, position: int) -> int:
    while position < len(line) and line[position] in _BLANKS + ",":
        position += 1
    return position


def _mended(number: int, line: str) -> Line | None:
    """A row whose only fault is a comma before a closing bracket: taking it off loses nothing."""
    repaired = _TRAILING_COMMA.sub(lambda match: match.group() if match.group()[0] == '"' else "", line.rstrip(","))
    if repaired == line:
        return None
    try:
        value = _whole(repaired, _DECODER.decode(repaired))
    except (ValueError, RecursionError):
        return None
    return Line(number, line, value, note="a trailing comma was mended") if isinstance(value, dict) else None


def _reason(error: Exception, line: str) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if not isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error}"
    if error.msg.startswith("Unterminated") or line[error.pos :] in _BEGUN:
        return "cut off before its end"
    return f"not valid JSON: {error.msg} (column {error.colno})"


def _whole(line: str, value: Any) -> Any:
    """The value with surrogates joined in every text, so that it can be written anywhere.

    The file's own text holds none: only escapes can.
    """
    return _joined(value) if _ESCAPED_SURROGATE.search(line) else value


def _joined(value: Any) -> Any:
    if isinstance(value, str):
        return join_surrogates(value)
    if isinstance(value, list):
        return [_joined(item) for item in value]
    if isinstance(value, dict):
        return {join_surrogates(key): _joined(item) for key, item in value.items()}
    return value


def load_json(text: str, where: str) -> Any:
    """A whole JSON document.

    Raises:
        InputError: with line, column and cause; nothing of a broken document is read.
    """
    try:
        return _whole(text, _DECODER.decode(text.strip(_BLANKS)))
    except json.JSONDecodeError as error:
        near = text[max(0, error.pos - 20) : error.pos + 20].replace("\n", " ")
        raise InputError(
            f"{where} is broken JSON at line {error.lineno}, column {error.colno}: {error.msg} (near {near!r}).",
            hint="Mend it (a trailing comma is the usual cause) and read it again; nothing was taken from it.",
        ) from error
    except RecursionError as error:
        raise InputError(f"{where} is JSON nested too deeply to be a chat.") from error
    except ValueError as error:
        raise InputError(f"{where} is broken JSON: {error}.") from error
