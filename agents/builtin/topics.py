"""What a talk was about: a few words for a turn in which nothing was done.

Without them one quiet turn would read like the last, and a memory of repeats is no memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from talekeeper.agents.builtin.cast import Cast
from talekeeper.agents.builtin.found import PERSON
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.words import Words

_THINGS = frozenset({"n", "nz", "nw", "LOC", "ORG"})
_DOINGS = frozenset({"vn", "an", "v", "a", "s"})
_NOUN = re.compile(
    r"\b(?:the|a|an|my|your|our|his|her)\s(?P<noun>[a-z]{4,}(?:\s[a-z]{4,})?)"
    r"(?=[,.!?;]|\s(?:and|for|in|on|at|with|to|is|was|of)\b)"
)
_WORD = re.compile(r"\b[a-z]{6,}\b")


def topics(reading: Reading, cast: Cast, words: Words, limit: int = 3) -> tuple[str, ...]:
    """The things a talk names, the often named first; where it names none, what it speaks of doing."""
    for found in (_things, _doings):
        chosen = _chosen(Counter(found(reading, words)), reading, cast, words)
        if chosen:
            return chosen[:limit]
    return ()


def _things(reading: Reading, words: Words) -> Iterator[str]:
    if words.language == "zh":
        yield from (t.word for line in reading.tokens for t in line if t.tag in _THINGS and 2 <= len(t.word) <= 6)
    else:
        yield from (m["noun"] for text in reading.texts for m in _NOUN.finditer(text))


def _doings(reading: Reading, words: Words) -> Iterator[str]:
    if words.language == "zh":
        yield from (t.word for line in reading.tokens for t in line if t.tag in _DOINGS and 2 <= len(t.word) <= 4)
    else:
        yield from (m.group() for text in reading.texts for m in _WORD.finditer(text))


def _chosen(counts: Counter[str], reading: Reading, cast: Cast, words: Words) -> tuple[str, ...]:
    stops = words.set("topic_stops") | set(cast.surfaces(PERSON))
    joined = "\n".join(reading.texts)
    kept = [
        word
        for word in counts
        if not any(part in stops for part in (word, *word.split()))
        and not re.search('[《》“”"*]', word)
        and not any(word in name for name in cast.surfaces(PERSON))
    ]
    return tuple(sorted(kept, key=lambda w: (-counts[w], -min(len(w), 4), joined.find(w))))
