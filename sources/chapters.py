"""A folder of chapters: which of its files are chapters, and in what order.

Beside the chapters lie outlines, settings, reviews, and often one file with the whole book again. What's taken for a
chapter is told by its name, its number and its place; what's left out is said in the report. The names are data
(``chapters.yaml``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from talekeeper.memory.errors import InputError
from talekeeper.sources.headings import parse_heading
from talekeeper.sources.numerals import NUMERAL, parse_numeral
from talekeeper.sources.report import listed
from talekeeper.sources.words import words

TEXT_SUFFIXES = frozenset({".md", ".markdown", ".txt", ".text"})
_MAX_FILES = 20_000
_NUMBERED = re.compile(
    rf"^(?:第\s*({NUMERAL})\s*[章回節节話话卷部集篇幕]"
    rf"|(?:chapter|chap|ch|c|part|episode|ep|卷|章|volume|vol|book)[-_ .]*({NUMERAL})"
    rf"|({NUMERAL}))(?![\d零〇一二三四五六七八九十百千])(.*)$",
    re.IGNORECASE,
)
_JOINTS = " -_.、:：,，()（）[]【】"


@dataclass(frozen=True, slots=True)
class ChapterFiles:
    """The chapter files of a folder in reading order, and the text files beside them that aren't chapters."""

    chapters: tuple[Path, ...]
    left_out: tuple[Path, ...]
    notices: tuple[str, ...] = ()


def _words(key: str) -> tuple[str, ...]:
    return words("chapters", key)


def find_chapters(folder: Path) -> ChapterFiles:
    """The chapters under ``folder``.

    Raises:
        InputError: there are none, or those of several books; says what was found instead.
    """
    texts = sorted(_text_files(folder))
    open_texts = [path for path in texts if not _in_other_folder(path, folder)]
    named = [path for path in open_texts if is_chapter_name(path.stem)]
    home = _home(named, folder) or _home([path for path in open_texts if _may_be_chapter(path)], folder)
    if home is None:
        raise InputError(_nothing(folder, texts), hint="Give a folder of .md or .txt chapters, or one file.")
    inside = [path for path in open_texts if path.is_relative_to(home)]
    chapters = [p for p in inside if is_chapter_name(p.stem)] or [p for p in inside if _may_be_chapter(p)]
    chapters.sort(key=lambda path: reading_order(path.relative_to(home)))
    taken = set(chapters)
    others = tuple(path for path in texts if path not in taken)
    return ChapterFiles(tuple(chapters), others, tuple(_notices(others, folder)))


def is_chapter_name(stem: str) -> bool:
    """Whether a file's name is a chapter's: numbered or a prologue, and not a review or an outline of one."""
    name = stem.strip().casefold()
    if _is_other_file(name):
        return False
    match = _NUMBERED.match(name)
    if match is None:
        return name.startswith((*_words("first"), *_words("last"))) and not _is_whole_book(name)
    return match.group(4).strip(_JOINTS) not in _words("about_chapter")


def _is_other_file(name: str) -> bool:
    if _NUMBERED.match(name):
        return False
    beside = name.startswith(_words("other_beginnings")) or name.endswith(_words("other_endings"))
    return beside or name.strip(_JOINTS) in _words("other_files")


def _is_whole_book(name: str) -> bool:
    return any(word in name for word in _words("whole_book"))


def _may_be_chapter(path: Path) -> bool:
    """An unnumbered text that lies in a manuscript folder, or opens with a chapter heading of its own."""
    name = path.stem.casefold()
    if _is_other_file(name) or _is_whole_book(name):
        return False
    if path.parent.name.casefold() in _words("manuscript_folders"):
        return True
    try:
        with path.open("rb") as file:
            start = file.read(600).decode("utf-8", "ignore")
    except OSError:
        return False
    line = next((line for line in start.splitlines() if line.strip("\ufeff \t")), "")
    return parse_heading(line) is not None


