"""English narration told again in a few words: for each statement who did what, with names for pronouns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talekeeper.agents.builtin.cast import Cast
from talekeeper.agents.builtin.condense_en import shorter, trimmed
from talekeeper.agents.builtin.found import PERSON, PLACE
from talekeeper.agents.builtin.point import Point
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.sentences import MASK, Sentence, clauses
from talekeeper.agents.builtin.subjects import Line
from talekeeper.agents.builtin.verbs_en import Tense, is_base, third_person
from talekeeper.agents.builtin.words import Words, alternatives

_CLAUSE_LIMIT, _SENTENCE_LIMIT = 24, 28
_OBJECT_AFTER = (
    r"(?=$|[,.;]|\s(?:up|as|to|a|an|the|into|in|on|aboard|at|with|from|out|off|and|for|that|away|back|home|by|down)\b)"
)


class NarrationEn:
    """Retells the sentences of one batch."""

    def __init__(self, reading: Reading, cast: Cast, words: Words, user: str) -> None:
        self._reading, self._cast, self._words, self._user = reading, cast, words, user
        self._person = re.compile(rf"\b{alternatives(cast.surfaces(PERSON))}\b(?!['’]s\b)(?!\s[A-Z])")
        self._anyone = re.compile(rf"\b{alternatives(cast.surfaces(PERSON))}\b(?!\s[A-Z])")
        self._place = re.compile(rf"\b{alternatives(cast.surfaces(PLACE))}\b")
        self._spoken = frozenset(run for q in reading.quotes for run in _runs(q.text))
        person = alternatives(cast.surfaces(PERSON))
        honorifics, kin = alternatives(words.list("honorifics")), alternatives(words.list("kin"))
        self._lead_in = re.compile(
            rf"(?:(?:{honorifics}\.?|(?:[Hh]is|[Hh]er|[Tt]heir|[Tt]he)\s(?:\w+\s)?{kin})\s)(?={person}\b)"
        )
        self._cleft = re.compile(rf"It (?:was|is) (?P<who>{person}) who\s")
        self._identity = re.compile(rf"[Tt]he (?:[\w-]+ ){{1,7}}(?:was|is) {person}$")
        self._group = re.compile(rf"{alternatives(words.list('groups'))}\b", re.IGNORECASE)
        told = " ".join(s.text for s in reading.narration if not s.user)
        pasts = len(re.findall(r"\b(?:\w+ed|was|were|had|went|came|took|gave|said)\b", told))
        presents = len(re.findall(r"\b(?:is|are|has|\w+s)\b(?=\s(?:the|a|an|his|her|to|your|its)\b)", told))
        self._tense: Tense = "present" if presents * 2 > pasts else "past"

    def points(self, line: Line, order: int) -> list[Point]:
        """The statements of the sentence as points, none where nothing certain is left of it."""
        sentence = line.sentence
        if sentence.text.rstrip('”"*_ ').endswith("?"):
            return []
        return [p for segment, at in self._segments(line) for p in self._statements(segment, line, at, order)]

    def _segments(self, line: Line) -> Iterator[tuple[list[str], int]]:
        """Statements between semicolons and colons, as clauses, each with the number of its first clause."""
        text = re.sub(r"[*_~#`>]+", "", line.sentence.text)
        at = 0
        for segment in re.split(r"[;:]\s+|\s*—\s*", text):
            parts = clauses(segment.rstrip(" .!…"), self._words)
            if parts:
                yield parts, at
            at += len(parts)

    def _statements(self, parts: list[str], line: Line, at: int, order: int) -> Iterator[Point]:
        kept: list[str] = []
        subject = ""
        for i, raw in enumerate(parts):
            known = line.clauses[at + i].subject if at + i < len(line.clauses) else ""
            if kept:
                if self._person.fullmatch(kept[-1]) and re.match(r"(?:the|an?|his|her)\s", raw):
                    continue  # "Old Quill, the ferryman, recognised the rope"
                more = self._continued(raw, line, subject)
                if more and self._person.fullmatch(kept[-1]) and line.before != subject:
                    more = self._nobodys(f"{subject} {more}", subject)[len(subject) + 1 :]
                if more and sum(len(k.split()) for k in kept) + len(more.split()) <= _SENTENCE_LIMIT:
                    kept.append(more)
                    continue
                yield from self._pointed(kept, subject, line.sentence, order)
                kept = []
                if more:
                    continue
            lead = self._led(raw, line.sentence, known, line)
            if lead is not None:
                subject, clause = lead
                kept.append(clause)
        yield from self._pointed(kept, subject, line.sentence, order)

    # --- clauses

    def _usable(self, raw: str) -> bool:
        if MASK in raw or re.search(r"[“”\"‘()\[\]【】{}<>|…]", raw):
            return False
        if self._words.any_of("texture").search(raw) or re.search(
            r"^(?:if|when|while|as|though|although|because|unless)\b", raw, re.IGNORECASE
        ):
            return False
        bare = self._words.pattern("allowed_speech").sub(" ", raw)
        return not self._words.any_of("speech").search(bare)

    def _led(self, raw: str, sentence: Sentence, known: str, line: Line) -> tuple[str, str] | None:
        """(subject, clause) of a clause that opens with somebody, or with something that a deciding verb follows."""
        if not self._usable(raw):
            return None
        raw = re.sub(r"^(?:then|and|but|so|yet|still|now|instead|finally|suddenly)\s", "", raw, flags=re.IGNORECASE)
        time = self._words.pattern("time_lead").match(raw)
        opening, rest = (raw[: time.end()], raw[time.end() :]) if time else ("", raw)
        rest = self._lead_in.sub("", rest)
        if re.match(r"It (?:was|is) ", rest) and (cleft := self._cleft.match(rest)):
            rest = f"{cleft['who']} {rest[cleft.end() :]}"  # "It was Maple who knocked"
        spoken = self._spoken_for(rest, sentence)
        if spoken is None:
            return None
        rest = spoken
        pronoun = re.match(r"(?:he|she)\b(?!['’])", rest, re.IGNORECASE)
        person = self._person.match(rest)
        if pronoun:
            if not known or known in rest:
                return None
            subject, rest = known, known + rest[pronoun.end() :]
        elif person:
            subject = self._cast.title_of(person.group())
            rest = subject + rest[person.end() :]
        elif (
            self._group.match(rest)
            or self._identity.match(rest)
            or (
                re.match(r"[Tt]he (?:[A-Z]|\w+ (?:was|were|led|closed|opened|broke|burned|died|sank|won|lost)\b)", rest)
                and self._words.any_of("weight_verbs").search(rest)
            )
        ):
            subject = ""
        else:
            return None
        rest = self._objects_named(rest, subject, line)
        if person and line.before and line.before != subject:
            rest = self._nobodys(rest, subject)
        clause = trimmed(rest, self._words)
        if not clause or not 2 <= len(clause.split()) <= _CLAUSE_LIMIT or self._echoes(clause):
            return None
        opening = opening[:1].upper() + opening[1:]
        return subject, f"{opening}{clause}" if opening else clause

    def _continued(self, raw: str, line: Line, subject: str) -> str | None:
        """A further clause of the same subject: one that opens with what was done, or says who somebody is."""
        if not self._usable(raw):
            return None
        text = re.sub(r"^and then\s", "and ", raw)
        spoken = self._spoken_for(text, line.sentence)
        if spoken is None:
            return None
        first = re.match(r"(?:(?:and|but|then|yet)\s)?(?P<verb>[a-z]+)\b", spoken)
        if first is None:
            return None
        verb = first["verb"]
        form = third_person(verb, self._tense) if is_base(verb) and line.sentence.user else verb
        acts = self._words.set("acts") | self._words.set("weight_verbs")
        if verb not in acts and not (form and form != verb) and third_person(verb, "past") != verb:
            return None
        spoken = spoken[: first.start("verb")] + (form or verb) + spoken[first.end("verb") :]
        clause = trimmed(self._objects_named(spoken, subject, line), self._words)
        return clause if clause and not self._echoes(clause) else None

    def _nobodys(self, text: str, subject: str) -> str:
        """his or her right after the verb may be the last sentence's subject's: the thing stays, whose it is goes."""
        kin = alternatives(self._words.list("kin"))
        return re.sub(
            rf"^({re.escape(subject)} \w+(?: out| up| off)?) (?:his|her) (?!(?:\w+ )?{kin}\b)", r"\1 the ", text
        )

    def _objects_named(self, text: str, subject: str, line: Line) -> str:
        """him, and her where it can't be hers, named after whoever was subject before, if nobody else stands there."""
        other = line.before
        if not other or other == subject or not subject:
            return text
        people = {self._cast.title_of(s) for s in self._person.findall(text)}
        if other in text or not people <= {subject}:
            return text
        return re.sub(rf"\bhim\b|\bher\b{_OBJECT_AFTER}", other, text, count=1)

    def _spoken_for(self, text: str, sentence: Sentence) -> str | None:
        """First and second person told as third; None where the text doesn't tell whose."""
        member = self._cast.by_surface.get(sentence.speaker)
        me = "" if member is None or member.narrator else member.title
        if re.match(r"[Ww]e\s", text) and me:
            text = f"{me} and the others{text[2:]}"
            text = re.sub(r"^(.+? others) are\b", r"\1 were", text) if self._tense == "past" else text
        if re.search(r"\b(?:we|us|our)\b", text, re.IGNORECASE):
            return None
        for first, who in ((r"\b[Ii]\b", me), (r"\b[Yy]ou\b", "" if sentence.user else self._user)):
            if not re.search(rf"{first}|\bmy\b|\bme\b" if "I" in first else rf"{first}|\byour\b", text):
                continue
            if not who:
                return None
            shifted = self._shifted(text, first, who)
            if shifted is None:
                return None
            text = shifted
        if re.search(r"\b(?:I|mine|yours|yourself|myself)\b|\b(?:I|you)['’]", text):
            return None
        return text

    def _shifted(self, text: str, pronoun: str, who: str) -> str | None:
        lost = False

        def verb(match: re.Match[str]) -> str:
            nonlocal lost
            form = third_person(match["verb"], self._tense)
            lost = lost or form is None
            return f"{who} {form}"

        text = re.sub(rf"{pronoun}\s(?:\w+ly\s|just\s|then\s|also\s)?(?P<verb>[a-z]+)\b", verb, text)
        if lost:
            return None

        def agree(match: re.Match[str]) -> str:
            form = third_person(match["verb"], self._tense) if is_base(match["verb"]) else None
            return f" and {form or match['verb']}"

        text = re.sub(r"\sand\s(?P<verb>[a-z]+)\b", agree, text)
        strange = re.search(r"\sand\s(?P<verb>[a-z]+)\s(?:the|a|an|my|your|his|her|it|them|at|into)\b", text)
        if strange and third_person(strange["verb"], "past") is None and not strange["verb"].endswith("s"):
            text = text[: strange.start()]  # a verb whose form isn't known
        own = rf"\b{who}(?: \w+)*? " if who else ""
        mine, me = (r"\b[Mm]y\b", r"\bme\b") if "I" in pronoun else (r"\b[Yy]our\b", r"\byou\b")
        if own and re.match(re.escape(who), text):
            text = re.sub(mine, "their", text)
        return re.sub(me, who, re.sub(mine, f"{who}'s", text))

    def _echoes(self, text: str) -> bool:
        return any(run in self._spoken for run in _runs(text))

    # --- the point

    def _pointed(self, kept: list[str], subject: str, sentence: Sentence, order: int) -> Iterator[Point]:
        if not kept:
            return
        named = self._person.fullmatch(kept[0]) is not None  # "…, Edmund Hale, hired a boat": an apposition
        if named and len(kept) == 1:
            return
        if len(kept) > 1 + named and not kept[-1].startswith(("and ", "then ", "but ", "yet ")):
            kept[-1] = f"and {kept[-1]}"
        whole = _sentence(f"{kept[0]} {', '.join(kept[1:])}" if named else ", ".join(kept))
        alone = _sentence(" ".join(kept[:2]) if named else kept[0])
        weight = self._weight(whole, subject)
        if weight <= 0 or len(whole.split()) < 3:
            return
        full = [self._full_names(text) for text in dict.fromkeys((whole, alone))]
        others = [t for text in dict.fromkeys((*full, whole, alone)) for t in (text, *shorter(text, self._words))]
        others = [o for o in dict.fromkeys(_sentence(o) for o in others) if o != whole and len(o.split()) >= 4]
        if self._identity.match(bare := whole.rstrip(".")):
            thing, verb, who = re.split(r"\s(was|is)\s(?=[A-Z][^.]*$)", bare, maxsplit=1)
            others.insert(0, f"{who} {verb} {thing[:1].lower()}{thing[1:]}.")
        yield Point(whole, weight, order, sentence.unit, sentence.text, subject, tuple(others))

    def _full_names(self, text: str) -> str:
        """Every person by title, as the sheets call them."""
        return self._anyone.sub(lambda m: self._cast.title_of(m.group()), text)

    def _weight(self, text: str, subject: str) -> float:
        if self._identity.match(text.rstrip(".")):
            return 2.5
        strong = set(self._words.any_of("weight_verbs").findall(text))
        acting = self._words.any_of("acts").search(text)
        if not strong and (not acting or re.search(r"\b(?:was|is|were|are|had|has)\b(?! \w+ed\b)", text)):
            return 0.7 if re.search(r"\b(?:was|is|became)\s(?:an?|the)\s\w+", text) and subject else 0.0
        people = {self._cast.title_of(s) for s in self._person.findall(text)}
        score = 2.0 * min(len(strong), 2) + 0.6 * min(len(people), 3) + 0.5 * bool(self._place.search(text)) + 0.5
        return score - 0.3 * len(re.findall(r"\b(?:he|she|it|they)\b", text))


def _runs(text: str) -> list[str]:
    """Runs long enough to be somebody's own words: four words."""
    parts = re.findall(r"[\w'’-]+", text.lower())
    return [" ".join(parts[i : i + 4]) for i in range(len(parts) - 3)]


def _sentence(text: str) -> str:
    text = re.sub(r"(?:, | )(?:and|but|or|so|then|to|of|the|a)$", "", text.rstrip(" ,.!?…~"))
    return text[:1].upper() + text[1:] + "."
