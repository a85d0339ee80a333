"""A folder of chapters: which of its files are chapters, and in what order.

Beside the chapters lie outlines, settings, reviews, and often one file with the whole book again. What's taken for a
chapter is said by its name, its number and its place; what's left out is said in the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from talekeeper.memory.errors import InputError
from talekeeper.sources.headings import parse_heading
from talekeeper.sources.numerals import NUMERAL, parse_numeral
from talekeeper.sources.report import listed

TEXT_SUFFIXES = frozenset({".md", ".markdown", ".txt", ".text"})
_MANUSCRIPT = frozenset(
    {"正文", "章节", "小说正文", "原文", "chapters", "chapter", "manuscript", "text", "novel", "story", "content", "draft", "drafts"}
)
_OTHER_FOLDERS = re.compile(
    r"大纲|总纲|卷纲|细纲|角色|人物|世界观|设定|状态|物品|审查|报告|备忘|笔记|资料|素材|伏笔|outline|character|setting|world|review|"
    r"note|reference|research|archive|backup|template|prompt|\.git|node_modules",
    re.IGNORECASE,
)
_OTHER_FILES = re.compile(
    r"^(?:readme|licen[cs]e|changelog|contributing|todo|index|toc|目录|outline.*|.*大纲|总纲|卷纲|细纲.*|.*设定集?|世界观.*|.*人物卡?|人物.*|"
    r".*角色卡?|角色.*|主角卡|女主卡|力量体系|反派设计|style.?guide.*|.*风格指南|notes?|笔记|备忘.*|reviews?(?:[-_ ]?\d+)?|.*审查报告|.*评审|.*报告|"
    r".*report|progress|.*[-_ ]progress|.*进度|summary|.*[-_ ]summary|.*摘要|梗概|简介|synopsis|characters?|settings?|worldbuilding|"
    r"timeline|时间线|伏笔.*|.*状态|prompts?|agents?|claude)$",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"complete|full|whole|all[-_ ]?chapters|combined|merged|全文|全本|全集|合集|合并|完整|完本|整本", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"^(?:第\s*({NUMERAL})\s*[章回节節话話卷部集篇幕]|(?:chapter|chap|ch|c|part|episode|ep|卷|章|volume|vol|book)[-_ .]*({NUMERAL})|({NUMERAL}))"
    r"(?=$|[\s\-_.、:：,，]|[^\d零〇一二三四五六七八九十百千])(.*)$",
    re.IGNORECASE,
)
_FIRST = re.compile(r"^(?:序|楔子|引子|引言|前言|开篇|prologue|preface|foreword|introduction)", re.IGNORECASE)
_LAST = re.compile(r"^(?:尾声|后记|终章|大结局|番外|外传|附录|epilogue|afterword|postscript|appendix|extra)", re.IGNORECASE)
_MAX_FILES = 20_000


@dataclass(frozen=True, slots=True)
class ChapterFiles:
    """The chapter files of a folder in reading order, and the text files beside them that aren't chapters."""

    chapters: tuple[Path, ...]
    left_out: tuple[Path, ...]
    notices: tuple[str, ...] = ()


def find_chapters(folder: Path) -> ChapterFiles:
    """The chapters under ``folder``.

    Raises:
        InputError: there are none; says what was found instead.
    """
    texts = sorted(_text_files(folder))
    candidates = [path for path in texts if is_chapter_name(path.stem) and not _in_other_folder(path, folder)]
    home = _home(candidates, folder) or _home([p for p in texts if _may_be_chapter(p, folder)], folder)
    if home is None:
        raise InputError(_nothing(folder, texts), hint="Give a folder of .md or .txt chapters, or one chat or text file.")
    inside = [path for path in texts if home in path.parents and not _in_other_folder(path, home)]
    named = [path for path in inside if is_chapter_name(path.stem)]
    chapters = named or [path for path in inside if _may_be_chapter(path, home)]
    chapters.sort(key=lambda path: _order(path.relative_to(home)))
    others = tuple(path for path in texts if path not in set(chapters))
    return ChapterFiles(tuple(chapters), others, tuple(_notices(others, folder)))


