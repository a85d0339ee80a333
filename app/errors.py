"""How errors reach the person at the terminal: what happened, the next step, and an exit code; never a traceback.

Exit codes: 0 done; 1 a check failed; 2 wrong usage; 3 input can't be used or isn't there; 4 library; 5 locked or moved
on; 6 model; 70 a bug in talekeeper; 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

EXIT_LIBRARY = 4
EXIT_BUG = 70
EXIT_INTERRUPTED = 130
_DISK = {errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EPERM, errno.EDQUOT, errno.EIO, errno.EMFILE}


class GuardedGroup(TyperGroup):
    """The command group that turns every exception of a command into a message and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, typer.TyperException):
            raise
        except KeyboardInterrupt:
            raise typer.Exit(EXIT_INTERRUPTED) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except Exception as error:
            raise typer.Exit(explain(error, as_json=bool((ctx.find_root().obj or {}).get("json")))) from None


def explain(error: Exception, *, as_json: bool = False) -> int:
    """Tell the user of ``error`` on stderr (with ``as_json`` also as a document on stdout); gives the exit code."""
    from talekeeper.memory.errors import TalekeeperError

    if isinstance(error, TalekeeperError):
        message, hint, code, kind = error.message, error.hint, error.exit_code, type(error).__name__
    elif isinstance(error, OSError) and error.errno in _DISK:
        where = f": {error.filename}" if error.filename else ""
        message, hint = f"{error.strerror}{where}.", "What was saved before stays saved; run the same command again."
        code, kind = EXIT_LIBRARY, "OSError"
    else:
        message = f"This is a bug in talekeeper, not your mistake ({type(error).__name__}: {_first_line(error)})."
        hint = f"What was saved before stays saved. Please report it with the log {_write_log(error)}"
        code, kind = EXIT_BUG, "bug"
    _say(message, hint)
    if as_json:
        nearest = list(getattr(error, "nearest", ()))
        body = {"kind": kind, "message": message, "hint": hint, "exit_code": code, "nearest": nearest}
        print(json.dumps({"format": "talekeeper.error/1", "error": body}, ensure_ascii=False, indent=2))
    return code


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "")[:200]


def _say(message: str, hint: str) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    console.print(Text.assemble(("Error: ", "bold red"), message), soft_wrap=True)
    if hint:
        console.print(Text.assemble(("→ ", "cyan"), hint), soft_wrap=True)


def _write_log(error: Exception) -> Path | str:
    """The traceback into the user's log folder, or the temporary one if that can't be written."""
    from importlib.metadata import version

    from platformdirs import user_log_path

    head = f"talekeeper {version('talekeeper')}, Python {platform.python_version()}, {platform.platform()}\n"
    text = head + "".join(traceback.format_exception(error))
    name = f"error-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    for folder in (user_log_path("talekeeper"), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8", errors="backslashreplace")
        except OSError:
            continue
        return folder / name
    return "(which could not be written)"
