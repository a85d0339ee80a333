"""Writing nodes: what is refused, what it says, and that a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from talekeeper.memory.errors import NotFound
from talekeeper.memory.models import Evidence
from talekeeper.memory.story import Story
from talekeeper.rules.subjects import EntityEntry, RollCall
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
    roll_call,
    summary_of,
    thought_for,
    write_event,
    write_newcomers,
)

FACTION = """
types:
  - name: faction
    prefix: faction
    table_columns: [title, aliases, stance, members]
    required_columns: [title]
    list_columns: [aliases, members]
    choices: {stance: [friendly, neutral, hostile]}
  - name: law
    prefix: law
    table_columns: [title, text]
    required_columns: [title]
    editable: false
"""


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    with a_story(tmp_path, "zh", schema_yaml=FACTION) as made:
        yield made


@pytest.fixture
def session(story: Story) -> DispatchSession:
    """A first dispatch whose roll-call is accepted."""
    made = opened(story, story.units()[:1])
    made.submit_roll_call(roll_call(made))
    return made


@pytest.fixture
def editing(story: Story) -> DispatchSession:
    """A second dispatch that may edit the hero's goal, aliases and traits, and the thread."""
    curate(story, story.units()[0])
    made = opened(story, story.units()[1:2])
    hero = made.find_by_name(WORDS["zh"].hero).title_exact[0]
    announced = changes("goal", "aliases", "traits", "title", "identity")
    edit = entry(made, WORDS["zh"].hero, decision="EDIT", node_id=hero, changes=announced)
    made.submit_roll_call(roll_call(made, characters=(edit, entry(made, WORDS["zh"].pupil))))
    return made


def hero_of(session: DispatchSession) -> str:
    return session.find_by_name(WORDS["zh"].hero).title_exact[0]


def test_an_unknown_column_is_refused_and_the_nearest_named(session: DispatchSession) -> None:
    refused = refusal(session, "node_create", "character_sheet", "沈青", {"identty": "剑师", "alias": ["老沈"]})
    assert broken(refused) == {"N1"}
    assert "identity" in str(refused)
    assert "aliases" in str(refused)


def test_everything_wrong_is_said_at_once(session: DispatchSession) -> None:
    fields = {"goal": ["甲", "乙"], "mood": "好"}
    links = [{"target": "沈青", "relation": "师父"}]
    refused = refusal(session, "node_create", "character_sheet", "队长沈青", fields, links)
    assert {"N1", "N3", "L1", "L3", "P4", "R4"} <= broken(refused)
    assert [v.severity for v in refused.violations] == sorted(v.severity for v in refused.violations)
    assert "mood" in str(refused)
    assert "goal" in str(refused)


def test_unknown_type_names_the_nearest(session: DispatchSession) -> None:
    with pytest.raises(NotFound) as caught:
        session.node_create("charactersheet", "沈青")
    assert caught.value.nearest[0] == "character_sheet"
    with pytest.raises(NotFound) as caught:
        session.node_create("角色", "沈青")
    assert caught.value.nearest == ("character_sheet",)


def test_a_title_in_place_of_an_id_gets_every_id_that_bears_it(editing: DispatchSession) -> None:
    hero = hero_of(editing)
    with pytest.raises(NotFound) as caught:
        editing.node_edit("沈青", {"goal": "守住青石镇"})
    assert caught.value.nearest == (f"{hero} (沈青)",)
    with pytest.raises(NotFound) as caught:
        editing.node_edit("char_11", {"goal": "守住青石镇"})
    assert any("char_1" in near for near in caught.value.nearest)


def test_a_name_that_was_not_looked_up_cannot_be_created(session: DispatchSession) -> None:
    assert "P4" in broken(refusal(session, "node_create", "faction", "听雪楼"))
    session.find_by_name("听雪楼")
    session.node_create("faction", "听雪楼")


def test_an_entity_without_an_entry_cannot_be_created(session: DispatchSession) -> None:
    session.find_by_name("萧澜")
    session.find_by_name("剑法")
    refused = refusal(session, "node_create", "character_sheet", "萧澜", {"aliases": ["剑法"]})
    assert broken(refused) == {"R4"}


