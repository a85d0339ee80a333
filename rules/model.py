"""What a rule is, and what breaking one looks like.

A rule is data plus one pure function, so that catalogue, checks, docs and repair messages all come from one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from talekeeper.memory.models import Language

if TYPE_CHECKING:
    from talekeeper.rules.pack import LanguagePack

Severity = Literal["hard", "soft", "off"]
Scope = Literal[
    "protocol",
    "roll_call",
    "write",
    "event",
    "thought",
    "node",
    "link",
    "rollup",
    "stored_rollup",
    "closing",
    "sweep",
    "control",
]


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule, as data.

    Attributes:
        rule: the rule's id (``E3``).
        message: what is wrong, in the story's language.
        mend: how to put it right, in the story's language.
        where: which part of the subject (``summary``, ``fields.aliases``, ``角色: 张三``).
        span: code-point span in the string that ``where`` names; None when the fault is an absence.
        excerpt: the offending text itself.
        severity: a check may set ``soft`` for the lesser fault of a hard rule; the story's settings never raise it.
    """

    rule: str
    message: str
    mend: str
    severity: Severity = "hard"
    where: str = ""
    span: tuple[int, int] | None = None
    excerpt: str = ""


Check = Callable[[Any, "LanguagePack"], Iterable[Violation]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the catalogue; ``check`` takes the subject of its scope and yields violations. ``also`` are further
    scopes that it holds for, for rules that leaf and rollup share."""

    id: str
    severity: Severity
    scope: Scope
    statement: Mapping[Language, str]
    check: Check
    also: tuple[Scope, ...] = ()
