"""Reads story times: dates, eras, story calendars, seasons, clock times and words.

One reader a form, tried in turn on a short normalised text; the first that finds a date decides the calendar, and the
clock is read from what follows. Kept apart from ``story_time`` so that comparing needs no parsing and no word pack.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import Lexicon, lexicon
from talekeeper.rules.story_time import Component, StoryTime

LONGEST = 160
_DIGITS = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "元": 1, "正": 1}
_TENS = {"十": 10, "百": 100, "千": 1000, "拾": 10}
_SHORT_TENS = {"廿": 20, "卅": 30}
_NUM = r"(?:\d{1,9}|[〇零一二三四五六七八九十百千两廿卅拾]{1,9})"
_ISO = re.compile(r"(?<!\d)(\d{1,6})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
_ZH_YEAR = re.compile(f"({_NUM}|元)年")
_ZH_MONTH = re.compile(f"(闰?)({_NUM}|正|腊|冬)月")
_ZH_DAY = re.compile(f"(?:初({_NUM})|({_NUM})[日号]|(?<=月)({_NUM})(?![日号时点章回]))")
_SEASON = re.compile("[孟仲季初早暮晚深隆]?([春夏秋冬])")
_CLOCK = re.compile(r"(?<!\d)([01]?\d|2[0-4])[:：]([0-5]\d)(?::[0-5]\d)?\s*([ap]\.?m\b\.?)?", re.IGNORECASE)
_EN_HOUR = re.compile(r"(?<!\d)(1[0-2]|[1-9])\s*([ap])\.?m\b\.?", re.IGNORECASE)
_ZH_HOUR = re.compile(f"({_NUM})[点點时時](?!辰)(?:(半)|([一两三123])刻|({_NUM})分?)?")
_MINUTES_A_DAY = 1440

Found = tuple[str, tuple[Component, ...], str]
"""Calendar, components, and the text in which the clock is looked for."""


def read_time(text: str, language: Language) -> StoryTime | None:
    """See ``StoryTime.parse``. Anything much longer than a date is none."""
    return None if len(text) > 4 * LONGEST else _read(text, language)


@lru_cache(maxsize=1024)
def _read(text: str, language: Language) -> StoryTime | None:
    flat = " ".join(unicodedata.normalize("NFKC", text[: LONGEST + 1]).replace("・", "·").split())
    if not flat or len(flat) > LONGEST:
        return None
    other: Language = "en" if language == "zh" else "zh"
    packs = (lexicon(language), lexicon(other))
    for reader in READERS:
        for words in packs:
            found = reader(flat, words)
            if found:
                calendar, path, rest = found
                clock = _clock(rest, packs)
                return StoryTime(text, calendar, path + ((clock,) if clock else ()))
    clock = _clock(flat, packs)
    return StoryTime(text, "", (clock,), dated=False) if clock else None


def _exactly(unit: str, value: float) -> Component:
    return Component(unit, value, value)


def _calendar(name: str, words: Lexicon) -> str:
    """A calendar's name without weekdays and little words; the common era has none."""
    parts = re.split(r"[\s,，、:：;；.()（）\-]+", name.casefold())
    bare = " ".join(part for part in parts if part and part not in words.calendar_stops)
    return "" if bare in words.common_era else bare


def _iso(flat: str, words: Lexicon) -> Found | None:
    match = _ISO.search(flat)
    if match is None:
        return None
    year, month, day = (int(g) if g else None for g in match.groups())
    if year is None or not month or month > 13 or (day is not None and not 1 <= day <= 32):
        return None
    if day is None and len(match[1]) < 3:
        return None
    path = [_exactly("year", year), _exactly("month", month)] + ([_exactly("day", day)] if day else [])
    name, rest = flat[: match.start()], flat[match.end() :]
    if any(c.isdigit() for c in name):  # a clock time stands before the date
        name, rest = "", f"{rest} {name}"
    return _calendar(name, words), tuple(path), rest


