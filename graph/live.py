"""Open sessions kept between the steps of a dispatch, so that a step needn't read again what the last one read.

The checkpointed snapshot stays the truth: a kept session is handed out only while its own snapshot equals the state's,
and is dropped as soon as an attempt is refused. A resumed run finds none and restores from the snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from talekeeper.memory.models import Link, Node
from talekeeper.tools.session import DispatchSession

_RECENT_SHOWN = 3


class LiveDispatch:
    """One dispatch's session, and what its briefings share: all of it stands still until Phase A is committed."""

    def __init__(self, session: DispatchSession) -> None:
        self.session = session
        self.snapshot: Mapping[str, Any] | None = None
        self._links: dict[tuple[str, ...], tuple[Link, ...]] = {}

    @cached_property
    def active_threads(self) -> tuple[Node, ...]:
        return tuple(self.session.reader.active_threads())

    def links_among(self, ids: tuple[str, ...]) -> tuple[Link, ...]:
        """Relations among stored nodes; those staged here aren't in it."""
        if ids not in self._links:
            self._links[ids] = tuple(self.session.reader.links_among(ids))
        return self._links[ids]

    @cached_property
    def recent(self) -> tuple[Node, ...]:
        return tuple(self.session.reader.events(_RECENT_SHOWN, before=self._position))

    @cached_property
    def last_event(self) -> Node | None:
        return self.session.reader.last_event(before=self._position)

    @property
    def _position(self) -> int:
        """Where the batch begins: an edited turn goes on from the turn before it, not from the story's end."""
        return self.session.batch[0].position


class LiveDispatches:
    """The dispatches under way in this process, by id."""

    def __init__(self) -> None:
        self._live: dict[str, LiveDispatch] = {}

    def get(self, dispatch_id: str, snapshot: Mapping[str, Any] | None) -> LiveDispatch | None:
        """The kept dispatch if it stands exactly where ``snapshot`` does."""
        live = self._live.get(dispatch_id)
        return live if live is not None and live.snapshot == snapshot else None

    def keep(self, dispatch_id: str, live: LiveDispatch) -> dict[str, Any]:
        """Keep a dispatch for its next step; returns the snapshot that the state must hold."""
        snapshot = live.session.snapshot()
        live.snapshot = snapshot
        self._live[dispatch_id] = live
        return snapshot

    def drop(self, dispatch_id: str) -> None:
        """Forget a dispatch: it ended, or its session holds half of a refused attempt."""
        self._live.pop(dispatch_id, None)
