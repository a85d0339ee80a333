"""Chats of other programs, each a JSON document of its own shape.

RisuAI, Agnai, Kobold, CAI Tools, text-generation-webui, and two research sets: LoCoMo and MemoryBank.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from talekeeper.memory.models import Role
from talekeeper.sources.dates import parse_date
from talekeeper.sources.report import Chat, Row, shown

Json = Mapping[str, Any]
_SESSION = re.compile(r"session_(\d+)")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _add(
    chat: Chat, entry: object, text_key: str, role: Role, name: str, date: object = None, session: str | None = None
) -> None:
    """One entry as a row; an entry that isn't an object with a text is damaged."""
    chat.total += 1
    if not isinstance(entry, Mapping) or not isinstance(entry.get(text_key), str):
        chat.damage(chat.total, f"no message: no text under {text_key!r}", shown(entry))
        return
    chat.rows.append(Row(role, name, entry[text_key], sent_at=parse_date(date), line=chat.total, session=session))


def read_risu(document: Json, title: str) -> Chat:
    """RisuAI: ``{type: "risuChat", data: {message: [{role, data, saying, time}], name}}``."""
    data = document.get("data")
    data = data if isinstance(data, Mapping) else {}
    chat = Chat("risu", title)
    for entry in _list(data.get("message")):
        row = entry if isinstance(entry, Mapping) else {}
        role: Role = "user" if row.get("role") == "user" else "character"
        _add(chat, entry, "data", role, _text(row.get("name")) or _text(row.get("saying")), row.get("time"))
    return chat


def read_agnai(document: Json, title: str) -> Chat:
    """Agnai: ``{name, greeting, messages: [{msg, handle, name, userId | characterId, createdAt}]}``."""
    chat = Chat("agnai", title)
    greeting = _text(document.get("greeting"))
    entries = _list(document.get("messages"))
    if greeting and not any(isinstance(entry, Mapping) and entry.get("msg") == greeting for entry in entries):
        _add(chat, {"msg": greeting}, "msg", "character", "")
    for entry in entries:
        row = entry if isinstance(entry, Mapping) else {}
        role: Role = "user" if row.get("userId") and not row.get("characterId") else "character"
        _add(chat, entry, "msg", role, _text(row.get("name")) or _text(row.get("handle")), row.get("createdAt"))
        if row.get("ooc") is True and chat.rows:
            chat.rows[-1].notice = True
    return chat


def read_kobold(document: Json, title: str) -> Chat:
    """KoboldAI saves and Kobold Lite: a prompt, then actions; inputs are marked in Lite's chat mode."""
    settings = document.get("savedsettings")
    settings = settings if isinstance(settings, Mapping) else {}
    chat = Chat("kobold", title)
    chat.user_name = _text(settings.get("chatname"))
    chat.character_name = _text(settings.get("chatopponent")).split("||$||")[0]
    for position, entry in enumerate([document.get("prompt"), *_list(document.get("actions"))]):
        text = _text(entry)
        is_input = text.startswith("{{[INPUT]}}") or (position > 0 and text.startswith("\n\n> "))
        text = re.sub(r"\{\{\[(?:INPUT|OUTPUT)(?:_END)?\]\}\}", "", text)
        role: Role = "user" if is_input else "character" if chat.character_name else "narrator"
        name = {"user": chat.user_name, "character": chat.character_name}.get(role, "")
        if entry is None or not text:
            chat.total += 1
            chat.blank += 1
        else:
            _add(chat, {"text": text}, "text", role, name)
    return chat


def read_cai_tools(document: Json, title: str) -> list[Chat]:
    """CAI Tools: ``{histories: {histories: [{msgs: [{src: {is_human, name}, text}]}]}}``; each history is a chat."""
    outer = document.get("histories")
    histories = _list(outer.get("histories")) if isinstance(outer, Mapping) else _list(outer)
    chats = []
    for number, history in enumerate(histories, start=1):
        chat = Chat("cai-tools", title if len(histories) == 1 else f"{title} {number}")
        for entry in _list(history.get("msgs")) if isinstance(history, Mapping) else ():
            row = entry if isinstance(entry, Mapping) else {}
            source = row.get("src")
            source = source if isinstance(source, Mapping) else {}
            human = source.get("is_human") is True
            _add(chat, entry, "text", "user" if human else "character", _text(source.get("name")), row.get("created"))
        chats.append(chat)
    return chats


def read_webui(document: Json, title: str) -> Chat:
    """text-generation-webui: ``{visible | data_visible: [[user, reply], …]}``; either side may be empty."""
    chat = Chat("webui", title)
    for pair in _list(document.get("data_visible", document.get("visible"))):
        sides = pair if isinstance(pair, list) and len(pair) == 2 else [None, None]
        roles: tuple[Role, Role] = ("user", "character")
        for role, side in zip(roles, sides, strict=True):
            if side in ("", "<|BEGIN-VISIBLE-CHAT|>"):
                chat.total += 1
                chat.blank += 1
            else:
                _add(chat, {"text": side}, "text", role, "")
    return chat


def read_locomo(document: Json, title: str) -> Chat:
    """LoCoMo: ``session_N`` lists of ``{speaker, text}``, in numerical order; each session is a sitting.

    The questions, summaries and observations beside the sessions are not the chat.
    """
    title = _text(document.get("sample_id")) or title
    inner = document.get("conversation")
    if isinstance(inner, Mapping):
        document = inner
    chat = Chat("locomo", title)
    numbers = sorted(int(match.group(1)) for key in document if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        date = document.get(f"session_{number}_date_time")
        entries = _list(document.get(f"session_{number}"))
        if not entries:
            chat.notices.append(f"session {number} is empty")
        for entry in entries:
            speaker = _text(entry.get("speaker")) if isinstance(entry, Mapping) else ""
            _add(chat, entry, "text", "character", speaker, date, f"session {number}")
    chat.declared_names = [name for key in ("speaker_a", "speaker_b") if (name := _text(document.get(key)))]
    return chat


def read_memorybank(document: Json) -> list[Chat]:
    """MemoryBank: one chat for each person, ``history`` by date, ``{query, response}`` pairs; each day is a sitting."""
    chats = []
    for person, value in document.items():
        chat = Chat("memorybank", person)
        entry = value if isinstance(value, Mapping) else {}
        chat.user_name = _text(entry.get("name")) or person
        history = entry.get("history")
        for date, pairs in sorted(history.items()) if isinstance(history, Mapping) else ():
            for pair in _list(pairs):
                _add(chat, pair, "query", "user", chat.user_name, f"{date}T00:00:00", date)
                _add(chat, pair, "response", "character", "", f"{date}T00:00:00", date)
        chats.append(chat)
    return chats
