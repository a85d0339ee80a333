"""One reading of a batch, shared by the four roles: sentences, quotations, tagged words, names found.

A pure function of the units' text, so that whoever asks again gets the same answer from a small cache.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from talekeeper.agents.builtin import names_en, names_zh
from talekeeper.agents.builtin.found import PERSON, PLACE, Found
from talekeeper.agents.builtin.sentences import Quote, Sentence, split_unit
from talekeeper.agents.builtin.stage import stages
from talekeeper.agents.builtin.tagger import Token, tag
from talekeeper.agents.builtin.words import Words
from talekeeper.memory.models import Unit
from talekeeper.rules.lexicon import lexicon


@dataclass(frozen=True)
class Reading:
    """What a batch says, cut up.

    Attributes:
        texts: the units' texts; tokens: their tagged words (Chinese only, else empty).
        aliases: alias → bare name, where the text itself declares it.
    """

    units: tuple[Unit, ...]
    texts: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    quotes: tuple[Quote, ...]
    tokens: tuple[tuple[Token, ...], ...]
    found: tuple[Found, ...]
    aliases: dict[str, str]

    @property
    def chapter(self) -> bool:
        return any(unit.kind == "chapter" for unit in self.units)

    @property
    def narration(self) -> tuple[Sentence, ...]:
        return tuple(s for s in self.sentences if s.kind == "narration")

    @property
    def speech(self) -> tuple[Sentence, ...]:
        return tuple(s for s in self.sentences if s.kind == "speech")

    @property
    def speakers(self) -> tuple[str, ...]:
        """Authors of the turn's messages, the user's persona first."""
        names: dict[str, bool] = {}
        for unit in self.units:
            for message in unit.messages:
                if unit.kind == "turn" and message.text and message.name and message.role != "system":
                    names[message.name] = names.get(message.name, False) or message.role == "user"
        return tuple(sorted(names, key=lambda name: (not names[name], list(names).index(name))))


class Reader:
    """Reads batches of one language and remembers the last few."""

    def __init__(self, words: Words, remember: int = 4) -> None:
        self._words = words
        self._remember = remember
        self._recent: OrderedDict[tuple[str, ...], Reading] = OrderedDict()

    def read(self, batch: Sequence[Unit]) -> Reading:
        key = tuple(f"{unit.ref}:{unit.content_hash}" for unit in batch)
        if key not in self._recent:
            self._recent[key] = read_batch(batch, self._words)
            while len(self._recent) > self._remember:
                self._recent.popitem(last=False)
        self._recent.move_to_end(key)
        return self._recent[key]


def read_batch(batch: Sequence[Unit], words: Words) -> Reading:
    """The reading of a batch; nothing but its text and the lexicon goes in."""
    texts = tuple(unit.text for unit in batch)
    sentences: list[Sentence] = []
    quotes: list[Quote] = []
    for index, unit in enumerate(batch):
        more, quoted = split_unit(unit, index, words)
        sentences.extend(more)
        quotes.extend(quoted)
    chapter = any(unit.kind == "chapter" for unit in batch)
    speakers = [m.name for unit in batch for m in unit.messages if m.name and unit.kind == "turn"]
    if words.language == "zh":
        tokens = tuple(tuple(tag(text)) for text in texts)
        found = names_zh.find_names(texts, tokens, words, chapter)
        finder = names_zh.aliases_in
    else:
        tokens = tuple(() for _ in texts)
        found = names_en.find_names(texts, words, chapter, speakers)
        finder = names_en.aliases_in
    found = [*_staged(batch, found, words), *found]
    persons = [f.name for f in found if f.type == PERSON and not f.alias_of]
    aliases = finder(texts, [*persons, *speakers], words)
    aliases |= {f.name: f.alias_of for f in found if f.alias_of}
    found = [*found, *_declared(texts, aliases, found, speakers)]
    marked = tuple(replace(f, alias_of=aliases.get(f.name, "")) for f in found)
    return Reading(tuple(batch), texts, tuple(sentences), tuple(quotes), tokens, marked, aliases)


def _declared(
    texts: Sequence[str], aliases: Mapping[str, str], found: Sequence[Found], speakers: Sequence[str]
) -> list[Found]:
    """Bearers of a declared alias whose own name stands nowhere in one piece: 姓刘名备，字玄德."""
    known = {f.name for f in found} | set(speakers)
    fresh: dict[str, Found] = {}
    for alias, who in aliases.items():
        if who not in known and len(who) > 1:
            shown = who if any(who in text for text in texts) else alias
            unit = next((i for i, text in enumerate(texts) if shown in text), 0)
            at = max(texts[unit].find(shown), 0)
            count = sum(text.count(alias) + text.count(who) for text in texts)
            fresh.setdefault(who, Found(who, PERSON, unit, at, at + len(shown), count, True))
    return list(fresh.values())


def _staged(batch: Sequence[Unit], found: Sequence[Found], words: Words) -> list[Found]:
    """Places that a message's opening line names: no better evidence exists, unless the word is any place's."""
    known = {f.name for f in found}
    generic = set(lexicon(words.language).generic_places) | words.set("not_names")
    fresh: dict[str, Found] = {}
    for stage in stages(batch, words):
        name = re.sub(r"^[Tt]he\s", "", stage.place)
        if 2 <= len(name) <= 40 and name.lower() not in generic and name not in known:
            fresh.setdefault(name, Found(name, PLACE, stage.unit, stage.start, stage.start + len(name), 1))
    return list(fresh.values())


def is_narrator(name: str, reading: Reading, words: Words) -> bool:
    """Whether a speaker's name is a scenario's or narrator's title, not somebody in the story.

    Only the shape of the name tells (雪夜酒铺, Satire Fantasy Isekai), and that nobody in the text bears it.
    """
    parts = [name] if words.language == "zh" else re.findall(r"\w+", name.lower())
    listed = words.list("scenario_words")
    shaped = (
        any(name.endswith(w) or name == w for w in listed)
        if words.language == "zh"
        else any(p in listed for p in parts)
    )
    if not shaped:
        return False
    return not any(s.text.startswith(name) for s in reading.narration)
