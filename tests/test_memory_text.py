from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from talekeeper.memory.text import clean, clean_value, detect_language, fold, is_cjk, name_keys, names_by_key, terms

scripts = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("張聽雪樓ＡａÀ́ 　·・ﬁßİが゙薴〇")))


@given(scripts)
@example("か ゙")
@example("İﬁ")
@example("薴")
def test_fold_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(scripts)
def test_fold_ignores_case_and_width(text: str) -> None:
    assert fold(unicodedata.normalize("NFKC", text)) == fold(text)


@given(scripts)
def test_name_keys_of_keys_are_the_keys(text: str) -> None:
    keys = name_keys(text)
    assert all(name_keys(key) == (key,) for key in keys)
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("聽雪樓", "听雪楼"),
        ("Ａｎｎａ", "anna"),
        ("張 三", "张三"),
        ("John  Smith ", "JOHN SMITH"),
        ("乾坤", "干坤"),
    ],
)
def test_fold_joins_spellings(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_fold_is_context_free() -> None:
    assert fold("乾") in fold("乾坤袋")
    assert fold("乾") in fold("乾淨")


def test_name_keys_split_alias_lists() -> None:
    assert name_keys("《聽雪樓》、小王/Ａnna·Lee；老 王,O’Brien") == ("听雪楼", "小王", "anna lee", "老王", "o'brien")
    assert name_keys(["沈青梧", "青梧、小沈"]) == ("沈青梧", "青梧", "小沈")
    assert name_keys("安娜·李") == name_keys("安娜・李") == name_keys("安娜李") == ("安娜李",)
    assert name_keys(None) == name_keys(" 、 ") == ()


def test_names_keep_their_spelling() -> None:
    assert names_by_key("聽雪樓、Anna") == {"听雪楼": "聽雪樓", "anna": "Anna"}


def test_terms_cut_cjk_in_ones_and_twos_and_stem_words() -> None:
    assert terms("聽雪樓") == ["听", "雪", "楼", "听雪", "雪楼"]
    assert terms("The swords, running") == terms("the sword runs")
    assert terms("用Excalibur3杀敌") == ["用", "excalibur3", "杀", "敌", "杀敌"]


def test_language() -> None:
    assert detect_language("沈青梧 met Anna 于听雪楼") == "zh"
    assert detect_language("She said 你好 and then went home to sleep") == "en"
    assert detect_language("") == "en"
    assert is_cjk("沈")
    assert is_cjk("𠮷")
    assert not is_cjk("a")


def test_surrogates_are_joined_or_replaced() -> None:
    assert clean("\ud83d\ude00 a\ud83d") == "😀 a\ufffd"
    assert clean_value({"\ud83d": ["\ude00", ("\ud83d\ude00", 1)]}) == {"\ufffd": ["\ufffd", ["😀", 1]]}


@given(st.text(alphabet=st.characters(categories=["Cs", "Lu", "Lo"])))
def test_clean_text_can_be_encoded(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert clean(cleaned) == cleaned
