"""A whole novel in one text, cut at its headings: text in, chapters out, every character in exactly one of them.

Cut on characters, never on bytes, so that no chapter ends with the first half of the next one's title. A table of
contents names chapters without holding them; a volume's heading joins the titles of the chapters under it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from talekeeper.sources.headings import MAX_HEADING, Heading, parse_heading
from talekeeper.sources.numerals import NUMERAL, parse_numeral
from talekeeper.sources.words import words

MAX_UNHEADED = 60_000
_PART = 6_000
_REPEATED_WITHIN = 200
_SENTENCE_ENDS = tuple("。，；、,;.!！")
_NUMBERED_LINE = re.compile(
    rf"^[#*【\[(（\s]*({NUMERAL}|[IVXLC]+|[A-Z]{{3,9}}(?:-[A-Z]+)?)(?=$|[\s、.．:：)）】\]*])[\s、.．:：)）】\]*]*(.{{0,30}})$"
)


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter: ``raw`` is its exact stretch of the text, ``body`` where its prose begins in ``raw``."""

    title: str
    raw: str
    body: int
    line: int

    @property
    def prose(self) -> str:
        return self.raw[self.body :]


@dataclass(frozen=True, slots=True)
class Split:
    """The chapters of a text; joined, their ``raw`` is the text. ``contents`` headings stood in a table of contents."""

    sections: tuple[Section, ...]
    contents: int = 0
    headings: int = 0
    notices: tuple[str, ...] = ()


def find_headings(lines: Sequence[str]) -> list[Heading]:
    """The heading lines of a text; without any, bare numbers that count up from 1 (``1``, ``二、``, ``III.``)."""
    found = [heading for number, line in enumerate(lines) if (heading := parse_heading(line, number))]
    if any(heading.level == "chapter" for heading in found):
        return found
    return sorted((*found, *_bare_numbers(lines)), key=lambda heading: heading.line)


def split_novel(text: str) -> Split:
    """The chapters of a text, or parts cut at paragraphs where it has no heading at all."""
    lines = text.split("\n")
    headings = find_headings(lines)
    if not headings:
        return _unheaded(text)
    kept, contents = _without_contents(headings, lines)
    kept = _without_repeats(kept, lines)
    starts = _line_starts(lines)
    sections, notices = _cut(text, kept, starts)
    if contents:
        notices.insert(0, f"a table of contents of {contents} entries was passed over")
    return Split(tuple(sections), contents, len(kept), tuple(notices))


def _line_starts(lines: Sequence[str]) -> list[int]:
    starts, position = [], 0
    for line in lines:
        starts.append(position)
        position += len(line) + 1
    return starts


def _without_contents(headings: list[Heading], lines: Sequence[str]) -> tuple[list[Heading], int]:
    """Headings that hold nothing and come again further down are a table of contents."""
    last_title = {heading.title: heading.line for heading in headings}
    last_key = {heading.key: heading.line for heading in headings if heading.level == "chapter"}
    kept: list[Heading] = []
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        end = following.line if following else len(lines)
        empty = not any(line.strip() for line in lines[heading.line + 1 : end])
        again = max(last_title[heading.title], last_key.get(heading.key, 0)) > heading.line
        if not (again and (empty or _in_contents(heading, lines))):
            kept.append(heading)
    dropped = len(headings) - len(kept)
    return (kept, dropped) if dropped >= 2 else (headings, 0)


def _in_contents(heading: Heading, lines: Sequence[str]) -> bool:
    """Whether the last entry of a table stands at ``heading``: the line 目录 above, through entries alone."""
    for line in reversed(lines[max(0, heading.line - 3000) : heading.line]):
        word = line.strip(" \t\r\u3000#*【】[]").casefold()
        if word in words("headings", "contents_heads"):
            return True
        if word and parse_heading(line) is None:
            return False
    return False


def _without_repeats(headings: list[Heading], lines: Sequence[str]) -> list[Heading]:
    """A heading said twice over (as a title and again above its text) opens one chapter."""
    kept: list[Heading] = []
    for heading in headings:
        before = kept[-1] if kept else None
        if before and before.key == heading.key:
            between = sum(len(line.strip()) for line in lines[before.line + 1 : heading.line])
            if between < _REPEATED_WITHIN:
                continue
        kept.append(heading)
    return kept


def _cut(text: str, headings: list[Heading], starts: list[int]) -> tuple[list[Section], list[str]]:
    sections: list[Section] = []
    notices: list[str] = []
    volume = ""
    carried = 0  # where the raw text of the next section begins: title page and volume headings go with it
    front = text[: starts[headings[0].line]]
    if _is_prologue(front):
        sections.append(Section("", front, 0, 1))
        carried = len(front)
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        end = starts[following.line] if following else len(text)
        head = starts[heading.line]
        body = text.find("\n", head)
        body = len(text) if body < 0 else body + 1
        empty = not text[body:end].strip()
        if heading.level == "volume":
            volume = heading.title
            if empty and following:
                continue
        elif empty and following:
            notices.append(f"line {heading.line + 1}: the chapter {heading.title!r} holds no text; its heading went on")
            continue
        title = heading.title if heading.level == "volume" or not volume else f"{volume} {heading.title}"
        sections.append(Section(title, text[carried:end], min(body, end) - carried, heading.line + 1))
        carried = end
    if carried < len(text) and sections:
        sections[-1] = replace(sections[-1], raw=sections[-1].raw + text[carried:])
    return sections, notices


def _is_prologue(front: str) -> bool:
    """Whether the text before the first heading is prose, not a title page or a table of contents."""
    prose = "".join(line.strip() for line in front.split("\n") if parse_heading(line) is None)
    return len(prose) >= 30 and any(char in prose for char in "。！？.!?…")


def _unheaded(text: str) -> Split:
    """No headings: one section if it's short, else parts of some thousand characters that end with a paragraph."""
    if len(text) <= MAX_UNHEADED:
        return Split((Section("", text, 0, 1),))
    sections: list[Section] = []
    start = line = 0
    while start < len(text):
        end = len(text)
        if len(text) - start > 2 * _PART:
            cut = text.find("\n", start + _PART)
            end = len(text) if cut < 0 else cut + 1
        sections.append(Section(f"{len(sections) + 1}", text[start:end], 0, line + 1))
        line += text.count("\n", start, end)
        start = end
    return Split(tuple(sections), notices=(f"no chapter headings found: cut at paragraphs into {len(sections)} parts",))


def _bare_numbers(lines: Sequence[str]) -> list[Heading]:
    """Lines that open with a number and hold at most a title, counting up by one from 1 and at least to 3.

    Most must have text under them, or it's a list in the prose.
    """
    found: list[Heading] = []
    for number, line in enumerate(lines):
        if len(line) > MAX_HEADING or not (match := _NUMBERED_LINE.match(line.strip())):
            continue
        numeral, title = match.group(1), match.group(2).strip()
        if parse_numeral(numeral) == len(found) + 1 and not title.endswith(_SENTENCE_ENDS):
            key = f"章{len(found) + 1}"
            found.append(Heading(number, "chapter", key, len(found) + 1, f"{numeral} {title}".strip()))
    ends = [heading.line for heading in found[1:]] + [len(lines)]
    full = sum(any(map(str.strip, lines[head.line + 1 : end])) for head, end in zip(found, ends, strict=bool(found)))
    return found if len(found) >= 3 and full * 5 >= len(found) * 4 else []
