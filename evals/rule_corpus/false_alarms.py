"""The false-alarm corpus: honest event summaries of several genres, and which of them a rule flags all the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from talekeeper.memory.models import Language
from talekeeper.rules.book import RuleBook
from talekeeper.rules.event_form import parse
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import EventSubject


@dataclass(frozen=True, slots=True)
class Honest:
    """One honest summary; ``names`` are those that memory holds, ``source`` the batch where one is given."""

    language: Language
    genre: str
    names: tuple[str, ...]
    summary: str
    source: str = ""

    def subject(self) -> EventSubject:
        """What the rules look at. Without a source of its own, the batch holds the names and the excerpts alone, which
        is the hardest ground to stand on."""
        event = parse(self.summary, self.language)
        batch = "\n".join([self.source, *self.names, *(verbatim for _, verbatim in event.excerpts)])
        threads = frozenset(event.open_threads)
        return EventSubject(
            self.summary,
            batch_text=batch,
            thread_titles=threads,
            created_threads=threads,
            known_names=frozenset(self.names),
        )


@cache
def honest(language: Language) -> tuple[Honest, ...]:
    """All honest summaries of one language."""
    text = resources.files("talekeeper.evals.rule_corpus").joinpath("honest", f"{language}.yaml").read_text("utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return tuple(
        Honest(language, row["genre"], tuple(row["names"]), row["summary"], row.get("source", ""))
        for row in yaml.load(text, Loader=loader)
    )


def flagged(language: Language) -> Iterator[tuple[Honest, list[Violation]]]:
    """Those that some rule has something against, with all of it."""
    book = RuleBook(language)
    for item in honest(language):
        found = book.check("event", item.subject())
        if found:
            yield item, found
