"""Where output goes: results to stdout (text or one JSON document), everything else to stderr.

So ``talekeeper … | less`` and ``talekeeper … --json | jq`` get results and nothing else.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console

    from talekeeper.app.words import Words

_PIPE_WIDTH = 120
"""Columns when stdout is no terminal and COLUMNS is not set: wide enough that few rows wrap."""


@dataclass(frozen=True)
class Output:
    """The two streams of one command.

    Attributes:
        as_json: results are one JSON document.
        story_language: labels are in this language where neither TALEKEEPER_UI nor the locale names one.
    """

    as_json: bool = False
    story_language: str = ""

    @cached_property
    def out(self) -> Console:
        from rich.console import Console

        if sys.stdout.isatty():
            return Console(highlight=False)
        width = None if "COLUMNS" in os.environ else _PIPE_WIDTH
        return Console(highlight=False, width=width, file=cast(IO[str], _Trimmed(sys.stdout)))

    @cached_property
    def err(self) -> Console:
        from rich.console import Console

        return Console(stderr=True, highlight=False)

    @cached_property
    def words(self) -> Words:
        from talekeeper.app.words import Words, ui_language

        return Words(ui_language(self.story_language))

    def in_language(self, story_language: str) -> Output:
        """The same streams, with labels for a story of this language."""
        return Output(self.as_json, story_language)

    def result(
        self,
        kind: str,
        data: Mapping[str, Any],
        render: Callable[[Mapping[str, Any], Output], None],
        *,
        version: int = 1,
    ) -> None:
        """Write a command's result: ``data`` as JSON under ``"format": "talekeeper.<kind>/<version>"``, or rendered."""
        if self.as_json:
            document = {"format": f"talekeeper.{kind}/{version}", **data}
            sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=_plain) + "\n")
        else:
            render(data, self)

    def note(self, text: str, style: str = "") -> None:
        """One line to stderr for the person at the terminal. ``text`` is shown as it is, never read as markup."""
        from rich.text import Text

        self.err.print(Text(text, style=style), soft_wrap=True)


class _Trimmed(io.TextIOBase):
    """Text on its way to a file or pipe, without the blanks that fill up a terminal's lines."""

    def __init__(self, target: TextIO) -> None:
        self._target = target

    def write(self, text: str) -> int:
        self._target.write(re.sub(r" +(?=\n)", "", text))
        return len(text)

    def flush(self) -> None:
        self._target.flush()


def _plain(value: object) -> object:
    """What ``json`` does not know by itself: mappings that are no dict, sets, paths."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return str(value)
