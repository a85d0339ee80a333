"""Finds quotation marks in prose, and tells them from apostrophes, primes and the marks of a work's title."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.rules.lexicon import Lexicon

_SINGLE = "'’‘＇"
_LONGEST = 400


def quotations(
    text: str, words: Lexicon, begin: int, end: int, work_titles: frozenset[str] = frozenset()
) -> Iterator[tuple[int, int]]:
    """Spans of quoted passages in ``text[begin:end]``, marks included; a mark without its partner stands alone.

    《》 and 〈〉 may stand around a title of ``work_titles``. An apostrophe (don't, the guards' room, 'tis, '90s) and a
    prime after a digit are none.
    """
    partner = {pair[0]: pair[1] for pair in words.quote_pairs} | {mark: mark for mark in words.straight_quotes}
    titles = {pair[0]: pair[1] for pair in words.title_marks}
    closing = {pair[1] for pair in (*words.quote_pairs, *words.title_marks)}
    at = begin
    while at < end:
        char = text[at]
        prime = char in "\"'’＂" and at > begin and text[at - 1].isascii() and text[at - 1].isdigit()
        if prime or (char in _SINGLE and _is_apostrophe(text, at, begin, end)):
            at += 1
        elif char in partner or char in titles:
            mate = partner.get(char) or titles[char]
            stop = _close(text, mate, at + 1, end)
            if not (char in titles and stop and text[at + 1 : stop - 1] in work_titles):
                yield at, stop or at + 1
            at = stop or at + 1
        else:
            if char in closing:
                yield at, at + 1
            at += 1


def _close(text: str, mate: str, begin: int, end: int) -> int | None:
    """End of the quotation: after its closing mark, if that stands near in the same paragraph."""
    stop = min(end, begin + _LONGEST)
    line = text.find("\n", begin, stop)
    stop = stop if line < 0 else line
    at = text.find(mate, begin, stop)
    while at >= 0 and mate in _SINGLE and _is_apostrophe(text, at, begin, end, inside=True):
        at = text.find(mate, at + 1, stop)
    return None if at < 0 else at + 1


def _is_apostrophe(text: str, at: int, begin: int, end: int, *, inside: bool = False) -> bool:
    """Between letters; after an s that ends a word, where no quotation is open; or before a shortened word or year."""
    before = text[at - 1] if at > begin else " "
    after = text[at + 1] if at + 1 < end else " "
    if _latin(before) and _latin(after):
        return True
    if before in "sSxXzZ" and not after.isalnum() and not inside:
        return True
    if _latin(before) or before.isdigit() or inside:
        return False
    short = text[at + 1 : at + 6].lower()
    return after.isdigit() or short.startswith(("tis", "twas", "em ", "cause", "til "))


def _latin(char: str) -> bool:
    return char.isalpha() and ord(char) < 0x2E80
