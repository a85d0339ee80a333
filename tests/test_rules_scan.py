"""Looking through text: spans, lengths, sentences, names of characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.models import Language
from talekeeper.rules.scan import (
    char_name,
    clip,
    length,
    lines,
    occurrences,
    outside,
    same_length_lower,
    sentences,
    visible,
)


@given(st.text())
def test_lines_are_spans_of_the_text(text: str) -> None:
    found = lines(text)
    assert all(text[line.start : line.end] == line.text for line in found)
    assert [line.text for line in found] == [row.removesuffix("\r") for row in text.split("\n")[:-1]] + [
        text.split("\n")[-1]
    ]


@given(st.text())
def test_lower_case_keeps_every_place(text: str) -> None:
    assert len(same_length_lower(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("他刚刚走，刚刚又来", ["刚刚"], ["刚刚", "刚刚"]),
        ("The ACTING captain; reacting", ["acting"], ["ACTING"]),
        ("İ acting", ["acting"], ["acting"]),
        ("临时政府", ["临时", "临时政府"], ["临时政府"]),
        ("x", [""], []),
    ],
)
def test_words_are_found_where_they_stand_alone(text: str, words: list[str], found: list[str]) -> None:
    assert [text[a:b] for a, b in occurrences(text, words)] == found


_POINTS = st.lists(st.integers(0, 30), max_size=12, unique=True).map(sorted)


@given(_POINTS, _POINTS)
def test_outside_agrees_with_the_plain_definition(a: list[int], b: list[int]) -> None:
    hits, free = (list(zip(row[::2], row[1::2], strict=False)) for row in (a, b))
    assert outside(hits, free) == [h for h in hits if not any(f[0] <= h[0] and h[1] <= f[1] for f in free)]


@pytest.mark.parametrize(
    ("text", "language", "size"),
    [
        ("林晚，走。", "zh", 5),
        ("寻找 Elizabeth", "zh", 3),
        ("don't stop-gap it", "en", 3),
        ("Mara 林晚", "en", 3),
        ("", "zh", 0),
        ("a" * 1000, "en", 50),
    ],
)
def test_lengths_are_a_reader_s(text: str, language: Language, size: int) -> None:
    assert length(text, language) == size


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("走了。来了！", ["走了。", "来了！"]),
        ("他说“走。”然后走了……", ["他说“走。”", "然后走了……"]),
        ("It cost 3.5 marks. He left.", ["It cost 3.5 marks.", " He left."]),
        ("一行\n二行", ["一行\n", "二行"]),
        ("…", ["…"]),
        ("", []),
    ],
)
def test_sentences(text: str, found: list[str]) -> None:
    ends = ["。", "！", "…", ".", "?"]
    assert [text[a:b] for a, b in sentences(text, ends)] == found


def test_characters_have_names() -> None:
    assert char_name("\xa0") == "U+00A0 NO-BREAK SPACE"
    assert char_name("\n") == "U+000A LINE FEED"
    assert char_name("\ud800") == "U+D800"
    assert visible("a\u200bb c") == "a<U+200B>b c"


@given(st.text(max_size=600))
def test_clips_are_short_single_lines(text: str) -> None:
    assert len(clip(text)) <= 40
    assert "\n" not in clip(text)
