"""What a person means by NODE on the command line: an id, a unit's ref, or a name that one node alone bears."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from talekeeper.memory.errors import InputError, NotFound
from talekeeper.memory.models import Node, Unit

if TYPE_CHECKING:
    from talekeeper.memory.reader import Reader
    from talekeeper.memory.story import Story

_UNIT_REF = re.compile(r"u\d+(\.\d+)?")


def node_or_unit(story: Story, reader: Reader, asked: str) -> Node | Unit:
    """The node with this id or name, or the unit with this ref.

    Raises:
        NotFound: nothing is called so; the nearest ids and titles are named.
        InputError: several nodes bear the name.
    """
    if _UNIT_REF.fullmatch(asked):
        return story.unit(asked)
    try:
        return reader.node(asked)
    except NotFound:
        matches = {m.node_id: m for m in reader.find_by_name(asked)}
        if not matches:
            raise
    if len(matches) > 1:
        listed = ", ".join(f"{m.node_id} ({m.title})" for m in matches.values())
        raise InputError(f"{len(matches)} nodes are called {asked!r}: {listed}.", hint="Name one by its id.")
    return reader.node(next(iter(matches)))
