"""Novels as stories: chapters from one text or from a folder of files, each chapter one unit."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

from talekeeper.memory.errors import InputError
from talekeeper.memory.models import Message, UnitDraft
from talekeeper.sources.assemble import detect
from talekeeper.sources.chapters import find_chapters
from talekeeper.sources.clean import clean_chapter
from talekeeper.sources.decode import Decoded, decode
from talekeeper.sources.headings import parse_heading
from talekeeper.sources.novel import split_novel
from talekeeper.sources.report import Damage, ReadReport, SourceStory, excerpt, listed

MAX_LINE_CHARS = 1_000_000
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"(?m)^(?:title|标题|章节|chapter_title)\s*:\s*(.+?)\s*$", re.IGNORECASE)
_ALIKE = 95.0


def read_novel(decoded: Decoded, path: Path, notices: Sequence[str] = ()) -> SourceStory:
    """A novel in one text.

    Raises:
        InputError: a line longer than any paragraph is, or nothing but headings in it.
    """
    text = decoded.text
    check_lines(text, path.name)
    markdown = path.suffix.lower() in (".md", ".markdown")
    split = split_novel(text)
    units: list[UnitDraft] = []
    blank = 0
    for section in split.sections:
        prose = clean_chapter(section.prose, markdown=markdown)
        if not prose and units:
            blank += 1
            continue
        message = Message("narrator", "", prose, section.raw, line=section.line)
        title = section.title or (path.stem if len(split.sections) == 1 else "")
        units.append(UnitDraft("chapter", (message,), title, f"{path.name}:{section.line}"))
    if not any(unit.text for unit in units):
        raise InputError(f"{path.name} holds headings but no text.", hint="Nothing already stored is touched.")
    report = ReadReport(
        rows=len(split.sections) + bool(split.contents),
        header=int(bool(split.contents)),
        messages=len(units),
        blank=blank,
        notices=(*notices, *split.notices),
        encoding=decoded.encoding,
    )
    return SourceStory(path.stem.strip(), detect(_sample(units)), "novel", tuple(units), report)


def _sample(units: Sequence[UnitDraft]) -> str:
    return "\n".join(unit.text[:4000] for unit in units[:20])


def check_lines(text: str, where: str) -> None:
    """Refuse a text with a line that no reader could mean as a paragraph.

    Raises:
        InputError: names the line and its length.
    """
    start = line = 0
    while len(text) - start > MAX_LINE_CHARS:
        end = text.find("\n", start)
        stop = len(text) if end < 0 else end
        line += 1
        if stop - start > MAX_LINE_CHARS:
            raise InputError(
                f"{where}: line {line} is {stop - start:,} characters long; {MAX_LINE_CHARS:,} is the most "
                f"for one line of text (it begins {excerpt(text[start : start + 200], 40)!r}).",
                hint="Break it into paragraphs, or give the file that it was made from.",
            )
        start = stop + 1


def read_folder(folder: Path) -> SourceStory:
    """A folder of chapter files, one unit each, in reading order. A file that can't be read is reported as damaged.

    Raises:
        InputError: no chapters in it, or none that can be read.
    """
    found = find_chapters(folder)
    units: list[UnitDraft] = []
    damaged: list[Damage] = []
    blank = 0
    for number, path in enumerate(found.chapters, start=1):
        name = str(path.relative_to(folder))
        try:
            unit = _chapter(path, name)
        except InputError as error:
            if path.is_file() and path.stat().st_size == 0:
                blank += 1
            else:
                damaged.append(Damage(number, error.message, name))
            continue
        units.append(unit)
    if not units:
        reason = damaged[0].reason if damaged else "every chapter file is empty"
        raise InputError(f"{folder}: none of its {len(found.chapters)} chapters can be read: {reason}")
    report = ReadReport(
        rows=len(found.chapters) + len(found.left_out),
        messages=len(units),
        blank=blank,
        left_out=len(found.left_out),
        damaged=tuple(damaged),
        uncurated=sum(not unit.text for unit in units),
        notices=(*found.notices, *_alike(units)),
    )
    return SourceStory(folder.resolve().name, detect(_sample(units)), "chapters", tuple(units), report)


def _chapter(path: Path, name: str) -> UnitDraft:
    try:
        raw = decode(path.read_bytes(), name).text
    except OSError as error:
        raise InputError(f"{name} can't be read: {error.strerror or error}.") from error
    check_lines(raw, name)
    body, title = raw, ""
    if front := _FRONT_MATTER.match(raw):
        body = raw[front.end() :]
        if named := _FRONT_TITLE.search(front.group(1)):
            title = named.group(1).strip("\"'")
    body, heading = _without_heading(body)
    prose = clean_chapter(body, markdown=path.suffix.lower() in (".md", ".markdown"))
    if not prose:
        raise InputError(f"{name} holds no text beside its heading.")
    return UnitDraft("chapter", (Message("narrator", "", prose, raw, line=1),), title or heading or path.stem, name)


def _without_heading(body: str) -> tuple[str, str]:
    """The text without the heading that opens it, and that heading."""
    lines = body.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return body, ""
    line = lines[first].strip()
    if line.startswith("#") or parse_heading(line):
        heading = parse_heading(line)
        return "\n".join(lines[first + 1 :]), heading.title if heading else line.strip("# \t*")
    return body, ""


def _alike(units: Sequence[UnitDraft]) -> list[str]:
    """A word of warning about chapters that are nearly the same text: placeholders that nobody filled in."""
    from rapidfuzz import fuzz

    alike = [
        later.title
        for earlier, later in itertools.pairwise(units)
        if fuzz.ratio(earlier.text[:2000], later.text[:2000], score_cutoff=_ALIKE) >= _ALIKE
    ]
    if not alike:
        return []
    shown = listed(alike, 3)
    return [f"{len(alike)} chapters are nearly the same text as the one before them ({shown}); they were kept"]
