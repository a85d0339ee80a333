"""``talekeeper demo``: a bundled chat, curated before your eyes, and what was learnt from it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from talekeeper.app.options import JsonOption, output_for


def demo(
    lang: Annotated[
        Literal["zh", "en"], typer.Option("--lang", help="The Chinese sample, or its English twin.")
    ] = "zh",
    library: Annotated[
        Path, typer.Option("--library", "-L", metavar="DIR", help="Folder of the demo's library.")
    ] = Path("talekeeper-demo"),
    fresh: Annotated[bool, typer.Option("--fresh", help="Take away what an earlier demo left in that folder.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Curate a bundled sample chat, and show what was learnt and where it lies."""
    from talekeeper.app.render_demo import render_demo
    from talekeeper.app.showcase import run_demo

    out = output_for(as_json).in_language(lang)
    result = run_demo(lang, library, out, fresh=fresh)
    out.result("demo", result, render_demo)
    if result["curation"]["stopped"]:
        raise typer.Exit(130)
