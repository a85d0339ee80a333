"""The curator's state: small, plain data, so that a checkpoint is cheap and a killed run resumes from it.

Everything that isn't plain data (the open story, voices, rules) is in ``CuratorContext`` and handed to nodes by
LangGraph's runtime; it is never checkpointed. LangGraph drops unknown keys of an update in silence, so a test holds
every node to the keys declared here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypedDict

from talekeeper.agents.protocols import Voices
from talekeeper.graph.live import LiveDispatches
from talekeeper.memory.story import Story
from talekeeper.rules.book import RuleBook


class CuratorState(TypedDict, total=False):
    """State of one dispatch.

    ``dispatch_id`` and ``batch`` (unit refs) are the input; ``report`` is the output. ``session`` is the snapshot of
    the dispatch session; ``appearing`` holds (name, type) pairs; ``tries`` and ``violations`` belong to the step under
    way.
    """

    dispatch_id: str
    batch: list[str]
    session: dict[str, Any]
    appearing: list[list[str]]
    tries: int
    violations: list[dict[str, Any]]
    group: dict[str, Any]
    report: dict[str, Any]


@dataclass(frozen=True)
class CuratorContext:
    """What nodes work with.

    Attributes:
        voices: who writes; ``fallback`` takes over a step once ``voices`` were refused ``max_tries`` times (P9, Z2).
        live: sessions kept open between steps.
    """

    story: Story
    voices: Voices
    fallback: Voices
    rules: RuleBook
    max_tries: int = 3
    live: LiveDispatches = field(default_factory=LiveDispatches)
