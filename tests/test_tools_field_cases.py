"""Faults that users of such tools report, at the tools: the input's shape, and what is right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from talekeeper.memory.errors import NotFound
from talekeeper.memory.models import Language, Message, UnitDraft
from talekeeper.memory.story import Story
from talekeeper.rules.book import RuleBook
from talekeeper.rules.subjects import EntityEntry, RollCall
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
    state_of,
    thought_for,
    write_event,
    write_newcomers,
)

REFUSED_HELP = {
    "zh": "抱歉，我无法继续这个请求。您能否提供更多信息？",
    "en": "I'm sorry, but I cannot continue with this. Could you provide more details?",
}


@pytest.fixture(params=["zh", "en"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    with a_story(tmp_path, request.param, turns=7) as made:
        yield made


def ready(story: Story) -> DispatchSession:
    session = opened(story, story.units()[:1])
    session.submit_roll_call(roll_call(session))
    return session


def cast_of(path: Path, language: Language, told: str, *names: str, reason: str) -> tuple[Story, DispatchSession]:
    """A one-turn story and a dispatch whose roll-call has every name, new or known."""
    from talekeeper.memory.library import Library

    library = Library.open(path)
    story = library.create_story("cast", language=language)
    story.add_units([UnitDraft("turn", (Message("narrator", "", told, told),))])
    return story, calling(story, 0, *names, reason=reason)


def calling(story: Story, index: int, *names: str, reason: str) -> DispatchSession:
    unit = story.units()[index]
    session = DispatchSession(story, story.reader(), [unit], RuleBook(story.language), f"d{index}")
    session.schema()
    session.list_candidates(["event"])
    for name in names:
        for match in session.find_by_name(name).matches:
            session.node_brief(match.node_id)
    people = tuple(entry(session, name, reason=reason) for name in names)
    session.submit_roll_call(RollCall(characters=people, said_no_active=True))
    return session


# 35: a model's refusal is written into memory and handed out again


def test_a_models_refusal_never_becomes_an_event_a_thread_or_a_rollup(story: Story) -> None:
    said, words = REFUSED_HELP[story.language], WORDS[story.language]
    session = ready(story)
    refused = refusal(session, "node_create", "event", fields={"summary": said}, thought=thought_for(session, said))
    assert {"E1", "E2"} & broken(refused)
    assert "N13" in broken(refusal(session, "node_create", "thread", words.thread, {"note": said}))
    session.observe(said)
    assert session.snapshot()["thoughts"]["pending"] == []


def test_a_models_refusal_is_no_outline(story: Story) -> None:
    for unit in story.units()[:5]:
        curate(story, unit)
    session, said = curate(story, story.units()[5]), REFUSED_HELP[story.language]
    ids = session.compaction_candidates("event").groups[0].child_ids
    assert "C1" in broken(refusal(session, "compact_nodes", "event", ids, said, thought=thought_for(session, said)))


# 39: one bad operation (column "-1") destroys good rows


def test_one_bad_operation_destroys_no_good_row(story: Story) -> None:
    curate(story, story.units()[0])
    session, words = opened(story, story.units()[1:2]), WORDS[story.language]
    hero = session.find_by_name(words.hero).title_exact[0]
    edit = entry(session, words.hero, decision="EDIT", node_id=hero, changes=changes("goal"))
    session.submit_roll_call(roll_call(session, characters=(edit, entry(session, words.pupil))))
    session.node_edit(hero, {"goal": words.thread})
    assert "N1" in broken(refusal(session, "node_edit", hero, {"-1": "x", "goal": "y"}))
    assert "N1" in broken(refusal(session, "node_edit", hero, None, ["-1"]))
    before = state_of(session)
    for node in ("-1", "char_-1", "char_0"):
        with pytest.raises(NotFound):
            session.node_edit(node, {"goal": "x"})
    assert session.snapshot() == before
    write_event(session)
    session.commit_facts()
    assert story.reader().node(hero).fields["goal"] == words.thread
    assert len(story.reader().list_nodes(["character_sheet"])) == 2


# 58: one paragraph is appended again and again


def test_a_field_is_replaced_and_never_appended_to(story: Story) -> None:
    curate(story, story.units()[0])
    session, words = opened(story, story.units()[1:2]), WORDS[story.language]
    hero = session.find_by_name(words.hero).title_exact[0]
    edit = entry(session, words.hero, decision="EDIT", node_id=hero, changes=changes("goal", "traits", "aliases"))
    session.submit_roll_call(roll_call(session, characters=(edit, entry(session, words.pupil))))
    session.node_edit(hero, {"goal": words.same, "traits": [words.same], "aliases": ["A1"]})
    for _ in range(3):
        repeated = {"goal": words.same, "traits": [words.same], "aliases": ["a1", "Ａ１"]}
        assert "N5" in broken(refusal(session, "node_edit", hero, repeated))
    session.node_edit(hero, {"goal": words.thread, "traits": [words.thread]})
    fields = session.node(hero).fields
    assert (fields["goal"], fields["traits"], fields["aliases"]) == (words.thread, [words.thread], ["A1"])


# 59: a small model brings in the cast of another novel


@pytest.mark.parametrize("aliased", [False, True])
def test_a_stranger_to_the_text_is_not_brought_in(story: Story, aliased: bool) -> None:
    stranger = "诸葛亮" if story.language == "zh" else "Gandalf"
    words = WORDS[story.language]
    session = opened(story, story.units()[:1], names=[stranger])
    newcomers = (entry(session, words.hero), entry(session, words.pupil), entry(session, stranger))
    session.submit_roll_call(roll_call(session, characters=newcomers))
    fields = {"aliases": ["?!"]} if aliased else {}
    assert "P5" in broken(refusal(session, "node_create", "character_sheet", stranger, fields))
    write_newcomers(session)
    assert "R4" in broken(refusal(session, "facts_draft"))
    assert session.bearers(stranger) == ()


# 24: one person under three names


@pytest.mark.parametrize(
    ("language", "told", "full", "short", "formal"),
    [
        (
            "en",
            "Sherlock Holmes rose. Holmes spoke to the porter as Mr. Holmes always did.",
            *("Sherlock Holmes", "Holmes", "Mr. Holmes"),
        ),
        ("zh", "安娜·李起身。安娜看着门房，门房称她李小姐。", "安娜·李", "安娜", "李小姐"),
    ],
)
def test_one_person_under_three_names_is_one_node(
    tmp_path: Path, language: Language, told: str, full: str, short: str, formal: str
) -> None:
    reason = WORDS[language].new
    story, session = cast_of(tmp_path, language, told, full, short, formal, reason=reason)
    one = session.node_create("character_sheet", full, {"aliases": [short, formal]}).node_id
    for name in (short, formal, full.upper(), full.replace("·", "・")):
        assert [m.node_id for m in session.find_by_name(name).matches] == [one]
    assert "N4" in broken(refusal(session, "node_create", "character_sheet", short))
    write_event(session, summary=_plain(language))
    session.commit_facts()
    story.add_units([*story.units(), UnitDraft("turn", (Message("narrator", "", told + "!", told + "!"),))])
    again = calling(story, 1, short, reason=WORDS[language].same)
    assert again.roll_call is not None
    assert again.roll_call.characters[0].alias_hits == (one,)
    assert "N4" in broken(refusal(again, "node_create", "character_sheet", short))


def _plain(language: Language) -> str:
    if language == "zh":
        return "时间: 第1日 上午\n地点: 青石镇\n\n门房认得来客。"
    return "Time: Day 1, morning\nPlace: Greywharf\n\nThe porter knew the visitor."


# 26: two people who share a name


@pytest.mark.parametrize(
    ("language", "told", "name", "second"),
    [
        ("zh", "记者李晨来了。东城李晨也来了，他是医生。", "李晨", "东城李晨"),
        ("en", "Ann Lee of the press came. Eastgate Ann Lee, a doctor, came too.", "Ann Lee", "Eastgate Ann"),
    ],
)
def test_two_people_of_one_name_stay_two(tmp_path: Path, language: Language, told: str, name: str, second: str) -> None:
    _, session = cast_of(tmp_path, language, told, name, second, reason=WORDS[language].new)
    one = session.node_create("character_sheet", name).node_id
    refused = refusal(session, "node_create", "character_sheet", name)
    assert "N4" in broken(refused)
    assert one in str(refused)
    two = session.node_create("character_sheet", second).node_id
    session.node_edit(two, {"aliases": [name]})
    found = session.find_by_name(name)
    assert (found.title_exact, found.alias_overlap) == ((one,), (two,))
    assert session.node(one).fields.get("aliases") is None


# 28: names that only sound alike


@pytest.mark.parametrize(
    ("first", "second"), [("王植", "王質"), ("王植", "王直"), ("Marc", "Mark"), ("Li Chen", "Lee Chen")]
)
def test_names_that_only_sound_alike_are_two_people(tmp_path: Path, first: str, second: str) -> None:
    language: Language = "en" if first.isascii() else "zh"
    told = f"{first} — {second}."
    _, session = cast_of(tmp_path, language, told, first, second, reason=WORDS[language].new)
    one = session.node_create("character_sheet", first).node_id
    assert session.find_by_name(second).matches == ()
    two = session.node_create("character_sheet", second).node_id
    assert one != two
    if language == "zh":
        assert [m.node_id for m in session.find_by_name("王质").matches] == ([two] if second == "王質" else [])


def test_an_entry_that_sounds_like_somebody_known_is_refused(story: Story) -> None:
    curate(story, story.units()[0])
    session, words = opened(story, story.units()[1:2]), WORDS[story.language]
    hero = session.find_by_name(words.hero).title_exact[0]
    sounds = "沈清" if story.language == "zh" else "Marah"
    assert session.find_by_name(sounds).matches == ()
    wrong = EntityEntry(sounds, (hero,), (), "SKIP", reason=words.same)
    people = (entry(session, words.hero), entry(session, words.pupil), wrong)
    assert "R2" in broken(refusal(session, "submit_roll_call", roll_call(session, characters=people)))
