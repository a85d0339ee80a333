"""The commands about a whole library: status, stories, doctor, version."""

from __future__ import annotations

import typer

from talekeeper.app.options import JsonOption, LibraryOption, StoryOption, output_for


def status(library: LibraryOption = None, story: StoryOption = None, as_json: JsonOption = False) -> None:
    """Count what a story's memory holds, and say what is still to be curated."""
    from talekeeper.app.opening import choose_story, reading
    from talekeeper.app.render_library import render_status
    from talekeeper.app.views import status_view

    with reading(library) as opened:
        chosen = choose_story(opened, story)
        out = output_for(as_json).in_language(chosen.language)
        out.result("status", status_view(opened, chosen), render_status)


def stories(library: LibraryOption = None, as_json: JsonOption = False) -> None:
    """List the stories of the library."""
    from talekeeper.app.opening import reading
    from talekeeper.app.render_library import render_stories
    from talekeeper.app.views import stories_view

    with reading(library) as opened:
        output_for(as_json).result("stories", stories_view(opened), render_stories)


def doctor(library: LibraryOption = None, story: StoryOption = None, as_json: JsonOption = False) -> None:
    """Check the whole library again: the file itself, and every rule against everything stored.

    Exits with 1 when a hard rule is broken or the file is damaged.
    """
    from talekeeper.app.checkup import check_library
    from talekeeper.app.opening import choose_story, reading
    from talekeeper.app.render_library import render_doctor

    out = output_for(as_json)
    with reading(library) as opened:
        chosen = [choose_story(opened, story)] if story is not None else None
        report = check_library(opened, chosen, out)
        out.result("doctor", report, render_doctor)
    if not report["clean"]:
        raise typer.Exit(1)


def version(as_json: JsonOption = False) -> None:
    """Print the version."""
    from importlib.metadata import version as installed

    number = installed("talekeeper")
    output_for(as_json).result("version", {"version": number}, lambda data, _: print(f"talekeeper {data['version']}"))
