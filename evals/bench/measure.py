"""Small tools of measuring: percentiles, whole processes, peak memory, one JSON shape for all benchmarks."""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds of repeated runs."""

    n: int
    p50: float
    p95: float
    max: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Figures:
        """From run times in seconds; at least two."""
        cuts = statistics.quantiles(seconds, n=20, method="inclusive")
        in_ms = [round(value * 1000, 2) for value in (statistics.median(seconds), cuts[-1], max(seconds))]
        return cls(len(seconds), *in_ms)


def timed(work: Callable[[], object], times: int) -> list[float]:
    """Seconds of each of ``times`` calls."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begin)
    return taken


def process_seconds(arguments: Sequence[str], times: int) -> list[float]:
    """Wall seconds of a whole Python process, interpreter start included; the first, cold run isn't counted."""

    def run() -> None:
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)

    run()
    return timed(run, times)


def machine() -> Mapping[str, Any]:
    """What the figures were taken on."""
    return {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}


def as_json(result: Mapping[str, Any]) -> str:
    """The result with the machine's description, as one JSON document."""
    return json.dumps({"machine": machine(), **result}, ensure_ascii=False, indent=2, default=_plain)


def _plain(value: Any) -> Any:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}
