"""Progress of long work on stderr: a bar at a terminal, a line every few seconds elsewhere; and a soft Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

LINE_EVERY_S = 5.0
"""Seconds between two progress lines where stderr is no terminal."""

Advance = Callable[[int, str], None]
"""Called with how much is done, and what is at hand."""


@contextmanager
def shown_progress(console: Console, title: str, total: int, unit: str) -> Iterator[Advance]:
    """Show how far ``title`` is: count, rate in ``unit``/s, time left. Yields the function that moves it on."""
    if console.is_terminal and not console.is_dumb_terminal:
        with _bar(console, title, total, unit) as advance:
            yield advance
    else:
        yield _lines(console, title, total, unit)


@contextmanager
def _bar(console: Console, title: str, total: int, unit: str) -> Iterator[Advance]:
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    name = Text(title)
    name.truncate(max(8, console.width // 4), overflow="ellipsis")
    columns: list[ProgressColumn] = [TextColumn("[bold]{task.description}"), MofNCompleteColumn()]
    if console.width >= 50:
        columns += [TextColumn("{task.fields[rate]}")]
    if console.width >= 64:
        columns.insert(1, BarColumn(bar_width=None if console.width >= 90 else 10))
    columns.append(TimeRemainingColumn(compact=True))
    if console.width >= 90:
        columns.append(TextColumn("[dim]{task.fields[step]}"))
    started = time.monotonic()
    with Progress(*columns, console=console, transient=True, expand=console.width >= 90) as progress:
        task = progress.add_task(escape(name.plain), total=total, rate="", step="")

        def advance(done: int, step: str) -> None:
            progress.update(task, completed=done, step=f"{step:<16.16}", rate=_rate(done, started, unit))

        yield advance


def _lines(console: Console, title: str, total: int, unit: str) -> Advance:
    started = last = time.monotonic()

    def advance(done: int, step: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < LINE_EVERY_S:
            return
        last = now
        left = f", {(now - started) / done * (total - done):.0f} s left" if done else ""
        console.print(f"{title}: {done}/{total} {_rate(done, started, unit)}{left}", markup=False, soft_wrap=True)

    return advance


def _rate(done: int, started: float, unit: str) -> str:
    seconds = time.monotonic() - started
    return f"{done / seconds:.1f} {unit}/s" if done and seconds > 0 else ""


class SoftStop:
    """Ctrl-C that lets the turn at hand come to its end; a second one breaks it off.

    Either way nothing half-written is ever seen: what a dispatch writes lands at once or not at all.
    """

    def __init__(self, say: Callable[[], None]) -> None:
        self.asked = False
        self._say = say

    def __call__(self) -> bool:
        return self.asked

    @contextmanager
    def armed(self) -> Iterator[SoftStop]:
        """Take over SIGINT and SIGTERM meanwhile (only in the main thread; elsewhere they stay as they are)."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = {number: signal.signal(number, self._handle) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        self._say()
