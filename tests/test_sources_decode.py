"""Bytes to text: the right characters or a refusal, never mojibake."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.errors import InputError
from talekeeper.sources.decode import decode, join_surrogates

SIMPLIFIED = "第一章 风雪夜\n道长推门而入，肩头积雪未化。小二温了一壶酒，问他从哪里来。\n" * 3
TRADITIONAL = "第一章 風雪夜\n道長推門而入，肩頭積雪未化。小二溫了一壺酒，問他從哪裡來。\n" * 3
ENGLISH = "Chapter 1\nThe door opened, and snow blew in.\n"


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "gbk"]
)
@pytest.mark.parametrize("text", [SIMPLIFIED, SIMPLIFIED.replace("\n", "\r\n")])
def test_chinese_in_every_encoding(codec: str, text: str) -> None:
    assert decode(text.encode(codec), "f").text == text


@pytest.mark.parametrize("codec", ["utf-8", "big5", "big5hkscs", "utf-16"])
def test_traditional_chinese(codec: str) -> None:
    assert decode(TRADITIONAL.encode(codec), "f").text == TRADITIONAL


@pytest.mark.parametrize("codec", ["ascii", "utf-8-sig", "utf-16", "utf-16-le"])
def test_english(codec: str) -> None:
    assert decode(ENGLISH.encode(codec), "f").text == ENGLISH


def test_what_encoding_it_was_is_told() -> None:
    assert decode(SIMPLIFIED.encode("gbk"), "f").encoding == "gb18030"
    assert decode(TRADITIONAL.encode("big5"), "f").encoding == "big5"
    assert decode(SIMPLIFIED.encode("utf-16"), "f").encoding == "utf-16-le"


def test_other_scripts_are_detected() -> None:
    text = "Съешь же ещё этих мягких французских булок, да выпей чаю. Дверь открылась, и вошёл старик. " * 5
    assert decode(text.encode("cp1251"), "f").text == text


def test_a_few_broken_bytes_are_marked_and_counted() -> None:
    data = SIMPLIFIED.encode()
    assert decode(data[:-3], "f").replaced == 1
    damaged = data[:9] + b"\xff" + data[9:]
    decoded = decode(damaged, "f")
    assert (decoded.replaced, decoded.encoding) == (1, "utf-8")
    assert decoded.text.replace("\ufffd", "") == SIMPLIFIED
    assert decode(SIMPLIFIED.encode("gb18030")[:-2], "f").text.startswith(SIMPLIFIED[:-3])


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b" \n\t\r\n", "nothing but blanks"),
        (b"\xef\xbb\xbf", "nothing but blanks"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "PNG image"),
        (b"PK\x03\x04" + bytes(50), "ZIP"),
        (bytes(range(256)) * 8, "can't be decoded|binary"),
        (b"\x00\x01\x02\x03" * 100, "can't be decoded|binary|blanks"),
        (b"abc\xff\xfe\xfd\x80\x81" * 9, "tried UTF-8, UTF-16, GB18030, Big5"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        decode(data, "f")


@given(st.binary(max_size=400))
def test_any_bytes_give_writable_text_or_an_input_error(data: bytes) -> None:
    try:
        decoded = decode(data, "f")
    except InputError:
        return
    assert decoded.text.encode("utf-8")


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc"])))
def test_utf8_always_comes_back_whole(text: str) -> None:
    assert decode(f"x{text}".encode(), "f").text == f"x{text}"


@given(st.text(alphabet=st.characters()))
def test_surrogates_never_survive(text: str) -> None:
    joined = join_surrogates(text)
    assert joined.encode("utf-8").decode() == joined


def test_pairs_are_joined() -> None:
    assert join_surrogates("a\ud83c\udf78b\udeaa") == "a🍸b\ufffd"
    assert decode(b"\xed\xa0\xbc\xed\xbd\xb8 drink", "f").text == "🍸 drink"
