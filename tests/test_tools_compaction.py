"""Rolling up: exactly a ready group, in its order, one at a time, depth by code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from talekeeper.memory.errors import NotFound
from talekeeper.memory.models import Language
from talekeeper.memory.story import Story
from talekeeper.rules.rollup_form import RollupItem, RollupText, render
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.results import CompactResult
from talekeeper.tools.session import DispatchSession
from tests.tools_story import (
    WORDS,
    a_story,
    broken,
    curate,
    opened,
    refusal,
    restored,
    roll_call,
    thought_for,
    write_event,
)

LESSONS = {"zh": "沈青教陆遥剑法", "en": "Mara teaches Tobin the sword"}


def outline(language: Language, first: int, last: int) -> str:
    words = WORDS[language]
    items = (RollupItem(LESSONS[language]),)
    return render(RollupText(words.time.format(n=first), words.time.format(n=last), items), language)


def roll_up(session: DispatchSession, depth: int = 0) -> CompactResult:
    """Compact the first ready group and commit it."""
    group = session.compaction_candidates("event", depth).groups[0]
    leaves = list(group.child_ids)
    while (node := session.node(leaves[0])).depth:
        leaves = [child.id for held in leaves for child in session.reader.children(held)] if node.depth else leaves
    turns = [session._state.story.unit(session.node(leaf).evidence[0].unit).turn for leaf in leaves]
    text = outline(session.language, turns[0], turns[-1])
    made = session.compact_nodes("event", group.child_ids, text, thought=thought_for(session, text))
    session.commit_rollup()
    return made


@pytest.fixture(params=["zh", "en"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    with a_story(tmp_path, request.param, turns=14) as made:
        yield made


@pytest.fixture
def grown(story: Story) -> DispatchSession:
    """The sixth dispatch, its facts committed: one group is ready."""
    for unit in story.units()[:5]:
        curate(story, unit)
    return curate(story, story.units()[5])


def compact(session: DispatchSession, ids: object, text: str) -> CompactResult:
    return session.compact_nodes("event", ids, text, thought=thought_for(session, text))


def test_nothing_is_compacted_before_the_facts_are_committed(story: Story) -> None:
    for unit in story.units()[:6]:
        curate(story, unit)
    session = opened(story, story.units()[6:7])
    assert "P1" in broken(refusal(session, "compaction_candidates", "event"))
    text = outline(story.language, 1, 3)
    assert "P1" in broken(refusal(session, "compact_nodes", "event", ["event_1"], text))
    session.submit_roll_call(roll_call(session))
    write_event(session)
    assert "P1" in broken(refusal(session, "compaction_candidates", "event"))


def test_a_ready_group_becomes_a_rollup_of_its_own_commit(story: Story, grown: DispatchSession) -> None:
    [group] = grown.compaction_candidates("event").groups
    assert (group.depth, group.rollup_depth, len(group.child_ids)) == (0, 1, 3)
    text = outline(story.language, 1, 3)
    made = compact(grown, group.child_ids, text)
    draft = grown.rollup_draft()
    assert (draft.kind, draft.dispatch_id, draft.key) == ("rollup", grown.dispatch_id, grown.rollup_draft().key)
    rollup, *children = draft.nodes
    words = WORDS[story.language]
    assert (rollup.node_id, rollup.depth, rollup.new) == (made.node_id, 1, True)
    assert (rollup.time_from, rollup.time_to) == (words.time.format(n=1), words.time.format(n=3))
    assert [child.node_id for child in children] == list(group.child_ids)
    assert {child.parent for child in children} == {made.node_id}
    assert {span.unit for span in rollup.evidence} == {"u1", "u2", "u3"}
    story.commit(draft)
    assert [n.id for n in story.reader().children(made.node_id)] == list(group.child_ids)
    assert grown.compaction_candidates("event").groups == ()
    assert dict(grown.counts)["groups"] == 1


def test_committing_a_rollup_twice_is_one_commit(story: Story, grown: DispatchSession) -> None:
    group = grown.compaction_candidates("event").groups[0]
    compact(grown, group.child_ids, outline(story.language, 1, 3))
    snapshot = restored(grown)
    first = story.commit(grown.rollup_draft())
    resumed = restored(snapshot)
    assert story.commit(resumed.rollup_draft()).seq == first.seq
    assert resumed.counts["groups"] == 1


@pytest.mark.parametrize("change", ["reversed", "short", "foreign", "empty"])
def test_anything_but_the_group_is_refused(story: Story, grown: DispatchSession, change: str) -> None:
    ready = list(grown.compaction_candidates("event").groups[0].child_ids)
    newest = grown.event_id
    ids = {"reversed": ready[::-1], "short": ready[:2], "foreign": [*ready[:2], newest], "empty": []}[change]
    text = outline(story.language, 1, 3)
    refused = refusal(grown, "compact_nodes", "event", ids, text, thought=thought_for(grown, text))
    assert "C11" in broken(refused)
    assert ready[0] in str(refused)


def test_a_child_that_is_rolled_up_is_refused_and_its_rollup_named(story: Story, grown: DispatchSession) -> None:
    made = roll_up(grown)
    text = outline(story.language, 1, 3)
    refused = refusal(grown, "compact_nodes", "event", made.child_ids, text, thought=thought_for(grown, text))
    assert "C11" in broken(refused)
    assert made.node_id in str(refused)


def test_one_rollup_at_a_time(story: Story, grown: DispatchSession) -> None:
    group = grown.compaction_candidates("event").groups[0]
    text = outline(story.language, 1, 3)
    compact(grown, group.child_ids, text)
    assert grown.compaction_candidates("event").groups == ()
    refused = refusal(grown, "compact_nodes", "event", group.child_ids, text, thought=thought_for(grown, text, "2"))
    assert "P8" in broken(refused)
    with pytest.raises(NotFound):
        grown.compaction_candidates("scene")
    with pytest.raises(ArgumentRefused):
        grown.compaction_candidates("event", "deep")


def test_the_interval_must_cover_the_children(story: Story, grown: DispatchSession) -> None:
    group = grown.compaction_candidates("event").groups[0]
    text = outline(story.language, 2, 3)
    refused = refusal(grown, "compact_nodes", "event", group.child_ids, text, thought=thought_for(grown, text))
    assert "C2" in broken(refused)
    bare = LESSONS[story.language]
    assert "C1" in broken(
        refusal(grown, "compact_nodes", "event", group.child_ids, bare, thought=thought_for(grown, bare))
    )
    assert "T8" in broken(refusal(grown, "compact_nodes", "event", group.child_ids, outline(story.language, 1, 3)))


def test_a_rollups_summary_is_held_to_the_outline_form_when_edited(story: Story, grown: DispatchSession) -> None:
    made = roll_up(grown)
    session = opened(story, story.units()[6:7])
    session.node_brief(made.node_id)
    session.submit_roll_call(roll_call(session))
    bare = LESSONS[story.language]
    refused = refusal(session, "node_edit", made.node_id, {"summary": bare}, thought=thought_for(session, bare))
    assert "C1" in broken(refused)
    better = outline(story.language, 1, 3) + ("（三套）" if story.language == "zh" else " (three forms)")
    session.node_edit(made.node_id, {"summary": better}, thought=thought_for(session, better))


def test_nothing_is_drafted_without_a_rollup(grown: DispatchSession) -> None:
    assert "P8" in broken(refusal(grown, "rollup_draft"))


def test_an_agent_with_nothing_but_the_tools_commits_as_it_goes(story: Story) -> None:
    for unit in story.units()[:5]:
        curate(story, unit)
    session = opened(story, story.units()[5:6], autocommit=True)
    session.submit_roll_call(roll_call(session))
    write_event(session)
    group = session.compaction_candidates("event", "0").groups[0]
    assert story.uncurated()[0].ref == "u7"
    made = compact(session, ",".join(group.child_ids), outline(story.language, 1, 3))
    assert story.reader().node(made.node_id).depth == 1
    assert session.compaction_candidates("event").groups == ()
    assert "groups" in session.counts