def zh_number(text: str) -> int | None:
    """十三 → 13, 二一五七 → 2157, 廿三 → 23, 412 → 412; None if it is no number."""
    if text.isdecimal():
        return int(text)
    total = current = 0
    positional = not any(c in _TENS or c in _SHORT_TENS for c in text)
    for char in text:
        if char in _DIGITS:
            current = current * 10 + _DIGITS[char] if positional else _DIGITS[char]
        elif char in _SHORT_TENS:
            total, current = total + _SHORT_TENS[char], 0
        elif char in _TENS:
            total, current = total + max(current, 1) * _TENS[char], 0
        else:
            return None
    return total + current if text else None


def _zh_date(flat: str, words: Lexicon) -> Found | None:
    """[era] N年 [season | N月 [初N | N日]], or N月N日 alone (ordered within its month only)."""
    path: list[Component] = []
    era, rest = "", flat
    year = _ZH_YEAR.search(flat)
    if year and not flat[: year.start()].endswith("第"):
        era, rest = flat[: year.start()], flat[year.end() :]
        path.append(_exactly("year", zh_number(year[1]) or 0))
        if era.rstrip().endswith("前"):
            path = [_exactly("year", -path[0].low)]
            era = era.rstrip()[:-1]
    month = _ZH_MONTH.search(rest)
    if month and not rest[: month.start()].endswith("第"):
        number = {"正": 1, "冬": 11, "腊": 12}.get(month[2]) or zh_number(month[2]) or 0
        value = number + (0.5 if month[1] else 0)
        if not path:
            era = f"{flat[: month.start()]} {month[0]}"
        path.append(_exactly("month", value))
        day = _ZH_DAY.search(rest, month.end() - 1)
        rest = rest[month.end() :]
        if day:
            number = next((zh_number(g) or 0 for g in day.groups() if g), 0)
            path.append(_exactly("day", number))
            rest = rest[max(0, day.end() - month.end()) :]
    elif path:
        season = _SEASON.match(rest.strip())
        if season and season[1] in words.seasons:
            shift = 0 if _calendar(era, words) else 2
            low, high = words.seasons[season[1]]
            path.append(Component("month", low + shift, high + shift))
            rest = rest.strip()[season.end() :]
    return (_calendar(era, words), tuple(path), rest) if path else None


@lru_cache(maxsize=8)
def _count_pattern(language: Language) -> re.Pattern[str]:
    words = lexicon(language)
    names = "|".join(sorted(map(re.escape, words.units), key=len, reverse=True))
    if language == "zh":
        return re.compile(f"第\\s*({_NUM})\\s*({names})")
    numbers = "|".join(words.numbers)
    return re.compile(
        f"\\b({names})\\s+(?:no\\.?\\s*)?(\\d{{1,9}}|{numbers})\\b|\\b(\\d{{1,9}})(?:st|nd|rd|th)\\s+({names})\\b|"
        f"\\b({numbers})\\s+({names})\\b(?!s)",
        re.IGNORECASE,
    )


def _counted(flat: str, words: Lexicon) -> Found | None:
    """第3日 上午, 故事第1日 第12回合, Day 3 of the siege, Year 412 of the Third Age, third night."""
    path: list[Component] = []
    name, last, night = "", 0, ""
    for match in _count_pattern(words.language).finditer(flat):
        parts = [g for g in match.groups() if g]
        number, unit = (parts[1], parts[0]) if parts[0].casefold() in words.units else (parts[0], parts[1])
        value = words.numbers.get(number.casefold()) or zh_number(number)
        if value is None:
            continue
        if not path:
            name = flat[: match.start()]
        kind = words.units[unit.casefold()]
        if any(c.unit == kind for c in path):  # the tail of "Year 412 of the Third Age" names the calendar
            continue
        if kind == "age" and path:
            continue
        path.append(_exactly(kind, value))
        night = unit if unit.casefold() in words.clock else night
        last = match.end()
    if not path:
        return None
    rest = flat[last:]
    tail = re.match(r"\s*(?:of|in|since|after|from)\s+[^,;，；]+", rest) if words.language == "en" else None
    if tail:
        name, rest = f"{name} {tail[0]}", rest[tail.end() :]
    return _calendar(name, words), tuple(path), f"{rest} {night}"


