"""What a model is told when its write was refused: every violation at once, worst first, short enough to act on."""

from __future__ import annotations

from collections.abc import Sequence

from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import lexicon
from talekeeper.rules.model import Violation
from talekeeper.rules.scan import clip

_SHOWN_PER_FAULT = 3
_HEAD: dict[Language, str] = {
    "zh": "写入没有生效，共 {n} 处要改（最严重的在前），改完整份重发：",
    "en": "The write was refused; {n} thing(s) to mend, worst first. Send the whole of it again:",
}
_MORE: dict[Language, str] = {"zh": "同样还有 {n} 处：{items}", "en": "{n} more of the same: {items}"}


def repair_message(violations: Sequence[Violation], language: Language) -> str:
    """All violations, grouped where one fault stands in several places; empty for none.

    Args:
        violations: as ``RuleBook.check`` orders them; the order is kept.
        language: of the story.
    """
    if not violations:
        return ""
    groups: dict[tuple[str, str], list[Violation]] = {}
    for violation in violations:
        groups.setdefault((violation.rule, violation.mend), []).append(violation)
    rows = [_HEAD[language].format(n=len(violations))]
    for number, group in enumerate(groups.values(), 1):
        rows.append(f"{number}. {_row(group[0])}")
        if len(group) > 1:
            joint = lexicon(language).punctuation.list
            shown = [clip(v.excerpt or v.message, 30) for v in group[1 : 1 + _SHOWN_PER_FAULT]]
            more = "…" if len(group) > 1 + _SHOWN_PER_FAULT else ""
            rows.append("   " + _MORE[language].format(n=len(group) - 1, items=joint.join(shown) + more))
    return "\n".join(rows)


def _row(violation: Violation) -> str:
    span = f"[{violation.span[0]}:{violation.span[1]}]" if violation.span else ""
    place = f" {violation.where}{span}" if violation.where else ""
    return f"[{violation.rule}]{place} {violation.message} → {violation.mend}"
