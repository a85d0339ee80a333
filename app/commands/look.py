"""The commands that read one story: show, timeline, threads, find, search."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from talekeeper.app.options import AtOption, JsonOption, LibraryOption, StoryOption, output_for

TypesOption = Annotated[
    list[str] | None,
    typer.Option("--type", "-t", metavar="TYPE", help="Only nodes of this type; may be repeated.", show_default=False),
]


def show(
    node: Annotated[str, typer.Argument(metavar="NODE", help="A node's id (char_3), a unit's (u12), or a name.")],
    library: LibraryOption = None,
    story: StoryOption = None,
    at: AtOption = None,
    full: Annotated[bool, typer.Option("--full", help="Print quoted passages whole.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a node: its fields, its links, the passages it rests on, and its versions."""
    from functools import partial

    from talekeeper.app.find import node_or_unit
    from talekeeper.app.opening import reader_at, reading_story
    from talekeeper.app.render import render_node, render_unit
    from talekeeper.app.views import show_view, unit_view
    from talekeeper.memory.models import Node

    out = output_for(as_json)
    with reading_story(library, story) as opened:
        reader = reader_at(opened, at)
        found = node_or_unit(opened, reader, node)
        out = out.in_language(opened.language)
        if isinstance(found, Node):
            out.result("node", show_view(opened, reader, found), partial(render_node, full=full))
        else:
            out.result("unit", unit_view(opened, reader, found), render_unit)


def timeline(
    library: LibraryOption = None,
    story: StoryOption = None,
    leaves: Annotated[bool, typer.Option("--leaves", help="Every turn's own event, instead of rollups.")] = False,
    last: Annotated[
        int | None, typer.Option("--last", "-n", metavar="N", min=1, help="Only the newest N.", show_default=False)
    ] = None,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the events in story order: rollups of what is long past, single events of what is recent."""
    from talekeeper.app.opening import reader_at, reading_story
    from talekeeper.app.render import render_timeline
    from talekeeper.app.views import timeline_view

    with reading_story(library, story) as opened:
        out = output_for(as_json).in_language(opened.language)
        view = timeline_view(opened, reader_at(opened, at), leaves=leaves, limit=last)
        out.result("timeline", view, render_timeline)


def threads(
    library: LibraryOption = None,
    story: StoryOption = None,
    every: Annotated[bool, typer.Option("--all", "-a", help="Resolved and abandoned ones too.")] = False,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the open threads: promises, tasks and questions that a later scene must answer."""
    from talekeeper.app.opening import reader_at, reading_story
    from talekeeper.app.render import render_threads
    from talekeeper.app.views import threads_view

    with reading_story(library, story) as opened:
        out = output_for(as_json).in_language(opened.language)
        out.result("threads", threads_view(opened, reader_at(opened, at), every=every), render_threads)


def find(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A title or alias; several may be joined by 、 or ,")],
    library: LibraryOption = None,
    story: StoryOption = None,
    types: TypesOption = None,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find nodes by name: titles and aliases, whatever the width, case, or form of the characters."""
    from talekeeper.app.opening import reader_at, reading_story
    from talekeeper.app.render import render_matches
    from talekeeper.app.views import check_types, matches_view

    with reading_story(library, story) as opened:
        out = output_for(as_json).in_language(opened.language)
        check_types(opened, types)
        out.result("find", matches_view(opened, reader_at(opened, at), name, types), render_matches)


def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="Words; a quoted phrase must stand as it is.")],
    library: LibraryOption = None,
    story: StoryOption = None,
    types: TypesOption = None,
    within: Annotated[
        Literal["memory", "text", "both"], typer.Option("--in", help="Search the memory, the story's text, or both.")
    ] = "memory",
    count: Annotated[int, typer.Option("--count", "-k", metavar="K", min=1, max=1000, help="At most K hits.")] = 10,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search by words, best first."""
    from talekeeper.app.opening import reader_at, reading_story
    from talekeeper.app.render import render_hits
    from talekeeper.app.views import check_types, hits_view

    with reading_story(library, story) as opened:
        out = output_for(as_json).in_language(opened.language)
        check_types(opened, types)
        reader = reader_at(opened, at)
        query = " ".join(f'"{w}"' if " " in w and '"' not in w else w for w in words)
        out.result("search", hits_view(opened, reader, query, types, within, count), render_hits)
