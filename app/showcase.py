"""The work behind ``demo``: a bundled chat goes into a library of its own, and what was learnt is gathered."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talekeeper.app.curation import Request, curate_all
from talekeeper.app.opening import reading
from talekeeper.app.output import Output
from talekeeper.app.views import event_view, node_view, status_view, threads_view
from talekeeper.memory.errors import InputError
from talekeeper.memory.models import Language, Node

if TYPE_CHECKING:
    from talekeeper.memory.reader import Reader

View = dict[str, Any]
TITLES: Mapping[Language, str] = {"zh": "照夜坊的青灯", "en": "The Green Lamp"}
_OURS = ("library.db", "checkpoints.db")


def run_demo(language: Language, library: Path, out: Output, *, fresh: bool) -> View:
    """``{curation, status, characters, places, threads, events}``; ``events`` are trees with their ``children``.

    Raises:
        InputError: the folder holds other things than a library.
    """
    prepare(library, fresh=fresh)
    sample = resources.files("talekeeper.app").joinpath("samples", f"lantern_{language}.jsonl")
    with resources.as_file(sample) as path:
        curation = curate_all(Request([path], TITLES[language], library, language=language), out)
    with reading(library) as opened:
        story = opened.story(curation["stories"][0]["story"]["id"])
        reader = story.reader()
        roots = reversed(reader.events(None))
        return {
            "curation": curation,
            "status": status_view(opened, story),
            "characters": [node_view(n) for n in reversed(reader.list_nodes(["character_sheet"]))],
            "places": [node_view(n) for n in reversed(reader.list_nodes(["location_state"]))],
            "threads": threads_view(story, reader, every=True)["threads"],
            "events": [_tree(reader, root, language) for root in roots],
        }


def _tree(reader: Reader, node: Node, language: Language) -> View:
    children = [_tree(reader, child, language) for child in reader.children(node.id)] if node.depth else []
    return {**event_view(node, language), "children": children}


def prepare(library: Path, *, fresh: bool) -> None:
    """Make sure that the folder is missing, empty or a library; with ``fresh`` take the old library away."""
    if not library.exists():
        return
    strangers = [f.name for f in library.iterdir() if not f.name.startswith(_OURS)]
    if strangers and not (library / "library.db").exists():
        raise InputError(
            f"{library} holds other files ({strangers[0]}), not a library.", hint="Name another folder with --library."
        )
    if fresh:
        for item in library.iterdir():
            if item.name.startswith(_OURS):
                item.unlink()