def _text_files(folder: Path) -> Iterator[Path]:
    try:
        for number, path in enumerate(folder.rglob("*")):
            if number > _MAX_FILES:
                raise InputError(f"{folder} holds over {_MAX_FILES:,} files.", hint="Give the chapters' own folder.")
            hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
            if path.suffix.lower() in TEXT_SUFFIXES and not hidden and path.is_file():
                yield path
    except OSError as error:
        raise InputError(f"{folder} can't be read: {error.strerror or error}.") from error


def _in_other_folder(path: Path, folder: Path) -> bool:
    for part in path.relative_to(folder).parts[:-1]:
        name = part.casefold().lstrip("0123456789" + _JOINTS)
        if name in _words("other_folders") or any(w in name for w in _words("other_folders") if not w.isascii()):
            return True
    return False


def _home(candidates: list[Path], folder: Path) -> Path | None:
    """The folder that the chapters lie under; a volume's folder (正文/第一卷/第1章.md) counts for the one above it.

    Of several, those named for a manuscript come first, then the one with the most chapters.

    Raises:
        InputError: several hold chapters and none comes first: these are several books.
    """
    if not candidates:
        return None
    counts: Counter[Path] = Counter()
    for path in candidates:
        home = path.parent
        while home != folder and _NUMBERED.match(home.name):
            home = home.parent
        counts[home] += 1
    manuscripts = {
        home: count for home, count in counts.items() if home.name.casefold() in _words("manuscript_folders")
    }
    rivals = manuscripts or counts
    best = max(rivals, key=lambda home: (rivals[home], -len(home.parts)))
    books = [home for home, count in rivals.items() if count >= 2 and not home.is_relative_to(best)]
    if not books:
        return best
    parents = {home.parent for home in (best, *books)}
    if not manuscripts and len(parents) == 1 and best.parent.is_relative_to(folder) and _are_volumes([best, *books]):
        return best.parent
    names = [str(home.relative_to(folder)) for home in sorted((best, *books))]
    raise InputError(f"{folder} holds the chapters of {len(names)} books: {listed(names)}.", hint="Give one of them.")


def _are_volumes(homes: Iterable[Path]) -> bool:
    """Whether folders are volumes of one book by their names: 上卷, 风起篇, Book One."""
    return all(re.search(r"[卷部册篇季]|^(?:book|volume|vol|part)\b", home.name, re.IGNORECASE) for home in homes)


Rank = tuple[int, int, tuple[tuple[int, int, str], ...]]


def reading_order(path: Path) -> tuple[Rank, ...]:
    """A key for natural order: by number (Chinese ones too), prologues first, extras last, folder by folder."""
    return tuple(_rank(part) for part in (*path.parts[:-1], path.stem))


def _rank(name: str) -> Rank:
    from natsort import natsort_keygen

    # natsort's keys mix numbers and texts by place; spelled out, they compare with any other's.
    natural = tuple(
        (0, int(part), "") if isinstance(part, int | float) else (1, 0, str(part)) for part in natsort_keygen()(name)
    )
    folded = name.casefold()
    if match := _NUMBERED.match(name):
        number = parse_numeral(next(group for group in match.groups()[:3] if group))
        return (1, number if number is not None else 10**9, natural)
    return (0 if folded.startswith(_words("first")) else 2 if folded.startswith(_words("last")) else 1, 10**9, natural)


def _notices(others: tuple[Path, ...], folder: Path) -> Iterator[str]:
    if not others:
        return
    names = [str(path.relative_to(folder)) for path in others]
    yield f"{len(names)} text files aren't chapters and were left out: {listed(names)}"
    for path, name in zip(others, names, strict=True):
        if _is_whole_book(path.stem.casefold()):
            yield f"{name} holds the whole book again; the chapters were read instead"


def _nothing(folder: Path, texts: list[Path]) -> str:
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        return f"{folder} can't be read: {error.strerror or error}."
    chats = [name for name in names if name.endswith((".jsonl", ".json"))]
    if chats:
        return f"{folder} holds no chapters, but {len(chats)} chat or JSON files ({listed(chats, 3)})."
    if texts:
        shown = listed([text.name for text in texts], 3)
        return f"{folder} holds {len(texts)} text files, none named like a chapter ({shown})."
    return f"{folder} holds no text file" + (f" (only {listed(names, 3)})." if names else ": it's empty.")