@lru_cache(maxsize=2)
def _month_pattern(language: Language) -> re.Pattern[str]:
    names = "|".join(sorted(lexicon(language).months, key=len, reverse=True))
    return re.compile(
        f"\\b(?:(\\d{{1,2}})(?:st|nd|rd|th)?(?:\\s+of)?\\s+)?({names})\\b\\.?(?:\\s+(\\d{{1,2}})(?:st|nd|rd|th)?(?!\\d))?"
        f"(?:,?\\s+(\\d{{3,6}}))?(?!\\d)",
        re.IGNORECASE,
    )


def _en_date(flat: str, words: Lexicon) -> Found | None:
    """15 January 2157, January 15th, 2157; without a year it is ordered within its month only."""
    match = _month_pattern(words.language).search(flat) if words.months else None
    if match is None or not (match[1] or match[3] or match[4]):
        return None
    month, day, year = words.months[match[2].casefold()], match[1] or match[3], match[4]
    path = ([_exactly("year", int(year))] if year else []) + [_exactly("month", month)]
    if day:
        path.append(_exactly("day", int(day)))
    name = "" if year else f"month {month}"
    return name, tuple(path), flat[match.end() :]


_EN_ERA = re.compile(r"(?<![\w:])(\d{1,6})\s+((?:[A-Z]\.?){1,4})(?![\w])")


def _en_era(flat: str, words: Lexicon) -> Found | None:
    """298 AC, 3019 T.A.; a season before it is read, a.m. and p.m. are not eras."""
    match = _EN_ERA.search(flat)
    if match is None or match[2].replace(".", "") in ("AM", "PM"):
        return None
    sign = -1 if match[2].replace(".", "") in ("BC", "BCE") else 1
    path = [_exactly("year", sign * int(match[1]))]
    calendar = "" if sign < 0 else _calendar(match[2], words)
    season = next((s for s in words.seasons if re.search(rf"\b{s}\b", flat, re.IGNORECASE)), None)
    if season:
        path.append(Component("month", *words.seasons[season]))
    return calendar, tuple(path), flat[match.end() :]


def _clock(rest: str, packs: tuple[Lexicon, ...]) -> Component | None:
    word = _clock_word(rest, packs)
    afternoon = any(_has(rest, w) for words in packs for w in words.pm_words)
    for read in (_digital, _twelve_hour, _zh_hour):
        minutes = read(rest, afternoon)
        if minutes is not None:
            return _exactly("minute", minutes)
    return Component("minute", *word) if word else None


def _clock_word(rest: str, packs: tuple[Lexicon, ...]) -> tuple[int, int] | None:
    for words in packs:
        for word in sorted(words.clock, key=len, reverse=True):
            if _has(rest, word):
                return words.clock[word]
    return None


def _has(text: str, word: str) -> bool:
    if word.isascii():
        return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text, re.IGNORECASE) is not None
    return word in text


def _shifted(hour: int, minute: int, afternoon: bool) -> int:
    if afternoon and 1 <= hour < 12:
        hour += 12
    return hour * 60 + minute


def _digital(rest: str, afternoon: bool) -> int | None:
    match = _CLOCK.search(rest)
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2])
    half = (match[3] or "").lower()[:1]
    if half:
        return hour % 12 * 60 + minute + (_MINUTES_A_DAY // 2 if half == "p" else 0)
    return hour * 60 + minute


def _twelve_hour(rest: str, afternoon: bool) -> int | None:
    match = _EN_HOUR.search(rest)
    if match is None:
        return None
    return int(match[1]) % 12 * 60 + (_MINUTES_A_DAY // 2 if match[2].lower() == "p" else 0)


def _zh_hour(rest: str, afternoon: bool) -> int | None:
    match = _ZH_HOUR.search(rest)
    hour = zh_number(match[1]) if match else None
    if match is None or hour is None or hour > 24:
        return None
    quarter = {"一": 15, "1": 15, "两": 30, "2": 30, "三": 45, "3": 45}.get(match[3] or "", 0)
    minute = 30 if match[2] else quarter or (zh_number(match[4]) or 0 if match[4] else 0)
    return _shifted(hour, min(minute, 59), afternoon)


READERS: tuple[Callable[[str, Lexicon], Found | None], ...] = (_iso, _zh_date, _counted, _en_date, _en_era)
