"""A dispatch that goes through a checkpoint at any moment behaves as one that didn't."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talekeeper.memory.errors import InputError, TalekeeperError
from talekeeper.memory.models import Language
from talekeeper.memory.story import Story
from talekeeper.rules.book import RuleBook
from talekeeper.rules.model import Violation
from talekeeper.tools.session import DispatchSession
from tests.tools_story import (
    WORDS,
    a_story,
    changes,
    curate,
    entry,
    opened,
    restored,
    roll_call,
    summary_of,
    thought_for,
    write_event,
    write_newcomers,
)

Op = Callable[[DispatchSession], Any]


def operations(language: Language) -> dict[str, Op]:
    """Calls of every kind, good and bad, that a second dispatch may make in any order."""
    words = WORDS[language]

    def hero(s: DispatchSession) -> str:
        return s.reader.find_by_name(words.hero)[0].node_id

    def call(s: DispatchSession) -> Any:
        edit = entry(s, words.hero, decision="EDIT", node_id=hero(s), changes=changes("goal", "aliases"))
        return s.submit_roll_call(roll_call(s, characters=(edit, entry(s, words.pupil))))

    def event(s: DispatchSession) -> Any:
        summary = summary_of(s, 2)
        links = [{"target": hero(s), "relation": "involved_in"}]
        return s.node_create("event", fields={"summary": summary}, thought=thought_for(s, summary), links=links)

    def rewrite(s: DispatchSession) -> Any:
        summary = summary_of(s, 3)
        return s.node_edit("@event", {"summary": summary}, thought=thought_for(s, summary))

    return {
        "find": lambda s: s.find_by_name(words.hero),
        "find stranger": lambda s: s.find_by_name("Quendra"),
        "brief": lambda s: s.node_brief(hero(s)),
        "brief unknown": lambda s: s.node_brief("char_99"),
        "list": lambda s: s.list_candidates(["event"]),
        "call": call,
        "edit": lambda s: s.node_edit(hero(s), {"goal": words.thread}),
        "alias": lambda s: s.node_edit(hero(s), {"aliases": ["Quendra"]}),
        "bad column": lambda s: s.node_edit(hero(s), {"gaol": words.thread}),
        "create": lambda s: s.node_create("character_sheet", "Quendra", ref="new"),
        "link": lambda s: s.link_upsert(hero(s), [{"target": "char_2", "relation": "mentor_of"}]),
        "back": lambda s: s.link_upsert("char_2", [{"target": hero(s), "relation": "allied_with"}]),
        "unlink": lambda s: s.link_delete(hero(s), "char_2", "mentor_of"),
        "delete": lambda s: s.node_delete(s.reader.find_by_name(words.town)[0].node_id),
        "observe": lambda s: s.observe(thought_for(s, summary_of(s, 2), "seen")),
        "event": event,
        "rewrite": rewrite,
        "flag": lambda s: s.accept_with_flag([Violation("E3", "m", "n", span=(1, 2))]),
        "sweep": lambda s: s.sweep(),
        "draft": lambda s: s.facts_draft(),
    }


OPERATIONS = sorted(operations("zh"))


def outcome(op: Op, session: DispatchSession) -> Any:
    try:
        return op(session)
    except TalekeeperError as error:
        return type(error), str(error)


@contextmanager
def second_dispatch(language: Language) -> Iterator[tuple[Story, DispatchSession]]:
    with tempfile.TemporaryDirectory() as folder, a_story(Path(folder) / "library", language, turns=3) as story:
        curate(story, story.units()[0])
        yield story, opened(story, story.units()[1:2])


@pytest.mark.parametrize("language", ["zh", "en"])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_restored_session_goes_on_as_if_nothing_had_happened(language: Language, data: st.DataObject) -> None:
    first = data.draw(st.sampled_from([["call"], ["call", "event"], []]))
    rest = data.draw(st.lists(st.sampled_from(OPERATIONS), max_size=14))
    ops = operations(language)
    with second_dispatch(language) as (_, whole):
        broken = restored(whole)
        for name in [*first, *rest]:
            assert outcome(ops[name], broken) == outcome(ops[name], whole), name
            assert broken.snapshot() == whole.snapshot(), name
            broken = restored(broken)
        assert broken.counts == whole.counts
        assert broken.written_names() == whole.written_names()
        assert broken.unfulfilled() == whole.unfulfilled()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_is_lost_threads_and_soft_flags_included(language: Language, tmp_path: Path) -> None:
    with a_story(tmp_path, language) as story:
        session = opened(story, story.units()[:1])
        session.submit_roll_call(roll_call(session))
        ids = write_newcomers(session)
        session.link_upsert(
            ids[WORDS[language].hero], [{"target": ids[WORDS[language].pupil], "relation": "mentor_of"}]
        )
        session.accept_with_flag([Violation("E3", "quotes", "cut", span=(3, 9), excerpt="x")])
        write_event(session)
        again = restored(session)
        assert again.facts_draft() == session.facts_draft()
        assert again.violations == session.violations
        assert again.roll_call == session.roll_call
        story.commit(again.facts_draft())
        assert [t.title for t in story.reader().active_threads()] == [WORDS[language].thread]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_run_killed_after_the_commit_goes_on_to_compaction(language: Language, tmp_path: Path) -> None:
    with a_story(tmp_path, language) as story:
        session = opened(story, story.units()[:1])
        session.submit_roll_call(roll_call(session))
        write_newcomers(session)
        write_event(session)
        before_commit = session.snapshot()
        story.commit(session.facts_draft())
        killed = DispatchSession.restore(
            story, story.reader(), story.units()[:1], RuleBook(language), json.loads(json.dumps(before_commit))
        )
        assert killed.facts_draft().key == session.facts_draft().key
        assert killed.compaction_candidates("event").groups == ()
        assert killed.brief() == session.brief()
        assert killed.counts["event create"] == 1


def test_a_snapshot_is_small(tmp_path: Path) -> None:
    with a_story(tmp_path, "zh") as story:
        session = opened(story, story.units()[:1])
        session.submit_roll_call(roll_call(session))
        write_newcomers(session)
        write_event(session)
        assert len(json.dumps(session.snapshot(), ensure_ascii=False)) < 6_000


def test_a_snapshot_of_another_batch_or_format_is_refused(tmp_path: Path) -> None:
    with a_story(tmp_path, "zh") as story:
        units = story.units()
        snapshot = opened(story, units[:1]).snapshot()
        with pytest.raises(InputError, match="u1"):
            DispatchSession.restore(story, story.reader(), units[1:2], RuleBook("zh"), snapshot)
        with pytest.raises(InputError, match="format"):
            DispatchSession.restore(story, story.reader(), units[:1], RuleBook("zh"), {**snapshot, "format": 0})
