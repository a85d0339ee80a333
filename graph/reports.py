"""What callers get back from the curator: reports, progress and plans, all plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from talekeeper.memory.models import Unit
from talekeeper.rules.model import Violation
from talekeeper.tools.state import violations_from


@dataclass(frozen=True, slots=True)
class DispatchReport:
    """One dispatch, as it ended.

    Attributes:
        brief: one sentence naming what was written (P7).
        units: refs of the batch; event_id: the one event; written: ids of all nodes created or edited; rollups: ids.
        counts: what was written, by type and verb.
        violations: what a refused voice left behind when the built-in curator took over (flag ``needs_review``).
        usage: model calls and tokens really spent; empty for the built-in voice.
    """

    dispatch_id: str
    brief: str
    units: tuple[str, ...]
    event_id: str
    written: tuple[str, ...]
    rollups: tuple[str, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    flags: tuple[str, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> DispatchReport:
        """The report from the plain data that the library keeps."""
        return cls(
            dispatch_id=row["dispatch_id"],
            brief=row["brief"],
            units=tuple(row["units"]),
            event_id=row["event_id"],
            written=tuple(row["written"]),
            rollups=tuple(row["rollups"]),
            counts=dict(row["counts"]),
            violations=tuple(violations_from(row["violations"])),
            flags=tuple(row["flags"]),
            usage=dict(row["usage"]),
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: ``done`` of ``total`` units, the unit at hand, the step just done; a report once it is done."""

    done: int
    total: int
    unit: Unit
    step: str
    report: DispatchReport | None = None


@dataclass(frozen=True, slots=True)
class CurationPlan:
    """What a run would do: dispatches to finish, units to curate, model calls that takes at most."""

    pending: tuple[str, ...]
    units: tuple[Unit, ...]
    model_calls: int

    @property
    def nothing_to_do(self) -> bool:
        return not self.pending and not self.units


@dataclass(frozen=True, slots=True)
class CurateReport:
    """A run over many units: its dispatches, how many were resumed, how many units are left uncurated."""

    reports: tuple[DispatchReport, ...]
    resumed: int
    left: int
