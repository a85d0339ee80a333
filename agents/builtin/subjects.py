"""Who does what: the subject of each clause, carried on through pronouns and ellipsis as far as the text is plain.

A pronoun that could be two people stays unresolved; whoever reads a line without a subject drops it rather than guess.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.sentences import MASK, Sentence, clauses
from talekeeper.agents.builtin.words import Words, alternatives


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause with its subject's title (empty = not told). ``reported`` = inside what somebody tells of."""

    text: str
    subject: str
    named: bool
    reported: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One narrated sentence: its clauses, and who was the subject of the sentence before it."""

    sentence: Sentence
    clauses: tuple[Clause, ...]
    before: str

    @property
    def subject(self) -> str:
        return next((c.subject for c in self.clauses if c.subject), "")


class Tracker:
    """Follows subjects through a reading. ``titles`` maps surfaces of people to their titles; narrators are absent."""

    def __init__(self, reading: Reading, titles: Mapping[str, str], words: Words) -> None:
        self._words, self._titles = words, titles
        self._zh = words.language == "zh"
        edge = "" if self._zh else r"\b"
        person = alternatives(titles)
        pronouns = alternatives(words.list("pronouns"))
        before = "" if self._zh else rf"(?:It was )?(?:{alternatives(words.list('honorifics'))}\.?\s)?"
        self._lead = re.compile(rf"{before}(?P<who>{person}){edge}(?!['’]s\b)(?!的|家|手下|们)")
        self._pronoun = re.compile(rf"{pronouns}{edge}(?!们|的|['’])", re.IGNORECASE)
        edge_after = "" if self._zh else r"\b"
        linkers = alternatives(words.list("linkers"))
        self._opener = re.compile(rf"^(?:{linkers}{edge_after}[ ,，]*){{1,3}}(?=.)", re.IGNORECASE)
        described = rf"[^的{re.escape(MASK)}]{{1,8}}的(?P<who>{person})(?!的|家|手下|们)"
        self._described = re.compile(described) if self._zh else None
        self._is_named = re.compile(rf"(?:是|乃|is|was)\s?(?P<who>{person})[。.”\"]?$")
        self.lines = tuple(self._lines(reading))

    def _lines(self, reading: Reading) -> list[Line]:
        lines: list[Line] = []
        before, where = "", (-1, "")
        for sentence in reading.narration:
            here = (sentence.unit, sentence.speaker)
            if here != where:
                before, where = "", here
            line = self._line(sentence, before)
            lines.append(line)
            text = sentence.text.replace(MASK, "")
            named = self._is_named.search(text.rstrip())
            before = self._titles[named["who"]] if named else self._next_subject(line, before)
        return lines

    def _next_subject(self, line: Line, before: str) -> str:
        """The subject that the next sentence's pronoun means; nothing after a sentence about two equals."""
        return line.subject or (before if not line.clauses else "") or before

    def _line(self, sentence: Sentence, before: str) -> Line:
        me = self._titles.get(sentence.speaker, "")
        text = re.sub(r"[*_~#`>]+", "", sentence.text)
        current, reported = "", False
        found = []
        for i, raw in enumerate(clauses(text, self._words)):
            clause = self._opened(raw)
            lead = self._lead.match(clause)
            pronoun = self._pronoun.match(clause)
            described = self._described.match(clause) if self._described and not pronoun else None
            if lead:
                current = self._titles[lead["who"]]
            elif described:
                current = self._titles[described["who"]]
            elif pronoun:
                first = pronoun.group().lower() in {"我", "i"}
                current = me if first else current or before
            shown = raw if i and not self._zh else clause  # an English "and" must stay where it joins
            found.append(Clause(shown, current, bool(lead), reported))
            reported = reported or bool(self._words.any_of("report").search(clause))
        return Line(sentence, tuple(found), before)

    def _opened(self, text: str) -> str:
        """A clause without the linking words that open it."""
        rest = self._opener.sub("", text)
        return rest if len(rest) > 1 else text

    def subject_at(self, unit: int, at: int) -> str:
        """The subject of the sentence that holds this offset, else of the one before it."""
        for line in self.lines:
            if line.sentence.unit == unit and line.sentence.start <= at < line.sentence.end:
                return line.subject or line.before
        return ""

    def present(self) -> frozenset[str]:
        """Titles of all who do something here, or have it done to them, outside of what is merely told."""
        here = set()
        with_whom = self._words.any_of("company")
        for line in self.lines:
            for clause in line.clauses:
                if clause.reported:
                    continue
                if clause.subject:
                    here.add(clause.subject)
                for match in with_whom.finditer(clause.text):
                    rest = clause.text[match.end() :].lstrip()
                    lead = self._lead.match(rest)
                    if lead:
                        here.add(self._titles[lead["who"]])
        return frozenset(here)
