"""Relations: canonical names, ends by id, one direction, written once, ended by direction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.errors import NotFound
from talekeeper.memory.schema import default_schema
from talekeeper.memory.story import Story
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.links import natural
from talekeeper.tools.session import DispatchSession
from tests.tools_story import WORDS, a_story, broken, opened, refusal, roll_call, write_event, write_newcomers

SYMMETRIC = [r.name for r in default_schema().relations if r.symmetric]
DIRECTED = ["mentor_of", "sworn_to", "debt_owed_to", "deceiving"]
Ends = tuple[DispatchSession, str, str]


@pytest.fixture(params=["zh", "en"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    with a_story(tmp_path, request.param) as made:
        yield made


@pytest.fixture
def pair(story: Story) -> Ends:
    """A dispatch with two people in it."""
    session = opened(story, story.units()[:1])
    session.submit_roll_call(roll_call(session))
    ids = write_newcomers(session)
    words = WORDS[story.language]
    return session, ids[words.hero], ids[words.pupil]


def written(session: DispatchSession) -> list[tuple[str, str, str]]:
    return [(k.source, k.relation, k.target) for k in session._state.staging.links.values()]


@pytest.mark.parametrize("relation", SYMMETRIC)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_symmetric_relation_is_stored_once_whichever_way_it_is_given(
    pair: Ends, relation: str, swapped: bool
) -> None:
    session, one, two = pair
    source, target = (two, one) if swapped else (one, two)
    session.link_upsert(source, [{"target": target, "relation": relation}])
    again = session.link_upsert(target, [{"target": source, "relation": relation, "direction": "both"}])
    assert written(session) == [(one, relation, two)]
    assert [k.outcome for k in again.links] == ["unchanged"]


@pytest.mark.parametrize("relation", DIRECTED)
def test_a_directed_relation_is_written_one_way(pair: Ends, relation: str) -> None:
    session, one, two = pair
    session.link_upsert(one, [{"target": two, "relation": relation}])
    assert written(session) == [(one, relation, two)]
    assert "L4" in broken(
        refusal(session, "link_upsert", two, [{"target": one, "relation": relation, "direction": "both"}])
    )
    edges = session.edge_summary(two).edges
    assert [(e.direction, e.node_id) for e in edges] == [("in", one)]


def test_direction_in_turns_a_link_round(pair: Ends) -> None:
    session, one, two = pair
    session.link_upsert(one, [{"target": two, "relation": "mentor_of", "direction": "in"}])
    assert written(session) == [(two, "mentor_of", one)]
    with pytest.raises(ArgumentRefused):
        session.link_upsert(one, [{"target": two, "relation": "mentor_of", "direction": "outwards"}])


@pytest.mark.parametrize(
    ("synonym", "canonical"),
    [("师父", "mentor_of"), ("participant", "involved_in"), ("发生地", "occurred_at"), ("Located_At", "occurred_at")],
)
def test_a_synonym_is_refused_with_the_canonical_name(pair: Ends, synonym: str, canonical: str) -> None:
    session, one, two = pair
    refused = refusal(session, "link_upsert", one, [{"target": two, "relation": synonym}])
    assert broken(refused) == {"L1"}
    assert canonical in str(refused)


@pytest.mark.parametrize("relation", ["contains", "semantic_contains"])
def test_hierarchy_belongs_to_the_store(pair: Ends, relation: str) -> None:
    session, one, two = pair
    assert "L2" in broken(refusal(session, "link_upsert", one, [{"target": two, "relation": relation}]))


def test_an_end_is_an_id_and_a_title_gets_its_ids(pair: Ends) -> None:
    session, one, two = pair
    words = WORDS[session.language]
    refused = refusal(session, "link_upsert", one, [{"target": words.pupil, "relation": "mentor_of"}])
    assert broken(refused) == {"L3"}
    assert two in str(refused)
    assert "L3" in broken(refusal(session, "link_upsert", "character_sheet", [{"target": two, "relation": "related"}]))
    assert "L3" in broken(refusal(session, "link_upsert", one, [{"target": one, "relation": "related"}]))


def test_an_end_that_was_not_looked_up_is_refused(story: Story) -> None:
    first = opened(story, story.units()[:1])
    first.submit_roll_call(roll_call(first))
    ids = write_newcomers(first)
    write_event(first)
    first.commit_facts()
    second = opened(story, story.units()[1:2])
    second.submit_roll_call(roll_call(second))
    words = WORDS[story.language]
    del second._state.ledger.seen[ids[words.pupil]]
    link = {"target": ids[words.pupil], "relation": "mentor_of"}
    assert broken(refusal(second, "link_upsert", ids[words.hero], [link])) == {"P4"}


def test_one_bad_link_refuses_all_of_the_call(pair: Ends) -> None:
    session, one, two = pair
    links = [{"target": two, "relation": "mentor_of"}, {"target": two, "relation": "参与者"}]
    refusal(session, "link_upsert", one, links)
    assert written(session) == []


def test_a_link_that_stands_in_the_store_is_left_as_it_is(story: Story) -> None:
    first = opened(story, story.units()[:1])
    first.submit_roll_call(roll_call(first))
    ids = write_newcomers(first)
    words = WORDS[story.language]
    first.link_upsert(ids[words.pupil], [{"target": ids[words.hero], "relation": "allied_with"}])
    write_event(first)
    first.commit_facts()
    second = opened(story, story.units()[1:2])
    second.submit_roll_call(roll_call(second))
    answer = second.link_upsert(ids[words.pupil], [{"target": ids[words.hero], "relation": "allied_with"}])
    assert [k.outcome for k in answer.links] == ["unchanged"]
    assert written(second) == []
    assert len(story.reader().links_of(ids[words.hero])) == 1


def test_ending_a_link_minds_its_direction_and_says_what_stands(pair: Ends) -> None:
    session, one, two = pair
    session.link_upsert(one, [{"target": two, "relation": "mentor_of"}, {"target": two, "relation": "deceiving"}])
    with pytest.raises(NotFound) as caught:
        session.link_delete(two, one, "mentor_of")
    assert f"{one} mentor_of {two}" in caught.value.nearest
    session.link_delete(two, one, "mentor_of", "in")
    session.link_delete(one, two, "deceiving")
    assert written(session) == []


def test_ending_a_stored_symmetric_link_from_either_end(story: Story) -> None:
    first = opened(story, story.units()[:1])
    first.submit_roll_call(roll_call(first))
    ids = write_newcomers(first)
    words = WORDS[story.language]
    hero, pupil = ids[words.hero], ids[words.pupil]
    first.link_upsert(hero, [{"target": pupil, "relation": "partner_of"}, {"target": pupil, "relation": "deceiving"}])
    write_event(first)
    first.commit_facts()
    second = opened(story, story.units()[1:2])
    second.submit_roll_call(roll_call(second))
    second.link_delete(pupil, hero, "partner_of")
    assert [e.relation for e in second.node_brief(hero).edges] == ["deceiving"]
    write_event(second)
    second.commit_facts()
    reader = story.reader()
    assert [k.relation for k in reader.links_of(hero)] == ["deceiving"]
    assert len(reader.links_of(hero, include_ended=True)) == 2


@pytest.mark.parametrize(
    "links", [[], "", [{}], [{"target": "char_1"}], "char_2", 7, [{"target": "char_2", "kind": "x"}]]
)
def test_links_of_a_wrong_shape_are_refused_clearly(pair: Ends, links: object) -> None:
    session, one, _ = pair
    with pytest.raises(ArgumentRefused):
        session.link_upsert(one, links)


def test_json_text_and_other_spellings_of_the_keys_are_read(pair: Ends) -> None:
    session, one, two = pair
    session.link_upsert(one, f'[{{"target_node_id": "{two}", "type": "mentor_of"}}]')
    session.link_upsert(one, {"node_id": two, "rel": "deceiving"})
    assert [relation for _, relation, _ in written(session)] == ["mentor_of", "deceiving"]


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=6, unique=True), st.sampled_from(["char", "place"]))
def test_ids_are_ordered_by_number(numbers: list[int], prefix: str) -> None:
    ids = [f"{prefix}_{n}" for n in numbers]
    assert sorted(ids, key=natural) == [f"{prefix}_{n}" for n in sorted(numbers)]