def test_an_id_that_no_look_up_showed_cannot_be_edited(story: Story) -> None:
    curate(story, story.units()[0])
    made = opened(story, story.units()[1:2])
    hero = hero_of(made)
    edit = entry(made, "沈青", decision="EDIT", node_id=hero, changes=changes("goal"))
    made.submit_roll_call(roll_call(made, characters=(edit, entry(made, "陆遥"))))
    del made._state.ledger.seen[hero]
    assert "P4" in broken(refusal(made, "node_edit", hero, {"goal": "守住青石镇"}))


def test_sharing_a_name_never_merges_and_names_everyone(story: Story) -> None:
    first = opened(story, story.units()[:1], names=["师父", "林昭"])
    first._state.rules = type(first._state.rules)("zh", {"P5": "off"})
    people = tuple(entry(first, name) for name in ("沈青", "陆遥", "林昭", "师父"))
    first.submit_roll_call(roll_call(first, characters=people))
    one = first.node_create("character_sheet", "沈青", {"aliases": ["师父"]}).node_id
    refused = refusal(first, "node_create", "character_sheet", "林昭", {"aliases": "师父、昭姐"})
    assert broken(refused) == {"N4"}
    assert one in str(refused)
    two = first.node_create("character_sheet", "林昭").node_id
    first.node_edit(two, {"aliases": ["师父"]})
    found = first.find_by_name("师父")
    assert {m.node_id for m in found.matches} == {one, two}
    everyone = refusal(first, "node_create", "character_sheet", "陆遥", {"aliases": ["师父"]})
    assert one in str(everyone)
    assert two in str(everyone)
    assert first.node_create("character_sheet", "陆遥").node_id not in (one, two)


@pytest.mark.parametrize(
    ("title", "aliases", "query"),
    [
        ("沈青", [], "沈青"),
        ("沈青", ["青衣剑"], "青衣剑"),
        ("沈青", ["青衣剑"], "青衣劍"),
        ("沈青", "青衣剑、沈师父", "沈师父"),
        ("Shen Qing", ["ＳＱ"], "sq"),
    ],
)
def test_title_and_alias_are_compared_in_every_direction(
    session: DispatchSession, title: str, aliases: object, query: str
) -> None:
    session._state.rules = type(session._state.rules)("zh", {"R4": "off", "P4": "off", "P5": "off", "N3": "off"})
    made = session.node_create("character_sheet", title, {"aliases": aliases} if aliases else {})
    assert [m.node_id for m in session.find_by_name(query).matches] == [made.node_id]
    assert "N4" in broken(refusal(session, "node_create", "character_sheet", query))
    assert "N4" in broken(refusal(session, "node_create", "character_sheet", "新人", {"aliases": ["甲乙", query]}))


def test_list_columns_are_lists_whatever_was_sent(session: DispatchSession) -> None:
    fields = {"aliases": "青衣剑、沈师父，老沈", "traits": '["沉稳", "守信"]', "language_sample": "教剑时: 手腕放松"}
    made = session.node_create("character_sheet", "沈青", fields)
    node = session.node(made.node_id)
    assert node.fields["aliases"] == ["青衣剑", "沈师父", "老沈"]
    assert node.fields["traits"] == ["沉稳", "守信"]
    assert node.fields["language_sample"] == ["教剑时: 手腕放松"]


def test_a_choice_must_be_one_of_the_columns_choices(session: DispatchSession) -> None:
    note = WORDS["zh"].note
    refused = refusal(session, "node_create", "thread", "归还铜镜", {"note": note, "status": "进行中"})
    assert broken(refused) == {"N14"}
    assert "active" in str(refused)
    session.find_by_name("听雪楼")
    assert "N14" in broken(refusal(session, "node_create", "faction", "听雪楼", {"stance": "angry"}))
    made = session.node_create("thread", "归还铜镜", {"note": note})
    assert session.node(made.node_id).fields["status"] == "active"


def test_required_columns_are_filled_and_never_cleared(editing: DispatchSession) -> None:
    hero = hero_of(editing)
    thread = editing.reader.active_threads()[0].id
    assert "N2" in broken(refusal(editing, "node_edit", hero, clear_fields=["title"]))
    assert "N2" in broken(refusal(editing, "node_edit", thread, clear_fields=["note"]))
    assert "N1" in broken(refusal(editing, "node_edit", hero, clear_fields=["hobby"]))
    assert "N2" in broken(refusal(editing, "node_create", "faction", ""))


