"""How the catalogue of rules looks at the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from talekeeper.app.output import Output
from talekeeper.app.render import View, heading, indented, pairs
from talekeeper.app.words import Words

_STYLES = {"hard": "red", "soft": "yellow", "off": "dim"}


def render_catalogue(data: View, out: Output) -> None:
    """Every rule on a line or two, family by family."""
    words = out.words
    if data["story"]:
        out.out.print(Text(words("rules_of", story=data["story"]), style="bold"))
    families: dict[str, list[Mapping[str, Any]]] = {}
    for row in data["rules"]:
        families.setdefault(row["family"], []).append(row)
    for name, rows in families.items():
        out.out.print(heading(name))
        lines = [(f"{row['rule']:<3} ", Text.assemble(_kind(row, words), "  ", row["statement"])) for row in rows]
        out.out.print(pairs(lines))
    out.out.print(Text(words("rules_more"), style="dim"))


def _kind(row: Mapping[str, Any], words: Words) -> tuple[str, str]:
    label = words(row["severity"])
    if row["severity"] != row["default"]:
        label += f" ({words('rules_default', kind=words(row['default']))})"
    return label, _STYLES[row["severity"]]


def render_rule(data: View, out: Output) -> None:
    """One rule: what it asks, a bad and a good example, what it reports and how to mend it."""
    words = out.words
    out.out.print(Text.assemble((data["rule"], "bold"), "  ", _kind(data, words)))
    out.out.print(Text(data["statement"]))
    if not data["can_be_turned_off"]:
        out.out.print(Text(words("rules_fixed"), style="dim"))
    for language, told in data["in"].items():
        out.out.print(heading(words(f"rules_in_{language}")))
        out.out.print(pairs([("✗", Text(told["bad"], style="red")), ("✓", Text(told["good"], style="green"))]))
    out.out.print(heading(words("rules_faults")))
    for fault in data["faults"]:
        out.out.print(indented(Text.assemble(fault["message"], (f"\n→ {fault['mend']}", "dim")), 2))
