"""The one door for every file that a story comes from: find out what it is, and read it.

What a file holds decides, not what it's called. Each failure is an ``InputError`` that says what was seen and what's
accepted; nothing is ever read as an empty story.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from talekeeper.memory.errors import InputError
from talekeeper.sources.assemble import assemble
from talekeeper.sources.books import check_lines, read_folder, read_novel
from talekeeper.sources.decode import MAX_BYTES, Decoded, decode
from talekeeper.sources.documents import read_document, read_json_lines
from talekeeper.sources.jsonl import load_json, read_lines
from talekeeper.sources.named_text import read_named_text
from talekeeper.sources.report import Chat, SourceStory, listed
from talekeeper.sources.sniff import FORMATS, Shape, sniff_text


def read_path(path: Path, *, format: str | None = None) -> SourceStory:
    """The one story in a file, or in a folder of chapters.

    Args:
        path: a chat, a transcript, a novel, or a folder.
        format: one of ``FORMATS`` where the file shouldn't be asked what it is.

    Raises:
        InputError: it can't be read, is no story, or holds several (``read_all`` reads those).
    """
    stories = read_all(path, format=format)
    if len(stories) > 1:
        titles = [story.title for story in stories]
        raise InputError(
            f"{Path(path).name} holds {len(stories)} stories: {listed(titles)}.", hint="Read them with read_all."
        )
    return stories[0]


def read_all(path: Path, *, format: str | None = None) -> list[SourceStory]:
    """Every story in a file, at least one; most files hold one alone. Arguments and errors as in ``read_path``."""
    path = Path(path)
    if format is not None and format not in FORMATS:
        raise InputError(f"No format {format!r}.", hint=f"Accepted: {', '.join(FORMATS)}.")
    if _is_folder(path):
        if format not in (None, "chapters"):
            raise InputError(f"{path} is a folder, which can't be read as {format}.", hint="Give a file.")
        return [read_folder(path)]
    return _read_text(decode(_bytes(path), path.name), path, format)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError) as error:
        raise InputError(f"{path!s:.200} can't be read: {error}.") from error


def _bytes(path: Path) -> bytes:
    try:
        if not path.exists():
            raise InputError(f"There's no file {path}.", hint="Check the path.")
        if not path.is_file():
            raise InputError(f"{path} is no regular file.", hint="Give a file or a folder.")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(f"{path.name} is {size >> 20:,} MiB; {MAX_BYTES >> 20} MiB is the most.", hint="Split it.")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}.", hint="Check its permissions.") from error


def _read_text(decoded: Decoded, path: Path, format: str | None) -> list[SourceStory]:
    notices = _replaced(decoded)
    shape = _shape(decoded.text, path, format)
    if shape is Shape.NOVEL:
        return [read_novel(decoded, path, notices)]
    if shape is Shape.TRANSCRIPT:
        check_lines(decoded.text, path.name)
        chats = [read_named_text(decoded.text.replace("\r\n", "\n"), path.stem)]
    elif shape is Shape.LINES:
        chats = read_json_lines(list(read_lines(decoded.text)), path, format)
    else:
        chats = read_document(load_json(decoded.text, path.name), path, format)
    return _assemble_all(chats, path, decoded.encoding, notices)


def _assemble_all(chats: list[Chat], path: Path, encoding: str, notices: list[str]) -> list[SourceStory]:
    """Each chat as a story. One of several that holds nothing is told of in the first story's notices.

    Raises:
        InputError: none of them holds a story.
    """
    stories: list[SourceStory] = []
    failures: list[InputError] = []
    for chat in chats:
        where = path.name if len(chats) == 1 else f"{path.name} ({chat.title})"
        try:
            stories.append(assemble(chat, where, encoding, notices))
        except InputError as error:
            failures.append(error)
    if not stories:
        raise failures[0]
    if failures:
        told = tuple(f"left out: {failure.message}" for failure in failures)
        report = replace(stories[0].report, notices=(*stories[0].report.notices, *told))
        stories[0] = replace(stories[0], report=report)
    return stories


def _shape(text: str, path: Path, format: str | None) -> Shape:
    if format == "novel":
        return Shape.NOVEL
    if format == "text":
        return Shape.TRANSCRIPT
    if format == "chapters":
        raise InputError(f"{path} is a file, and chapters are read from a folder.", hint="Use format 'novel'.")
    return sniff_text(text, path.name, json_only=format is not None)


def _replaced(decoded: Decoded) -> list[str]:
    if not decoded.replaced:
        return []
    line = decoded.text[: decoded.text.find("\ufffd")].count("\n") + 1
    return [f"{decoded.replaced} characters are broken in the file (the first on line {line}); they stand as U+FFFD"]
