"""Word lists of the readers: data in YAML beside the modules, so that a language or a program is added without code."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def load(name: str) -> dict[str, Any]:
    """The mapping in ``<name>.yaml`` of this folder."""
    loaded = yaml.safe_load((Path(__file__).parent / f"{name}.yaml").read_text(encoding="utf-8"))
    if not isinstance(loaded, dict):
        raise TypeError(f"{name}.yaml must hold a mapping")
    return loaded


@cache
def words(name: str, key: str) -> tuple[str, ...]:
    """The list ``key`` of ``<name>.yaml``, case folded."""
    return tuple(str(word).casefold() for word in load(name)[key])


@cache
def word_set(name: str, key: str) -> frozenset[str]:
    """As ``words``, for tests of membership."""
    return frozenset(words(name, key))
