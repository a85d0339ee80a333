"""Word classes: exceptions word by word, boundaries, a story's own words, and linear time."""

from __future__ import annotations

import time

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.book import RuleBook
from talekeeper.rules.lexicon import lexicon
from talekeeper.rules.subjects import EventSubject
from talekeeper.rules.word_class import Cover, WordClass, WordClasses
from tests.rule_subjects import event


def _hits(classes: dict[str, WordClass], text: str) -> dict[str, list[str]]:
    return {name: [text[a:b] for a, b in spans] for name, spans in WordClasses(classes).hits(text).items()}


def test_an_exception_excuses_its_own_word_alone() -> None:
    speech = WordClass.model_validate({"words": [{"说": ["说服", "小说"]}, "服"]})
    assert _hits({"x": speech}, "他说服了她，读小说，说了话") == {"x": ["服", "说"]}


def test_latin_words_stand_alone_and_case_does_not_matter() -> None:
    classes = {"x": WordClass.model_validate({"words": ["said"]})}
    assert _hits(classes, "Said he; unsaid, SAID.") == {"x": ["Said", "SAID"]}


def test_patterns_and_free_phrases() -> None:
    made = WordClass(patterns=("埋下(?:了)?(?:隐患|祸根)",), free=("田里埋下隐患石",))
    assert _hits({"x": made}, "埋下了祸根，田里埋下隐患石") == {"x": ["埋下了祸根"]}


def test_hits_do_not_overlap_and_the_longest_wins() -> None:
    assert _hits({"x": WordClass(words={"目标": (), "下一目标": ()})}, "下一目标") == {"x": ["下一目标"]}


def test_a_story_adds_takes_out_and_excuses() -> None:
    book = RuleBook("zh", words={"B4": ["约书", "!契约", "=条款石"], "banned": ["天道"]})
    told = book.check("event", EventSubject(event("zh", prose="林晚立下约书和契约，摸了摸条款石，求问天道。")))
    assert [(v.rule, v.excerpt) for v in told] == [("E8", "天道"), ("B4", "约书")]


def test_cover_holds_what_lies_inside_one_span() -> None:
    cover = Cover([(0, 4), (2, 3), (6, 9)])
    assert (1, 4) in cover
    assert (6, 7) in cover
    assert (3, 5) not in cover
    assert (5, 7) not in cover
    assert (0, 1) not in Cover([])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_megabyte_is_scanned_at_once(language: Language) -> None:
    for unit in ("说", "said ", "从到", "a", "\ud800", "第一次", "完成从", "memory_"):
        text = (unit * 1_000_000)[:1_000_000]
        began = time.process_time()
        lexicon(language).classes.hits(text)
        assert time.process_time() - began < 6, unit
