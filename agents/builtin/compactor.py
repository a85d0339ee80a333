"""Rollups without a model: children's facts gathered by subject, the weightiest kept, one line for each subject.

An outline is shorter than its children because it drops scene detail, and never because it drops a permanent change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from talekeeper.agents.builtin.outline import FACT_MARK, SUBJECT_MARK, Child, Fact, alike, read_child
from talekeeper.agents.builtin.thought import rollup_thought
from talekeeper.agents.builtin.words import Words
from talekeeper.agents.protocols import GroupBriefing, RollupDraft
from talekeeper.memory.tokens import count_tokens
from talekeeper.rules.event_form import parse
from talekeeper.rules.model import Violation

_SHARE = {1: 0.58, 2: 0.47}
_DEEP_SHARE = 0.37
_ITEMS = {1: 4, 2: 3}
_FACTS = {1: 3, 2: 2}
_SHORT_FACT = 36
"""Characters of a fact that is no sentence yet, in either language."""


@dataclass(frozen=True)
class _Item:
    """One line: a subject and the facts merged under it."""

    subject: str
    facts: tuple[Fact, ...]

    @property
    def weight(self) -> float:
        return sum(f.weight for f in self.facts)


class BuiltinCompactor:
    """Merges by subject; time interval from the children's own headers."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def compact(self, group: GroupBriefing, violations: tuple[Violation, ...] = ()) -> RollupDraft:
        """The outline of a group; a retry keeps fewer facts each time it is called."""
        children = [read_child(node, self._words) for node in group.children]
        budget = int(
            sum(count_tokens(str(n.fields.get("summary", ""))) for n in group.children) * _share(group, violations)
        )
        items = _safer(self._items(children, group.rollup_depth), violations, len(children))
        head = self._head(children)
        lines = self._fit(head, items, children, budget)
        summary = "\n".join([head, *(f"{i}) {line}" for i, line in enumerate(lines, 1))])
        anchors = [_anchor(c, str(n.fields.get("summary", ""))) for c, n in zip(children, group.children, strict=True)]
        themes = [f"{', '.join(c.id for c in children)}:", *(f"{i}) {line}" for i, line in enumerate(lines, 1))]
        return RollupDraft(rollup_thought(group.language, anchors, themes, lines, summary), summary)

    def _head(self, children: Sequence[Child]) -> str:
        first, last = children[0].time_from, children[-1].time_to
        return f"时间: {first} 至 {last};" if self._words.language == "zh" else f"Time: {first} to {last};"

    def _items(self, children: Sequence[Child], depth: int) -> list[_Item]:
        """Facts by subject, the busiest subject first; ties in story order."""
        grouped: dict[str, list[Fact]] = {}
        acts = any(not f.fleeting and f.subject for child in children for f in child.facts)
        for child in children:
            for fact in child.facts:
                if fact.fleeting and (depth >= 2 or acts):
                    continue
                held = grouped.setdefault(fact.subject, [])
                if not any(alike(fact.text, other.text) for other in held):
                    held.append(fact)
        most = _FACTS.get(depth, 1)
        items = [_Item(subject, _weightiest(facts, most)) for subject, facts in grouped.items() if subject]
        order = {subject: i for i, subject in enumerate(grouped)}
        items.sort(key=lambda item: (-item.weight, order[item.subject]))
        return items[: _ITEMS.get(depth, 2)]

    def _fit(self, head: str, items: list[_Item], children: Sequence[Child], budget: int) -> list[str]:
        """Lines within the budget: the lightest facts go first, permanent ones never."""
        must = [row for child in children for row in child.irreversible]
        while True:
            lines = self._lines(items, must) or [self._fallback(children)]
            if count_tokens("\n".join([head, *lines])) + 3 * len(lines) <= budget:
                return lines
            slimmer = _without_lightest(items)
            if slimmer is None:
                return lines
            items = slimmer

    def _lines(self, items: Sequence[_Item], must: Sequence[str]) -> list[str]:
        lines = [self._line(item) for item in items]
        rows = [row for row in dict.fromkeys(must) if not any(row in line for line in lines)]
        if rows:
            lines.append(("、" if self._words.language == "zh" else "; ").join(r.rstrip("。.") for r in rows))
        return lines

    def _line(self, item: _Item) -> str:
        facts = sorted(item.facts, key=lambda f: f.order)
        language = self._words.language
        return f"{item.subject}{SUBJECT_MARK[language]}{FACT_MARK[language].join(f.text for f in facts)}"

    def _fallback(self, children: Sequence[Child]) -> str:
        """One line that always fits: who, and through which places."""
        people = list(dict.fromkeys(p for c in children for p in c.people))[:3]
        places = list(dict.fromkeys(c.place for c in children if c.place))[:2]
        words = self._words
        who = words.join(people) or words.join(places[:1])
        if words.language == "zh":
            return f"{who}先后在{words.join(places)}活动" if people else f"{who}没有新的变化"
        return f"{who} stayed around {words.join(places)}" if people else f"nothing changed at {who}"


def _safer(items: list[_Item], violations: Sequence[Violation], children: int) -> list[_Item]:
    """What is left after a refusal: nothing where words were refused, short facts where prose was copied, fewer items
    than children where their number was at fault, one where two told the same."""
    refused = {v.rule for v in violations}
    if refused & {"C7", "C8", "C9", "E8"} or any(rule.startswith("B") for rule in refused):
        return []
    if any(v.rule == "C5" and v.excerpt for v in violations):
        short = [replace(item, facts=tuple(f for f in item.facts if len(f.text) <= _SHORT_FACT)) for item in items]
        items = [item for item in short if item.facts]
    if "C6" in refused:
        return items[:1]
    return items[: max(1, min(2, children - 1))] if "C5" in refused else items


def _anchor(child: Child, summary: str) -> str:
    """All that a child brings: when and where, its facts, its permanent changes, threads and excerpts."""
    event = parse(summary, "en" if summary.startswith("Time") else "zh")
    rows = [*child.irreversible, *event.open_threads, *(f"{label}: {text}" for label, text in event.excerpts)]
    facts = [*(fact.text for fact in child.facts), *rows]
    return f"{child.id}: {child.time_from}，{child.place}；" + " / ".join(facts)


def _share(group: GroupBriefing, violations: tuple[Violation, ...]) -> float:
    share = _SHARE.get(group.rollup_depth, _DEEP_SHARE)
    return share * 0.75 if violations else share


def _weightiest(facts: Sequence[Fact], most: int) -> tuple[Fact, ...]:
    """The few facts that weigh most, in story order."""
    chosen = sorted(facts, key=lambda f: (-f.weight, f.order))[:most]
    return tuple(sorted(chosen, key=lambda f: f.order))


def _without_lightest(items: Sequence[_Item]) -> list[_Item] | None:
    """The items less their lightest fact; None when one fact is all that is left."""
    if sum(len(i.facts) for i in items) <= 1:
        return None
    _, at, fact = min((f.weight - f.order * 1e-6, i, f) for i, item in enumerate(items) for f in item.facts)
    slim = [
        replace(item, facts=tuple(f for f in item.facts if f is not fact)) if i == at else item
        for i, item in enumerate(items)
    ]
    return [item for item in slim if item.facts]
