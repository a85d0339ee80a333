"""B1–B10 and E8: what no summary may hold, where it is looked for, and what excuses it."""

from __future__ import annotations

import time

import pytest

from talekeeper.evals.rule_corpus.classes import CLASSES, sentences_of
from talekeeper.memory.models import Language
from talekeeper.rules.subjects import EventSubject, RollupSubject
from tests.rule_subjects import BOOKS, event, faults

LANGUAGES: tuple[Language, ...] = ("zh", "en")


@pytest.mark.parametrize("rule", CLASSES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_class_tells_its_words_from_look_alikes(rule: str, language: Language) -> None:
    names = {"zh": {"a": "林晚", "b": "沈砚"}, "en": {"a": "Mara", "b": "Tom"}}[language]
    for kind, wanted in (("broken", True), ("valid", False)):
        for sentence in sentences_of(rule, language, kind):
            told = event(language, prose=sentence.format(**names))
            assert bool(faults(language, "event", EventSubject(told), rule)) is wanted, sentence


def test_rows_and_rollups_are_held_to_the_same() -> None:
    row = event("zh", tail="\n\n不可逆:\n- 林晚正式入伙")
    assert [v.excerpt for v in faults("zh", "event", EventSubject(row), "B3")] == ["正式"]
    outline = "时间: 第1日 至 第3日;\n1) 林晚说要走\n2) 沈砚留下"
    (found,) = faults("zh", "rollup", RollupSubject(outline, (), (), (), 1), "B7")
    assert outline[slice(*found.span or (0, 0))] == "说"


def test_excerpts_and_thread_titles_are_somebody_elses_words() -> None:
    tail = '\n\n未结:\n- → thread "兑现契约"\n\n原文摘录:\n- 契书: "此契约永久有效，条款如下"'
    told = EventSubject(event("zh", tail=tail))
    assert [v for v in BOOKS["zh"].check("event", told) if v.rule.startswith("B")] == []


def test_part_of_a_known_name_is_innocent() -> None:
    told = event("zh", prose="林晚走进契约之塔，与契约无关。")
    found = faults("zh", "event", EventSubject(told, known_names=frozenset({"契约之塔"})), "B4")
    assert [v.span for v in found] == [(told.rindex("契约"), told.rindex("契约") + 2)]


def test_a_document_that_the_narration_tells_of_may_be_named() -> None:
    told = event("zh", prose="林晚把契约交给沈砚。")
    assert faults("zh", "event", EventSubject(told, "桌上放着一份契约。"), "B4") == []
    assert faults("zh", "event", EventSubject(told, "“这就是我们的契约。”他笑。"), "B4") != []


def test_a_batch_that_talks_of_a_film_may_be_told_of() -> None:
    told = event("zh", prose="林晚与沈砚谈电影的主角，为日后做好铺垫。")
    talk = EventSubject(told, "“那部电影的主角演得好。”")
    assert [v.excerpt for v in faults("zh", "event", talk, "B2")] == ["为日后做好", "铺垫"]
    assert len(faults("zh", "event", EventSubject(told), "B2")) == 3


@pytest.mark.parametrize(
    ("language", "batch", "prose", "found"),
    [
        ("zh", "“今晚的船不会等人”，她喊。", "今晚的船不会等人。", ["今晚的船不会等人"]),
        ("zh", "今晚的船不会等人，她喊。", "今晚的船不会等人。", []),
        ("zh", "“沈砚和林晚还有罗三都来了”", "沈砚和林晚还有罗三到场。", []),
        ("zh", "「把钥匙放在花盆底下」", "她把钥匙放在门口。", []),
        (
            "en",
            '"The boat waits for nobody tonight," she said.',
            "The boat waits for nobody.",
            ["boat waits for nobody"],
        ),
        ("en", '"It is one of the things that I do"', "It is one of the things that she did.", []),
        (
            "en",
            "'We don't trade with smugglers here'",
            "They don't trade with smugglers.",
            ["don't trade with smugglers"],
        ),
    ],
)
def test_what_was_said_on_the_spot_is_not_repeated(
    language: Language, batch: str, prose: str, found: list[str]
) -> None:
    subject = EventSubject(event(language, prose=prose), batch, known_names=frozenset({"沈砚", "林晚", "罗三"}))
    told = [v.excerpt.removeprefix("The ") for v in faults(language, "event", subject, "B1")]
    assert told == found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_chapter_is_compared_in_no_time(language: Language) -> None:
    said = {
        "zh": "“你不要走，今晚的船不会等任何人。”她看着海。",
        "en": '"The boat waits for nobody tonight." She looked away. ',
    }
    batch = (said[language] * 2000)[:20_000]
    subject = EventSubject(event(language), batch)
    began = time.process_time()
    faults(language, "event", subject, "B1")
    assert time.process_time() - began < 0.15
