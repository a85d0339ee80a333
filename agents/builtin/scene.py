"""When and where: the two header lines of an event.

The text's own word comes first, what the last event said second, the story's own calendar last. Time never runs back:
a part of the day that would be earlier, without a sign that a night passed, is taken for a memory and left out.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from talekeeper.agents.builtin.cast import Cast
from talekeeper.agents.builtin.found import PLACE
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.sentences import MASK, Sentence
from talekeeper.agents.builtin.stage import stages
from talekeeper.agents.builtin.words import Words, alternatives
from talekeeper.agents.protocols import Briefing
from talekeeper.rules.lexicon import lexicon

_HEADER = re.compile(r"\A(?:时间|Time):\s*(?P<time>.+)\n(?:地点|Place):\s*(?P<place>.+)")
_STORY_ZH = re.compile(r"故事第(?P<day>\d+)日 第(?P<turn>\d+)回合(?: (?P<part>\S+))?")
_STORY_EN = re.compile(r"Day (?P<day>\d+), turn (?P<turn>\d+)(?:, (?P<part>[a-z ]+))?")
_ISO = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2})(?:[ T](?P<clock>\d{2}:\d{2}))?")
_NUMBERS = {c: i for i, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "半": 1, "数": 3, "几": 3}
_NUMBERS |= {"a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_NUMBERS |= {"several": 3, "a few": 3}


@dataclass(frozen=True, slots=True)
class Scene:
    """The header of an event. ``place_title`` is set when the place is (or holds) a known or new location."""

    time: str
    place: str
    place_title: str = ""
    moved: bool = False


def header_of(summary: str) -> tuple[str, str] | None:
    """Time and place of an event's summary, if it has its two header lines."""
    match = _HEADER.match(summary)
    return (match["time"].strip(), match["place"].strip()) if match else None


def scene_of(briefing: Briefing, reading: Reading, cast: Cast, words: Words) -> Scene:
    """The scene in which the batch ends."""
    last = header_of(str(briefing.last_event.fields.get("summary", ""))) if briefing.last_event else None
    time = _time(briefing, reading, words, last[0] if last else None)
    place, title, moved = _place(reading, cast, words, last[1] if last else None, briefing)
    return Scene(time, place, title, moved)


# --- time ----------------------------------------------------------------------------------------------------------


def _time(briefing: Briefing, reading: Reading, words: Words, last: str | None) -> str:
    unit = briefing.batch[-1]
    labelled = _labelled(reading, words.pattern("time_label")) or _status_time(reading)
    labelled = labelled or next((s.time for s in reversed(stages(reading.units, words)) if s.time), "")
    if labelled:
        return _completed(_normal_time(labelled, words), last)
    if unit.kind == "chapter":
        heading = words.pattern("chapter").search(unit.title) or words.pattern("chapter").match(unit.text.lstrip("# "))
        if heading:
            return re.sub(r"\s+", "" if words.language == "zh" else " ", heading.group())
        return f"第{unit.turn}章" if words.language == "zh" else f"Chapter {unit.turn}"
    days, part, dated = _signs(reading, words)
    if dated:
        return dated
    story = (_STORY_ZH if words.language == "zh" else _STORY_EN).fullmatch(last) if last else None
    if last and not story:
        return _advanced(last, days)
    day = int(story["day"]) if story else 1
    held = (story["part"] or "") if story else ""
    if days:
        day, held = day + days, part
    elif part and _rank(part, words) >= _rank(held, words):
        held = part
    shown = (" " if words.language == "zh" else ", ") + held if held else ""
    return words.form("first_time", day=day, part=shown, turn=max(unit.turn, 1))


def _labelled(reading: Reading, pattern: re.Pattern[str]) -> str:
    values = [
        m["v"].strip(" *_") for unit in reading.units for x in unit.messages for m in pattern.finditer(x.raw or x.text)
    ]
    return values[-1] if values else ""


def _completed(time: str, last: str | None) -> str:
    """A date that leaves its year unsaid takes the year of the last event."""
    year = re.match(r".{1,8}?年", last or "")
    return (
        f"{year.group()}{time}"
        if year and "年" not in time and re.match("[正一二三四五六七八九十冬腊闰\\d]+月", time)
        else time
    )


