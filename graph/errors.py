"""Errors of the curator's graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from talekeeper.memory.errors import TalekeeperError, Who
from talekeeper.memory.models import Unit
from talekeeper.rules.model import Violation


class CurationFailed(TalekeeperError):
    """Neither the voice nor the built-in curator could write what the rules accept; nothing was written."""

    exit_code = 7
    who: ClassVar[Who] = "bug"

    def __init__(self, step: str, batch: Sequence[Unit], violations: Sequence[Violation]) -> None:
        self.violations = tuple(violations)
        units = ", ".join(unit.ref for unit in batch)
        broken = "; ".join(f"{v.rule} {v.message}" for v in violations[:5])
        super().__init__(
            f"Step {step} of {units} was refused to the end: {broken}",
            hint="The units stay uncurated and their text is kept; please report this with the text of the unit.",
        )

    @classmethod
    def without_context(cls) -> CurationFailed:
        """The graph was run without a ``CuratorContext``."""
        error = cls("start", (), ())
        error.message = "The curator's graph was run without a context."
        error.hint = "Pass context=CuratorContext(...), see talekeeper.graph.runner."
        return error
