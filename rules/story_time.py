"""When something happens inside a story, and whether it comes before something else.

Stories keep time in many ways: 2157-01-15 09:00, 建安三年春, 第3日 上午, "Day 3, evening", "Year 412 of the Age".
A time is read as a calendar and a path of components from coarse to fine, each a range. Two times are compared
component by component as far as both go; where they use different calendars, or one is less precise than the question
needs, the answer is None, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass

from talekeeper.memory.models import Language

SMALL_HOURS_END = 359
_LATE = 1320


@dataclass(frozen=True, slots=True)
class Component:
    """One step of a path: a unit (``year``, ``day``, ``minute`` …) and the range it may lie in, both ends included."""

    unit: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class StoryTime:
    """A point or stretch of story time.

    Attributes:
        text: as written.
        calendar: what the numbers count in; empty for the common era. Times of two calendars can't be ordered.
        path: components from coarse to fine.
        dated: False for a bare clock time, which names no day.
    """

    text: str
    calendar: str
    path: tuple[Component, ...]
    dated: bool = True

    @classmethod
    def parse(cls, text: str, language: Language) -> StoryTime | None:
        """The time in a short text such as an event's header; None where no calendar or clock is recognised."""
        from talekeeper.rules.time_reader import read_time

        return read_time(text, language)

    def compare(self, other: StoryTime) -> int | None:
        """−1 if this comes before ``other``, 1 if after, 0 if both say the same; None if that can't be told."""
        if self.calendar != other.calendar or self.dated != other.dated:
            return None
        for mine, theirs in zip(self.path, other.path, strict=False):
            if mine.unit != theirs.unit or _night_is_ambiguous(mine, theirs):
                return None
            if mine.high < theirs.low:
                return -1
            if mine.low > theirs.high:
                return 1
            if (mine.low, mine.high) != (theirs.low, theirs.high):
                return None
        return 0 if len(self.path) == len(other.path) else None

    def covers_from(self, other: StoryTime) -> bool | None:
        """True if this begins no later than ``other`` begins; None if that can't be told."""
        return self._reaches(other, low=True)

    def covers_to(self, other: StoryTime) -> bool | None:
        """True if this ends no earlier than ``other`` ends; None if that can't be told."""
        return self._reaches(other, low=False)

    def _reaches(self, other: StoryTime, *, low: bool) -> bool | None:
        if self.calendar != other.calendar or self.dated != other.dated:
            return None
        for mine, theirs in zip(self.path, other.path, strict=False):
            if mine.unit != theirs.unit:
                return None
            edge, wanted = (mine.low, theirs.low) if low else (-mine.high, -theirs.high)
            if edge != wanted:
                return edge < wanted
        return len(self.path) <= len(other.path)


def compare(first: StoryTime, second: StoryTime) -> int | None:
    """``first.compare(second)``."""
    return first.compare(second)


def _night_is_ambiguous(a: Component, b: Component) -> bool:
    """Late night and the small hours of "the same day" may stand on either side of midnight."""
    if a.unit != "minute":
        return False
    early, late = sorted((a, b), key=lambda c: c.low)
    return early.high <= SMALL_HOURS_END and late.high > 1439 and late.low >= _LATE - 210
