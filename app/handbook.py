"""The catalogue of rules as plain dictionaries, with the severities that a story sets (Z4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talekeeper.memory.errors import NotFound
from talekeeper.memory.models import Language
from talekeeper.rules.book import RuleBook, catalogue
from talekeeper.rules.handbook import FAMILIES, page

_OTHER: Mapping[Language, Language] = {"zh": "en", "en": "zh"}


def catalogue_view(language: Language, settings: Mapping[str, str] | None = None, story: str = "") -> dict[str, Any]:
    """``{story, rules: [{rule, family, severity, default, scopes, statement, …}]}``, in the catalogue's order.

    Raises:
        SchemaError: the story's settings name an unknown rule or severity.
    """
    defaults = {rule.id: rule.severity for rule in catalogue()}
    rows = [
        {
            "rule": rule.id,
            "family": FAMILIES[rule.id[0]][language],
            "severity": rule.severity,
            "default": defaults[rule.id],
            "scopes": [rule.scope, *rule.also],
            "statement": rule.statement[language],
        }
        for rule in RuleBook(language, settings).rules
    ]
    return {"story": story, "rules": rows}


def rule_view(
    rule_id: str, language: Language, settings: Mapping[str, str] | None = None, story: str = ""
) -> dict[str, Any]:
    """One rule explained in both languages, ``language`` first.

    Raises:
        NotFound: no such rule; names those of its family.
    """
    rules = {rule.id: rule for rule in RuleBook(language, settings).rules}
    wanted = rule_id.strip().upper()
    if wanted not in rules:
        family = [name for name in rules if name[:1] == wanted[:1]] or list(rules)
        raise NotFound("rule", rule_id, family[:12])
    rule = rules[wanted]
    default = next(r.severity for r in catalogue() if r.id == wanted)
    told = {name: page(rule, name).as_dict() for name in (language, _OTHER[language])}
    return {"story": story, **told[language], "default": default, "in": told}


def by_rule(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """How often each rule is broken, in the catalogue's order: ``{"E3": {"hard": 2, "soft": 0, "statement": …}}``."""
    counts: dict[str, dict[str, Any]] = {}
    known = {rule.id: rule.statement for rule in catalogue()}
    for rule_id in [*known, *sorted({row["rule"] for row in rows} - set(known))]:
        mine = [row["severity"] for row in rows if row["rule"] == rule_id]
        if mine:
            hard, soft = mine.count("hard"), mine.count("soft")
            counts[rule_id] = {"hard": hard, "soft": soft, "statement": dict(known.get(rule_id, {}))}
    return counts
