"""The life of a dispatch: order, exactly one event, coverage, what is committed, who is told what."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from talekeeper.memory.errors import NotFound, StaleBase
from talekeeper.memory.story import Story
from talekeeper.rules.book import RuleBook
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import NewThreadEntry, RollCall
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.session import DispatchSession
from tests.tools_story import (
    WORDS,
    a_story,
    broken,
    changes,
    curate,
    entry,
    opened,
    refusal,
    restored,
    roll_call,
    summary_of,
    thought_for,
    write_event,
    write_newcomers,
)


@pytest.fixture(params=["zh", "en"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    with a_story(tmp_path, request.param) as made:
        yield made


def ready(story: Story, *units: int) -> DispatchSession:
    """A dispatch with an accepted roll-call and all newcomers written."""
    session = opened(story, [story.units()[n - 1] for n in units or (1,)])
    session.submit_roll_call(roll_call(session))
    return session


def test_a_dispatch_lands_as_one_commit_with_the_ids_it_answered(story: Story) -> None:
    session = ready(story)
    ids = write_newcomers(session)
    event = write_event(session, links=[{"target": ids[WORDS[story.language].hero], "relation": "involved_in"}])
    assert story.reader().list_nodes() == []
    draft = session.facts_draft()
    commit = story.commit(draft)
    assert (commit.kind, commit.author, commit.fingerprint) == ("facts", "tester", "test")
    stored = {node.id for node in story.reader().list_nodes()}
    assert stored == {*ids.values(), event} == set(session.written_ids())
    assert story.uncurated()[0].ref == "u2"


def test_the_commit_carries_evidence_times_and_what_was_said(story: Story) -> None:
    session = ready(story)
    write_newcomers(session)
    event = write_event(session)
    draft = session.facts_draft()
    node = next(n for n in draft.nodes if n.node_id == event)
    assert node.time_from == node.time_to == WORDS[story.language].time.format(n=1)
    assert [span.unit for span in node.evidence] == ["u1"]
    assert all(write.evidence for write in draft.nodes)
    assert all(write.evidence for write in draft.links)
    assert "[dedup roll-call]" in draft.meta["roll_call"]
    assert draft.meta["thought"].startswith("<thought>")
    json.dumps(draft.meta)


def test_committing_the_same_draft_twice_is_one_commit(story: Story) -> None:
    session = ready(story)
    write_newcomers(session)
    write_event(session)
    draft = session.facts_draft()
    assert draft.key == session.facts_draft().key
    first = story.commit(draft)
    assert story.commit(draft).seq == first.seq
    resumed = restored(session)
    assert story.commit(resumed.facts_draft()).seq == first.seq


def test_a_dispatch_whose_story_moved_on_is_stale(story: Story) -> None:
    session = ready(story)
    write_newcomers(session)
    write_event(session)
    curate(story, story.units()[1])
    with pytest.raises(StaleBase):
        story.commit(session.facts_draft())


@pytest.mark.parametrize("missing", ["schema", "recent"])
def test_reading_begins_with_schema_and_recent_events(story: Story, missing: str) -> None:
    session = DispatchSession(story, story.reader(), story.units()[:1], RuleBook(story.language), "d")
    if missing == "recent":
        session.schema()
    assert "P1" in broken(refusal(session, "find_by_name", WORDS[story.language].hero))


def test_nothing_is_written_before_the_roll_call(story: Story) -> None:
    session = opened(story, story.units()[:1])
    words = WORDS[story.language]
    assert {"P1", "R4"} <= broken(refusal(session, "node_create", "character_sheet", words.hero))
    summary = summary_of(session)
    refused = refusal(
        session, "node_create", "event", fields={"summary": summary}, thought=thought_for(session, summary)
    )
    assert "P1" in broken(refused)


def test_a_hit_must_be_briefed_before_the_roll_call(story: Story) -> None:
    curate(story, story.units()[0])
    words = WORDS[story.language]
    session = DispatchSession(story, story.reader(), story.units()[1:2], RuleBook(story.language), "d2")
    session.schema()
    session.list_candidates(["event"])
    hit = session.find_by_name(words.hero).matches[0].node_id
    refused = refusal(session, "submit_roll_call", RollCall())
    assert "P1" in broken(refused)
    assert hit in str(refused)


def test_stable_facts_come_before_the_event_and_thread_edits_may_follow(story: Story) -> None:
    session = ready(story)
    words = WORDS[story.language]
    ids = write_newcomers(session)
    write_event(session)
    late = refusal(session, "node_edit", ids[words.hero], {"identity": words.note})
    assert "P1" in broken(late)
    session.node_edit(ids[words.thread], {"note": words.note.replace("；", "，").replace(";", ",")})


def test_a_second_event_is_refused_and_the_first_one_named(story: Story) -> None:
    session = ready(story)
    write_newcomers(session)
    event = write_event(session)
    summary = summary_of(session, prose=WORDS[story.language].prose.format(n=99))
    thought = thought_for(session, summary, "again")
    refused = refusal(session, "node_create", "event", fields={"summary": summary}, thought=thought)
    assert "P2" in broken(refused)
    assert event in str(refused)


def test_a_dispatch_without_event_is_not_finished(story: Story) -> None:
    session = ready(story)
    write_newcomers(session)
    assert "P2" in broken(refusal(session, "facts_draft"))


def test_an_event_covers_every_unit_of_its_batch(story: Story) -> None:
    session = opened(story, story.units()[:2])
    session.submit_roll_call(roll_call(session))
    words = WORDS[story.language]
    for name, type_ in (
        (words.hero, "character_sheet"),
        (words.pupil, "character_sheet"),
        (words.town, "location_state"),
    ):
        refused = refusal(session, "node_create", type_, name)
        assert "P5" in broken(refused)
        session.node_create(type_, name, evidence=["u2"])
    session.node_create("thread", words.thread, {"note": words.note}, evidence=[{"unit": "u1", "quote": words.hero}])
    summary = summary_of(session)
    thought = thought_for(session, summary)
    partial = refusal(session, "node_create", "event", fields={"summary": summary}, thought=thought, evidence=["u1"])
    assert "P6" in broken(partial)
    assert "u2" in str(partial)
    event = write_event(session, links=[{"target": session.written_names()[words.hero], "relation": "involved_in"}])
    draft = session.facts_draft()
    assert {span.unit for n in draft.nodes if n.node_id == event for span in n.evidence} == {"u1", "u2"}
    assert all(link.evidence for link in draft.links)


def test_the_summary_must_equal_the_thoughts_final_text(story: Story) -> None:
    session = ready(story)
    write_newcomers(session)
    summary = summary_of(session)
    other = thought_for(session, summary + " ")
    assert "T8" in broken(refusal(session, "node_create", "event", fields={"summary": summary}, thought=other))
    assert "T8" in broken(refusal(session, "node_create", "event", fields={"summary": summary}))


def test_a_thought_that_was_observed_serves_one_write(story: Story) -> None:
    session = ready(story)
    write_newcomers(session)
    summary = summary_of(session)
    session.observe(f"…\n{thought_for(session, summary)}\n…")
    event = session.node_create("event", fields={"summary": summary}).node_id
    again = summary.replace(WORDS[story.language].time.format(n=1), WORDS[story.language].time.format(n=2))
    assert "T8" in broken(refusal(session, "node_edit", event, {"summary": again}))
    session.node_edit(event, {"summary": again}, thought=thought_for(session, again))
    node = next(n for n in session.facts_draft().nodes if n.node_id == event)
    assert (node.fields["summary"], node.new) == (again, True)
    assert node.time_from == WORDS[story.language].time.format(n=2)


def test_what_the_roll_call_promised_must_be_written(story: Story) -> None:
    session = ready(story)
    words = WORDS[story.language]
    for name in (words.hero, words.pupil):
        session.node_create("character_sheet", name)
    write_event(session, summary=summary_of(session, open_threads=()))
    refused = refusal(session, "facts_draft")
    assert "R4" in broken(refused)
    assert words.town in str(refused)
    assert words.thread in str(refused)
    assert {v.rule for v in session.unfulfilled()} == {"R4"}


def test_a_promise_about_a_thread_is_held_by_the_sweep(story: Story) -> None:
    curate(story, story.units()[0])
    session = opened(story, story.units()[1:2])
    call = roll_call(session)
    thread = call.active_threads[0]
    session.submit_roll_call(replace(call, active_threads=(replace(thread, decision="RESOLVED"),)))
    write_event(session)
    stale = refusal(session, "sweep")
    assert broken(stale) == {"R5"}
    assert thread.node_id in str(stale)
    assert "R5" in broken(refusal(session, "facts_draft"))
    session.node_edit(thread.node_id, {"status": "resolved"})
    session.sweep()
    session.commit_facts()
    assert story.reader().active_threads() == []


def test_every_active_thread_is_in_the_roll_call(story: Story) -> None:
    curate(story, story.units()[0])
    session = opened(story, story.units()[1:2])
    refused = refusal(session, "submit_roll_call", roll_call(session, active_threads=(), said_no_active=True))
    assert "R5" in broken(refused)


def test_everyone_who_appears_is_in_the_roll_call(story: Story) -> None:
    session = opened(story, story.units()[:1])
    words = WORDS[story.language]
    refused = refusal(session, "submit_roll_call", roll_call(session, characters=(entry(session, words.hero),)))
    assert "R1" in broken(refused)
    assert words.pupil in str(refused)


def test_a_known_name_in_the_text_must_be_called_by_whichever_name(story: Story) -> None:
    words = WORDS[story.language]
    curate(story, story.units()[0])
    session = opened(story, story.units()[1:2])
    refused = refusal(session, "submit_roll_call", roll_call(session, locations=()))
    assert words.town in str(refused)
    session.submit_roll_call(roll_call(session))


def test_a_roll_call_can_be_amended_unless_writes_contradict_it(story: Story) -> None:
    session = ready(story)
    words = WORDS[story.language]
    session.node_create("character_sheet", words.hero)
    skipping = roll_call(session, characters=(entry(session, words.hero, decision="SKIP"), entry(session, words.pupil)))
    assert "R4" in broken(refusal(session, "submit_roll_call", skipping))
    without_thread = roll_call(session, new_threads=(NewThreadEntry(words.thread, "SKIP", None, words.same),))
    session.submit_roll_call(without_thread)
    assert session.roll_call == without_thread


def test_a_taken_over_dispatch_is_flagged_and_keeps_what_was_broken(story: Story) -> None:
    session = ready(story)
    words = WORDS[story.language]
    for name in (words.hero, words.pupil):
        session.node_create("character_sheet", name)
    session.accept_with_flag([Violation("E3", "quotes", "take them out", excerpt="“")])
    write_event(session, summary=summary_of(session, open_threads=()))
    draft = session.facts_draft()
    assert draft.meta["flags"] == ["needs_review"]
    assert [row["rule"] for row in draft.meta["kept"]] == ["E3", "R4", "R4"]
    assert session.flags == ("needs_review",)


def test_the_brief_says_what_was_really_written(story: Story) -> None:
    session = ready(story)
    write_newcomers(session)
    write_event(session)
    counts = {"character_sheet create": 2, "location_state create": 1, "thread create": 1, "event create": 1}
    assert session.counts == counts
    before = session.brief()
    session.commit_facts()
    assert session.brief() == before
    assert session.counts == counts
    assert session.check_closing(before) == ()
    assert "P7" in broken(refusal(session, "check_closing", before.replace("2", "3")))
    assert "P7" in broken(refusal(session, "check_closing", before, has_tool_calls=True))


def test_after_the_facts_are_committed_nothing_more_is_written(story: Story) -> None:
    session = curate(story, story.units()[0])
    words = WORDS[story.language]
    hero = session.find_by_name(words.hero).title_exact[0]
    assert "P1" in broken(refusal(session, "node_edit", hero, {"identity": words.note}))
    assert "P1" in broken(refusal(session, "node_delete", hero))
    assert "P1" in broken(refusal(session, "submit_roll_call", RollCall()))
    assert "P1" in broken(refusal(session, "facts_draft"))


def test_a_batch_is_never_empty(story: Story) -> None:
    with pytest.raises(ArgumentRefused):
        DispatchSession(story, story.reader(), [], RuleBook(story.language), "d")


def test_rules_that_a_story_turned_off_are_off_in_the_session_too(story: Story) -> None:
    rules = RuleBook(story.language, {"R4": "off", "P4": "soft", "P5": "off"})
    session = opened(story, story.units()[:1])
    session._state.rules = rules
    session.submit_roll_call(roll_call(session))
    made = session.node_create("character_sheet", "Quendra" if story.language == "en" else "萧澜")
    assert [v.rule for v in made.soft] == ["P4"]


def test_an_edit_follows_its_entry(story: Story) -> None:
    curate(story, story.units()[0])
    session = opened(story, story.units()[1:2])
    words = WORDS[story.language]
    hero = session.find_by_name(words.hero).title_exact[0]
    edit = entry(session, words.hero, decision="EDIT", node_id=hero, changes=changes("goal"))
    session.submit_roll_call(roll_call(session, characters=(edit, entry(session, words.pupil))))
    assert "R4" in broken(refusal(session, "node_edit", hero, {"identity": words.new}))
    pupil = session.find_by_name(words.pupil).title_exact[0]
    assert "R4" in broken(refusal(session, "node_edit", pupil, {"goal": words.thread}))
    session.node_edit(hero, {"goal": words.thread})
    with pytest.raises(NotFound):
        session.node_edit("char_99", {"goal": words.thread})
