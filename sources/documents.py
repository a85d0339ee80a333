"""Which chat format a JSON document or a file of JSON Lines is in, told by the keys it has.

Keys are looked at from the most telling down: ``{"messages": [{"role", "content"}]}`` is a list of model messages,
though Agnai's export also keeps its chat under ``messages``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from talekeeper.memory.errors import InputError
from talekeeper.sources import programs
from talekeeper.sources.jsonl import Line
from talekeeper.sources.messages import read_messages, role_of
from talekeeper.sources.report import Chat, listed, shown
from talekeeper.sources.sillytavern import is_header, is_row, read_sillytavern
from talekeeper.sources.sniff import ACCEPTED

_MESSAGE_FORMATS = ("openai", "langchain", "sharegpt")


def read_json_lines(lines: Sequence[Line], path: Path, format: str | None) -> list[Chat]:
    """The chats in JSON Lines: SillyTavern's rows, a message of a model API a line, or a whole conversation a line.

    Raises:
        InputError: its rows are of none of these shapes.
    """
    values = [line.value for line in lines if line.value is not None]
    if not values:
        raise _unreadable(lines, path)
    chat_rows = sum(is_row(value) for value in values)
    api_rows = sum(role_of(value) is not None for value in values)
    headed = any(is_header(value) for value in values)
    if format == "sillytavern" or (format is None and (chat_rows or headed) and chat_rows >= api_rows):
        return [read_sillytavern(lines, path)]
    numbered = [(line.number, line.error or line.value) for line in lines]
    if api_rows and format in (None, *_MESSAGE_FORMATS):
        return [read_messages(numbered, path.stem, format or _flavour(values))]
    return _several(numbered, path, format) or _raise(_unknown(values[0], path))


def read_document(document: Any, path: Path, format: str | None) -> list[Chat]:
    """The chats in a JSON document.

    Raises:
        InputError: no known shape; the message names the keys that were seen.
    """
    if isinstance(document, dict) and document:
        if format in (None, "sillytavern") and is_row(document):
            return [read_sillytavern([Line(1, "", document)], path)]
        return _chats_of(document, path.stem, format) or _raise(_unknown(document, path))
    objects = [entry for entry in document if isinstance(entry, dict)] if isinstance(document, list) else []
    if not objects:
        raise _unknown(document, path)
    if _mostly_messages(document):
        flavour = format if format in _MESSAGE_FORMATS else _flavour(objects)
        return [read_messages(enumerate(document, start=1), path.stem, flavour)]
    if sum(is_row(entry) or is_header(entry) for entry in objects) * 2 > len(document):
        return [read_sillytavern((_line(i, entry) for i, entry in enumerate(document, start=1)), path)]
    return _several(list(enumerate(document, start=1)), path, format) or _raise(_unknown(objects[0], path))


def _raise(error: InputError) -> NoReturn:
    raise error


def _chats_of(document: dict[str, Any], title: str, format: str | None) -> list[Chat]:
    """The chats in one object; empty if its shape is unknown."""
    if format in _MESSAGE_FORMATS or (format is None and _mostly_messages(document.get("messages"))):
        return _read_conversation(document, title, format)
    reader = _READERS.get(format) if format else next((r for test, r in _TESTS if test(document)), None)
    return reader(document, title) if reader is not None else []


def _several(entries: Sequence[tuple[int, object]], path: Path, format: str | None) -> list[Chat]:
    """One chat or more from each entry; what is none is damage, on the account of the first chat."""
    chats: list[Chat] = []
    others: list[tuple[int, object]] = []
    whole = sum(isinstance(entry, dict) for _, entry in entries)
    for number, entry in entries:
        title = path.stem if whole == 1 else f"{path.stem} {number}"
        found = _chats_of(entry, title, format) if isinstance(entry, dict) and entry else []
        chats += found
        if not found:
            others.append((number, entry))
    for number, entry in others if chats else ():
        chats[0].total += 1
        if entry is None:
            chats[0].blank += 1
        else:
            chats[0].damage(number, entry if isinstance(entry, str) else "no conversation", shown(entry))
    return chats


def _line(number: int, entry: object) -> Line:
    if isinstance(entry, dict):
        return Line(number, "", entry)
    return Line(number, shown(entry), error=f"a JSON {type(entry).__name__}, not an object")


def _read_conversation(document: Mapping[str, Any], title: str, format: str | None) -> list[Chat]:
    entries = document.get("conversations", document.get("messages"))
    entries = entries if isinstance(entries, list) else []
    sharegpt = "conversations" in document
    flavour = format or ("sharegpt" if sharegpt else _flavour([e for e in entries if isinstance(e, dict)]))
    name = document.get("id") if isinstance(document.get("id"), str) else None
    return [read_messages(enumerate(entries, start=1), name or title, flavour)]


def _mostly_messages(entries: object) -> bool:
    if not isinstance(entries, list) or not entries:
        return False
    return sum(isinstance(entry, dict) and role_of(entry) is not None for entry in entries) * 2 > len(entries)


def _flavour(entries: Sequence[Mapping[str, Any]]) -> str:
    keys = Counter("sharegpt" if "from" in e else "openai" if "role" in e else "langchain" for e in entries)
    return keys.most_common(1)[0][0] if keys else "openai"


def _is_memorybank(document: Mapping[str, Any]) -> bool:
    return all(isinstance(value, dict) and isinstance(value.get("history"), dict) for value in document.values())


def _is_locomo(document: Mapping[str, Any]) -> bool:
    inner = document.get("conversation")
    return any(isinstance(d, dict) and isinstance(d.get("session_1"), list) for d in (document, inner))


def _is_kobold(document: Mapping[str, Any]) -> bool:
    return isinstance(document.get("actions"), list) and ("prompt" in document or "savedsettings" in document)


def _is_agnai(document: Mapping[str, Any]) -> bool:
    entries = document.get("messages")
    return isinstance(entries, list) and any(isinstance(entry, dict) and "msg" in entry for entry in entries)


Reader = Callable[[dict[str, Any], str], list[Chat]]


def _one(reader: Callable[[programs.Json, str], Chat]) -> Reader:
    return lambda document, title: [reader(document, title)]


_READERS: dict[str, Reader] = {
    "risu": _one(programs.read_risu),
    "agnai": _one(programs.read_agnai),
    "kobold": _one(programs.read_kobold),
    "cai-tools": programs.read_cai_tools,
    "webui": _one(programs.read_webui),
    "locomo": _one(programs.read_locomo),
    "memorybank": lambda document, _: programs.read_memorybank(document),
}
_TESTS: tuple[tuple[Callable[[dict[str, Any]], bool], Reader], ...] = (
    (lambda d: d.get("type") == "risuChat", _READERS["risu"]),
    (lambda d: isinstance(d.get("conversations"), list), lambda d, title: _read_conversation(d, title, None)),
    (_is_agnai, _READERS["agnai"]),
    (_is_kobold, _READERS["kobold"]),
    (lambda d: "histories" in d, _READERS["cai-tools"]),
    (lambda d: isinstance(d.get("data_visible", d.get("visible")), list), _READERS["webui"]),
    (_is_locomo, _READERS["locomo"]),
    (_is_memorybank, _READERS["memorybank"]),
)


def _unreadable(lines: Sequence[Line], path: Path) -> InputError:
    damaged = [line for line in lines if line.error]
    reasons = "; ".join(f"line {line.number}: {line.error}" for line in damaged[:3])
    more = f" and {len(damaged) - 3} more" if len(damaged) > 3 else ""
    return InputError(f"{path.name} holds no readable row ({reasons or 'all blank'}{more}).", hint=ACCEPTED)


def _unknown(document: object, path: Path) -> InputError:
    if not isinstance(document, dict) or not document:
        kind = "an empty object" if document == {} else f"a JSON {type(document).__name__}"
        return InputError(f"{path.name} holds {kind}, not a chat.", hint=ACCEPTED)
    keys = listed([str(key)[:40] for key in document], 8)
    for known, what in (
        ("spec", "a character card; cards can't be read yet"),
        ("first_mes", "a character card; cards can't be read yet"),
        ("entries", "a lorebook; lorebooks can't be read yet"),
        ("members", "a group's settings; its chat is the .jsonl that 'chats' names"),
        ("lorebookVersion", "a lorebook; lorebooks can't be read yet"),
    ):
        if known in document:
            return InputError(f"{path.name} is {what} (keys {keys}).", hint=ACCEPTED)
    return InputError(f"{path.name} is JSON of an unknown shape (keys {keys}).", hint=ACCEPTED)
