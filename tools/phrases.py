"""Wording of the violations that only the session can see, in the story's language (data: ``phrases.yaml``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import yaml

from talekeeper.memory.models import Language
from talekeeper.rules.model import Violation

_LONGEST_SHOWN, _LONGEST_WHERE, _LONGEST_EXCERPT = 600, 100, 200
"""A refusal repeats no more characters than these of what was sent; whoever sent it knows the rest."""


@cache
def _phrases() -> Mapping[str, Mapping[str, Any]]:
    text = resources.files("talekeeper.tools").joinpath("phrases.yaml").read_text("utf-8")
    loaded: Mapping[str, Mapping[str, Any]] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded


def violation(key: str, language: Language, *, where: str = "", excerpt: str = "", **values: object) -> Violation:
    """The violation that ``phrases.yaml`` describes under ``key``, with its placeholders filled in."""
    entry = _phrases()[key]
    words = entry[language]
    shown = {name: _short(value) for name, value in values.items()}
    return Violation(
        rule=entry["rule"],
        message=words["message"].format(**shown),
        mend=words["mend"].format(**shown),
        where=where[:_LONGEST_WHERE],
        excerpt=excerpt[:_LONGEST_EXCERPT],
    )


def _short(value: object) -> object:
    return f"{value[:_LONGEST_SHOWN]}…" if isinstance(value, str) and len(value) > _LONGEST_SHOWN else value
