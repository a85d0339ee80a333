"""Reading what an agent sent: a wrong shape is put right where that is safe, and named clearly where it isn't.

Models send a string where a list is due, JSON text where an object is due, a number where text is due. All of these
have one reading. Anything with two readings is refused.
"""

from __future__ import annotations

import json
import re
import reprlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from talekeeper.memory.models import Language
from talekeeper.memory.schema import NodeType
from talekeeper.memory.text import clean, fold
from talekeeper.rules.model import Violation
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.phrases import violation

_NAMES = re.compile(r"[、,，;；|/／\n]")
_LISTED = re.compile(r"[、;；|\n]")
_LINES = re.compile(r"\n")
_IDS = re.compile(r"[\s、,，;；]+")
_SEPARATORS = {"aliases": _NAMES, "language_sample": _LINES}
_ALIASES, _SUMMARY, _TITLE = "aliases", "summary", "title"
LONGEST_NAME = 200
LONGEST_VALUE = 20_000
"""Characters in one column; nothing that is worth remembering is longer."""
_LONGEST_TEXT = 2_000_000
_DEEPEST = 12
_MOST_ITEMS = 500
_LONGEST_NUMBER = 10**40


def as_mapping(value: object, name: str) -> dict[str, Any]:
    """An object, from an object or from its JSON text; None is the empty object.

    Raises:
        ArgumentRefused: it is something else.
    """
    decoded = _fit(_decoded(value), name)
    if decoded is None or decoded == "":
        return {}
    if isinstance(decoded, Mapping):
        return dict(decoded)
    raise ArgumentRefused(f"Argument {name} must be an object, not {shape(value)}.", hint=f'Send {name}: {{"…": "…"}}.')


def as_list(value: object, name: str) -> list[Any]:
    """A list, from a list, its JSON text, or a single item; None is the empty list."""
    decoded = _fit(_decoded(value), name)
    if decoded is None or decoded == "":
        return []
    if isinstance(decoded, Sequence) and not isinstance(decoded, str | bytes):
        return _few(decoded, name)
    if isinstance(decoded, str | Mapping):
        return [decoded]
    raise ArgumentRefused(f"Argument {name} must be a list, not {shape(value)}.", hint=f'Send {name}: ["…"].')


def as_names(value: object, name: str) -> list[str]:
    """A list of ids, columns or types; a joined string is split."""
    items: list[str] = []
    for item in as_list(value, name):
        if not isinstance(item, str):
            raise ArgumentRefused(f"Argument {name} must hold strings, not {shape(item)}.", hint=f'Send {name}: ["…"].')
        items.extend(part for part in _IDS.split(item.strip()) if part)
    return _few(items, name)


def _few(items: Sequence[Any], name: str) -> list[Any]:
    if len(items) > _MOST_ITEMS:
        raise ArgumentRefused(f"Argument {name} has {len(items)} items; at most {_MOST_ITEMS} are read.")
    return list(items)


def as_text(value: object, name: str) -> str:
    """A string; numbers are written out, None is empty."""
    if value is None:
        return ""
    text = _written(value)
    if text is None:
        raise ArgumentRefused(f"Argument {name} must be a string, not {shape(value)}.")
    if len(text) > _LONGEST_TEXT:
        raise ArgumentRefused(f"Argument {name} has {len(text)} characters; at most {_LONGEST_TEXT} are read.")
    return clean(text)


def as_name(value: object, name: str) -> str:
    """A name without characters that nobody sees: they would make two names of one.

    Raises:
        ArgumentRefused: it isn't a string, or longer than any name is.
    """
    text = visible_name(as_text(value, name))
    if len(text) > LONGEST_NAME:
        raise ArgumentRefused(f"Argument {name} has {len(text)} characters; a name has at most {LONGEST_NAME}.")
    return text


