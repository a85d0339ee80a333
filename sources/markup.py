"""Tags, comments and asides of a message, taken apart in one pass each.

A parser of HTML would do for HTML; messages hold model-made tags of any name and language, unclosed, crossed and half
written, mixed with ``<3`` and ``a < b``. So tags are found one by one, and a stack of one dropped block decides.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

# No part of a tag reaches over another "<": each attempt ends there, so the whole search is linear.
_TAG = re.compile(r"<(/?)\s{0,3}([A-Za-z\u4e00-\u9fff_][\w\-:.]{0,60})((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*'|[\"'])*)>")
_ASIDE = re.compile(r"[(（\[【]")
_BRACKET = re.compile(r"\n\n|[()（）\[\]【】]")
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_CLOSING = {"(": ")", "（": "）", "[": "]", "【": "】"}
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "source"})


@dataclass(frozen=True, slots=True)
class MarkupRules:
    """Names of tags and heads of asides, in lower case, by what happens to them."""

    reasoning: frozenset[str]
    dropped: frozenset[str]
    content: frozenset[str]
    block: frozenset[str]
    bracket_blocks: frozenset[str]
    ooc: frozenset[str]

    @property
    def known(self) -> frozenset[str]:
        return self.dropped | self.reasoning | self.content


def strip_markup(text: str, rules: MarkupRules, *, comments_only: bool = False) -> str:
    """``text`` without comments, tags, dropped blocks and asides to the other player."""
    if "<!--" in text:
        text = _without_comments(text)
    if comments_only:
        return text
    if "<" in text:
        text = _without_tags(text, rules)
    if "[" in text or "【" in text:
        text = _without_bracket_blocks(text, rules)
    return _without_asides(text, rules)


def _without_comments(text: str) -> str:
    """Comments go; one that's never closed goes to the end of its paragraph."""
    kept: list[str] = []
    start = 0
    while (opened := text.find("<!--", start)) >= 0:
        kept.append(text[start:opened])
        closed = text.find("-->", opened + 4)
        if closed < 0:
            paragraph = text.find("\n\n", opened)
            start = len(text) if paragraph < 0 else paragraph
            break
        start = closed + 3
    kept.append(text[start:])
    return "".join(kept).replace("<!--", "")


def _without_tags(text: str, rules: MarkupRules) -> str:
    tags = [match for match in _TAG.finditer(text) if _is_markup(match)]
    closings = Counter(match.group(2).lower() for match in tags if match.group(1))
    openings = Counter(match.group(2).lower() for match in tags if not match.group(1))
    kept: list[str] = []
    position = 0
    inside, depth = "", 0
    for tag in tags:
        name, closes = tag.group(2).lower(), bool(tag.group(1))
        self_closed = tag.group(3).endswith("/") or name in _VOID
        (closings if closes else openings)[name] -= 1
        if inside:
            position, inside, depth = _inside(text, tag, name, closes, position, inside, depth, rules, closings)
            continue
        if tag.start() < position:
            continue
        if name > "\u3400" and not (closes or closings[name] > 0 or name in rules.known):
            continue  # a name in angle brackets, not a tag
        kept.append(text[position : tag.start()])
        position = tag.end()
        if closes and name in rules.reasoning:
            kept.clear()  # reasoning whose opening tag stood in the prompt
        elif not closes and not self_closed and _is_dropped(tag, name, rules):
            if closings[name] > 0 or name in rules.reasoning:
                inside, depth = name, 1
            else:
                position = _paragraph_end(text, position)
        elif name in rules.block:
            kept.append("\n")
    if inside:
        return "".join(kept)
    kept.append(text[position:])
    return "".join(kept)


def _inside(
    text: str, tag: re.Match[str], name: str, closes: bool, position: int, inside: str, depth: int,
    rules: MarkupRules, closings: Counter[str],
) -> tuple[int, str, int]:  # fmt: skip
    """The state after one tag within a dropped block: where the kept text goes on, the block, its depth."""
    if name == inside:
        depth += -1 if closes else 1
        if depth == 0 or (closes and closings[name] <= 0):
            return tag.end(), "", 0
    elif inside in rules.reasoning and not closes and name in rules.content and closings[inside] <= 0:
        return tag.end(), "", 0
    return position, inside, depth


def _is_markup(match: re.Match[str]) -> bool:
    """``<b>``, ``</p>``, ``<a href=…>`` and ``<王五的状态>``, but not ``<- see`` or ``a <b and c> d``."""
    attributes = match.group(3).strip(" /\n\t")
    return not attributes or "=" in attributes or len(attributes.split()) == 1


def _is_dropped(tag: re.Match[str], name: str, rules: MarkupRules) -> bool:
    return name in rules.dropped or name in rules.reasoning or bool(_HIDDEN.search(tag.group(3)))


def _paragraph_end(text: str, position: int) -> int:
    end = text.find("\n\n", position)
    return len(text) if end < 0 else end


def _without_bracket_blocks(text: str, rules: MarkupRules) -> str:
    """``[status] … [/status]`` in any case; without its end, nothing is dropped but the mark."""
    names = "|".join(sorted(map(re.escape, rules.bracket_blocks), key=len, reverse=True))
    pattern = re.compile(rf"[\[【](/?)({names})[\]】]", re.IGNORECASE)
    kept: list[str] = []
    position, inside = 0, ""
    marks = list(pattern.finditer(text))
    ends = Counter(mark.group(2).lower() for mark in marks if mark.group(1))
    for mark in marks:
        closes, name = bool(mark.group(1)), mark.group(2).lower()
        ends[name] -= closes
        if inside:
            if closes and name == inside:
                position, inside = mark.end(), ""
            continue
        if closes or ends[name] > 0:
            kept.append(text[position : mark.start()])
            position = mark.end()
            inside = "" if closes else name
    return "".join([*kept, text[position:]])


def _without_asides(text: str, rules: MarkupRules) -> str:
    """``（OOC：…）``, ``[OOC] …``, ``((…))`` and lines that begin with ``OOC:`` go."""
    heads = "|".join(map(re.escape, sorted(rules.ooc)))
    if "((" not in text and "（（" not in text and not re.search(heads, text, re.IGNORECASE):
        return text
    head = re.compile(rf"\s{{0,4}}(?:{heads})(?![A-Za-z])", re.IGNORECASE)
    ends = _bracket_ends(text)
    kept: list[str] = []
    position = 0
    for mark in _ASIDE.finditer(text):
        start = mark.start()
        double = mark.group() in "(（" and text[start + 1 : start + 2] == mark.group()
        if start < position or not (double or head.match(text, start + 1)):
            continue
        kept.append(text[position:start])
        position = _aside_end(text, start, ends)
    kept.append(text[position:])
    return re.sub(rf"(?im)^[ \t]*(?:{heads})[ \t]*[:：].*$", "", "".join(kept))


def _bracket_ends(text: str) -> dict[int, int]:
    """Where each bracket closes that does so within its paragraph: start → the place after its end."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for mark in _BRACKET.finditer(text):
        char = mark.group()
        if char == "\n\n":
            opened.clear()
        elif char in _CLOSING:
            opened.append(mark.start())
        elif opened and _CLOSING[text[opened[-1]]] == char:
            ends[opened.pop()] = mark.end()
    return ends


def _aside_end(text: str, start: int, ends: dict[int, int]) -> int:
    """The place after an aside: its closing bracket, or the end of the line for a bare ``[OOC]`` or an unclosed one."""
    end = ends.get(start)
    if end is not None and end - start > 6:
        return end
    line_end = text.find("\n", start)
    return len(text) if line_end < 0 else line_end
