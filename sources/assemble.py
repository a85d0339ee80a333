"""From the rows of any chat format to a story: roles, names, cleaning, turns and the account, the same for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from talekeeper.memory.errors import InputError
from talekeeper.memory.models import Language, Message
from talekeeper.sources.clean import clean_message, default_names, expand_macros
from talekeeper.sources.dates import date_range
from talekeeper.sources.report import Chat, ReadReport, Row, SourceStory, excerpt
from talekeeper.sources.turns import to_turns

MAX_MESSAGE_CHARS = 1_000_000
_LANGUAGE_SAMPLE = 200_000


def assemble(chat: Chat, source: str, encoding: str, notices: Sequence[str] = ()) -> SourceStory:
    """The story in a chat. ``source`` is the file's name.

    Raises:
        InputError: there's no message in it, or none with a story in it: an empty read is never an empty story.
    """
    _drop_oversized(chat)
    if not chat.rows:
        raise InputError(_empty(chat, source), hint="Nothing already stored is touched.")
    language = detect("\n".join(row.raw[:2000] for row in chat.rows if not row.notice)[:_LANGUAGE_SAMPLE])
    messages = _messages(chat, language)
    if not any(message.text for message in messages):
        raise InputError(
            f"{source}: none of its {len(messages)} messages holds any story (all are notices, reasoning or empty).",
            hint="Nothing already stored is touched.",
        )
    units = to_turns(messages, [row.session for row in chat.rows], source)
    return SourceStory(chat.title, language, chat.format, units, _report(chat, messages, encoding, notices))


def detect(text: str) -> Language:
    """The language of a story; imported late, since the text folding behind it is heavy."""
    from talekeeper.memory.text import detect_language

    return detect_language(text)


def _drop_oversized(chat: Chat) -> None:
    for row in [row for row in chat.rows if len(row.raw) > MAX_MESSAGE_CHARS]:
        reason = f"a message of {len(row.raw):,} characters; {MAX_MESSAGE_CHARS:,} is the most"
        chat.damage(row.line or 0, reason, row.raw)
        chat.rows.remove(row)


def _empty(chat: Chat, source: str) -> str:
    if not chat.damaged:
        return f"{source}: a {chat.format} chat without a message."
    first = chat.damaged[0]
    return (
        f"{source}: a {chat.format} chat without a readable message; {len(chat.damaged)} damaged, the first on line "
        f"{first.line}: {first.reason} ({excerpt(first.excerpt, 40)})."
    )


def _messages(chat: Chat, language: Language) -> list[Message]:
    nobody_user, nobody_character = default_names(language)
    user = chat.user_name or _most_common(row.name for row in chat.rows if row.role == "user") or nobody_user
    characters = _most_common(row.name for row in chat.rows if row.role == "character" and not row.notice)
    default = chat.character_name or characters or nobody_character
    return [_message(row, user, default) for row in chat.rows]


def _message(row: Row, user: str, default: str) -> Message:
    name = expand_macros(row.name, user, default)
    if row.notice:
        return Message("system", name, "", row.raw, row.hidden, row.sent_at, row.line)
    character = name if row.role == "character" and name else default
    text = clean_message(row.raw, user=user, character=character).text
    return Message(row.role, name, text, row.raw, row.hidden, row.sent_at, row.line)


def _most_common(names: object) -> str:
    counted = Counter(name for name in names if name and "{{" not in name)  # type: ignore[attr-defined]
    return counted.most_common(1)[0][0] if counted else ""


def _report(chat: Chat, messages: Sequence[Message], encoding: str, notices: Sequence[str]) -> ReadReport:
    speakers = Counter(m.name for m in messages if m.role in ("user", "character") and m.name)
    first, last = date_range([m.sent_at for m in messages if m.sent_at])
    known = [chat.user_name, chat.character_name, *chat.declared_names, *speakers]
    return ReadReport(
        rows=chat.total,
        header=chat.header,
        messages=len(messages),
        blank=chat.blank,
        hidden=sum(m.hidden for m in messages),
        system=sum(m.role == "system" for m in messages),
        uncurated=sum(not m.text for m in messages),
        swipes=chat.swipes,
        damaged=tuple(sorted(chat.damaged, key=lambda damage: damage.line)),
        notices=(*notices, *chat.notices),
        speakers=dict(speakers),
        known_names=tuple(dict.fromkeys(name for name in known if name)),
        first_date=first,
        last_date=last,
        encoding=encoding,
    )
