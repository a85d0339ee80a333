"""The options that commands share, declared once, so that they read the same in every ``--help``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from talekeeper.app.output import Output


def _remember(ctx: typer.Context, as_json: bool) -> bool:
    ctx.find_root().obj = {"json": as_json}
    return as_json


LibraryOption = Annotated[
    Path | None,
    typer.Option(
        "--library",
        "-L",
        metavar="DIR",
        envvar="TALEKEEPER_LIBRARY",
        help="Folder of the story library. Default: the user's data folder.",
        show_default=False,
    ),
]
StoryOption = Annotated[
    str | None,
    typer.Option(
        "--story", "-s", metavar="NAME", help="Story, by title or id; needed where the library holds several."
    ),
]
AtOption = Annotated[
    int | None,
    typer.Option("--at", metavar="TURN", min=1, help="Read the memory as it was after this turn.", show_default=False),
]
JsonOption = Annotated[
    bool,
    typer.Option(
        "--json", help="Print one JSON document to stdout and nothing else.", callback=_remember, is_eager=True
    ),
]


def output_for(as_json: bool) -> Output:
    """The streams of a command that got ``--json`` or not."""
    return Output(as_json=as_json)
