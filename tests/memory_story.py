"""Small stories for the tests of ``memory``: units, commits and a library in a temporary folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from talekeeper.memory.library import Library
from talekeeper.memory.models import (
    Commit,
    CommitDraft,
    CommitKind,
    Evidence,
    Language,
    LinkWrite,
    Node,
    NodeWrite,
    Unit,
    UnitDraft,
)
from talekeeper.memory.models import Message as Message
from talekeeper.memory.story import Story

PREFIX = {"event": "event", "character_sheet": "char", "location_state": "place", "thread": "thread"}


def draft(text: str, *, name: str = "沈青梧", source: str = "chat", title: str = "") -> UnitDraft:
    return UnitDraft("turn", (Message("character", name, text, text),), title=title, source=source)


@cache
def _empty_library() -> bytes:
    """A new library's file; made once, because the migrations take longer than most tests."""
    with TemporaryDirectory() as folder:
        Library.open(Path(folder)).close()
        return (Path(folder) / "library.db").read_bytes()


def new_story(folder: Path, *, language: Language = "zh", title: str = "听雪楼", schema_yaml: str = "") -> Story:
    if not (folder / "library.db").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "library.db").write_bytes(_empty_library())
    return Library.open(folder).create_story(title, language=language, schema_yaml=schema_yaml)


_numbers = count(1)


def story_in(library: Library, *, language: Language = "zh") -> Story:
    """A further story in a library that is open; for properties that would spend their time on new libraries."""
    return library.create_story(f"story {next(_numbers)}", language=language)


def node(
    node_id: str, title: str, unit: Unit | None = None, *, new: bool = True, depth: int = 0, **fields: Any
) -> NodeWrite:
    """A write of a node whose type follows from its id; ``lifecycle`` and ``parent`` may stand among the fields."""
    kind = next(name for name, prefix in PREFIX.items() if node_id.startswith(prefix + "_"))
    lifecycle, parent = fields.pop("lifecycle", "active"), fields.pop("parent", None)
    evidence = (Evidence.of(unit),) if unit else ()
    return NodeWrite(node_id, kind, title, fields, evidence, lifecycle=lifecycle, parent=parent, depth=depth, new=new)


def again(node: Node, *, parent: str | None = None, title: str | None = None, **fields: Any) -> NodeWrite:
    """A further version of a stored node."""
    return NodeWrite(
        node.id,
        node.type,
        node.title if title is None else title,
        {**node.fields, **fields},
        node.evidence,
        depth=node.depth,
        parent=parent or node.parent,
    )


def commit(
    story: Story,
    *nodes: NodeWrite,
    links: Sequence[LinkWrite] = (),
    batch: Sequence[Unit] = (),
    kind: CommitKind = "manual",
    key: str = "",
    base_seq: int | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Commit:
    number = story.head_seq + 1
    return story.commit(
        CommitDraft(
            key=key or f"key-{number}",
            kind=kind,
            dispatch_id=f"dispatch-{number}",
            batch=tuple(unit.ref for unit in batch),
            nodes=nodes,
            links=tuple(links),
            base_seq=base_seq,
            meta=meta or {},
        )
    )


def curate(story: Story, texts: Sequence[str]) -> list[Unit]:
    """Adds units and one event for each."""
    units = list(story.add_units([*(u for u in story.units()), *(draft(text) for text in texts)]).added)
    for unit in units:
        number = story.reader().next_ids()["event"]
        event = node(f"event_{number}", f"第{number}件事", unit, summary=f"{unit.text}。")
        commit(story, event, batch=[unit], kind="facts")
    return units
