"""Z1 on the real session: a refused write changes nothing, and the refusal tells every rule, worst first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from talekeeper.memory.story import Story
from talekeeper.rules.subjects import ControlSubject
from talekeeper.tools.errors import WriteRefused
from tests.rule_subjects import BOOKS
from tests.tools_story import a_story, opened, roll_call, state_of, summary_of, thought_for, write_newcomers


@pytest.fixture(params=["zh", "en"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    with a_story(tmp_path, request.param) as made:
        yield made


def test_a_refusal_changes_nothing_and_tells_all_worst_first(story: Story) -> None:
    session = opened(story, story.uncurated()[:1])
    session.submit_roll_call(roll_call(session))
    write_newcomers(session)
    wrong = summary_of(session, time="TBD", prose="1) “A” 2) “B”")
    before = json.dumps(state_of(session), default=str)
    with pytest.raises(WriteRefused) as caught:
        session.node_create(
            "event", fields={"summary": wrong}, thought=thought_for(session, wrong).replace("TBD", "TBC")
        )
    after = json.dumps(state_of(session), default=str)
    told = tuple(v.rule for v in caught.value.violations)
    severities = {v.rule: v.severity for v in caught.value.violations}
    found = ("E1", "E2", "E3", "T8")
    subject = ControlSubject(True, before, after, found, told, severities)
    assert BOOKS[story.language].check("control", subject) == []
