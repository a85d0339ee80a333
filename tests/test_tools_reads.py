"""Reading: each question once, staged writes seen from inside alone, errors that name the nearest right thing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from talekeeper.memory.errors import EmbeddingProfileMissing, NotFound
from talekeeper.memory.models import Language
from talekeeper.memory.story import Story
from talekeeper.rules.book import RuleBook
from talekeeper.rules.subjects import NewThreadEntry
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.session import DispatchSession
from tests.tools_story import (
    WORDS,
    a_story,
    curate,
    entry,
    opened,
    restored,
    roll_call,
    turn,
    write_event,
    write_newcomers,
)


@pytest.fixture(params=["zh", "en"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    with a_story(tmp_path, request.param) as made:
        yield made


@pytest.fixture
def second(story: Story) -> DispatchSession:
    """The second dispatch of a story."""
    curate(story, story.units()[0])
    return opened(story, story.units()[1:2])


def test_the_schema_tells_columns_and_writable_relations(second: DispatchSession) -> None:
    result = second.schema()
    sheet = next(t for t in result.types if t.name == "character_sheet")
    assert "aliases" in sheet.table_columns
    assert sheet.required_columns == ("title",)
    assert "contains" not in {r.name for r in result.relations}
    assert {r.name for r in result.relations if r.symmetric} == {"partner_of", "family_of", "allied_with", "hostile_to"}
    assert sheet.label == {"zh": "角色", "en": "character"}[second.language]


def test_a_repeat_is_answered_again_counted_and_costs_no_query(
    second: DispatchSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    hero = WORDS[second.language].hero
    first = second.find_by_name(hero)
    brief = second.node_brief(first.matches[0].node_id)
    calls: list[str] = []
    for name in ("node", "nodes", "find_by_name", "links_of", "children"):
        monkeypatch.setattr(type(second.reader), name, lambda *a, _n=name, **k: calls.append(_n))
    again = second.find_by_name(hero)
    assert (again.matches, again.repeated) == (first.matches, True)
    assert second.node_brief(brief.id).repeated
    assert calls == []
    assert second.repeats[f"find:{hero}"] >= 2


def test_a_repeat_costs_no_query_after_a_checkpoint_either(
    second: DispatchSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = WORDS[second.language]
    before = {name: second.find_by_name(name).matches for name in (words.hero, words.pupil)}
    again = restored(second)
    monkeypatch.setattr(type(second.reader), "find_by_name", lambda *a, **k: pytest.fail("asked the store again"))
    assert {name: again.find_by_name(name).matches for name in before} == before
    assert again.find_by_name(words.hero, ["thread"]).matches == ()


def test_staged_writes_are_seen_inside_and_not_outside(story: Story) -> None:
    session = opened(story, story.units()[:1])
    session.submit_roll_call(roll_call(session))
    words = WORDS[story.language]
    ids = write_newcomers(session)
    hero, pupil = ids[words.hero], ids[words.pupil]
    session.link_upsert(hero, [{"target": pupil, "relation": "mentor_of"}])
    brief = session.node_brief(hero)
    assert (brief.title, brief.staged, brief.evidence) == (words.hero, True, ("u1",))
    assert [(e.relation, e.direction, e.node_id, e.staged) for e in brief.edges] == [("mentor_of", "out", pupil, True)]
    assert session.find_by_name(words.hero).title_exact == (hero,)
    assert [c.staged for c in session.list_candidates(["character_sheet"]).candidates] == [True, True]
    assert {n.id for n in session.expand_seeds([hero]).nodes} == {hero, pupil}
    outside = story.reader()
    assert outside.find_by_name(words.hero) == []
    with pytest.raises(NotFound):
        outside.node(hero)


def test_what_the_roll_call_is_measured_against_are_the_stores_answers(story: Story) -> None:
    session = opened(story, story.units()[:1])
    session.submit_roll_call(roll_call(session))
    write_newcomers(session)
    session.find_by_name(WORDS[story.language].hero)
    assert session._state.ledger.answers[WORDS[story.language].hero] == ()
    session.submit_roll_call(roll_call(session))


def test_unknown_ids_get_the_nearest_ids_and_titles_their_bearers(second: DispatchSession) -> None:
    words = WORDS[second.language]
    hero = second.find_by_name(words.hero).title_exact[0]
    with pytest.raises(NotFound) as caught:
        second.node_brief(words.hero)
    assert caught.value.nearest == (f"{hero} ({words.hero})",)
    with pytest.raises(NotFound) as caught:
        second.edge_summary("chars_1")
    assert any("char_1" in near for near in caught.value.nearest)
    with pytest.raises(NotFound) as caught:
        second.find_by_name(words.hero, ["person"])
    assert caught.value.kind == "node type"
    assert caught.value.nearest


def test_types_limit_what_is_found(second: DispatchSession) -> None:
    words = WORDS[second.language]
    assert second.find_by_name(words.hero, ["location_state"]).matches == ()
    assert second.find_by_name(words.town, "location_state").title_exact
    assert second.find_by_name(words.thread, ["thread"]).title_exact


@pytest.mark.parametrize("query", ["", "  ", None])
def test_an_empty_question_is_refused(second: DispatchSession, query: object) -> None:
    with pytest.raises(ArgumentRefused):
        second.find_by_name(query)
    with pytest.raises(ArgumentRefused):
        second.keyword_search(query)


def test_keyword_search_finds_two_character_names(second: DispatchSession) -> None:
    words = WORDS[second.language]
    hits = second.keyword_search(words.hero, k="3").hits
    assert words.hero in {hit.title for hit in hits}
    assert len(hits) <= 3


def test_vector_search_without_a_profile_says_so(second: DispatchSession) -> None:
    with pytest.raises(EmbeddingProfileMissing, match="embedding profile"):
        second.vector_search(WORDS[second.language].hero)


def test_candidates_come_newest_first_and_every_active_thread_is_listed(story: Story) -> None:
    words = WORDS[story.language]
    for unit in story.units()[:3]:
        curate(story, unit)
    session = opened(story, story.units()[3:4])
    events = session.list_candidates(["event"]).candidates
    assert [e.time_from for e in events] == [words.time.format(n=n) for n in (3, 2, 1)]
    assert [e.time_from for e in session.list_candidates("event", limit=2).candidates] == [
        words.time.format(n=n) for n in (3, 2)
    ]
    assert [t.title for t in session.list_candidates(["thread", "event"], limit=1).candidates if t.type == "thread"]


def test_windows_count_turns_and_messages(story: Story) -> None:
    words = WORDS[story.language]
    for unit in story.units()[:4]:
        curate(story, unit)
    session = opened(story, story.units()[4:5])

    def times(**kwargs: object) -> list[str | None]:
        return [c.time_from for c in session.list_candidates(["event"], **kwargs).candidates]

    assert times(seq_window={"from": 2, "to": 3}) == [words.time.format(n=n) for n in (3, 2)]
    assert times(seq_window="[1, 1]") == [words.time.format(n=1)]
    assert times(exclude_recent_messages=1) == [words.time.format(n=n) for n in (3, 2, 1)]
    assert times(exclude_recent_messages=3) == [words.time.format(n=n) for n in (2, 1)]
    with pytest.raises(ArgumentRefused):
        times(seq_window=[900, 901])
    with pytest.raises(ArgumentRefused):
        times(seq_window=[1])


def test_hiding_a_message_moves_no_coordinate(story: Story, tmp_path: Path) -> None:
    language: Language = story.language
    with a_story(tmp_path / "hidden", language, turns=0) as hidden:
        hidden.add_units([turn(language, n, hidden=n == 2) for n in range(1, 6)])
        for one in (story, hidden):
            for unit in one.units()[:3]:
                curate(one, unit)
        seen = [[(n.id, n.anchor, n.evidence) for n in one.reader().list_nodes(["event"])] for one in (story, hidden)]
        assert seen[0] == seen[1]


def test_expanding_a_rollup_shows_its_leaves(story: Story) -> None:
    from tests.test_tools_compaction import outline, roll_up

    rollup = roll_up([curate(story, unit) for unit in story.units()[:6]][-1])
    session = opened(story, story.units()[6:7])
    shown = session.expand_seeds([rollup.node_id])
    assert {n.id for n in shown.nodes} >= set(rollup.child_ids)
    assert (rollup.node_id, "contains", rollup.child_ids[0]) in shown.edges
    assert session.expand_seeds(rollup.node_id, include_children=False).nodes[0].child_count == 3
    bare = session.expand_seeds(rollup.node_id, exclude_internal=True)
    assert not [edge for edge in bare.edges if edge[1] == "contains"]
    brief = session.node_brief(rollup.node_id)
    assert (brief.semantic_depth, brief.child_ids) == (1, rollup.child_ids)
    assert session.node_brief(rollup.child_ids[0]).parent == rollup.node_id
    assert brief.fields["summary"] == outline(story.language, 1, 3)


def test_expand_names_what_it_does_not_know(second: DispatchSession) -> None:
    hero = second.find_by_name(WORDS[second.language].hero).title_exact[0]
    shown = second.expand_seeds([hero, "char_77"])
    assert list(shown.unknown) == ["char_77"]
    with pytest.raises(NotFound):
        second.expand_seeds(["char_77"])
    with pytest.raises(ArgumentRefused):
        second.expand_seeds([])


def test_threads_can_be_briefed_where_nobody_is_found(story: Story) -> None:
    curate(story, story.units()[0])
    session = DispatchSession(story, story.reader(), story.units()[1:2], RuleBook(story.language), "nobody")
    session.schema()
    session.list_candidates(["event"])
    for thread in session.reader.active_threads():
        assert session.node_brief(thread.id).title == WORDS[story.language].thread


def test_written_names_map_to_ids(story: Story) -> None:
    session = opened(story, story.units()[:1])
    session.submit_roll_call(roll_call(session))
    words = WORDS[story.language]
    made = session.node_create("character_sheet", words.hero, {"aliases": ["Quendra"]}, ref="hero")
    assert {words.hero, "Quendra", "hero"} <= set(session.written_names())
    assert set(session.written_names().values()) == {made.node_id}


def test_results_say_only_what_there_is(second: DispatchSession) -> None:
    text = second.find_by_name(WORDS[second.language].town).as_text()
    assert '"repeated":true' in text
    assert "alias_overlap" not in text


def test_a_hub_of_a_long_story_is_briefed_with_its_newest_edges(story: Story) -> None:
    words = WORDS[story.language]
    event = ""
    for unit in story.units()[:7]:
        session = opened(story, [unit])
        session.submit_roll_call(roll_call(session))
        ids = write_newcomers(session)
        event = write_event(session, links=[{"target": ids[words.hero], "relation": "involved_in"}])
        session.commit_facts()
    last = opened(story, story.units()[7:8])
    hero = last.find_by_name(words.hero).title_exact[0]
    edges = last.edge_summary(hero)
    assert len(edges.edges) == 7
    assert edges.edges[0].node_id == event
    assert not edges.edges_cut


def test_a_look_up_that_the_text_does_not_hold_need_not_be_called(story: Story) -> None:
    session = opened(story, story.units()[:1], names=["Nobody", "无名氏"])
    thread = NewThreadEntry(WORDS[story.language].thread, "CREATE", 1, WORDS[story.language].new)
    session.submit_roll_call(roll_call(session, new_threads=(thread,)))
    assert entry(session, "Nobody").decision == "CREATE"


def test_reads_are_fast(second: DispatchSession) -> None:
    hero = second.find_by_name(WORDS[second.language].hero).title_exact[0]
    began = time.perf_counter()
    for _ in range(100):
        second.find_by_name(WORDS[second.language].hero)
        second.node(hero)
    assert time.perf_counter() - began < 1.0
