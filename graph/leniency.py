"""Which hard rules only flag in a curation so far: those that the built-in voice isn't known to hold on real stories.

They are checked and reported all the same. A story's own settings come first: ``{"rules": {"C5": "hard"}}`` makes one
refuse. An id leaves this list once the sweep over real files shows no hit of it.
"""

from __future__ import annotations

from talekeeper.memory.story import Story
from talekeeper.rules.book import RuleBook

NOT_YET_HELD = (
    "R6", "E5", "E6", "E7", "E8", "E12", "E13", "E16", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10",
    "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T9", "T10", "N8", "N15", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C12",
)  # fmt: skip


def rule_book(story: Story) -> RuleBook:
    """The rules as a curation of this story, or its audit, applies them."""
    return RuleBook(story.language, {**dict.fromkeys(NOT_YET_HELD, "soft"), **story.rule_settings})
