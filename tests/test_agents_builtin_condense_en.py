"""English clauses made shorter, and still sentences."""

from __future__ import annotations

import pytest

from talekeeper.agents.builtin.condense_en import shorter, trimmed
from talekeeper.agents.builtin.verbs_en import third_person
from talekeeper.agents.builtin.words import words_for

WORDS = words_for("en")


@pytest.mark.parametrize(
    ("clause", "kept"),
    [
        ("Mara Voss quietly opened the gate while the guards slept", "Mara Voss opened the gate"),
        ("Mara Voss sat down, watching the river", "Mara Voss sat down"),
        ("Mara Voss kept only the key", "Mara Voss kept only the key"),
        ("Mara Voss gave her ally the map", "Mara Voss gave her ally the map"),
        ("Mara Voss kept him as her pilot", "Mara Voss kept him as her pilot"),
    ],
)
def test_what_hangs_on_a_clause_goes_and_its_core_stays(clause: str, kept: str) -> None:
    assert trimmed(clause, WORDS) == kept


def test_shorter_forms_are_sentences_and_move_the_time_behind() -> None:
    forms = list(shorter("Last night Mara admitted that Tobin had sold the boat", WORDS))
    assert forms[0] == "Mara admitted that Tobin had sold the boat last night."
    assert "Mara admitted Tobin had sold the boat." in forms
    assert all(form.endswith(".") for form in forms)


@pytest.mark.parametrize(
    ("verb", "past", "present"),
    [
        ("go", "went", "goes"),
        ("carry", "carried", "carries"),
        ("push", "pushed", "pushes"),
        ("stop", "stopped", "stops"),
    ],
)
def test_known_verbs_take_their_forms(verb: str, past: str, present: str) -> None:
    assert third_person(verb, "past") == past
    assert third_person(verb, "present") == present


def test_a_past_form_stays_and_a_stranger_is_no_verb() -> None:
    assert third_person("went", "present") == "went"
    assert third_person("lantern", "past") is None
