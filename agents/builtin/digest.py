"""Picks and shortens the few sentences of a batch that a later writer would miss.

A sentence is narration cut to the clauses that carry somebody doing something; speech, looks, feelings and similes fall
away. What stays is the source's own words in the third person, with names for pronouns where the text tells whose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from talekeeper.agents.builtin.cast import Cast, Member
from talekeeper.agents.builtin.found import PLACE
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.sentences import MASK, Sentence, clauses
from talekeeper.agents.builtin.subjects import Clause, Line
from talekeeper.agents.builtin.words import Words, alternatives

_CLAUSE_LIMIT = {"zh": 26, "en": 22}
_SENTENCE_LIMIT = {"zh": 48, "en": 30}


@dataclass(frozen=True, slots=True)
class Point:
    """One shortened sentence, ready to stand in a summary."""

    text: str
    weight: float
    order: int
    unit: int
    source: str


def points(reading: Reading, cast: Cast, words: Words) -> list[Point]:
    """All usable sentences of the narration, in story order."""
    shorten = _Shortener(reading, cast, words)
    found = []
    lines = {id(line.sentence): line for line in cast.tracker.lines}
    for order, sentence in enumerate(reading.sentences):
        line = lines.get(id(sentence))
        text = shorten.narrated(line) if line else shorten.reported(sentence)
        if text:
            found.append(Point(text, shorten.weight(text, sentence), order, sentence.unit, sentence.text))
    return found


def best(candidates: Iterable[Point], limit: int) -> list[Point]:
    """The weightiest few in story order, no two alike."""
    chosen: list[Point] = []
    for point in sorted(candidates, key=lambda p: (-p.weight, p.order)):
        if len(chosen) == limit:
            break
        if not any(_alike(point.text, other.text) for other in chosen):
            chosen.append(point)
    return sorted(chosen, key=lambda p: p.order)


def _alike(a: str, b: str) -> bool:
    first = {a[i : i + 3] for i in range(len(a) - 2)}
    second = {b[i : i + 3] for i in range(len(b) - 2)}
    return bool(first and second) and len(first & second) * 2 >= min(len(first), len(second))


class _Shortener:
    """Shortens the sentences of one batch."""

    def __init__(self, reading: Reading, cast: Cast, words: Words) -> None:
        self._reading, self._cast, self._words = reading, cast, words
        self._zh = words.language == "zh"
        self._names = [s for m in cast.persons for s in m.surfaces]
        bound = "" if self._zh else r"\b"
        self._person = re.compile(bound + alternatives(self._names) + bound)
        self._place = re.compile(bound + alternatives(cast.surfaces(PLACE)) + bound)
        self._user = next((m.title for m in cast.persons if m.speaks and self._is_user(m)), "")
        self._group = words.any_of("groups")
        self._spoken = frozenset(run for q in reading.quotes for run in _runs(q.text, self._zh))

    def _is_user(self, member: Member) -> bool:
        return any(
            message.role == "user" and message.name in member.surfaces
            for unit in self._reading.units
            for message in unit.messages
        )

    # --- narration

    def narrated(self, line: Line) -> str:
        """The sentence cut to its telling clauses, or nothing."""
        if line.sentence.text.rstrip('”」』"*_ ').endswith(("？", "?")):
            return ""
        kept: list[tuple[str, Clause]] = []
        for clause in line.clauses:
            clean = self._clause(clause, line)
            if clean is not None:
                kept.append((clean, clause))
            elif kept and not self._zh:
                break
            if kept and not self._zh and re.match(r"(?:I|You)\b", line.clauses[0].text):
                break  # what follows has no subject of its own to agree with
        return self._joined(kept, line) if self._zh else self._joined_en(kept)

    def _clause(self, clause: Clause, line: Line) -> str | None:
        raw = clause.text
        if MASK in raw or re.search('[“”"「」『』‘’（）()\\[\\]【】{}<>|]', raw) or self._is_speech(raw):
            return None
        if self._words.any_of("texture").search(raw):
            return None
        text = self._person_shifted(self._titled(raw), line.sentence)
        text = text and self._pronouns_named(text, clause, line)
        if not text:
            return None
        size = len(text) if self._zh else len(text.split())
        if not 2 <= size <= _CLAUSE_LIMIT[self._words.language] or self._echoes(text):
            return None
        return text

    def _titled(self, text: str) -> str:
        """A short or other name that opens a clause gives way to the title, so that one person has one name."""
        match = self._person.match(text)
        title = self._cast.title_of(match.group()) if match else ""
        if not match or title == match.group() or text.startswith(title):
            return text
        return title + text[match.end() :]

    def _pronouns_named(self, text: str, clause: Clause, line: Line) -> str | None:
        """Pronouns turned into names: the leading one is the subject, a lone other one whoever was subject before."""
        lead = re.match("[他她](?!们|的)" if self._zh else r"(?:[Hh]e|[Ss]he)\b(?!')", text)
        if lead:
            if not clause.subject or clause.subject in text:
                return None
            text = clause.subject + text[lead.end() :]
        other = line.before
        if other and clause.subject and other != clause.subject and other not in text:
            spots = re.findall("[他她](?!们)" if self._zh else r"\b(?:him|her)\b", text)
            people = {self._cast.title_of(s) for s in self._person.findall(text)}
            if len(spots) == 1 and people <= {clause.subject} and (self._zh or re.search(r"\b(?:him|her)$", text)):
                text = re.sub("[他她](?!们)" if self._zh else r"\b(?:him|her)\b", other, text)
        return text

    def _is_speech(self, clause: str) -> bool:
        bare = clause
        for word in self._words.list("speech_exceptions"):
            bare = bare.replace(word, "")
        return bool(self._words.any_of("speech").search(bare))

    def _person_shifted(self, clause: str, sentence: Sentence) -> str | None:
        """First and second person turned into names; None where the text doesn't tell whose."""
        me = self._cast.title_of(sentence.speaker) if sentence.speaker else ""
        member = self._cast.by_surface.get(sentence.speaker)
        me = "" if member is not None and member.narrator else me
        you = self._user if not sentence.user else ""
        if self._zh:
            if re.search("我们|咱|你们|您们", clause):
                return None
            if ("我" in clause and not me) or (re.search("[你您]", clause) and not you):
                return None
            text = clause.replace("我", me) if me else clause
            return re.sub("[你您]", you, text) if you else text
        return _shifted_en(clause, me, you, self._words)

    def _echoes(self, text: str) -> bool:
        """Whether a clause repeats a run of words that somebody spoke."""
        return any(run in self._spoken for run in _runs(text, self._zh))

    def _joined(self, kept: list[tuple[str, Clause]], line: Line) -> str:
        limit = _SENTENCE_LIMIT["zh"]
        weighty = [i for i, (text, _) in enumerate(kept) if self._is_weighty(text)]
        if not weighty:
            return ""
        whole = sum(len(text) + 1 for text, _ in kept) <= limit
        first = 0 if whole else weighty[0]
        out = kept[first][0]
        subject = kept[first][1].subject
        opens = kept[first][1] is line.clauses[0] or self._person.match(out) or self._group.match(out)
        if not subject and not opens:
            return ""
        if subject and not kept[first][1].named and subject not in out:
            out = subject + out
        for at in range(first + 1, len(kept)):
            text = kept[at][0]
            if len(out) + len(text) > limit or (at not in weighty and at > weighty[0] + 1):
                break
            out = f"{out}，{text}"
        if not self._person.search(out) and not self._group.match(out):
            return ""
        return re.sub("[《》]", "", out).rstrip("，。！？!?…~ ") + "。"

    def _is_weighty(self, text: str) -> bool:
        return bool(self._words.any_of("weight_verbs").search(text) or self._person.search(text))

    def _joined_en(self, kept: list[tuple[str, Clause]]) -> str:
        start = next((i for i, (text, _) in enumerate(kept) if self._person.match(text)), None)
        if start is None:
            return ""
        out = kept[start][0]
        for text, _ in kept[start + 1 :]:
            if len(out.split()) + len(text.split()) > _SENTENCE_LIMIT["en"]:
                break
            alone = self._person.fullmatch(out)  # "…, Edmund Hale, hired a boat": an apposition
            out = f"{out} {text}" if alone else f"{out}, {text}"
        out = re.sub(r"(?:, | )(?:and|but|or|so)$", "", out)
        acting = self._words.any_of("acts").search(out) or self._words.any_of("weight_verbs").search(out)
        if not acting or len(out.split()) < 3:
            return ""
        return out[:1].upper() + out[1:].rstrip(" ,.!?…~") + "."

    # --- first person told in a chat

    def reported(self, sentence: Sentence) -> str:
        """Something that a chat partner tells of themselves, in the third person; else nothing."""
        member = self._cast.by_surface.get(sentence.speaker)
        if member is None or member.narrator:
            return ""
        text = sentence.text.strip()
        if text.endswith(("?", "？", "吗", "呢？", "吧？")):
            return ""
        return self._reported_zh(text, member.title) if self._zh else self._reported_en(text, member.title)

    def _reported_zh(self, text: str, name: str) -> str:
        parts = clauses(text, self._words)
        for i, part in enumerate(parts):
            bare = self._words.pattern("time_openers").sub("", part)
            if not self._words.pattern("self_report").match(bare) or re.search("[你您吗呢？]", bare):
                continue
            out = name + bare[1:].replace("我", "自己")
            after = parts[i + 1] if i + 1 < len(parts) else ""
            if after and not re.search("[你您我吗呢？]|觉得|感觉", after) and len(out) + len(after) <= 36:
                out = f"{out}，{after}"
            if 6 <= len(out) <= 48 and not self._is_speech(out):
                return re.sub('[《》“”"]', "", out).rstrip("，。！？!?…~ ") + "。"
        return ""

    def _reported_en(self, text: str, name: str) -> str:
        bare = self._words.pattern("time_openers").sub("", text)
        opener = self._words.text("time_openers")
        bare = re.sub(opener, "", bare, flags=re.IGNORECASE)
        if not self._words.pattern("self_report").match(bare) or re.search(r"\byou(?:r)?\b|[\"“”]", bare):
            return ""
        bare = re.split(r"\s(?:and|but|so)\s(?:it|I|we|they|that|he|she)\b|[,;:!]|\s-\s", bare)[0]
        parts = bare.split()[:20]
        out = name + bare[len("I") :] if len(parts) == len(bare.split()) else ""
        out = re.sub(r"\bmyself\b", name, re.sub(r"\bmy\b", "their", re.sub(r"\bme\b", "them", out)))
        out = re.sub(r"\bour\b", "their", re.sub(r"\bus\b", "them", out))
        if not len(out.split()) >= 4 or re.search(r"\bI\b|\bI'", out):
            return ""
        return out.rstrip(" ,.!?…~") + "."

    # --- weight

    def weight(self, text: str, sentence: Sentence) -> float:
        """How much a later writer would miss this: people, places, deciding verbs; long and vague counts against."""
        people = {self._cast.title_of(s) for s in self._person.findall(text)}
        score = 1.5 * min(len(people), 3) + 1.0 * bool(self._place.search(text))
        score += 2.0 * min(len(set(self._words.any_of("weight_verbs").findall(text))), 2)
        score += 0.5 * (sentence.kind == "narration")
        pronouns = re.findall("[他她它]" if self._zh else r"\b(?:he|she|it|they)\b", text)
        return score - 0.4 * len(pronouns)


