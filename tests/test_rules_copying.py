"""Finding copied sentences agrees with the plain definition, and stays fast."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from talekeeper.rules.copying import copied
from talekeeper.rules.lexicon import lexicon

ENDS = lexicon("zh").sentence_ends
_SOURCE_SENTENCES = st.lists(st.text("甲乙丙", min_size=1, max_size=16), max_size=5)


@given(source=_SOURCE_SENTENCES, text=_SOURCE_SENTENCES)
def test_every_whole_sentence_that_stands_in_the_text_is_found(source: list[str], text: list[str]) -> None:
    mine = "。".join(text)
    found = list(copied(mine, "。".join(source), ENDS))
    if any(len(sentence) >= 12 and sentence in mine for sentence in source):
        assert found
    assert all(len(mine[start:end].replace("。", "")) >= 12 for start, end in found)


def test_a_false_start_hides_nothing() -> None:
    assert list(copied("甲甲甲甲甲甲甲甲。乙" + "甲" * 12, "甲" * 12, ENDS))


@given(st.text("林晚沈砚去了北港，带着信", min_size=12, max_size=40).filter(lambda t: len(t.replace("，", "")) >= 12))
def test_a_sentence_put_into_other_words_is_found_again(sentence: str) -> None:
    source = f"开头。{sentence}。结尾。"
    (span, *_) = list(copied(f"后来{sentence}而已。", source, ENDS))
    assert span[1] - span[0] >= 12


def test_spans_point_into_the_text_as_given() -> None:
    text = "据说：“她 把那封信，折好放进了抽屉最底层！”完。"
    ((start, end),) = copied(text, "她把那封信折好放进了抽屉最底层。", ENDS)
    assert text[start:end] == "她 把那封信，折好放进了抽屉最底层"


def test_long_sources_are_searched_in_little_time() -> None:
    source = "。".join(chr(0x4E00 + n % 5000) * 2 + "晚间在北港的旧码头上等人" for n in range(1500))
    text = "她在旧码头等过很多人，没有一个回来。" * 15
    began = time.process_time()
    assert list(copied(text, source, ENDS)) == []
    assert time.process_time() - began < 0.3
