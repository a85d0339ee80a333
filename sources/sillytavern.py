"""SillyTavern's chats (and TavernAI's, and Chub's): one JSON object a line, the first of them maybe a header.

Solo and group chats, with a header, without one, or with a broken one. Of a reply's alternatives (swipes) the selected
one counts. A row that its owner hid has ``is_system`` set just as a notice of the program has: only ``extra`` tells.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

from talekeeper.sources.dates import parse_date
from talekeeper.sources.jsonl import Line
from talekeeper.sources.report import Chat, Row, listed, shown
from talekeeper.sources.words import words

_HEADER_KEYS = ("chat_metadata", "user_name", "character_name", "character_names")


def is_row(value: dict[str, Any]) -> bool:
    """Whether an object is a message of such a chat."""
    return "mes" in value or (isinstance(value.get("swipes"), list) and "name" in value)


def is_header(value: dict[str, Any]) -> bool:
    """Whether an object is the header of such a chat."""
    return not is_row(value) and any(key in value for key in _HEADER_KEYS)


def read_sillytavern(lines: Iterable[Line], where: PurePath) -> Chat:
    """The rows of a chat, in file order. Damaged lines are reported and everything else is kept."""
    chat = Chat("sillytavern", where.stem)
    first_object = True
    for line in lines:
        chat.total += 1
        if line.note:
            chat.notices.append(f"line {line.number}: {line.note}")
        if line.blank:
            chat.blank += 1
        elif line.value is None:
            chat.damage(line.number, line.error, line.text)
            if first_object:
                chat.notices.append(f"line {line.number}: the first row is damaged; names are taken from the messages")
        elif is_header(line.value):
            _read_header(chat, line.value)
            if not first_object:
                chat.notices.append(f"line {line.number}: another header stands among the messages")
        elif is_row(line.value):
            chat.rows.append(_read_row(chat, line.value, line.number))
        else:
            chat.damage(
                line.number, f"no message: keys {listed([*line.value]) or 'none'}", line.text or shown(line.value)
            )
        first_object = first_object and line.blank
    _name_chat(chat, where)
    return chat


def _read_header(chat: Chat, header: dict[str, Any]) -> None:
    chat.header += 1
    user, character = (_used_name(header.get(key)) for key in ("user_name", "character_name"))
    chat.user_name = chat.user_name or user
    chat.character_name = chat.character_name or character
    names = header.get("character_names")
    chat.declared_names += [name for name in (names if isinstance(names, list) else ()) if isinstance(name, str)]
    metadata = header.get("chat_metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("main_chat"), str):
        chat.notices.append(f"this chat is a branch of {metadata['main_chat']!r}")


def _used_name(value: object) -> str:
    """A header's name; newer programs write ``unused`` into both."""
    name = _text(value).strip()
    return "" if name.casefold() in words("chats", "unused_names") else name


def _read_row(chat: Chat, value: dict[str, Any], number: int) -> Row:
    extra = value.get("extra")
    extra = extra if isinstance(extra, dict) else {}
    text = _accepted(chat, value, number)
    name = _text(value.get("name")).strip()
    if not name and isinstance(value.get("original_avatar"), str):
        name = PurePath(value["original_avatar"]).stem
    notice = _is_notice(value, extra, name)
    narrated = extra.get("type") == "narrator" or not name
    if narrated and not notice and name.casefold() in words("chats", "narrator_names"):
        name = ""
    is_user = value.get("is_user") is True or value.get("is_user") in (1, "true")
    return Row(
        role="user" if is_user else "narrator" if narrated else "character",
        name=name,
        raw=text,
        hidden=value.get("is_system") in (True, 1, "true"),
        notice=notice,
        sent_at=_date(value, extra),
        line=number,
    )


def _is_notice(value: dict[str, Any], extra: dict[str, Any], name: str) -> bool:
    """A notice of the program, a comment of its owner, or a tool's report: no part of the story."""
    kind = extra.get("type")
    if isinstance(kind, str) and kind in words("chats", "notice_types"):
        return True
    if name.casefold() in words("chats", "program_names"):
        return True
    small = extra.get("isSmallSys") is True and not (kind == "narrator" and value.get("is_system") is not True)
    return small or bool(extra.get("tool_invocations"))


def _accepted(chat: Chat, value: dict[str, Any], number: int) -> str:
    """The text that its owner saw: ``mes``, which the program keeps equal to the selected swipe.

    Where the two differ, an edited ``mes`` wins, but not a ``mes`` that is just another of the swipes.
    """
    shown = _text(value.get("mes"))
    raw_swipes = value.get("swipes")
    swipes = [_text(swipe) for swipe in raw_swipes] if isinstance(raw_swipes, list) else []
    chosen = value.get("swipe_id")
    selected = None
    if isinstance(chosen, int | float) and not isinstance(chosen, bool) and 0 <= chosen < len(swipes):
        selected = swipes[int(chosen)]
    elif swipes and chosen is not None:
        chat.notices.append(f"line {number}: swipe_id {str(chosen)[:20]} names none of its {len(swipes)} swipes")
    if not shown and selected is None and swipes:
        selected = swipes[-1]
    accepted = shown
    if selected is not None and selected != shown and (not shown or shown in swipes):
        accepted = selected
    chat.swipes += max(0, len(swipes) - (accepted in swipes or selected is not None))
    return accepted


def _text(value: object) -> str:
    """A text, or the text in ``{"message": …}`` as Chub writes it."""
    if isinstance(value, dict):
        value = value.get("message", value.get("mes", value.get("text")))
    return value if isinstance(value, str) else ""


def _date(value: dict[str, Any], extra: dict[str, Any]) -> str | None:
    for candidate in (value.get("send_date"), extra.get("send_date"), value.get("gen_finished")):
        if candidate is not None and (date := parse_date(candidate)):
            return date
    return None


def _name_chat(chat: Chat, where: PurePath) -> None:
    """A title that tells this chat from the next one with the same character: the file's name."""
    stem = where.stem.strip()
    if chat.character_name and not any(char.isalpha() and char not in "hmsTZ" for char in stem):
        stem = f"{chat.character_name} {stem}"
    chat.title = stem or chat.character_name