def _runs(text: str, zh: bool) -> list[str]:
    """Runs long enough to be somebody's own words: six Chinese characters, four English words."""
    if zh:
        return [text[i : i + 6] for i in range(len(text) - 5)]
    parts = re.findall(r"[\w'’-]+", text.lower())
    return [" ".join(parts[i : i + 4]) for i in range(len(parts) - 3)]


def _shifted_en(clause: str, me: str, you: str, words: Words) -> str | None:
    if re.search(r"\b(?:we|us|our)\b", clause, re.IGNORECASE):
        return None
    if re.search(r"\b(?:I|me|my|mine|I'm|I've|I'd|I'll|i)\b", clause):
        if not me:
            return None
        clause = _third_person(clause, r"\b[Ii]", me, words) or ""
        clause = re.sub(r"\bmy\b", f"{me}'s", re.sub(r"\bme\b", me, clause))
    if clause and re.search(r"\byou(?:r|'re|rs|rself)?\b", clause, re.IGNORECASE):
        if not you:
            return None
        clause = _third_person(clause, r"\b[Yy]ou", you, words) or ""
        clause = re.sub(r"\b[Yy]our\b", f"{you}'s", re.sub(r"\byou\b", you, clause))
    if not clause or re.search(r"\b(?:I|mine|yours|yourself|myself)\b|\b(?:I|you)'", clause):
        return None
    return clause


def _third_person(clause: str, pronoun: str, name: str, words: Words) -> str | None:
    """``I step`` → ``Name steps``; None where the verb isn't one whose form is known."""
    known = words.set("acts") | words.set("weight_verbs")

    def replace(match: re.Match[str]) -> str:
        verb = match["verb"]
        for form in (verb, f"{verb}s", f"{verb}es", f"{verb[:-1]}ies"):
            if form in known and (form != verb or verb.endswith(("ed", "t", "w", "k", "d", "n", "e", "s"))):
                return f"{name} {form}"
        return "\0"

    shifted = re.sub(rf"{pronoun}\s(?P<verb>[a-z]+)\b", replace, clause)
    if "\0" in shifted:
        return None

    def agree(match: re.Match[str]) -> str:
        verb = match["verb"]
        form = next((f for f in (f"{verb}s", f"{verb}es") if f in known), None)
        return f" and {form or verb}"

    return re.sub(r"\sand\s(?P<verb>[a-z]+)\b", agree, shifted)
