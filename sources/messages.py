"""Lists of messages as model APIs and tuning sets hold them: OpenAI, LangChain, ShareGPT; as JSON or JSON Lines.

System prompts, tool calls and tool results are kept as raw rows and never curated: they steer a model, no story happens
in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from talekeeper.memory.models import Role
from talekeeper.sources.dates import parse_date
from talekeeper.sources.report import Chat, Row, listed, shown
from talekeeper.sources.words import word_set


def _roles(kind: str) -> frozenset[str]:
    return word_set("chats", f"{kind}_roles")


def role_of(entry: Mapping[str, Any]) -> str | None:
    """The role of a message of any of these shapes, in lower case; None if it's no such message."""
    if "lc" in entry and isinstance(entry.get("kwargs"), dict):
        name = entry["id"][-1] if isinstance(entry.get("id"), list) and entry["id"] else ""
        role: Any = str(name).removesuffix("Chunk").removesuffix("Message")
    else:
        role = entry.get("role", entry.get("from", entry.get("type")))
    if not isinstance(role, str):
        return None
    role = role.strip().lower()
    if role == "chat" and isinstance(entry.get("data"), dict):
        role = str(entry["data"].get("role", "")).strip().lower()
    has_text = any(key in entry for key in ("content", "value", "data", "kwargs", "parts", "tool_calls", "text"))
    known = any(role in _roles(kind) for kind in ("user", "character", "other"))
    return role if known and has_text else None


def read_messages(entries: Iterable[tuple[int, Any]], title: str, format: str) -> Chat:
    """A chat from numbered entries; what isn't a message is reported as damaged."""
    chat = Chat(format, title)
    for number, entry in entries:
        chat.total += 1
        if isinstance(entry, str):
            chat.damage(number, entry)  # a line that JSONL reading refused
            continue
        if entry is None:
            chat.blank += 1
            continue
        role = role_of(entry) if isinstance(entry, dict) else None
        if role is None:
            chat.damage(number, _strange(entry), shown(entry))
            continue
        chat.rows.append(_read(entry, role, number))
    return chat


def _strange(entry: object) -> str:
    if isinstance(entry, dict):
        return f"no message: keys {listed([str(key) for key in entry]) or 'none'}, role {entry.get('role')!r}"[:200]
    return f"no message: a JSON {type(entry).__name__}"


def _read(entry: Mapping[str, Any], role: str, number: int) -> Row:
    inner = entry
    for key in ("data", "kwargs"):
        if isinstance(entry.get(key), dict):
            inner = entry[key]
    text = next((content_text(inner[key]) for key in ("content", "value", "parts", "text") if key in inner), "")
    name = next((value for key in ("name", "author") if isinstance(value := inner.get(key), str)), "")
    mapped: Role = "user" if role in _roles("user") else "character" if role in _roles("character") else "system"
    dates = (inner.get(key, entry.get(key)) for key in ("timestamp", "created_at", "create_time", "date", "time"))
    sent_at = next((date for value in dates if (date := parse_date(value))), None)
    return Row(mapped, name, text, notice=mapped == "system", sent_at=sent_at, line=number)


def content_text(content: object) -> str:
    """The text of a message's content: a string, or parts of which the textual ones count; None is no text."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, Sequence):
        return ""
    parts: list[str] = []
    for part in content:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, Mapping) and part.get("type", "text") in ("text", "input_text", "output_text"):
            text = part.get("text")
            text = text.get("value") if isinstance(text, Mapping) else text
            parts.append(text if isinstance(text, str) else "")
    return "\n".join(part for part in parts if part)
