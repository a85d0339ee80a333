"""Dispatches whose order or books are wrong (P1–P9), and dispatches that are merely unusual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from talekeeper.evals.rule_corpus.sample import Corpus, Sample, broken, pick, valid, worlds
from talekeeper.memory.models import Language
from talekeeper.rules.brief import compose_brief
from talekeeper.rules.subjects import ClosingSubject, ProtocolSubject

READS = ("schema", "recent")
LOOKS = ("find", "brief")
_ORDERS: Mapping[str, tuple[str, ...]] = {
    "plain": (*READS, *LOOKS, "roll_call", "event", "sweep", "finish"),
    "with facts": (*READS, *LOOKS, "roll_call", "create", "edit", "link", "event", "sweep", "finish"),
    "two of each": (*READS, "find", "find", "brief", "brief", "roll_call", "create", "create", "event", "finish"),
    "links after the event": (*READS, *LOOKS, "roll_call", "create", "event", "event_link", "sweep", "finish"),
    "tools by name": (
        "memory_schema",
        "memory_list_candidates",
        "memory_find_by_name",
        "memory_node_brief",
        "roll_call",
        "memory_node_create",
        "write_event",
        "finish",
    ),
    "rolled up": (*READS, *LOOKS, "roll_call", "event", "commit", "compact", "compact", "finish"),
}
_NEEDED = {
    "schema": ("schema", "memory_schema"),
    "recent": ("recent", "memory_list_candidates"),
    "roll_call": ("roll_call",),
}


def _order(language: Language) -> Iterator[Sample]:
    """P1."""
    for name, steps in _ORDERS.items():
        for left_out, spelled in _NEEDED.items():
            yield broken(_ledger(tuple(s for s in steps if s not in spelled)), f"{name}, without {left_out}")
        at = next(i for i, s in enumerate(steps) if s in ("event", "write_event"))
        for late in ("create", "edit", "memory_node_edit"):
            yield broken(_ledger((*steps[: at + 1], late, *steps[at + 1 :])), f"{name}, {late} after the event")
        yield broken(_ledger(("event", *steps)), f"{name}, the event first")
        yield broken(_ledger(("compact", *steps)), f"{name}, a rollup first")
        for size in range(1, len(steps) + 1):
            yield valid(_ledger(steps[:size]), f"{name}, {size} steps so far")
    yield broken(_ledger(("recent",)), "events before the schema")
    yield broken(_ledger(("schema", "find")), "a find before the events")
    yield valid(_ledger((*READS, *LOOKS, "find", "roll_call", "event")), "a late find")


def _ledger(steps: tuple[str, ...]) -> ProtocolSubject:
    return ProtocolSubject(steps, sum(s in ("event", "write_event") for s in steps))


def _one_event(language: Language) -> Iterator[Sample]:
    """P2."""
    for (name, steps), more in product(_ORDERS.items(), range(5)):
        yield broken(ProtocolSubject(steps, more + 2), f"{name}, {more + 2} events")
        yield valid(ProtocolSubject(steps, 1, finishing=bool(more % 2)), f"{name}, one event")
        yield valid(ProtocolSubject(steps[: more + 1], 0), f"{name}, {more + 1} steps, none so far")
    for name, steps in _ORDERS.items():
        yield broken(ProtocolSubject(steps, 0, finishing=True), f"{name}, finishing without one")


def _questions(language: Language) -> tuple[str, ...]:
    return tuple(f"find_by_name {name}" for world in worlds(language) for name in world.cast)


def _read_once(language: Language) -> Iterator[Sample]:
    """P3. A question asked again and answered from the ledger is no fault."""
    steps = _ORDERS["plain"]
    for number, question in enumerate(_questions(language)):
        yield broken(ProtocolSubject(steps, 1, reread=(question,)), f"put again: {question}")
        yield broken(ProtocolSubject(steps, 1, reread=("schema", question)), f"schema and {question} put again")
        yield valid(ProtocolSubject(steps, 1, repeats={question: number + 1}), f"answered from the ledger: {question}")
        yield valid(ProtocolSubject((*steps, "find"), 1), f"another question after {question}")


def _looked_up(language: Language) -> Iterator[Sample]:
    """P4."""
    steps = _ORDERS["with facts"]
    for number, name in enumerate(n for world in worlds(language) for n in world.cast):
        yield broken(ProtocolSubject(steps, 1, touched=(f"char_{number}",)), f"{name} by id")
        yield broken(ProtocolSubject(steps, 1, touched=(name, "place_1")), f"{name} by name")
        yield valid(ProtocolSubject(steps, 1, repeats={f"brief char_{number}": 2}), f"{name} briefed twice")
        yield valid(ProtocolSubject(steps[: number % len(steps)], 0), f"{number % len(steps)} steps, nothing touched")


def _evidence(language: Language) -> Iterator[Sample]:
    """P5."""
    steps = _ORDERS["with facts"]
    for number in range(15):
        yield broken(ProtocolSubject(steps, 1, uncited=(f"char_{number}",)), f"char_{number} cites nothing")
        yield broken(ProtocolSubject(steps, 1, foreign=(f"u{number}",)), f"u{number} of another batch")
        yield valid(ProtocolSubject(steps, 1, uncovered=(f"u{number}",)), f"all cited, u{number} uncovered")
        yield valid(ProtocolSubject(steps[:number], min(1, number // 9)), f"{number} steps, all cited")


def _covered(language: Language) -> Iterator[Sample]:
    """P6."""
    steps = _ORDERS["plain"]
    for number in range(30):
        left = tuple(f"u{n}" for n in range(number, number + 1 + number % 3))
        yield broken(ProtocolSubject(steps, 1, uncovered=left), f"{', '.join(left)} uncovered")
        yield valid(ProtocolSubject(steps[: number % 9], 0, foreign=left), f"all covered, {', '.join(left)} foreign")


_COUNTS: tuple[Mapping[str, int], ...] = (
    {"event create": 1},
    {"event create": 1, "character_sheet edit": 1},
    {"event create": 1, "character_sheet create": 2, "location_state create": 1},
    {"event create": 1, "thread create": 1, "link create": 3},
    {"event create": 1, "thread edit": 2, "groups": 1},
    {"event create": 1, "character_sheet delete": 1, "groups": 3},
)


def _closing(language: Language) -> Iterator[Sample]:
    """P7."""
    voice = pick(
        language,
        ("林晚说：“我们走吧。”", "夜色渐深，他转身离去。"),
        ('Mara said "let us go."', "Night fell, and he left."),
    )
    for counts in _COUNTS:
        right = compose_brief(counts, language)
        more = {**counts, "location_state edit": counts.get("location_state edit", 0) + 1}
        fewer = {key: n for key, n in counts.items() if key != list(counts)[-1]}
        twice = {key: n * 2 for key, n in counts.items()}
        end = pick(language, ("。",), (".",))[0]
        yield broken(ClosingSubject(right, counts, has_tool_calls=True), f"{right} and a tool call")
        yield broken(ClosingSubject("", counts), f"empty for {right}")
        yield broken(ClosingSubject(" \n", counts), f"blank for {right}")
        yield broken(ClosingSubject(compose_brief(more, language), counts), f"one more than {right}")
        yield broken(ClosingSubject(compose_brief(fewer, language), counts), f"one less than {right}")
        yield broken(ClosingSubject(compose_brief(twice, language), counts), f"twice {right}")
        for text in voice:
            yield broken(ClosingSubject(f"{right}{end} {text}", counts), f"{right} and {text}")
            yield broken(ClosingSubject(text, counts), text)
        yield valid(ClosingSubject(right, counts), right)
        yield valid(ClosingSubject(right + end, counts), f"{right} with a full stop")
        yield valid(ClosingSubject(f"  {right}\n", counts), f"{right} with white space")
        yield valid(ClosingSubject(right, {**counts, "thread delete": 0}), f"{right} and a zero")
        yield valid(ClosingSubject(right.replace("；", "; "), counts), f"{right} with another joint")


def _one_commit(language: Language) -> Iterator[Sample]:
    """P8."""
    for name, steps in _ORDERS.items():
        facts = tuple(s for s in steps if s not in ("commit", "compact", "finish"))
        for late in ("create", "edit", "event", "link"):
            yield broken(_ledger((*facts, "commit", late)), f"{name}, {late} after the commit")
        yield broken(_ledger((*facts, "commit", "commit")), f"{name}, two commits")
        yield broken(_ledger((*facts, "commit", "compact", "memory_node_create")), f"{name}, a create after a rollup")
        yield valid(_ledger((*facts, "commit")), f"{name}, committed")
        yield valid(_ledger((*facts, "commit", "compact", "compact", "finish")), f"{name}, two rollups")
        yield valid(_ledger((*facts, "commit", "find", "brief")), f"{name}, reads after the commit")
        yield valid(_ledger(facts), f"{name}, not committed yet")
        yield valid(_ledger((*facts, "commit", "finish")), f"{name}, finished")


def _flagged(language: Language) -> Iterator[Sample]:
    """P9."""
    steps = _ORDERS["plain"]
    for number in range(30):
        kept = tuple(("E1", "E3", "T8", "N6", "C3")[n % 5] for n in range(number, number + 1 + number % 3))
        label = f"{', '.join(kept)} kept, {number}"
        yield broken(ProtocolSubject(steps, 1, kept=kept, flags=("imported",) * (number % 2)), label)
        yield valid(ProtocolSubject(steps, 1, kept=kept, flags=("needs_review",)), f"{label}, flagged")
        yield valid(ProtocolSubject(steps, 1, flags=("needs_review",) * (number % 2)), f"nothing kept, {number}")


CORPUS: Corpus = {
    "P1": _order,
    "P2": _one_event,
    "P3": _read_once,
    "P4": _looked_up,
    "P5": _evidence,
    "P6": _covered,
    "P7": _closing,
    "P8": _one_commit,
    "P9": _flagged,
}
