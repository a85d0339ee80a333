"""The catalogue for people: each rule with its kind, what it holds for, its statement, a bad and a good example.

Command line and docs are made from here, so that neither can say what the other doesn't.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from talekeeper.memory.models import Language
from talekeeper.rules.book import catalogue
from talekeeper.rules.control_rules import ALWAYS_ON
from talekeeper.rules.lexicon import read_pack
from talekeeper.rules.model import Rule
from talekeeper.rules.pack import phrases

FAMILIES: Mapping[str, Mapping[Language, str]] = {
    "P": {"zh": "一次整理的步骤", "en": "The protocol of one dispatch"},
    "R": {"zh": "点名", "en": "The roll-call"},
    "E": {"zh": "事件摘要", "en": "A leaf event's summary"},
    "B": {"zh": "十类不写", "en": "Ten classes that no summary holds"},
    "T": {"zh": "可见的思考", "en": "The visible thought"},
    "N": {"zh": "节点", "en": "Nodes"},
    "L": {"zh": "关系", "en": "Links"},
    "C": {"zh": "归并", "en": "Compaction"},
    "Z": {"zh": "差错控制", "en": "Damage control"},
}
_LANGUAGES: tuple[Language, ...] = ("zh", "en")


@dataclass(frozen=True, slots=True)
class RulePage:
    """One rule as it is explained: ``faults`` are what it reports, each with how to mend it."""

    id: str
    severity: str
    scopes: tuple[str, ...]
    statement: str
    bad: str
    good: str
    faults: tuple[tuple[str, str], ...]
    fixed: bool

    def as_dict(self) -> dict[str, Any]:
        return {
            "rule": self.id,
            "severity": self.severity,
            "scopes": list(self.scopes),
            "statement": self.statement,
            "bad": self.bad,
            "good": self.good,
            "faults": [{"message": message, "mend": mend} for message, mend in self.faults],
            "can_be_turned_off": not self.fixed,
        }


@cache
def examples() -> Mapping[str, Mapping[Language, tuple[str, str]]]:
    """Rule id → language → (bad, good)."""
    loaded = read_pack("examples.yaml")
    return {rule: {name: (pair[0], pair[1]) for name, pair in told.items()} for rule, told in loaded.items()}


def page(rule: Rule, language: Language) -> RulePage:
    """One rule explained in one language, with the severity that ``rule`` has."""
    bad, good = examples()[rule.id][language]
    told = [texts[language] for fault, texts in phrases()[rule.id].items() if fault != "rule"]
    return RulePage(
        id=rule.id,
        severity=rule.severity,
        scopes=(rule.scope, *rule.also),
        statement=rule.statement[language],
        bad=bad,
        good=good,
        faults=tuple((texts["message"], texts["mend"]) for texts in told),
        fixed=rule.id in ALWAYS_ON,
    )


def markdown() -> str:
    """``docs/rules.md``: the whole catalogue in English and Chinese."""
    rules = catalogue()
    lines = [
        "# The rules",
        "",
        "Made by `make rules-report` from the same data as `talekeeper rules`; don't edit it by hand. **hard**: the",
        "write is refused and the model is told what to mend. *soft*: the write lands and is flagged. A story may set",
        f"any rule to hard, soft or off, except that {', '.join(ALWAYS_ON)} can't be turned off. How well each rule",
        "tells right from wrong stands in [rules-report.md](rules-report.md).",
    ]
    for family, names in FAMILIES.items():
        lines += ["", f"## {family}: {names['en']} / {names['zh']}"]
        for rule in (r for r in rules if r.id[0] == family):
            lines += ["", *_section(rule)]
    return "\n".join(lines) + "\n"


def _section(rule: Rule) -> list[str]:
    kind = "**hard**" if rule.severity == "hard" else f"*{rule.severity}*"
    lines = [f"### {rule.id}", "", f"{kind}, for {', '.join((rule.scope, *rule.also))}"]
    for language in _LANGUAGES:
        told = page(rule, language)
        lines += ["", told.statement, "", f"- ✗ {_code(told.bad)}", f"- ✓ {_code(told.good)}"]
    return lines


def _code(text: str) -> str:
    """Inline code, line breaks shown by a mark; backticks don't occur in examples."""
    return f"`{text.replace(chr(10), ' ⏎ ')}`"
