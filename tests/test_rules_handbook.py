"""The catalogue for people: complete, and its examples are what they claim to be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.book import catalogue
from talekeeper.rules.handbook import examples, markdown, page
from talekeeper.rules.model import Scope
from talekeeper.rules.subjects import ControlSubject, EventSubject, LinkSubject, RollupSubject
from tests.rule_subjects import SCHEMA, event, faults, node

DOCS = Path(__file__).resolve().parents[1] / "docs" / "rules.md"


def _prose(language: Language, text: str) -> EventSubject:
    return EventSubject(event(language, prose=text))


def _tail(language: Language, text: str) -> EventSubject:
    return EventSubject(event(language, tail=f"\n\n{text}" if ":" in text else ""))


def _outline(language: Language, text: str, depth: int = 2) -> RollupSubject:
    body = text.split(": ", 1)[-1].split("：", 1)[-1]
    head = "时间: 第3日 至 第6日;" if language == "zh" else "Time: Day 3 to Day 6;"
    return RollupSubject(f"{head}\n{body}", (), (), (), depth)


READABLE: dict[str, tuple[Scope, Callable[[Language, str], Any]]] = {
    **dict.fromkeys(("E2", "E3", "E16", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9"), ("event", _prose)),
    "E4": ("event", _tail),
    "N3": ("node", lambda _, text: node("character_sheet", text)),
    "N8": ("node", lambda _, text: node("character_sheet", "X", identity=text)),
    "N10": ("node", lambda _, text: node("character_sheet", "X", language_sample=[text])),
    "N11": ("node", lambda _, text: node("location_state", "X", state=text)),
    "N12": ("node", lambda _, text: node("thread", text, status="active", note="")),
    "N13": ("node", lambda _, text: node("thread", "X", status="active", note=text)),
    "N14": ("node", lambda _, text: node("thread", "X", status=text.split(": ")[1], note="")),
    "L1": ("link", lambda _, text: LinkSubject(SCHEMA.vocabulary, "a", "b", text)),
    "C8": ("rollup", _outline),
    "C9": ("rollup", _outline),
    "C10": ("rollup", lambda language, text: _outline(language, text, 1)),
    "Z4": ("control", lambda _, text: ControlSubject(settings=dict([text.split(": ")]))),
}


def test_every_rule_has_a_bad_and_a_good_example_in_both_languages() -> None:
    assert set(examples()) == {rule.id for rule in catalogue()}
    for rule in catalogue():
        for language in ("zh", "en"):
            told = page(rule, language)
            assert told.bad.strip() != told.good.strip()
            assert told.statement
            assert told.faults


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("rule", READABLE)
def test_an_example_that_a_rule_can_read_is_what_it_claims(rule: str, language: Language) -> None:
    scope, subject = READABLE[rule]
    bad, good = examples()[rule][language]
    assert faults(language, scope, subject(language, bad), rule)
    assert faults(language, scope, subject(language, good), rule) == []


def test_the_docs_are_current() -> None:
    assert DOCS.read_text("utf-8") == markdown(), "run `make rules-report`"
