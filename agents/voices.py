"""Turns the name of a model into the four roles that write a memory."""

from __future__ import annotations

from talekeeper.agents.protocols import Voices
from talekeeper.memory.errors import ModelError
from talekeeper.memory.models import Language


def resolve_voice(model: str, language: Language) -> Voices:
    """The voice called ``model`` for a story's language.

    Raises:
        ModelError: no voice of that name; this version has the built-in one alone.
    """
    if model.strip().casefold() == "builtin":
        from talekeeper.agents.builtin import BuiltinVoice

        return BuiltinVoice(language).voices()
    raise ModelError(
        f"Unknown model {model!r}: model voices come in a later version.",
        hint="Accepted now: builtin (no model, no key).",
    )
