"""Chapter numbers as books write them: digits, full-width digits, Chinese numerals, Roman numerals, English words."""

from __future__ import annotations

import re
import unicodedata

NUMERAL = r"[0-9０-９零〇○一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟廿卅]+"
ENGLISH_NUMERAL = r"(?:\d{1,4}|[ivxlcdm]{1,8}|[a-z]+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)"

_SIGNS = ("零〇○", "一壹", "二两贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")
_DIGITS = {sign: value for value, signs in enumerate(_SIGNS) for sign in signs}
_SCALES = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_FORM = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
# fmt: off
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
_ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
)
# fmt: on
_TENS = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def parse_numeral(text: str) -> int | None:
    """The number that a chapter heading names, None if it names none."""
    value = unicodedata.normalize("NFKC", text).strip().lower()
    if not value or len(value) > 40:
        return None
    if value.isascii() and value.isdigit():
        return int(value)
    return _chinese(value) if value[0] > "\u2fff" else _english(value)


def _chinese(text: str) -> int | None:
    text = text.replace("廿", "二十").replace("卅", "三十")
    if all(char in _DIGITS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text))
    total = section = digit = 0
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _SCALES:
            section += (digit or 1) * _SCALES[char]
            digit = 0
        elif char == "万":
            total, section, digit = (section + digit or 1) * 10_000, 0, 0
        else:
            return None
    return total + section + digit


def _english(text: str) -> int | None:
    if _ROMAN_FORM.fullmatch(text):
        values = [_ROMAN[char] for char in text]
        return sum(-v if v < max(values[i + 1 :], default=0) else v for i, v in enumerate(values))
    words = re.split(r"[- ]+", text)
    for table in (_WORDS, _ORDINALS, _TENS):
        if len(words) == 1 and words[0] in table:
            return table.index(words[0]) * (10 if table is _TENS else 1)
    if len(words) == 2 and words[0] in _TENS and words[1] in _WORDS:
        return _TENS.index(words[0]) * 10 + _WORDS.index(words[1])
    return None
