"""``talekeeper curate``: files in, memory out; also the plan of it (``--dry-run``), which writes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from talekeeper.app.options import JsonOption, LibraryOption, output_for

LangOption = Annotated[
    Literal["zh", "en"] | None,
    typer.Option("--lang", help="Language of the story. Default: as found in the text.", show_default=False),
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME",
        help="Who curates. 'builtin' needs no model and no key, and is the only one so far.",
    ),
]


def curate(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE…",
            help="Chats, novels or folders of chapters; each is one story. "
            "None: go on with the story that --story names.",
            show_default=False,
        ),
    ] = None,
    story: Annotated[
        str | None,
        typer.Option(
            "--story",
            "-s",
            metavar="NAME",
            help="Title of the story; several files are its parts, in this order. Default: the file's own title.",
            show_default=False,
        ),
    ] = None,
    library: LibraryOption = None,
    model: ModelOption = "builtin",
    lang: LangOption = None,
    first: Annotated[
        int | None, typer.Option("--from", metavar="N", min=1, help="First turn to curate.", show_default=False)
    ] = None,
    last: Annotated[
        int | None, typer.Option("--to", metavar="N", min=1, help="Last turn to curate.", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done and cost; write nothing.")] = False,
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="F", help="Format of the files. Default: as recognised.", show_default=False),
    ] = None,
    schema: Annotated[
        Path | None,
        typer.Option("--schema", metavar="YAML", help="Further node types for a new story.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Turn chats and novels into memory. Only what is new or changed since the last run is curated.

    Ctrl-C ends the run after the turn at hand; the same command goes on from there.
    """
    from talekeeper.app.curation import Request, curate_all, plan_all
    from talekeeper.app.errors import EXIT_INTERRUPTED
    from talekeeper.app.render_curation import render_curated, render_plan
    from talekeeper.memory.errors import InputError

    out = output_for(as_json)
    request = Request(files or (), story, library, model, lang, first, last, format, schema)
    if dry_run:
        plan = plan_all(request, out)
        out.result("plan", plan, render_plan)
        raise typer.Exit(InputError.exit_code if plan["skipped"] else 0)
    done = curate_all(request, out)
    out.result("curate", done, render_curated)
    if done["stopped"]:
        raise typer.Exit(EXIT_INTERRUPTED)
    if done["skipped"]:
        raise typer.Exit(InputError.exit_code)
