"""How a family of rules is put together: id, scope and check beside each other, the statement from the message pack."""

from __future__ import annotations

from talekeeper.rules.model import Check, Rule, Scope, Severity
from talekeeper.rules.pack import statement

CHARACTER, LOCATION, THREAD, EVENT = "character_sheet", "location_state", "thread", "event"


def rule(
    rule_id: str, scope: Scope, check: Check, severity: Severity = "hard", *, also: tuple[Scope, ...] = ()
) -> Rule:
    """A rule whose one-line statement stands in the message pack."""
    return Rule(rule_id, severity, scope, statement(rule_id), check, also)
