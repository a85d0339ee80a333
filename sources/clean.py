"""What of a message is story: everything else is taken out before anything is curated, and stays in ``Message.raw``.

Chats carry reasoning, variables, status panels, HTML, cards of choices and asides beside their story; a memory made of
those would remember the machinery. Words that may be story are kept when in doubt. The names of tags and keys are data
(``clean.yaml``); the passes over markup are in ``markup.py``. Every pass is linear in the length of the text.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from functools import cache

from talekeeper.sources.markup import MarkupRules, strip_markup
from talekeeper.sources.words import load, word_set, words

_EMOJI = re.compile("[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
_BULLET = re.compile(r"^[\s\-•·*>|+【\[「]*")
_FENCE = re.compile(r"^[ \t>]{0,8}(`{3,}|~{3,})")
_KEY = re.compile(r"^([^:：|\n]{1,24})\s*[:：]\s*(\S.{0,160})$")
_LIST_ITEM = re.compile(
    r"^\s*(?:[-*•>]\s+(?=\S)|(?:[-*•>]\s*)?[\[(（【]?(?:\d{1,2}|[A-Ha-h]|[一二三四五六七八九十]{1,2})[\])）】.、:：．]\s*\S"
    r"|(?:[-*•>]\s*)?[①-⑩]\s*\S)"
)
_CSS_OPEN = re.compile(r"^\s*(?:[.#@:*]|[a-z][\w-]*\s*[.#:{,>])[^{}\n]{0,200}\{\s*$")
_CSS_LINE = re.compile(r"^\s*(?:[.#@][\w\-:. ,>#]{1,120}\{[^{}\n]*\}|--?[\w-]+\s*:[^\n]{1,200};)\s*$")
_RULE = re.compile(r"^\s*(?:[-*_=~—─━·•]\s*){3,}$")
_TABLE = re.compile(r"^\s*\|.*\|\s*$")
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\]\([^)\s]{0,2000}\)")
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\((?:https?:|/|#)[^)\s]{0,2000}\)")
_BOLD = re.compile(r"(?<![A-Za-z0-9*])(\*{1,3})(?=[^\s*])([^*]+)(?<=\S)\1(?![A-Za-z0-9*])")
_UNDERLINE = re.compile(r"(?<![\w_])(_{1,2}|~~)(?=[^\s_~])([^_~\n]+)(?<=\S)\1(?![\w_])")
_STRAY = re.compile(r"(?m)^\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}$")
_MACRO = re.compile(r"\{\{([^{}\n]{0,400})\}\}")
_BLANK_LINES = re.compile(r"\n[ \t\u3000]*(?:\n[ \t]*){2,}")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """``text`` is the story; ``status`` the lines of status bars taken out of it: they often tell time and place."""

    text: str
    status: tuple[str, ...] = ()


@cache
def _rules() -> MarkupRules:
    names = ("reasoning_tags", "dropped_tags", "content_tags", "block_tags", "bracket_blocks", "ooc_heads")
    return MarkupRules(*(word_set("clean", name) for name in names))


def default_names(language: str) -> tuple[str, str]:
    """What stands for the user and the character where a chat names neither."""
    names = load("clean")["nobody"]["zh" if language == "zh" else "en"]
    return names["user"], names["char"]


def expand_macros(text: str, user: str, character: str) -> str:
    """``text`` with ``{{user}}`` and ``{{char}}`` (also ``<USER>``, ``<BOT>``) as names; every other macro goes."""
    if "{{" in text:
        names = {"user": user, "char": character, "group": character, "charifnotgroup": character, "persona": ""}
        text = _MACRO.sub(lambda match: names.get(match.group(1).strip().casefold(), ""), text)
    if "<" in text:
        text = re.sub(r"<user>", lambda _: user, text, flags=re.IGNORECASE) if "</user" not in text.lower() else text
        text = re.sub(r"<(?:BOT|CHAR|bot|char)>", lambda _: character, text)
    return text


def clean_message(raw: str, *, user: str = "", character: str = "") -> Cleaned:
    """The story in one chat message, and the status lines that stood in it.

    Args:
        raw: the message as the file has it.
        user, character: the names for the macros.
    """
    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    text = expand_macros(_without_fences(text), user, character)
    text = strip_markup(text, _rules())
    if "&" in text:
        text = html.unescape(text).replace("\xa0", " ")
    lines, status = _story_lines(text.split("\n"))
    return Cleaned(_tidy(_plain("\n".join(lines))), tuple(status))


def clean_chapter(raw: str, *, markdown: bool) -> str:
    """The prose of a chapter: comments, rules and, in Markdown, emphasis, images and heading marks taken out."""
    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    if markdown:
        text = strip_markup(_without_fences(text), _rules(), comments_only=True)
        text = re.sub(r"(?m)^#{1,6}[ \t]+", "", text)
        text = _plain("\n".join("" if _RULE.match(line) else line for line in text.split("\n")))
    return _tidy("\n".join(line.strip(" \t\u3000\xa0") for line in text.split("\n")))


def status_lines(raw: str) -> tuple[str, ...]:
    """The lines of the status bars in a message, as they stand there (``🕰️ 11:47 PM | 📍 Chamber``)."""
    return clean_message(raw).status


def _without_fences(text: str) -> str:
    """Fenced code goes. One that's never closed goes to its end only if less than half of the message would."""
    if "```" not in text and "~~~" not in text:
        return text
    kept: list[str] = []
    held: list[str] = []
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if not fence and match:
            fence, held = match.group(1), [line[match.end() :] if line.count("`") > 3 else ""]
            if fence in held[0]:
                fence = ""
        elif fence and match and match.group(1).startswith(fence):
            fence = ""
        elif fence:
            held.append(line)
        else:
            kept.append(line)
    if fence and sum(map(len, held)) > sum(map(len, kept)):
        kept += held
    return "\n".join(kept)


