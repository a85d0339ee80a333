"""The rule book of one story: every rule registered by name, its severity settled, violations handed out worst first.

Rules are listed here and nowhere else; importing a family registers nothing by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, cast

from talekeeper.memory.errors import SchemaError
from talekeeper.memory.models import Language
from talekeeper.rules import (
    blacklist_rules,
    character_rules,
    control_rules,
    depth_rules,
    economy_rules,
    event_rules,
    grounding_rules,
    hook_rules,
    link_rules,
    merging_rules,
    node_rules,
    place_rules,
    protocol_rules,
    roll_call_rules,
    rollup_rules,
    section_rules,
    thought_rules,
    thought_steps,
    thought_verdicts,
    thread_rules,
)
from talekeeper.rules.control_rules import ALWAYS_ON, SEVERITIES
from talekeeper.rules.lexicon import lexicon
from talekeeper.rules.model import Rule, Scope, Severity, Violation
from talekeeper.rules.pack import LanguagePack

MOST_PER_RULE = 20
"""A rule stops reporting after this many: a megabyte of quotation marks is one fault, not a million."""

_ORDER = "PREBTNLCZ"
_FAMILIES: tuple[tuple[Rule, ...], ...] = (
    protocol_rules.RULES,
    roll_call_rules.RULES,
    hook_rules.RULES,
    thought_steps.RULES,
    thought_verdicts.RULES,
    thought_rules.RULES,
    event_rules.RULES,
    section_rules.RULES,
    blacklist_rules.RULES,
    economy_rules.RULES,
    grounding_rules.RULES,
    node_rules.RULES,
    character_rules.RULES,
    place_rules.RULES,
    thread_rules.RULES,
    link_rules.RULES,
    rollup_rules.RULES,
    merging_rules.RULES,
    depth_rules.RULES,
    control_rules.RULES,
)


def catalogue() -> tuple[Rule, ...]:
    """Every rule there is, with its default severity, in the order of the catalogue."""
    rules = (rule for family in _FAMILIES for rule in family)
    return tuple(sorted(rules, key=lambda rule: (_ORDER.index(rule.id[0]), int(rule.id[1:]))))


class RuleBook:
    """The rules as one story wants them.

    Args:
        language: whose words and messages are used.
        settings: rule id → ``hard``, ``soft`` or ``off``; rules not named keep their default.
        words: more words for lists of the language's lexicon, by list name.

    Raises:
        SchemaError: an unknown rule or severity, a rule that can't be turned off, or an unknown word list.
    """

    def __init__(
        self,
        language: Language,
        settings: Mapping[str, str] | None = None,
        *,
        words: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        chosen = _settled(settings or {})
        lexical = lexicon(language)
        self._pack = LanguagePack(language, lexical.extended(words) if words else lexical)
        self.rules: tuple[Rule, ...] = tuple(
            replace(rule, severity=chosen.get(rule.id, rule.severity)) for rule in catalogue()
        )

    @property
    def language(self) -> Language:
        return self._pack.language

    def check(self, scope: Scope, subject: Any) -> list[Violation]:
        """What ``subject`` breaks of the rules of ``scope``: hard before soft, then in the catalogue's order."""
        found: list[Violation] = []
        for rule in self.rules:
            if (rule.scope == scope or scope in rule.also) and rule.severity != "off":
                hits = islice(rule.check(subject, self._pack), MOST_PER_RULE)
                found += [replace(hit, severity="soft" if hit.severity == "soft" else rule.severity) for hit in hits]
        return sorted(found, key=lambda violation: violation.severity != "hard")


def _settled(settings: Mapping[str, str]) -> dict[str, Severity]:
    known = {rule.id for rule in catalogue()}
    strangers = sorted(set(settings) - known)
    if strangers:
        raise SchemaError(f"No rule named {', '.join(strangers)}.", hint=f"Rules: {', '.join(sorted(known))}.")
    wrong = sorted(f"{rule}: {value!r}" for rule, value in settings.items() if value not in SEVERITIES)
    if wrong:
        raise SchemaError(f"Not a severity: {', '.join(wrong)}.", hint="Use hard, soft or off.")
    refused = [rule for rule in ALWAYS_ON if settings.get(rule) == "off"]
    if refused:
        raise SchemaError(f"These rules can't be turned off: {', '.join(refused)}.", hint="Remove them or use soft.")
    return {rule: cast(Severity, value) for rule, value in settings.items()}
