"""R6, R7 and N15: threads that an event moved, candidates that bind the story, and hooks that need another scene."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.memory.text import fold
from talekeeper.rules.event_form import parse
from talekeeper.rules.family import rule
from talekeeper.rules.lexicon import Lexicon
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.prose_parts import Span
from talekeeper.rules.roll_call_rules import vague
from talekeeper.rules.scan import occurrences, sentences
from talekeeper.rules.section_rules import content
from talekeeper.rules.subjects import HookFacts, RollCallSubject, SweepSubject, SweptThread

CATEGORIES = (1, 2, 3)
MINUTES = 30
_TOUCHED = 0.8
_FEWEST = {"zh": 3, "en": 2}


def swept(subject: SweepSubject, pack: LanguagePack) -> Iterator[Violation]:
    """R6. A thread counts as moved where one sentence or row tells (almost) all that its title names and that it was
    reached, and doesn't deny it."""
    left = [thread for thread in subject.threads if not thread.edited]
    if not left:
        return
    event = parse(subject.summary, pack.language)
    begin, end = event.spans["prose"]
    stretches = list(sentences(subject.summary, pack.words.sentence_ends, begin, end))
    stretches += [row for section in event.sections if section.kind == "irreversible" for row in section.rows]
    reached = [span for span in stretches if _tells_of_an_end(subject.summary[span[0] : span[1]], pack.words)]
    for thread in left:
        span = next((s for s in reached if _about(thread, subject.summary, s, pack)), None)
        if span is not None:
            values = {"node": thread.node_id, "title": thread.title}
            yield pack.report("R6", "stale", where="summary", text=subject.summary, span=span, values=values)


def _tells_of_an_end(text: str, words: Lexicon) -> bool:
    return bool(occurrences(text, words.completion_words)) and not occurrences(text, words.negation_words)


def _about(thread: SweptThread, summary: str, span: Span, pack: LanguagePack) -> bool:
    wanted = content(thread.title, pack.words)
    told = content(summary[span[0] : span[1]], pack.words)
    return len(wanted) >= _FEWEST[pack.language] and len(wanted & told) >= _TOUCHED * len(wanted)


def still_binds(subject: RollCallSubject, pack: LanguagePack) -> Iterator[Violation]:
    """R7. The entry says that the change still binds the story a day on."""
    for entry in (*subject.roll_call.characters, *subject.roll_call.locations):
        if entry.decision in ("CREATE", "EDIT") and not occurrences(entry.reason, pack.words.lasting_marks):
            yield pack.report("R7", "unanswered", where=entry.name, excerpt=entry.reason, name=entry.name)


def needs_another_scene(subject: RollCallSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N15."""
    facts = {fold(title): known for title, known in subject.hooks.items()}
    for hook in subject.roll_call.new_threads:
        if hook.decision != "CREATE":
            continue
        if hook.category not in CATEGORIES:
            yield pack.report("N15", "category", where=hook.title, title=hook.title, excerpt=str(hook.category or ""))
        if vague(hook.reason, pack.words.vague_reasons, pack):
            yield pack.report("N15", "unsaid", where=hook.title, title=hook.title, excerpt=hook.reason)
        elif span := next(iter(pack.words.classes.hits(hook.reason)["N15_scene"]), None):
            said = hook.reason[span[0] : span[1]]
            yield pack.report("N15", "same_scene", where=hook.title, title=hook.title, excerpt=said)
        elif _ends_here(facts.get(fold(hook.title), HookFacts())):
            yield pack.report("N15", "threshold", where=hook.title, title=hook.title)


def _ends_here(known: HookFacts) -> bool:
    """No kind of further independent scene is left: each of them is known and none is true."""
    later = None if known.minutes is None else known.minutes >= MINUTES
    moved_on = False if later is False or known.cast_changes is False else later and known.cast_changes
    return (moved_on, known.other_place, known.other_matter) == (False, False, False)


RULES = (
    rule("R6", "sweep", swept),
    rule("R7", "roll_call", still_binds, "soft"),
    rule("N15", "roll_call", needs_another_scene),
)