def _story_lines(lines: list[str]) -> tuple[list[str], list[str]]:
    """The lines of story, and those of status bars, in order; cards of choices, disclaimers, CSS and data go."""
    kept: list[str] = []
    status: list[str] = []
    css = _css_ends(lines)
    position = 0
    while position < len(lines):
        line = lines[position]
        taken = _status_run(lines, position)
        if taken:
            status += [entry.strip() for entry in lines[position : position + taken] if entry.strip()]
        else:
            taken = _choice_card(lines, position) or css.get(position, position) - position
        if not taken and (_is_disclaimer(line) or _is_data(line) or _CSS_LINE.match(line)):
            taken = 1
        if not taken:
            kept.append("" if _RULE.match(line) else line)
        position += taken or 1
    return kept, status


def _status_run(lines: list[str], start: int) -> int:
    """How many lines from ``start`` are one status bar: a bracketed bar, a table, two ``key: value`` lines or more."""
    line = lines[start].strip()
    if not line or len(line) > 600:
        return 0
    if _is_bar(line):
        return 1
    end, found, panel = start, 0, bool(_TABLE.match(line))
    test = _TABLE.match if panel else _is_entry
    while end < len(lines) and (not lines[end].strip() or test(lines[end].strip())):
        found += bool(lines[end].strip())
        panel = panel or (bool(lines[end].strip()) and not _is_scene_line(lines[end]))
        end += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return end - start if found >= 2 and panel else 0


def _is_bar(line: str) -> bool:
    """One line of several parts: ``[ 🕰️ 11:47 PM | 📍 Hall ]``, ``HP: 3/9 | MP: 2/2``, ``【时间】巳时 【地点】酒铺``."""
    body = line.strip("[]【】「」<>`*_ ")
    parts = [part for part in re.split(r"[|｜丨]|(?<=\S) [/·] (?=\S)", body) if part.strip()]
    if len(parts) >= 2 and sum(1 for part in parts if _is_entry(part) or _starts_with_emoji(part)) * 2 >= len(parts):
        return True
    keys = re.findall(r"[【\[]([^【】\[\]]{1,12})[】\]]", line)
    return len(keys) >= 2 and line[0] in "【[" and all(is_status_key(key) for key in keys)


def _is_entry(line: str) -> bool:
    body = _BULLET.sub("", line).rstrip("】]」|")
    match = _KEY.match(body.replace("**", ""))
    return bool(match) and (_starts_with_emoji(body) or is_status_key(match.group(1)))  # type: ignore[union-attr]


def _is_scene_line(line: str) -> bool:
    """A plain ``时间：巳时`` or ``Place: the hall``: a scene's heading as a writer sets it, no panel."""
    body = line.strip()
    return re.split("[:：]", body, maxsplit=1)[0].strip(" *_").casefold() in word_set("clean", "scene_keys")


def is_status_key(key: str) -> bool:
    """Whether what stands before a colon names a row of a status bar (``HP``, ``好感度``), not a person."""
    return _EMOJI.sub("", key).strip(" \ufe0f*_【】[]").casefold() in word_set("clean", "status_keys")


def _starts_with_emoji(text: str) -> bool:
    return bool(_EMOJI.match(text.lstrip(" *_-•|>[【")))


def _choice_card(lines: list[str], start: int) -> int:
    head = lines[start].strip(" \t*_#>[]【】「」：:？?…。.-—").casefold()
    if not head or len(head) > 60 or not head.startswith(words("clean", "choice_heads")):
        return 0
    end = start + 1
    items = 0
    while end < len(lines) and (not lines[end].strip() or _LIST_ITEM.match(lines[end])):
        items += bool(lines[end].strip())
        end += 1
    return end - start if items >= 2 else 0


def _css_ends(lines: list[str]) -> dict[int, int]:
    """Rule sets of CSS over several lines: first line → the line after the brace that closes it."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for number, line in enumerate(lines):
        if "{" in line or "}" in line:
            depth = line.count("{") - line.count("}")
            opened += [number] * depth
            for _ in range(min(-depth, len(opened))):
                ends[opened.pop()] = number + 1
    return {start: end for start, end in ends.items() if _CSS_OPEN.match(lines[start])}


def _is_disclaimer(line: str) -> bool:
    return len(line) <= 400 and line.strip(" \t*_>#（(").casefold().startswith(words("clean", "disclaimer_heads"))


def _is_data(line: str) -> bool:
    """Whether a line is a JSON object or array of objects: variables that some extension left in the message."""
    body = line.strip()
    if len(body) < 8 or not body.startswith(("{", "[{")) or not body.endswith(("}", "]")):
        return False
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _plain(text: str) -> str:
    """Markdown's marks taken off its words."""
    if "](" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    if "*" in text:
        text = _STRAY.sub("", _BOLD.sub(r"\2", _BOLD.sub(r"\2", text)))
    if "_" in text or "~~" in text:
        text = _UNDERLINE.sub(r"\2", text)
    return re.sub(r"(?m)^(?:[ \t]*>)+[ \t]?|^#{1,6}[ \t]+", "", text).replace("`", "")


def _tidy(text: str) -> str:
    text = "\n".join(line.rstrip() for line in text.replace("\x00", "").split("\n"))
    return _BLANK_LINES.sub("\n\n", text).strip()