def test_an_edit_that_changes_nothing_is_refused(editing: DispatchSession) -> None:
    hero = hero_of(editing)
    editing.node_edit(hero, {"goal": "守住铜镜", "aliases": ["青衣剑"]})
    assert "N5" in broken(refusal(editing, "node_edit", hero, {"goal": "守住铜镜"}))
    assert "N5" in broken(refusal(editing, "node_edit", hero, {"aliases": ["青衣剑"]}))
    assert "N5" in broken(refusal(editing, "node_edit", hero))
    assert "N5" in broken(refusal(editing, "node_edit", hero, {"goal": ""}))


def test_aliases_add_up_unless_cleared_in_the_same_call(editing: DispatchSession) -> None:
    hero = hero_of(editing)
    editing.node_edit(hero, {"aliases": ["青衣剑"]})
    editing.node_edit(hero, {"aliases": ["青衣劍", "沈师父"]})
    assert editing.node(hero).aliases == ("青衣剑", "沈师父")
    editing.node_edit(hero, {"aliases": ["沈师父"]}, ["aliases"])
    assert editing.node(hero).aliases == ("沈师父",)


def test_an_edit_sends_a_full_after_image_with_the_evidence_of_this_version(editing: DispatchSession) -> None:
    hero = hero_of(editing)
    editing.node_edit(hero, {"goal": "守住铜镜"}, evidence=[{"unit": "u2", "quote": "归还铜镜"}])
    write_event(editing)
    write = next(n for n in editing.facts_draft().nodes if n.node_id == hero)
    assert (write.title, write.fields["goal"], write.new) == ("沈青", "守住铜镜", False)
    [span] = write.evidence
    assert editing.batch[0].text[span.start : span.end] == "归还铜镜"


def test_a_renamed_node_answers_to_its_new_name_alone(editing: DispatchSession) -> None:
    hero = hero_of(editing)
    result = editing.node_edit(hero, title="沈清")
    assert result.changed == ("title",)
    assert editing.find_by_name("沈清").title_exact == (hero,)
    assert editing.find_by_name("沈青").matches == ()
    assert editing.reader.find_by_name("沈青")[0].node_id == hero


def test_events_are_never_deleted_and_their_summary_needs_a_thought(editing: DispatchSession) -> None:
    event = editing.list_candidates(["event"]).candidates[0].id
    assert "N5" in broken(refusal(editing, "node_delete", event))
    summary = summary_of(editing, 1, prose="陆遥学完了第1套剑法。")
    assert "T8" in broken(refusal(editing, "node_edit", event, {"summary": summary}))
    editing.node_edit(event, {"summary": summary}, thought=thought_for(editing, summary))
    editing.node_edit(event, title="学剑")


def test_types_that_are_not_editable_are_left_alone(story: Story) -> None:
    first = opened(story, story.units()[:1], names=["镇规"])
    first.submit_roll_call(roll_call(first))
    write_newcomers(first)
    law = first.node_create("law", "镇规").node_id
    write_event(first)
    first.commit_facts()
    second = opened(story, story.units()[1:2], names=["镇规"])
    second.submit_roll_call(roll_call(second))
    assert "N5" in broken(refusal(second, "node_edit", law, {"text": "宵禁"}))
    assert "N5" in broken(refusal(second, "node_delete", law))


def test_deleting_archives_the_node_and_ends_its_links(story: Story) -> None:
    first = opened(story, story.units()[:1], names=["听雪楼"])
    first.submit_roll_call(roll_call(first))
    ids = write_newcomers(first)
    house = first.node_create("faction", "听雪楼", links=[{"target": ids["沈青"], "relation": "related"}]).node_id
    write_event(first)
    first.commit_facts()
    second = opened(story, story.units()[1:2], names=["听雪楼"])
    second.submit_roll_call(roll_call(second))
    result = second.node_delete(house)
    assert [(k.target, k.outcome) for k in result.links] == [(ids["沈青"], "ended")]
    assert second.find_by_name("听雪楼").matches == ()
    assert "N5" in broken(refusal(second, "node_edit", house, {"stance": "neutral"}))
    assert "L3" in broken(refusal(second, "link_upsert", ids["沈青"], [{"target": house, "relation": "related"}]))
    write_event(second)
    second.commit_facts()
    assert story.reader().find_by_name("听雪楼") == []
    assert [k.relation for k in story.reader().links_of(ids["沈青"])] == []


