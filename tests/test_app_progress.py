"""Progress goes on where no terminal is, and Ctrl-C first asks and then breaks off."""

from __future__ import annotations

import io
import os
import signal
import threading

import pytest
from rich.console import Console

from talekeeper.app.progress import SoftStop, shown_progress


def test_without_a_terminal_a_line_comes_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 3))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    written = io.StringIO()
    with shown_progress(Console(file=written, width=200), "[灯]会", 20, "turns") as advance:
        for done in range(1, 21):
            advance(done, "step")
    lines = written.getvalue().splitlines()
    assert 0 < len(lines) < 20
    assert lines[0].startswith("[灯]会: ")
    assert "turns/s" in lines[0]
    assert "left" in lines[0]


@pytest.mark.parametrize("width", [30, 50, 64, 90, 120])
def test_a_bar_fits_its_terminal(width: int) -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=width, color_system=None, legacy_windows=False)
    with shown_progress(console, "很长很长很长很长很长很长很长的名字", 5, "回合") as advance:
        advance(3, "write_event")
    assert "3/5" in written.getvalue()


def test_first_signal_asks_second_breaks_off_and_handlers_come_back() -> None:
    said: list[str] = []
    before = signal.getsignal(signal.SIGINT)
    stop = SoftStop(lambda: said.append("stopping"))
    with stop.armed():
        assert not stop()
        os.kill(os.getpid(), signal.SIGINT)
        assert stop()
        assert said == ["stopping"]
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_outside_the_main_thread_signals_are_left_alone() -> None:
    seen: list[bool] = []

    def work() -> None:
        with SoftStop(lambda: None).armed() as stop:
            seen.append(stop())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [False]
