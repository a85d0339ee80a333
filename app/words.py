"""The labels of the command line in Chinese and English; the words themselves are data (``words/<language>.yaml``)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from importlib import resources

import yaml

from talekeeper.memory.models import Language


def ui_language(story_language: str = "") -> Language:
    """The language of labels: TALEKEEPER_UI, else the locale's, else the story's, else English."""
    asked = [os.environ.get("TALEKEEPER_UI", "")]
    asked += [os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)][:1]
    asked.append(story_language)
    for value in asked:
        if value.lower().startswith("zh"):
            return "zh"
        if value.lower().startswith("en"):
            return "en"
    return "en"


class Words:
    """Labels by key: ``words("saved", done=3)``. An unknown key is a bug and raises KeyError."""

    def __init__(self, language: Language) -> None:
        self.language = language

    @cached_property
    def _table(self) -> Mapping[str, str]:
        text = resources.files("talekeeper.app").joinpath("words", f"{self.language}.yaml").read_text("utf-8")
        table: Mapping[str, str] = yaml.safe_load(text)
        return table

    def __call__(self, key: str, **values: object) -> str:
        return self._table[key].format(**values)

    def unit(self, kind: str, count: int | None = None) -> str:
        """The word for turns or chapters, as ``count`` of them are called (None: many)."""
        return self(f"unit_{kind}_one" if count == 1 else f"unit_{kind}")

    def get(self, key: str, default: str) -> str:
        """The label, or ``default`` where the table has none (names that a story's own schema brings)."""
        return self._table.get(key, default)
