"""Refusals of the memory tools: what a model gets back instead of a write.

A refused write has changed nothing (Z1), so the same session can be tried again once the violations are mended.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from talekeeper.memory.errors import TalekeeperError, Who
from talekeeper.rules.model import Violation

_RANK = {"hard": 0, "soft": 1, "off": 2}


class WriteRefused(TalekeeperError):
    """One or more hard rules refuse this write; nothing was staged.

    Attributes:
        violations: everything that is wrong, hard ones first, each with how to mend it.
    """

    exit_code: ClassVar[int] = 7
    who: ClassVar[Who] = "model"

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = worst_first(violations)
        lines = [f"[{v.rule}] {v.where + ': ' if v.where else ''}{v.message}" for v in self.violations]
        count = f"{len(lines)} violation{'s' if len(lines) != 1 else ''}"
        super().__init__(
            f"Refused, nothing was written ({count}): {' '.join(lines)}",
            hint=" ".join(dict.fromkeys(v.mend for v in self.violations if v.mend)),
        )


class ArgumentRefused(TalekeeperError):
    """A tool argument has a shape that has no single reading: ``fields`` isn't an object, ``links`` isn't a list."""

    exit_code: ClassVar[int] = 3
    who: ClassVar[Who] = "model"


def worst_first(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """Hard before soft, each kind in the order found, nothing twice."""
    return tuple(sorted(dict.fromkeys(violations), key=lambda v: _RANK[v.severity]))
