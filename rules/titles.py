"""Tells a bare name from one with a rank, faction or species before it, or a translation beside it (N3).

Precision first: 王老板, 张三丰, 老板娘, 王子轩 and a bare Captain are names as they stand. A prefix counts only when
what follows reads as a person's name: a surname with one or two more characters, or a transliteration.
"""

from __future__ import annotations

import re

from talekeeper.memory.text import CJK, is_cjk
from talekeeper.rules.lexicon import Lexicon

_LIMIT = 80
_CJK_RUN = f"[{CJK}·・‧]"
_PAIR_MARKED = re.compile(f"({_CJK_RUN}{{2,}})\\s*[/／|｜=,，:：\\-–—]\\s*([A-Za-z][A-Za-z .'’\\-]+)$")
_PAIR_REVERSED = re.compile(f"^([A-Za-z][A-Za-z .'’\\-]+?)\\s*[/／|｜=,，:：\\-–—]\\s*({_CJK_RUN}{{2,}})$")
_PAIR_SPACED = re.compile(f"^({_CJK_RUN}{{2,}})[ 　]+([A-Za-z][A-Za-z.'’\\-]+(?: [A-Za-z.'’\\-]+)*)$")
_PAIR_SPACED_REVERSED = re.compile(f"^([A-Za-z][a-z.'’\\-]+(?: [A-Za-z.'’\\-]+)*)[ 　]+({_CJK_RUN}{{2,}})$")
_DOTTED = re.compile(f"^([{CJK}]{{2,8}})[·・‧\\-—:：的]([{CJK}·]{{2,8}})$")
_LATIN_WORDS = re.compile(r"[^\W\d_][\w'’\-]*\.?")
_SEPARATOR = re.compile(r"\s*[、，,/;；|／｜\n]\s*")
Span = tuple[int, int]


def brackets(title: str, words: Lexicon) -> Span | None:
    """Span of the first bracketed part, or of a bracket that stands alone."""
    at = next((i for i, c in enumerate(title) if c in words.brackets), None)
    if at is None:
        return None
    end = next((i for i in range(len(title) - 1, at, -1) if title[i] in words.brackets), at)
    return at, end + 1


def second_name(title: str) -> Span | None:
    """Span of the rest behind the first of several names that one title joins (沈青、陆遥)."""
    match = _SEPARATOR.search(title.strip(" 、，,/;；|／｜\n"))
    if match is None or len(title) > _LIMIT:
        return None
    at = title.find(match[0])
    return at + len(match[0]), len(title)


def bilingual(title: str, words: Lexicon, *, person: bool) -> Span | None:
    """Span of the second half of a name written in two languages.

    Between a mark (林晚/Lin Wan) any two count; with a mere space a place needs two Latin words behind a Chinese name,
    so that Blue Moon 酒吧 and 基地 Alpha stay names.
    """
    if len(title) > _LIMIT:
        return None
    for pattern in (_PAIR_MARKED, _PAIR_REVERSED):
        match = pattern.search(title)
        if match:
            return match.span(2)
    match = _PAIR_SPACED.match(title)
    if match and not match[2].isupper() and (person or " " in match[2]):
        return match.span(2)
    match = _PAIR_SPACED_REVERSED.match(title)
    if match and person and match[2] not in words.bilingual_suffixes and not match[1].isupper():
        return match.span(2)
    return None


def prefix(title: str, words: Lexicon) -> tuple[Span, str] | None:
    """Span of a rank, species or faction that stands before the name, and its kind."""
    if len(title) > _LIMIT:
        return None
    for kind, prefixes in (("rank", words.rank_prefixes), ("species", words.species_prefixes)):
        for word in sorted(prefixes, key=len, reverse=True):
            if title.startswith(word) and _reads_as_name(title[len(word) :].lstrip(" 的·"), words):
                return (0, len(word)), kind
    honorific = _latin_honorific(title, words)
    if honorific:
        return honorific, "rank"
    faction = _faction(title, words)
    return (faction, "faction") if faction else None


def _reads_as_name(rest: str, words: Lexicon) -> bool:
    """A surname with one or two more characters, a transliteration of three or more, or a Latin name."""
    if not rest or not 2 <= len(rest) <= 12:
        return False
    if rest[0].isascii() and rest[0].isupper():
        return rest.isascii() and len(rest) >= 3
    plain = rest.replace("·", "").replace("・", "")
    if plain != rest and len(plain) >= 3:
        return True
    if any(rest.startswith(c) for c in words.compound_surnames):
        return 3 <= len(rest) <= 4
    if len(plain) >= 3 and all(c in words.transliteration for c in plain):
        return True
    return rest[0] in words.surnames and 2 <= len(rest) <= 3


def _latin_honorific(title: str, words: Lexicon) -> Span | None:
    """``Dr. Strange``, ``Captain 林晚``: an honorific with a name behind it; not ``Captain``, ``King of Ash``."""
    match = _LATIN_WORDS.match(title)
    if match is None:
        return None
    first = match[0].rstrip(".").casefold()
    if first not in {h.casefold() for h in words.latin_honorifics}:
        return None
    rest = title[match.end() :].strip()
    if rest and is_cjk(rest[0]):
        return match.span() if _reads_as_name(rest, words) or len(rest) <= 3 else None
    follows = _LATIN_WORDS.match(rest)
    if follows is None or not follows[0][0].isupper():
        return None
    taken = {h.casefold() for h in (*words.latin_honorifics, *words.stop_roles)}
    return None if follows[0].rstrip(".").casefold() in taken else match.span()


def _faction(title: str, words: Lexicon) -> Span | None:
    """``华山派令狐冲``, ``青云门·张小凡``: the end of a faction's name, then a person's."""
    match = _DOTTED.match(title)
    if match and match[1].endswith(words.dotted_faction_suffixes or ("\0",)) and _reads_as_name(match[2], words):
        return match.span(1)
    for suffix in words.faction_suffixes:
        at = title.find(suffix, 1)
        if 1 <= at <= 6:
            rest = title[at + len(suffix) :].removeprefix("的")
            long_enough = at >= 2 or len(suffix) >= 2
            if long_enough and _reads_as_name(rest, words) and title[0] not in rest:
                return 0, at + len(suffix)
    return None
