"""English clauses made shorter: manner, comparisons and what merely describes are left out.

Only leaves words out, at places where what remains is still a clause; nothing is added or put into another order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from talekeeper.agents.builtin.words import Words

_SETTING = re.compile(
    r"\s(?:by|beside|near|behind|before|under|beneath|above|along|across|against|among|amid|from|on|over|in|through)\s"
    r"(?:the|a|an|his|her|their|its)\s(?:[a-z-]+\s){0,2}?[a-z-]+(?=$|[,.]|\s(?:and|to|for|before|after|until|with)\b)"
)
_MEANS = re.compile(r"\s(?:with|by)\s(?:the|a|an|his|her)\s[a-z]+(?:\s[a-z]+)?(?=\sand\b)")
_LAST_PHRASE = re.compile(
    r"\s(?:at|from|with|by|for|without|in|into|to|on|down|against|over)\s(?:the|a|an|his|her|their|[A-Z])[^,.]*$"
)
_LY = re.compile(r"\s(?P<word>[a-z]+ly)\b")


def trimmed(clause: str, words: Words) -> str:
    """The clause without what hangs on it; empty where too little is left."""
    text = words.pattern("subordinate").sub("", clause)
    text = words.pattern("participle").sub("", text)
    text = _LY.sub(lambda m: m.group() if m["word"] in words.set("not_manner") else "", text)
    text = words.pattern("fillers").sub("", text)
    return re.sub(r"\s{2,}", " ", text).strip(" ,.!?…~")


def shorter(sentence: str, words: Words) -> Iterator[str]:
    """The same sentence in ever fewer words, each of them still a sentence; the first say as much as the whole."""
    bare = sentence.rstrip(".")
    opened = words.pattern("time_lead").match(bare)
    if opened:
        later = bare[opened.end() :]
        yield f"{later[:1].upper()}{later[1:]} {opened.group().strip(' ,').lower()}."
        if "," in later:
            yield f"{_listed(bare.rsplit(',', 1)[0])}."
        bare = f"{later[:1].upper()}{later[1:]}"
    plain = words.pattern("needless_that").sub(r"\g<verb> ", bare)
    timeless = words.pattern("time_last").sub("", plain)
    settled = _SETTING.sub("", timeless, count=1)
    for text in (plain, timeless, _MEANS.sub("", plain, count=1), settled, _MEANS.sub("", settled, count=1)):
        yield f"{text}."
    if "," in bare:
        yield f"{_listed(plain.rsplit(',', 1)[0])}."
    halves = re.split(r"\sand\s(?=[a-z]+ed\b|[a-z]+s\b|\w+\s(?:the|a|to|his|her|it|them|in)\b)", plain)
    if len(halves) > 1:
        yield f"{' and '.join(halves[:-1])}."
    yield f"{_LAST_PHRASE.sub('', settled)}."


def _listed(text: str) -> str:
    """A list that lost its end gets its "and" back."""
    before, comma, last = text.rpartition(", ")
    return f"{before}, and {last}" if comma and not re.match(r"(?:and|then|but|yet)\s", last) else text