_STATUS_DATE = re.compile(r"(?:🗓️?|📅)\s*(?P<v>[^|\]\n]{3,60})")
_STATUS_CLOCK = re.compile(r"(?:🕰️?|🕒|⏰|🕐|⌚)\s*(?:Time|时间)?[:：]?\s*(?P<v>[^|\]\n]{3,20})")
_STATUS_PLACE = re.compile(r"📍\s*(?:Location|地点)?[:：]?\s*(?P<v>[^|\]\n]{2,60})")


def _status_time(reading: Reading) -> str:
    date, clock = _labelled(reading, _STATUS_DATE), _labelled(reading, _STATUS_CLOCK)
    return f"{date}, {clock}" if date and clock else date


def _normal_time(value: str, words: Words) -> str:
    match = words.pattern("full_date").search(value)
    if not match:
        return value
    date = f"{int(match['y']):04d}-{int(match['m']):02d}-{int(match['d']):02d}"
    clock = words.pattern("clock").search(value)
    return f"{date} {_clock(clock)}" if clock else date


def _clock(match: re.Match[str]) -> str:
    hour = int(match["h"]) % 24
    half = (match.groupdict().get("ap") or "").upper()
    if half:
        hour = hour % 12 + (12 if half == "PM" else 0)
    return f"{hour:02d}:{match['mi']}"


def _signs(reading: Reading, words: Words) -> tuple[int, str, str]:
    """(days passed, last part of the day named, full date that opens a sentence) in the narration."""
    days, part, dated = 0, "", ""
    not_now, full_date = words.pattern("not_now"), words.pattern("full_date")
    for sentence in reading.narration:
        text = sentence.text.replace(MASK, "")
        opening = full_date.match(text.lstrip("*_【[（( "))
        if opening:
            dated = _normal_time(text, words)
        passed = _days(text, words, not_now)
        if passed:
            days, part = days + passed, ""
        named = _part(text, words, not_now)
        part = named or part
    return days, part, dated


def _days(text: str, words: Words, not_now: re.Pattern[str]) -> int:
    next_day = words.pattern("next_day")
    match = next_day.search(text) or next_day.search(text.lower())
    if match and not not_now.search(text[max(0, match.start() - 8) : match.start()].lower()):
        return 1
    later = words.pattern("days_later").search(text.lower())
    if not later or not_now.search(text[max(0, later.start() - 6) : later.start()].lower()):
        return 0
    unit = later["u"]
    size = 7 if unit[0] in "周w" or "星期" in unit else 10 if unit == "旬" else 1
    size = 30 if "月" in unit or unit.startswith("month") else 365 if unit[0] in "年y" else size
    return _number(later["n"]) * size


def _number(text: str) -> int:
    if text.isdigit():
        return min(int(text), 10_000)
    if text in _NUMBERS:
        return _NUMBERS[text]
    tens, _, ones = text.partition("十")
    return 10 * _NUMBERS.get(tens, 1) + _NUMBERS.get(ones, 0) if "十" in text else 1


def _part(text: str, words: Words, not_now: re.Pattern[str]) -> str:
    low = text.lower()
    best, where = "", -1
    for _, name, signs in words.data["day_parts"]:
        for sign in signs:
            at = low.rfind(sign)
            if at > where and not not_now.search(low[max(0, at - 6) : at + len(sign) + 1]):
                best, where = str(name), at
    return best


def _rank(part: str, words: Words) -> int:
    return next((int(rank) for rank, name, _ in words.data["day_parts"] if name == part), 0)


def _advanced(last: str, days: int) -> str:
    """A calendar that isn't ours: a date moves on by whole days, anything else stands until the text says more."""
    match = _ISO.match(last)
    if not match or not days:
        return last
    try:
        moved = dt.date.fromisoformat(match["date"]) + dt.timedelta(days=days)
    except (ValueError, OverflowError):
        return last
    return moved.isoformat() + last[match.end("date") :]


# --- place ---------------------------------------------------------------------------------------------------------


