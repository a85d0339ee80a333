"""Transcripts in plain text: ``Name: what they said``, over as many lines as it takes.

A colon also stands in prose, in panels and in clock times. So a label counts as a speaker only if it's short, holds no
sentence punctuation, and comes again or was declared; where messages are parted by blank lines, only at such a start.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from talekeeper.memory.models import Role
from talekeeper.sources.clean import is_status_key
from talekeeper.sources.dates import parse_date
from talekeeper.sources.report import Chat, Row
from talekeeper.sources.words import words

MAX_LABEL = 30
_STAMP = r"(?:\[(?P<stamp>[^\[\]\n]{8,40})\]\s*)?"
_LABEL = re.compile(
    rf"^[ \t\u3000]{{0,8}}{_STAMP}(?P<mark>\*\*|__|【|\[|<)?(?P<name>[^\s:：][^:：\n]{{0,{MAX_LABEL + 2}}}?)"
    r"(?:\*\*|__|】|\]|>)?\s{0,3}[:：](?P<after>\*\*)?[ \t\u3000]?(?P<text>.*)$"
)
_NOT_IN_NAMES = re.compile(r"[。！？!?；;，,、“”\"「」『』（）()<>\[\]【】/\\|=#*…—@]|^[\W\d_]+$|^https?$|\.\s|^-|\.$")


@cache
def _declaration() -> re.Pattern[str]:
    heads = "|".join(map(re.escape, words("chats", "cast_heads")))
    return re.compile(rf"^\s*(?:{heads})\s*[:：]\s*(\S.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Label:
    line: int
    name: str
    text: str
    stamp: str | None
    after_blank: bool


def find_speakers(text: str) -> dict[str, int]:
    """The speakers of a transcript with the number of their messages; empty if the text isn't one."""
    return dict(Counter(label.name for label in _speech(text.split("\n"))))


def read_named_text(text: str, title: str) -> Chat:
    """The messages of a transcript. Text before the first label is the narrator's."""
    chat = Chat("text", title)
    lines = text.split("\n")
    chat.declared_names = sorted(_declared(lines))
    starts = _speech(lines)
    _opening(chat, lines, starts[0].line if starts else len(lines))
    ends = [label.line for label in starts[1:]] + [len(lines)]
    for label, end in zip(starts, ends, strict=bool(starts)):
        raw = "\n".join([label.text, *lines[label.line + 1 : end]]).rstrip()
        role: Role = "user" if label.name.casefold() in words("chats", "user_labels") else "character"
        sent_at = parse_date(label.stamp.strip()) if label.stamp else None
        chat.total += 1
        chat.rows.append(Row(role, label.name, raw, sent_at=sent_at, line=label.line + 1))
    return chat


def _speech(lines: list[str]) -> list[_Label]:
    """The labels that open messages; none if the text is no transcript.

    It is one if the first line with words is a speaker's or declares them, or if labels open a third of its lines.
    """
    labels, declared = _labels(lines), _declared(lines)
    counted = Counter(label.name for label in labels)
    filled = sum(1 for line in lines if line.strip())
    nearly_all = len(labels) >= 2 and len(labels) >= 0.75 * filled
    speaking = [label for label in labels if counted[label.name] >= 2 or label.name in declared or nearly_all]
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    opens = bool(declared) or any(label.line == first for label in speaking[:1])
    if len(speaking) < 2 or not (opens or len(speaking) * 3 >= filled):
        return []
    blocks = [label for label in speaking if label.after_blank]
    return blocks if len(blocks) >= 0.9 * len(speaking) else speaking


def _opening(chat: Chat, lines: list[str], end: int) -> None:
    opening = [line for line in lines[:end] if line.strip()]
    if not opening:
        return
    chat.total += 1
    if all(_declaration().match(line) for line in opening):
        chat.header += 1
    else:
        chat.rows.append(Row("narrator", "", "\n".join(lines[:end]).strip(), line=1))


def _labels(lines: list[str]) -> list[_Label]:
    found: list[_Label] = []
    blank = True
    for number, line in enumerate(lines):
        if (":" in line[:80] or "：" in line[:80]) and (match := _LABEL.match(line)):
            name = match["name"].strip(" *_\t")
            if _is_name(name) and not match["text"].startswith("//") and not _declaration().match(line):
                found.append(_Label(number, name, match["text"], match["stamp"], blank))
        blank = not line.strip()
    return found


def _is_name(name: str) -> bool:
    if not 0 < len(name) <= MAX_LABEL or _NOT_IN_NAMES.search(name) or len(name.split()) > 5:
        return False
    return not is_status_key(name)


def _declared(lines: list[str]) -> set[str]:
    names: set[str] = set()
    for line in lines[:10]:
        if match := _declaration().match(line):
            names |= {name.strip() for name in re.split(r"[、,，;；/|]", match.group(1)) if name.strip()}
    return names
