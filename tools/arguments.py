"""Reading what an agent sent: a wrong shape is put right where that is safe, and named clearly where it isn't.

Models send a string where a list is due, JSON text where an object is due, a number where text is due. All of these
have one reading. Anything with two readings is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from talekeeper.memory.models import Language
from talekeeper.memory.schema import NodeType
from talekeeper.memory.text import fold
from talekeeper.rules.model import Violation
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.phrases import violation

_NAMES = re.compile(r"[、,，;；|/／\n]")
_LISTED = re.compile(r"[、;；|\n]")
_LINES = re.compile(r"\n")
_IDS = re.compile(r"[\s、,，;；]+")
_SEPARATORS = {"aliases": _NAMES, "language_sample": _LINES}


def as_mapping(value: object, name: str) -> dict[str, Any]:
    """An object, from an object or from its JSON text; None is the empty object.

    Raises:
        ArgumentRefused: it is something else.
    """
    decoded = _decoded(value)
    if decoded is None or decoded == "":
        return {}
    if isinstance(decoded, Mapping):
        return {str(key): item for key, item in decoded.items()}
    raise ArgumentRefused(f"Argument {name} must be an object, not {shape(value)}.", hint=f'Send {name}: {{"…": "…"}}.')


def as_list(value: object, name: str) -> list[Any]:
    """A list, from a list, its JSON text, or a single item; None is the empty list."""
    decoded = _decoded(value)
    if decoded is None or decoded == "":
        return []
    if isinstance(decoded, Sequence) and not isinstance(decoded, str | bytes):
        return list(decoded)
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
    return items


def as_text(value: object, name: str) -> str:
    """A string; numbers are written out, None is empty."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise ArgumentRefused(f"Argument {name} must be a string, not {shape(value)}.")


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
    """What was sent, in few words."""
    kinds = {"str": "text", "dict": "an object", "list": "a list", "int": "a number", "float": "a number"}
    return f"{kinds.get(type(value).__name__, type(value).__name__)} ({str(value)[:40]!r})"


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
        elif value is None or value in ("", [], {}):
            result.faults.append(violation("empty_value", language, where=where, column=column))
        elif column in spec.list_columns:
            listed = _listed(column, value)
            if listed is None:
                fault = violation("value_unreadable", language, where=where, column=column, given=shape(value))
                result.faults.append(fault)
            else:
                result.values[column] = listed
        else:
            text = _single(value)
            if text is None:
                fault = violation("list_expected", language, where=where, column=column, given=shape(value))
                result.faults.append(fault)
            else:
                result.values[column] = text
    return result


def merged_names(before: Sequence[str], added: Sequence[str]) -> list[str]:
    """Both lists, without a name that is the same after folding."""
    merged: dict[str, str] = {}
    for name in [*before, *added]:
        merged.setdefault(fold(name), name)
    return list(merged.values())


def _listed(column: str, value: Any) -> list[str] | None:
    decoded = _decoded(value)
    items = decoded if isinstance(decoded, list | tuple) else [decoded]
    if not all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in items):
        return None
    separator = _SEPARATORS.get(column, _LISTED)
    parts = [part.strip() for item in items for part in separator.split(str(item))]
    return merged_names((), [part for part in parts if part])


def _single(value: Any) -> str | None:
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value).strip()


def _decoded(value: object) -> object:
    """JSON text of an object or a list, decoded; anything else as it is."""
    if isinstance(value, str) and value.strip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except json.JSONDecodeError:
            return value
    return value