def visible_name(text: str) -> str:
    """``text`` less control and format characters (zero-width spaces, direction marks), stripped."""
    kept = (c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf"))
    return "".join(kept).strip()


def as_int(value: object, name: str, *, low: int, high: int) -> int:
    """A whole number within bounds, from a number or its digits."""
    try:
        number = int(str(value))
    except ValueError:
        raise ArgumentRefused(f"Argument {name} must be a whole number, not {shape(value)}.") from None
    if not low <= number <= high:
        raise ArgumentRefused(f"Argument {name} must lie between {low} and {high}, not {number}.")
    return number


def as_flag(value: object, name: str) -> bool:
    """A yes or no, from a boolean or its word."""
    if isinstance(value, bool):
        return value
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    flag = words.get(str(value).strip().casefold())
    if flag is None:
        raise ArgumentRefused(f"Argument {name} must be true or false, not {shape(value)}.")
    return flag


def shape(value: object) -> str:
    """What was sent, in few words, however long or deep it is."""
    kinds = {"str": "text", "dict": "an object", "list": "a list", "int": "a number", "float": "a number"}
    try:
        shown = value if isinstance(value, str) else reprlib.repr(value)
    except ValueError:  # a number of more digits than Python writes out, somewhere in it
        shown = "…"
    return f"{kinds.get(type(value).__name__, type(value).__name__)} ({clean(shown[:40])!r})"


@dataclass
class FieldValues:
    """Columns as sent, in the form that the store keeps; ``faults`` are values that can't be read."""

    values: dict[str, Any] = field(default_factory=dict)
    faults: list[Violation] = field(default_factory=list)


def read_fields(spec: NodeType, sent: Mapping[str, Any], language: Language) -> FieldValues:
    """Bring values into their column's form: lists for list columns, stripped text for the others.

    Columns that the type doesn't have are kept as they are: it is for rule N1 to refuse them.
    """
    result = FieldValues()
    for column, value in sent.items():
        where = f"fields.{column}"
        if column not in spec.table_columns:
            result.values[column] = value
            continue
        listed = column in spec.list_columns
        read = _listed(column, value) if listed else _single(column, value)
        if value is None or _nothing(read):
            result.faults.append(violation("empty_value", language, where=where, column=column))
        elif read is None:
            given = shape(value)
            if listed:
                fault = violation("value_unreadable", language, where=where, column=column, given=given)
            else:
                fault = violation("list_expected", language, where=where, column=column, given=given)
            result.faults.append(fault)
        elif (size := sum(map(len, read)) if isinstance(read, list) else len(read)) > LONGEST_VALUE:
            fault = violation("value_too_long", language, where=where, column=column, count=size, limit=LONGEST_VALUE)
            result.faults.append(fault)
        else:
            result.values[column] = read
    return result


def without_nothing(spec: NodeType, fields: Mapping[str, Any]) -> dict[str, Any]:
    """A create that leaves columns empty, in whatever form, says nothing about them."""

    def says(column: str, value: Any) -> bool:
        if column not in spec.table_columns:
            return value not in (None, "", [], {})
        read = _listed(column, value) if column in spec.list_columns else _single(column, value)
        return value is not None and not _nothing(read)

    return {column: value for column, value in fields.items() if says(column, value)}


def merged_names(before: Sequence[str], added: Sequence[str]) -> list[str]:
    """Both lists, without a name that is the same after folding."""
    merged: dict[str, str] = {}
    for name in [*before, *added]:
        merged.setdefault(fold(name), name)
    return list(merged.values())


def _listed(column: str, value: Any) -> list[str] | None:
    """A list column's items; None where they can't be read."""
    decoded = _decoded(value)
    items = decoded if isinstance(decoded, list | tuple) else [decoded]
    texts = [_written(item) for item in items if item not in ({}, None) or len(items) > 1]
    if any(text is None for text in texts):
        return None
    separator = _SEPARATORS.get(column, _LISTED)
    parts = [part.strip() for text in texts if text for part in separator.split(clean(text))]
    if column == _ALIASES:
        parts = [visible_name(part) for part in parts]
    return merged_names((), [part for part in parts if part])


def _single(column: str, value: Any) -> str | None:
    """A text column's value, stripped unless it is a summary (T8: byte for byte); None where it isn't one text."""
    value = _decoded(value)
    if isinstance(value, list | tuple | dict) and not value:
        return ""
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    text = _written(value)
    if text is None:
        return None
    if column == _SUMMARY:
        return clean(text)
    return visible_name(text) if column == _TITLE else clean(text).strip()


def _nothing(read: str | list[str] | None) -> bool:
    """Read well, and nothing in it that anybody could see."""
    return read is not None and not visible_name("".join(read))


def _written(value: object) -> str | None:
    """Text or a number as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, int) and abs(value) >= _LONGEST_NUMBER:
        return None
    return str(value)


def _decoded(value: object) -> object:
    """JSON text of an object or a list, decoded; anything else as it is."""
    if isinstance(value, str) and value.strip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _fit(value: Any, name: str, depth: int = 0) -> Any:
    """``value`` with text that can be stored and keys that are text.

    Raises:
        ArgumentRefused: it is nested deeper than any argument has reason to be.
    """
    if depth > _DEEPEST:
        raise ArgumentRefused(f"Argument {name} is nested more than {_DEEPEST} deep.")
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        rows = ((key if isinstance(key, str) else shape(key), item) for key, item in value.items())
        return {clean(key): _fit(item, name, depth + 1) for key, item in rows}
    if isinstance(value, list | tuple):
        return [_fit(item, name, depth + 1) for item in value]
    return value
