"""The form of an event's summary: rendered, parsed, and where parts stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.models import Language
from talekeeper.rules.event_form import EventText, parse, render
from tests.rule_subjects import EVENT

_ROW = st.text("林晚沈砚去了北港abc ,，", min_size=1, max_size=20).map(str.strip).filter(bool)
_ROWS = st.lists(_ROW, max_size=3).map(tuple)
_EVENTS = st.builds(
    EventText,
    time=_ROW,
    place=_ROW,
    prose=st.lists(_ROW.map(lambda t: f"{t}。"), min_size=1, max_size=3).map("\n\n".join),
    irreversible=_ROWS,
    open_threads=_ROWS,
    excerpts=st.lists(st.tuples(_ROW, _ROW), max_size=2).map(tuple),
)


@given(_EVENTS, st.sampled_from(["zh", "en"]))
def test_what_is_rendered_reads_back_the_same(event: EventText, language: Language) -> None:
    text = render(event, language)
    read = parse(text, language)
    assert read == event
    assert read.faults == ()
    assert all(text[slice(*read.spans[name])] == getattr(event, name) for name in ("time", "place", "prose"))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_summary_is_rendered_in_its_one_form(language: Language) -> None:
    assert render(parse(EVENT[language], language), language) == EVENT[language]
    assert parse(EVENT[language].replace("\n", "\r\n"), language) == parse(EVENT[language], language)


@given(st.text(max_size=300))
def test_parsing_never_fails(text: str) -> None:
    for language in ("zh", "en"):
        read = parse(text, language)
        for fault in read.faults:
            assert 0 <= fault.span[0] <= fault.span[1] <= len(text)
        for section in read.sections:
            assert all(0 <= a < b <= len(text) for a, b in section.rows)
