"""Narration and speech are kept apart, with true offsets."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from talekeeper.agents.builtin.sentences import MASK, mask_quotes, sentence_spans, split_unit
from talekeeper.agents.builtin.words import words_for
from tests.agents_world import turn

ZH, EN = words_for("zh"), words_for("en")


def test_quoted_words_are_masked_and_the_quotation_is_found() -> None:
    unit = turn(1, ("沈舟", "沈舟推开门，低声说：“船来了。”他转身就走。"))
    sentences, quotes = split_unit(unit, 0, ZH)
    assert [q.text for q in quotes] == ["船来了。"]
    assert all("船来了" not in s.text for s in sentences)
    assert sentences[-1].text == "他转身就走。"


def test_offsets_point_into_the_unit() -> None:
    unit = turn(1, ("沈舟", "他走了。"), ("林晚", "林晚关上门。灯灭了。"))
    sentences, _ = split_unit(unit, 0, ZH)
    for sentence in sentences:
        assert unit.text[sentence.start : sentence.end] == sentence.text


def test_a_chat_line_without_quotation_marks_is_speech() -> None:
    sentences, _ = split_unit(turn(1, ("Nate", "I won my first tournament last week!")), 0, EN)
    assert {s.kind for s in sentences} == {"speech"}


def test_a_mark_left_open_ends_with_its_paragraph() -> None:
    masked, spans = mask_quotes("“没有说完\n林晚走了。", ZH)
    assert masked.endswith("林晚走了。")
    assert len(spans) == 1


def test_a_title_before_a_name_does_not_end_a_sentence() -> None:
    text = "Mr. Hale left. Mrs. Vane stayed."
    assert [text[a:b] for a, b in sentence_spans(text, EN)] == ["Mr. Hale left.", "Mrs. Vane stayed."]


@given(st.text(alphabet='甲乙。！“”「」"\n，: a.', max_size=60))
def test_masking_keeps_length_and_spans_lie_inside(text: str) -> None:
    masked, spans = mask_quotes(text, ZH)
    assert len(masked) == len(text)
    assert all(a in (b, MASK) for a, b in zip(masked, text, strict=True))
    assert all(0 <= a < b <= len(text) for a, b in spans)
    cut = sentence_spans(masked, ZH)
    assert all(a < b for a, b in cut)
    assert all(first[1] <= second[0] for first, second in pairwise(cut))