def test_deleting_a_stored_node_forgets_links_that_were_only_staged(story: Story) -> None:
    first = opened(story, story.units()[:1], names=["听雪楼"])
    first.submit_roll_call(roll_call(first))
    ids = write_newcomers(first)
    house = first.node_create("faction", "听雪楼").node_id
    write_event(first)
    first.commit_facts()
    second = opened(story, story.units()[1:2], names=["听雪楼"])
    second.submit_roll_call(roll_call(second))
    second.link_upsert(ids["沈青"], [{"target": house, "relation": "related"}])
    second.node_delete(house)
    write_event(second)
    draft = second.facts_draft()
    assert draft.links == ()
    story.commit(draft)


def test_a_node_made_here_is_forgotten_when_deleted_and_its_id_is_not_reused(session: DispatchSession) -> None:
    session.find_by_name("听雪楼")
    house = session.node_create("faction", "听雪楼", ref="house").node_id
    session.node_delete(house)
    assert house not in session.written_ids()
    again = session.node_create("faction", "听雪楼", ref="house").node_id
    assert again != house


def test_a_ref_names_a_node_in_later_links(session: DispatchSession) -> None:
    hero = session.node_create("character_sheet", "沈青", ref="hero").node_id
    pupil = session.node_create("character_sheet", "陆遥", links=[{"target": "@hero", "relation": "related"}]).node_id
    assert [(e.node_id, e.relation) for e in session.edge_summary(pupil).edges] == [(hero, "related")]
    with pytest.raises(ArgumentRefused):
        session.node_create("location_state", "青石镇", ref="hero")
    with pytest.raises(ArgumentRefused):
        session.node_create("location_state", "青石镇", ref="@event")
    unknown = refusal(session, "link_upsert", hero, [{"target": "@pupil", "relation": "mentor_of"}])
    assert "L3" in broken(unknown)


def test_a_refused_link_refuses_the_whole_create(session: DispatchSession) -> None:
    refused = refusal(
        session, "node_create", "character_sheet", "沈青", links=[{"target": "char_77", "relation": "mentor_of"}]
    )
    assert "L3" in broken(refused)
    assert session.find_by_name("沈青").matches == ()


def test_a_closed_thread_is_not_edited_back(story: Story) -> None:
    curate(story, story.units()[0])
    second = opened(story, story.units()[1:2])
    call = roll_call(second)
    [thread] = call.active_threads
    closing = type(thread)(thread.node_id, thread.title, "RESOLVED", "铜镜已经交还")
    second.submit_roll_call(roll_call(second, active_threads=(closing,)))
    assert "R4" in broken(refusal(second, "node_edit", thread.node_id, {"status": "abandoned"}))
    second.node_edit(thread.node_id, {"status": "resolved", "note": "铜镜已经交到陆遥手里。"})
    write_event(second)
    second.commit_facts()
    third = opened(story, story.units()[2:3])
    third.node_brief(thread.node_id)
    third.submit_roll_call(roll_call(third, new_threads=(), said_no_active=True))
    refused = refusal(third, "node_edit", thread.node_id, {"status": "active"})
    assert {"N14", "R4"} <= broken(refused)


def test_title_and_fields_title_must_agree(session: DispatchSession) -> None:
    made = session.node_create("character_sheet", fields={"title": "沈青"})
    assert session.node(made.node_id).title == "沈青"
    with pytest.raises(ArgumentRefused):
        session.node_create("character_sheet", "陆遥", {"title": "陆瑶"})


def test_evidence_given_as_spans_is_checked_against_the_text(session: DispatchSession) -> None:
    unit = session.batch[0]
    at = unit.text.index("沈青")
    session.node_create("character_sheet", "沈青", evidence=[Evidence.of(unit, at, at + 2)])
    wrong = Evidence(unit.ref, 0, 2, "0" * 16)
    assert "P5" in broken(refusal(session, "node_create", "character_sheet", "陆遥", evidence=[wrong]))


def test_a_shorthand_roll_call_is_refused(story: Story) -> None:
    made = opened(story, story.units()[:1])
    everyone = RollCall(characters=(EntityEntry("所有角色", (), (), "SKIP", reason="无变化"),), said_no_active=True)
    assert {"R1", "R2", "R3"} <= broken(refusal(made, "submit_roll_call", everyone))