def _place(reading: Reading, cast: Cast, words: Words, last: str | None, briefing: Briefing) -> tuple[str, str, bool]:
    labelled = _labelled(reading, words.pattern("place_label")) or _labelled(reading, _STATUS_PLACE)
    labelled = labelled or next((s.place for s in reversed(stages(reading.units, words)) if s.place), "")
    if labelled:
        return labelled, _title_in(labelled, cast), labelled != last
    names = cast.surfaces(PLACE)
    if reading.chapter and cast.places:
        busiest = max(cast.places, key=lambda m: (m.mentions, m.title))
        return busiest.title, busiest.title, True
    here = _last_named(reading.narration, names, words)
    generic = _last_generic(reading, words)
    if here and (not generic or here[1] >= generic[1]):
        title = cast.title_of(here[0])
        if last and title in last:
            return last, title, False
        return title, title, True
    if generic and not (last and generic[0] in last):
        return generic[0], _title_in(generic[0], cast), True
    unsure = last is not None and re.search(words.form("place_of_mark"), last) is not None
    if last and not (unsure and _any_noun(reading, words)):
        return last, _title_in(last, cast), False
    noun = _any_noun(reading, words)
    if noun:
        return noun, "", True
    return own_place(cast, words, briefing), "", True


def _title_in(place: str, cast: Cast) -> str:
    return next((m.title for m in cast.places if any(s in place for s in m.surfaces)), "")


def _last_named(narration: tuple[Sentence, ...], names: list[str], words: Words) -> tuple[str, tuple[int, int]] | None:
    if not names:
        return None
    lead = alternatives(words.list("here_leads"))
    gap = r"(?:了|到|进)?(?:那座|这座)?" if words.language == "zh" else r"\s(?:the\s|old\s){0,2}"
    pattern = re.compile(rf"{lead}{gap}(?P<name>{alternatives(names)})")
    best = None
    for sentence in narration:
        for match in pattern.finditer(sentence.text):
            best = (match["name"], (sentence.unit, sentence.start + match.start("name")))
    return best


def _last_generic(reading: Reading, words: Words) -> tuple[str, tuple[int, int]] | None:
    """A plain place noun after a word that leads to places: 走进仓库, in the boathouse."""
    return _generic_zh(reading, words) if words.language == "zh" else _generic_en(reading, words)


def _generic_zh(reading: Reading, words: Words) -> tuple[str, tuple[int, int]] | None:
    leads, tails = words.set("move_leads"), words.list("scene_tails")
    shown = {s.unit: "" for s in reading.narration}
    for s in reading.narration:
        shown[s.unit] = shown[s.unit].ljust(s.start, MASK) + s.text
    best = None
    for unit, line in enumerate(reading.tokens):
        for i, token in enumerate(line):
            if token.word not in leads or shown.get(unit, "")[token.start : token.end] != token.word:
                continue
            noun = ""
            for after in line[i + 1 : i + 5]:
                if after.tag in {"n", "LOC", "nz"}:
                    noun += after.word
                    if noun.endswith(tails) and 2 <= len(noun) <= 8:
                        best = (noun, (unit, after.start))
                        break
                elif after.tag not in {"u", "q", "m", "r"} or noun:
                    break
    return best


def _any_noun(reading: Reading, words: Words) -> str:
    """The first plain place noun that the narration names at all: better than no place for a story's first scene."""
    if words.language == "en":
        return ""
    vague = set(lexicon("zh").generic_places) | set(lexicon("zh").vague_places)
    tails = words.list("scene_tails")
    shown = "\n".join(s.text for s in reading.narration)
    for line in reading.tokens:
        for token in line:
            fit = (
                token.tag in {"n", "LOC", "nz", "ORG", "s"} and 2 <= len(token.word) <= 6 and token.word.endswith(tails)
            )
            if fit and token.word in shown and token.word not in vague:
                return token.word
    return ""


def _generic_en(reading: Reading, words: Words) -> tuple[str, tuple[int, int]] | None:
    lead, nouns = alternatives(words.list("move_leads")), alternatives(words.list("scene_nouns"))
    pattern = re.compile(
        rf"\b{lead}\s(?:the|a|an|his|her|their)\s(?P<noun>(?:[a-z]+\s)?{nouns})\b(?!\s[a-z]*(?:er|or)\b)"
    )
    best = None
    for sentence in reading.narration:
        for match in pattern.finditer(sentence.text):
            noun = re.sub(r"^(?:the|a|an)\s", "", match["noun"])
            best = (f"the {noun}", (sentence.unit, sentence.start + match.start("noun")))
    return best


def own_place(cast: Cast, words: Words, briefing: Briefing) -> str:
    """The place called after whoever is there, for a text that names none."""
    people = cast.present or cast.persons
    if people:
        return words.form("place_of", name=people[0].title)
    return words.form("story_place", title=briefing.story_title)