def is_chapter_name(stem: str) -> bool:
    """Whether a file's name is a chapter's: numbered or a prologue, and not a review or outline of one."""
    if _OTHER_FILES.match(stem):
        return False
    match = _NUMBERED.match(stem)
    if match is None:
        return bool(_FIRST.match(stem) or _LAST.match(stem)) and not _WHOLE.search(stem)
    rest = (match.group(4) or "").strip(" -_.、:：,，")
    return not (rest and _OTHER_FILES.match(rest))


def _may_be_chapter(path: Path, folder: Path) -> bool:
    """An unnumbered text that lies in a manuscript folder, or opens with a chapter heading of its own."""
    if _OTHER_FILES.match(path.stem) or _WHOLE.search(path.stem) or _in_other_folder(path, folder):
        return False
    if path.parent.name.casefold() in _MANUSCRIPT:
        return True
    try:
        with path.open("rb") as file:
            start = file.read(600).decode("utf-8", "ignore")
    except OSError:
        return False
    line = next((line for line in start.splitlines() if line.strip()), "")
    return parse_heading(line) is not None


def _text_files(folder: Path) -> Iterable[Path]:
    try:
        for number, path in enumerate(folder.rglob("*")):
            if number > _MAX_FILES:
                raise InputError(f"{folder} holds more than {_MAX_FILES:,} files.", hint="Give the chapters' own folder.")
            hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
            if path.suffix.lower() in TEXT_SUFFIXES and not hidden and path.is_file():
                yield path
    except OSError as error:
        raise InputError(f"{folder} can't be read: {error.strerror or error}.") from error


def _in_other_folder(path: Path, folder: Path) -> bool:
    return any(_OTHER_FOLDERS.search(part) for part in path.relative_to(folder).parts[:-1])


def _home(candidates: list[Path], folder: Path) -> Path | None:
    """The folder that the chapters lie under: one that's named for it, else the one that holds the most of them.

    Volumes (正文/第一卷/第1章.md) count for the folder above them.
    """
    if not candidates:
        return None
    counts: dict[Path, int] = {}
    for path in candidates:
        home = path.parent
        while home != folder and _NUMBERED.match(home.name):
            home = home.parent
        counts[home] = counts.get(home, 0) + 1
    return max(counts, key=lambda home: (home.name.casefold() in _MANUSCRIPT, counts[home], -len(home.parts)))


def _order(path: Path) -> tuple[tuple[int, int, list[object]], ...]:
    """Natural order: by number, Chinese ones too, prologues before and epilogues and extras after; folder by folder."""
    return tuple(_rank(part) for part in (*path.parts[:-1], path.stem))


def _rank(name: str) -> tuple[int, int, list[object]]:
    from natsort import natsort_keygen

    natural = list(natsort_keygen()(name))
    if match := _NUMBERED.match(name):
        number = parse_numeral(next(group for group in match.groups()[:3] if group))
        return (1, number if number is not None else 10**9, natural)
    rank = 0 if _FIRST.match(name) else 2 if _LAST.match(name) else 1
    return (rank, 10**9, natural)


def _notices(others: tuple[Path, ...], folder: Path) -> Iterable[str]:
    if not others:
        return
    names = [str(path.relative_to(folder)) for path in others]
    yield f"{len(names)} text files aren't chapters and were left out: {listed(names)}"
    for path in others:
        if _WHOLE.search(path.stem):
            yield f"{path.relative_to(folder)} holds the whole book again; the chapters were read instead"


def _nothing(folder: Path, texts: list[Path]) -> str:
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        return f"{folder} can't be read: {error.strerror or error}."
    if any(name.endswith((".jsonl", ".json")) for name in names):
        chats = [name for name in names if name.endswith((".jsonl", ".json"))]
        return f"{folder} holds no chapters, but {len(chats)} chat or JSON files ({listed(chats, 3)}): give one of those."
    if texts:
        return f"{folder} holds {len(texts)} text files, none named like a chapter ({listed([t.name for t in texts], 3)})."
    return f"{folder} holds no text file" + (f" (only {listed(names, 3)})." if names else ": it's empty.")
