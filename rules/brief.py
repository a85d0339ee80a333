"""The closing sentence of a dispatch: composed from the counts of what was written, and read back to check one (P7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import Lexicon, lexicon

GROUPS = "groups"
_DEFAULT_OP = {"event": "create"}
_NUMBERS = {"一": 1, "两": 2, "二": 2, "三": 3, "one": 1, "two": 2, "three": 3}


def compose_brief(counts: Mapping[str, int], language: Language) -> str:
    """``写 1 event + 1 character_sheet edit；压缩 2 组``.

    Args:
        counts: how many writes by ``"<type> <op>"`` (``"event create"``, ``"link create"``), and ``groups`` rolled up.
        language: of the story.
    """
    words = lexicon(language).brief
    items = [f"{n} {_shown(key)}" for key, n in counts.items() if n and key != GROUPS]
    parts = [words.written.format(items=" + ".join(items))] if items else []
    if counts.get(GROUPS):
        groups = words.one_group if counts[GROUPS] == 1 else words.groups.format(groups=counts[GROUPS])
        parts.append(groups if parts else groups[:1].upper() + groups[1:])
    return words.joint.join(parts) or words.nothing


def _shown(key: str) -> str:
    type_, _, op = key.partition(" ")
    return type_ if op == _DEFAULT_OP.get(type_) else key


def parse_brief(text: str, language: Language) -> dict[str, int]:
    """The counts that a closing sentence names, by the same keys as ``compose_brief``'s."""
    words = lexicon(language)
    counts: dict[str, int] = {}
    for match in _item_pattern(language).finditer(text):
        if match[2].lower().startswith("group"):
            continue
        type_ = match[2].lower()
        op = _op(match[3], words) or _DEFAULT_OP.get(type_, "")
        key = f"{type_} {op}".strip()
        counts[key] = counts.get(key, 0) + _number(match[1])
    for match in _group_pattern(language).finditer(text):
        counts[GROUPS] = counts.get(GROUPS, 0) + _number(match[1])
    return counts


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def _op(word: str | None, words: Lexicon) -> str:
    low = (word or "").lower()
    return next((op for op in ("create", "edit", "delete") if low in getattr(words.brief, op)), "")


_NUMBER = r"(?<![\w.])(\d{1,6}|" + "|".join(_NUMBERS) + r")"


@cache
def _item_pattern(language: Language) -> re.Pattern[str]:
    words = lexicon(language).brief
    ops = "|".join(sorted({*words.create, *words.edit, *words.delete}, key=len, reverse=True))
    number = _NUMBER.replace(r"(?<![\w.])", r"(?<![0-9.])") if language == "zh" else _NUMBER
    item = rf"{number}\s{{0,3}}[个条次]?\s{{0,3}}([a-z][a-z0-9_]{{2,39}})(?:\s{{0,3}}({ops})(?![a-z]))?"
    return re.compile(item, re.IGNORECASE)


@cache
def _group_pattern(language: Language) -> re.Pattern[str]:
    if language == "zh":
        verbs = "|".join(lexicon(language).brief.group_words)
        return re.compile(rf"(?:{verbs})了?\s{{0,3}}(\d{{1,6}}|[一两二三])\s{{0,3}}组")
    return re.compile(r"\b(\d{1,6}|one|two|three)\s{1,3}groups?\b", re.IGNORECASE)
