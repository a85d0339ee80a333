"""The voice that needs no model: honest, extractive, the same bytes for the same input.

It names what the text names, keeps the sentences that tell most, and opens or closes a thread only on plain words. A
chat model writes better memories; this voice never makes one up, costs nothing, and takes over when a model fails.
"""

from __future__ import annotations

from talekeeper.agents.builtin.archivist import BuiltinArchivist
from talekeeper.agents.builtin.case import Desk
from talekeeper.agents.builtin.compactor import BuiltinCompactor
from talekeeper.agents.builtin.roll_caller import BuiltinRollCaller
from talekeeper.agents.builtin.scribe import BuiltinScribe
from talekeeper.agents.builtin.words import words_for
from talekeeper.agents.protocols import Voices
from talekeeper.memory.models import Language

NAME = "builtin"
VERSION = 2
"""Raised whenever the same input would give other bytes, so that a commit tells what made it."""


class BuiltinVoice:
    """The four roles of one language, sharing one reading of the batch.

    An instance belongs to one dispatch at a time; it keeps nothing but small caches of pure results.
    """

    def __init__(self, language: Language) -> None:
        words = words_for(language)
        desk = Desk(words)
        self.language = language
        self.roll_caller = BuiltinRollCaller(desk)
        self.archivist = BuiltinArchivist(desk)
        self.scribe = BuiltinScribe(desk)
        self.compactor = BuiltinCompactor(words)

    @property
    def fingerprint(self) -> str:
        """Names the voice, its version and its language."""
        return f"{NAME}/{VERSION}/{self.language}"

    def voices(self) -> Voices:
        """The four roles, signed."""
        return Voices(self.roll_caller, self.archivist, self.scribe, self.compactor, NAME, self.fingerprint)
