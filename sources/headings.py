"""Which line of a novel is a heading: of a volume, of a chapter, of a prologue or an extra.

A heading is a short line of its own that begins with its mark and doesn't end like a sentence; what merely mentions a
chapter in prose, or begins with a word such as 第二回合, isn't one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from talekeeper.sources.numerals import ENGLISH_NUMERAL, NUMERAL, parse_numeral
from talekeeper.sources.words import words

Level = Literal["volume", "chapter", "special"]
MAX_HEADING = 50

_LEAD = r"^[\s\u3000#＃*_=~\-—【\[《〈「『☆★●◆■□◇、]*"
_SEPARATED = r"(?=$|[\s\u3000:：、.．·・,，\-—–_|】\]》〉」』）)(（*])"
_CHAPTER_ZH = re.compile(
    rf"{_LEAD}(?:正文\s*)?第\s*({NUMERAL}(?:\s*[-—~、]\s*{NUMERAL})?)\s*([章回节節话話幕篇折集])(.*)$"
)
_VOLUME_ZH = re.compile(
    rf"{_LEAD}(?:第\s*({NUMERAL})\s*([卷部册冊辑季])|(卷)(?:之|第)?\s*({NUMERAL})|([上中下终終][卷部册冊篇]){_SEPARATED})(.*)$"
)
_SENTENCE_END = re.compile(r"[。，；,;“”\"]\s*$|[。]")
_TRIM = " \t\u3000#＃*_=~-—–:：、.．·・,，|【】[]《》〈〉「」『』☆★●◆■□◇"


_OPENING = "【[《〈「『"
_BRACKETS = str.maketrans(dict.fromkeys("【】[]《》〈〉「」『』", " "))


def _any(key: str) -> str:
    return "|".join(re.escape(word) for word in sorted(words("headings", key), key=len, reverse=True))


@cache
def _special_zh() -> re.Pattern[str]:
    after = r"(?=$|[\s\u3000:：、.．·\-—–_】\]》（(0-9０-９一二三四五六七八九十之])"
    return re.compile(rf"{_LEAD}({_any('special_zh')}){after}(.*)$")


@cache
def _special_en() -> re.Pattern[str]:
    return re.compile(rf"{_LEAD}({_any('special_en')})(?=$|[\s:.\-—–*_|)\]]|\d)(.*)$", re.IGNORECASE)


@cache
def _numbered_en() -> re.Pattern[str]:
    names = f"{_any('chapter_words_en')}|{_any('volume_words_en')}"
    return re.compile(rf"{_LEAD}({names})\.?\s*[#№]?\s*({ENGLISH_NUMERAL})\b(.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading line. ``key`` is equal for two lines that name the same chapter; ``number`` None where it has none."""

    line: int
    level: Level
    key: str
    number: int | None
    title: str


def parse_heading(text: str, line: int = 0) -> Heading | None:
    """The heading that a line is, or None."""
    stripped = text.strip(" \t\r\u3000\xa0\ufeff")
    if not stripped or len(stripped) > MAX_HEADING:
        return None
    return _chinese(stripped, line) or _english(stripped, line)


def _chinese(text: str, line: int) -> Heading | None:
    if "第" in text or "卷" in text or text[-1:] in "卷部册冊篇" or "部" in text or "册" in text or "篇" in text:
        if (match := _CHAPTER_ZH.match(text)) and _fits(match.group(3)):
            number = parse_numeral(re.split(r"[-—~、]", match.group(1))[0])
            return Heading(line, "chapter", f"章{number}", number, _title(text))
        if (match := _VOLUME_ZH.match(text)) and _fits(match.group(6)):
            numeral = match.group(1) or match.group(4)
            number = parse_numeral(numeral) if numeral else None
            return Heading(line, "volume", f"卷{number or match.group(5)}", number, _title(text))
    if (match := _special_zh().match(text)) and not _SENTENCE_END.search(match.group(2)) and len(text) <= 30:
        return Heading(line, "special", _title(text), None, _title(text))
    return None


def _fits(rest: str) -> bool:
    """Whether what follows the mark is a title: nothing that makes the mark another word, no sentence."""
    gap = not rest or rest[0] in " \t\u3000" + _TRIM + "（("
    return (gap or not rest.startswith(words("headings", "other_words_zh"))) and not _SENTENCE_END.search(
        rest.rstrip("】]》*_ ")
    )


def _english(text: str, line: int) -> Heading | None:
    if match := _numbered_en().match(text):
        word, numeral, rest = match.group(1).lower(), match.group(2), match.group(3)
        number = parse_numeral(numeral)
        if number is None or not _fits_english(rest, numeral):
            return None
        level: Level = "volume" if word in words("headings", "volume_words_en") else "chapter"
        return Heading(line, level, f"{level}{number}", number, _title(text))
    if (match := _special_en().match(text)) and _fits_english(match.group(2), ""):
        return Heading(line, "special", _title(text).lower(), None, _title(text))
    return None


def _fits_english(rest: str, numeral: str) -> bool:
    """A title after a separator or in capitals: ``Chapter 3: The Gate``, not ``Chapter three was her favourite``."""
    if not rest.strip(_TRIM):
        return True
    title = rest.strip()
    if title[-1] in '.,;"”' and not title.endswith("..."):
        return False
    if title[0] in ":.-—–|)]*_":
        return True
    words = [word for word in title.split() if word[0].isalpha()]
    return bool(words) and words[0][0].isupper() and sum(word[0].isupper() for word in words) * 2 >= len(words)


def _title(text: str) -> str:
    if text[0] in _OPENING:
        text = text.translate(_BRACKETS)
    return re.sub(r"[\s\u3000]+", " ", text).strip(_TRIM)
