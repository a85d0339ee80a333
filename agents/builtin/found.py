"""A name found in a text, before anybody has looked it up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NameType = Literal["character_sheet", "location_state"]
PERSON: NameType = "character_sheet"
PLACE: NameType = "location_state"


@dataclass(frozen=True, slots=True)
class Found:
    """A bare name with the place of its first mention.

    Attributes:
        unit, start, end: index in the batch and code points of ``Unit.text``.
        count: mentions in the batch.
        acts: whether it stands as the subject of something done.
        alias_of: the fuller name that the text itself gives for it.
    """

    name: str
    type: NameType
    unit: int
    start: int
    end: int
    count: int
    acts: bool = False
    alias_of: str = ""
