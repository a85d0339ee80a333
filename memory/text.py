"""Folding, names and terms: one place decides when two spellings are the same word.

Titles, aliases, queries and story text all pass through here, so that full width, case and traditional characters can
never keep a name from being found. Folding is context-free on purpose: each character folds by itself, so a name folds
alike on its own and in the middle of a sentence (phrase-aware conversion would fold 乾 in two ways).
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from talekeeper.memory.models import Language

CJK = "\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
"""Scripts written without spaces, as the inside of a regular expression's character class."""

MIDDLE_DOTS = "·・‧•∙⋅᛫"
_QUOTES = '《》〈〉「」『』“”‘’"＂〝〞«»'

_is_cjk = re.compile(f"[{CJK}]").match
_run = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+")
_cjk_gap = re.compile(f"(?<=[{CJK}])\\s+(?=[{CJK}])")
_space = re.compile(r"\s+")
_separators = re.compile(r"[、，,/;；|／｜\n]")
_inner_dot = re.compile(f"(?<=\\w)\\s*[{MIDDLE_DOTS}]\\s*(?=\\w)")
_apostrophes = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'"})
_surrogate = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """``text`` fit for storage: split surrogate pairs joined again, lone surrogates replaced by U+FFFD."""
    if _surrogate.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def clean_value(value: Any) -> Any:
    """``clean`` for every string of a JSON-able value, keys included."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean_value(k): clean_value(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [clean_value(v) for v in value]
    return value


def is_cjk(char: str) -> bool:
    """True for characters of scripts written without spaces (Han, kana, bopomofo)."""
    return _is_cjk(char) is not None


@cache
def simplified() -> Mapping[int, str]:
    """Traditional → simplified, character by character, closed so that no target is itself a key."""
    from opencc import OpenCC

    blocks = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0x20000, 0x323B0))
    chars = [chr(point) for block in blocks for point in range(*block)]
    converted = OpenCC("t2s").convert("\n".join(chars)).split("\n")
    table = {a: b for a, b in zip(chars, converted, strict=True) if a != b and len(b) == 1}
    closed: dict[int, str] = {}
    for char, target in table.items():
        seen = {char}
        while target in table and target not in seen:
            seen.add(target)
            target = table[target]
        closed[ord(char)] = target
    return closed


def fold_plain(text: str) -> str:
    """Folds width, case and traditional characters; leaves spaces alone. Idempotent."""
    if text.isascii():
        return text.lower()
    table = simplified()
    while True:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).translate(table)
        if folded == text:
            return folded
        text = folded


@lru_cache(maxsize=16384)
def _fold_short(text: str) -> str:
    while True:
        folded = _cjk_gap.sub("", _space.sub(" ", fold_plain(text)).strip())
        if folded == text:
            return folded
        text = folded


def fold(text: str) -> str:
    """The canonical spelling: NFKC, case folded, simplified, spaces collapsed and none between CJK. Idempotent."""
    return _fold_short(text) if len(text) <= 256 else _fold_short.__wrapped__(text)


def names_by_key(value: str | Iterable[str] | None) -> dict[str, str]:
    """The folded names in a title, an alias list, or a 「、」-joined string of aliases → each as it's spelled."""
    parts = [value] if isinstance(value, str) else [part for part in value or () if isinstance(part, str)]
    names: dict[str, str] = {}
    for part in parts:
        for piece in _separators.split(part):
            key = _name_key(piece)
            if key:
                names.setdefault(key, piece.strip())
    return names


def name_keys(value: str | Iterable[str] | None) -> tuple[str, ...]:
    """The keys of ``names_by_key``, first come first.

    Quotation marks are dropped and a middle dot counts as a space, which CJK names have none of: 《听雪楼》 = 听雪楼,
    安娜·李 = 安娜李, Anna·Lee = Anna Lee.
    """
    return tuple(names_by_key(value))


@lru_cache(maxsize=65536)
def _name_key(piece: str) -> str:
    key = piece.translate(_apostrophes)
    while True:
        bare = "".join(char for char in fold(key) if char not in _QUOTES)
        bare = fold(_inner_dot.sub(" ", bare).strip(MIDDLE_DOTS + " "))
        if bare == key:
            return key
        key = bare


def words(text: str) -> list[str]:
    """The words of a text after folding: whole CJK runs, and words of letters and digits."""
    return _run.findall(fold_plain(text))


def terms(text: str) -> list[str]:
    """Keyword terms in reading order: unigrams and bigrams of CJK runs, stemmed words otherwise."""
    found: list[str] = []
    for word in words(text):
        if is_cjk(word[0]):
            found.extend(word)
            found.extend(word[i : i + 2] for i in range(len(word) - 1))
        else:
            found.append(stem(word))
    return found


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The English stem of a folded ASCII word; other words as they are."""
    if not word.isascii() or not word.isalpha():
        return word
    with _stemmer_lock:
        return str(_stemmer().stemWord(word))


_stemmer_lock = threading.Lock()  # the stemmer keeps its word in itself


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def detect_language(text: str) -> Language:
    """``zh`` where there are at least as many CJK characters as other words, else ``en``."""
    sample = text[:20000]
    cjk = sum(1 for char in sample if is_cjk(char))
    others = sum(1 for word in _run.findall(sample) if not is_cjk(word[0]) and not word.isdigit())
    return "zh" if cjk and cjk >= others else "en"
