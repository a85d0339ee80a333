"""Every form of date that chat programs write, brought to ISO 8601.

A date orders nothing here: rows keep their place in the file. It is shown, and a gap between two tells one sitting from
the next. So a form that nobody knows costs the date, never the row.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_HUMANIZED = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})\s*h\s*(\d{1,2})\s*m\s*(\d{1,2})\s*s(?:\s*(\d{1,3})\s*ms)?",
    re.ASCII,
)
_MERIDIEM = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2}), ?(\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))? ?([ap])\.?m\.?", re.IGNORECASE | re.ASCII
)
_CLOCK_FIRST = re.compile(r"(\d{1,2}):(\d{2}) ?([ap])m on (\d{1,2}) ([A-Za-z]{3,9}),? (\d{4})", re.I | re.A)
_SLASHED = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?", re.ASCII)
_CHINESE = re.compile(
    r"(\d{4})年(\d{1,2})月(\d{1,2})日"
    r"(?:\s*(上午|下午|晚上|中午|凌晨)?\s*(\d{1,2})[:：时](\d{1,2})?分?(?:[:：]?(\d{1,2})秒?)?)?",
    re.ASCII,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FIRST_MILLISECONDS = 10**11  # 1973 in milliseconds, the year 5138 in seconds
_GAP = timedelta(hours=6)


def parse_date(value: object) -> str | None:
    """ISO 8601 for a date as chat files hold it (text, epoch seconds or milliseconds); None if it can't be told.

    A form without a zone gives a date without one. Milliseconds appear only where the source has them.
    """
    try:
        if isinstance(value, bool) or value is None:
            return None
        if isinstance(value, int | float):
            return _epoch(float(value))
        return _text(str(value).strip())
    except (ValueError, OverflowError, OSError):
        return None


def _text(value: str) -> str | None:
    if not value or len(value) > 80:
        return None
    if re.fullmatch(r"\d{9,14}(?:\.\d+)?", value, re.ASCII):
        return _epoch(float(value))
    if match := _HUMANIZED.fullmatch(value):
        year, month, day, hour, minute, second, milliseconds = (int(part or 0) for part in match.groups())
        return _iso(datetime(year, month, day, hour, minute, second, milliseconds * 1000))
    if match := _MERIDIEM.fullmatch(value):
        name, d, y, h, m, s, half = match.groups()
        return _iso(datetime(int(y), _month(name), int(d), _hours(h, half), int(m), int(s or 0)))
    if match := _CLOCK_FIRST.fullmatch(value):
        h, m, half, d, name, y = match.groups()
        return _iso(datetime(int(y), _month(name), int(d), _hours(h, half), int(m)))
    if match := _SLASHED.fullmatch(value):
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
        return _iso(datetime(year, month, day, hour, minute, second))
    if match := _CHINESE.fullmatch(value):
        return _chinese(match)
    return _iso(datetime.fromisoformat(value)) if re.match(r"\d{4}-\d\d-\d\d", value, re.ASCII) else None


def _chinese(match: re.Match[str]) -> str:
    year, month, day, half, hour, minute, second = match.groups()
    hours = int(hour or 0)
    if (half in ("下午", "晚上") and hours < 12) or (half == "中午" and hours < 11):
        hours += 12
    return _iso(datetime(int(year), int(month), int(day), hours, int(minute or 0), int(second or 0)))


def _epoch(value: float) -> str | None:
    if not 10**8 <= value < 10**14:
        return None
    seconds = value / 1000 if value >= _FIRST_MILLISECONDS else value
    return _iso(datetime.fromtimestamp(seconds, UTC))


def _iso(moment: datetime) -> str:
    spec = "milliseconds" if moment.microsecond else "seconds"
    return moment.isoformat(timespec=spec).replace("+00:00", "Z")


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _hours(hour: str, half: str) -> int:
    hours = int(hour)
    if not 1 <= hours <= 12:
        raise ValueError(f"no such hour on a 12-hour clock: {hour}")
    return hours % 12 + (12 if half.lower() == "p" else 0)


def is_new_sitting(before: str | None, after: str | None) -> bool:
    """Whether more than six hours lie between two dates of ``parse_date`` (False if either is unknown)."""
    if not before or not after:
        return False
    first, second = (datetime.fromisoformat(value).replace(tzinfo=None) for value in (before, after))
    return second - first > _GAP


def date_range(dates: list[str]) -> tuple[str | None, str | None]:
    """The earliest and the latest of some dates of ``parse_date``, zones left aside."""
    if not dates:
        return None, None
    ordered = sorted(dates, key=lambda value: datetime.fromisoformat(value).replace(tzinfo=None))
    return ordered[0], ordered[-1]
