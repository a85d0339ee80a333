"""Every rule of the first part through a real dispatch over a real library: refused by its id, nothing changed, and the
nearest valid call passes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from talekeeper.memory.models import Language
from talekeeper.memory.story import Story
from talekeeper.rules.book import RuleBook, catalogue
from talekeeper.rules.model import Violation
from talekeeper.rules.rollup_form import RollupItem, RollupText, render
from talekeeper.rules.subjects import EntityEntry, RollCall
from talekeeper.tools.errors import WriteRefused
from talekeeper.tools.session import DispatchSession
from tests.tools_story import (
    WORDS,
    a_story,
    broken,
    changes,
    curate,
    entry,
    opened,
    restored,
    roll_call,
    state_of,
    summary_of,
    thought_for,
    write_event,
    write_newcomers,
)

FACTION = """
types:
  - name: faction
    prefix: faction
    table_columns: [title, stance]
    required_columns: [title]
"""
FIRST_PART = (
    *(f"P{n}" for n in range(1, 10)),
    *(f"R{n}" for n in range(1, 6)),
    *("E1", "E2", "E3", "E4", "T8"),
    *("N1", "N2", "N3", "N4", "N5", "N6", "N10", "N11", "N12", "N13", "N14"),
    *("L1", "L2", "L3", "L4", "C1", "C2", "C10", "C11"),
)
SAID: dict[Language, dict[str, str]] = {
    "zh": {
        "house": "听雪楼",
        "other house": "望江楼",
        "goal": "守住铜镜",
        "new goal": "把剑法传下去",
        "renamed": "沈清",
        "bracketed": "沈青（剑师）",
        "time": "x年x月x日",
        "list": "1) 陆遥学剑。\n2) 沈青教剑。",
        "quote": "沈青说“收剑”。",
        "empty section": "\n\n不可逆:\n- 无",
        "samples": "教剑时: 手腕放松\n过招时: 看我的肩\n收剑时: 慢一点",
        "one more": "\n喝酒时: 再来",
        "state": "临水的小镇，有一座石桥",
        "stream": "刚刚有人在此习剑",
        "vague": "铜镜的事",
        "no condition": "沈青欠陆遥一面铜镜。",
        "synonym": "师父",
        "patch": "（第一套（上））",
        "lesson": "沈青教陆遥剑法",
        "other": "陆遥随沈青练完了第1套剑法。",
    },
    "en": {
        "house": "House of Snow",
        "other house": "House of Rain",
        "goal": "keep the mirror safe",
        "new goal": "pass the craft on",
        "renamed": "Marah",
        "bracketed": "Mara (the mentor)",
        "time": "XX/XX/XXXX",
        "list": "1) Tobin learns.\n2) Mara teaches.",
        "quote": 'Mara said "lower it".',
        "empty section": "\n\nIrreversible:\n- None",
        "samples": "teaching: loosen the wrist\nsparring: watch my shoulder\nresting: slower now",
        "one more": "\ndrinking: another",
        "state": "a harbour town with one stone bridge",
        "stream": "somebody has just trained here",
        "vague": "The matter of the mirror",
        "no condition": "Mara owes Tobin a mirror.",
        "synonym": "teacher_of",
        "patch": " (first form (upper))",
        "lesson": "Mara teaches Tobin the sword",
        "other": "Tobin finished form 1 with Mara.",
    },
}
Call = Callable[[DispatchSession], Any]
Case = tuple[DispatchSession, Call, Call]
Build = Callable[[Story, dict[str, str]], Case]
CASES: dict[str, Build] = {}


def case(rule: str) -> Callable[[Build], Build]:
    def keep(build: Build) -> Build:
        CASES[rule] = build
        return build

    return keep


def ready(story: Story) -> DispatchSession:
    session = opened(story, story.units()[:1])
    session.submit_roll_call(roll_call(session))
    return session


def written(story: Story) -> tuple[DispatchSession, str, str]:
    """A dispatch with everyone in it, and the ids of two of them."""
    session, words = ready(story), WORDS[story.language]
    ids = write_newcomers(session)
    return session, ids[words.hero], ids[words.pupil]


def editing(story: Story) -> tuple[DispatchSession, str]:
    """A second dispatch that may edit the hero's goal and title."""
    curate(story, story.units()[0])
    session, words = opened(story, story.units()[1:2]), WORDS[story.language]
    hero = session.find_by_name(words.hero).title_exact[0]
    edit = entry(session, words.hero, decision="EDIT", node_id=hero, changes=changes("goal", "title"))
    session.submit_roll_call(roll_call(session, characters=(edit, entry(session, words.pupil))))
    return session, hero


def event_of(summary: str, **given: Any) -> Call:
    return lambda s: write_event(s, summary=summary, **given)


def first_event(story: Story, bad: str) -> Case:
    session, _, _ = written(story)
    return session, event_of(bad), event_of(summary_of(session))


@case("P1")
def _order(story: Story, said: dict[str, str]) -> Case:
    session = DispatchSession(story, story.reader(), story.units()[:1], RuleBook(story.language), "d")
    session.schema()
    hero = WORDS[story.language].hero

    def in_turn(s: DispatchSession) -> None:
        s.list_candidates(["event"])
        s.find_by_name(hero)

    return session, lambda s: s.find_by_name(hero), in_turn


@case("P2")
def _one_event(story: Story, said: dict[str, str]) -> Case:
    session, _, _ = written(story)
    event = write_event(session)
    other = summary_of(session, prose=said["other"])
    thought = thought_for(session, other, "2")
    edit: Call = lambda s: s.node_edit(event, {"summary": other}, thought=thought)  # noqa: E731
    return session, event_of(other, thought=thought), edit


@case("P3")
def _read_once(story: Story, said: dict[str, str]) -> Case:
    curate(story, story.units()[0])
    session, words = opened(story, story.units()[1:2]), WORDS[story.language]
    hero = session.find_by_name(words.hero).title_exact[0]
    session.rebase()
    return session, lambda s: s.node_brief(hero), lambda s: s.find_by_name(words.hero)


@case("P4")
def _looked_up(story: Story, said: dict[str, str]) -> Case:
    create: Call = lambda s: s.node_create("faction", said["house"])  # noqa: E731

    def find_first(s: DispatchSession) -> None:
        s.find_by_name(said["house"])
        create(s)

    return ready(story), create, find_first


@case("P5")
def _evidence(story: Story, said: dict[str, str]) -> Case:
    hero = WORDS[story.language].hero
    return (
        ready(story),
        lambda s: s.node_create("character_sheet", hero, evidence=["u2"]),
        lambda s: s.node_create("character_sheet", hero, evidence=[{"unit": "u1", "quote": hero}]),
    )


@case("P6")
def _covered(story: Story, said: dict[str, str]) -> Case:
    session = opened(story, story.units()[:2])
    session.submit_roll_call(roll_call(session))
    summary = summary_of(session, open_threads=())
    return session, event_of(summary, evidence=["u1"]), event_of(summary, evidence=["u1", "u2"])


@case("P7")
def _closing(story: Story, said: dict[str, str]) -> Case:
    session = curate(story, story.units()[0])
    wrong = session.brief().replace("1 event", "2 event")
    assert wrong != session.brief()
    return session, lambda s: s.check_closing(wrong), lambda s: s.check_closing(s.brief())


@case("P8")
def _one_commit(story: Story, said: dict[str, str]) -> Case:
    session, hero, pupil = written(story)
    write_event(session)
    session.commit_facts()
    links = [{"target": pupil, "relation": "mentor_of"}]

    def next_time(_: DispatchSession) -> None:
        later = opened(story, story.units()[1:2])
        later.submit_roll_call(roll_call(later))
        later.link_upsert(hero, links)

    return session, lambda s: s.link_upsert(hero, links), next_time


@case("P9")
def _flagged(story: Story, said: dict[str, str]) -> Case:
    session, _, _ = written(story)
    write_event(session)
    session.accept_with_flag([Violation("E3", "quotes", "cut")])
    unflagged = DispatchSession.restore(
        story, story.reader(), story.units()[:1], RuleBook(story.language), {**session.snapshot(), "flags": []}
    )

    def flag(s: DispatchSession) -> None:
        s.accept_with_flag([])
        assert s.facts_draft().meta["kept"][0]["rule"] == "E3"

    return unflagged, lambda s: s.facts_draft(), flag


def calling(story: Story, *, again: bool = False, **wrong: Callable[[DispatchSession], Any]) -> Case:
    if again:
        curate(story, story.units()[0])
    session = opened(story, story.units()[int(again) : int(again) + 1])
    bad = roll_call(session, **{part: make(session) for part, make in wrong.items()})
    good = roll_call(session)
    return session, lambda s: s.submit_roll_call(bad), lambda s: s.submit_roll_call(good)


@case("R1")
def _listed(story: Story, said: dict[str, str]) -> Case:
    return calling(story, locations=lambda s: ())


@case("R2")
def _answers(story: Story, said: dict[str, str]) -> Case:
    words = WORDS[story.language]

    def told(s: DispatchSession) -> tuple[EntityEntry, ...]:
        return (replace(entry(s, words.hero), title_hits=("char_7",)), entry(s, words.pupil))

    return calling(story, characters=told)


@case("R3")
def _decisions(story: Story, said: dict[str, str]) -> Case:
    words = WORDS[story.language]

    def twice(s: DispatchSession) -> tuple[EntityEntry, ...]:
        return (entry(s, words.hero, decision="CREATE"), entry(s, words.pupil))

    return calling(story, again=True, characters=twice)


@case("R4")
def _follows(story: Story, said: dict[str, str]) -> Case:
    session, hero = editing(story)
    fields = {"identity": said["goal"]}
    return session, lambda s: s.node_edit(hero, fields), lambda s: s.node_edit(hero, {"goal": said["goal"]})


@case("R5")
def _swept(story: Story, said: dict[str, str]) -> Case:
    return calling(story, again=True, active_threads=lambda s: (), said_no_active=lambda s: True)


@case("E1")
def _header(story: Story, said: dict[str, str]) -> Case:
    return first_event(story, summary_of(opened(story, story.units()[:1]), time=said["time"]))


@case("E2")
def _sentences(story: Story, said: dict[str, str]) -> Case:
    return first_event(story, summary_of(opened(story, story.units()[:1]), prose=said["list"]))


@case("E3")
def _quotes(story: Story, said: dict[str, str]) -> Case:
    return first_event(story, summary_of(opened(story, story.units()[:1]), prose=said["quote"]))


@case("E4")
def _sections(story: Story, said: dict[str, str]) -> Case:
    return first_event(story, summary_of(opened(story, story.units()[:1]), open_threads=()) + said["empty section"])


@case("T8")
def _byte_equal(story: Story, said: dict[str, str]) -> Case:
    session, _, _ = written(story)
    summary = summary_of(session)
    return session, event_of(summary, thought=thought_for(session, summary + " ")), event_of(summary)


def creating(story: Story, type_: str, fields: dict[str, Any], good: dict[str, Any]) -> Case:
    words = WORDS[story.language]
    title = {"character_sheet": words.hero, "location_state": words.town, "thread": words.thread}[type_]
    return ready(story), lambda s: s.node_create(type_, title, fields), lambda s: s.node_create(type_, title, good)


@case("N1")
def _columns(story: Story, said: dict[str, str]) -> Case:
    return creating(story, "character_sheet", {"gaol": said["goal"]}, {"goal": said["goal"]})


@case("N2")
def _required(story: Story, said: dict[str, str]) -> Case:
    return creating(story, "thread", {"note": " \u3000\u200b"}, {"note": WORDS[story.language].note})


@case("N3")
def _bare(story: Story, said: dict[str, str]) -> Case:
    session, hero = editing(story)
    return (
        session,
        lambda s: s.node_edit(hero, title=said["bracketed"]),
        lambda s: s.node_edit(hero, title=said["renamed"]),
    )


@case("N4")
def _namesake(story: Story, said: dict[str, str]) -> Case:
    session = ready(story)
    for name in (said["house"], said["other house"]):
        session.find_by_name(name)
    session.node_create("faction", said["house"])
    return (
        session,
        lambda s: s.node_create("faction", f" {said['house'].upper()}\u200b"),
        lambda s: s.node_create("faction", said["other house"]),
    )


@case("N5")
def _changes(story: Story, said: dict[str, str]) -> Case:
    session, hero = editing(story)
    session.node_edit(hero, {"goal": said["goal"]})
    same, new = {"goal": f" {said['goal']} "}, {"goal": said["new goal"]}
    return session, lambda s: s.node_edit(hero, same), lambda s: s.node_edit(hero, new)


@case("N6")
def _own_words(story: Story, said: dict[str, str]) -> Case:
    return creating(story, "character_sheet", {"goal": story.units()[0].messages[1].text}, {"goal": said["goal"]})


@case("N10")
def _samples(story: Story, said: dict[str, str]) -> Case:
    bad = {"language_sample": said["samples"] + said["one more"]}
    return creating(story, "character_sheet", bad, {"language_sample": said["samples"]})


@case("N11")
def _lasting(story: Story, said: dict[str, str]) -> Case:
    return creating(story, "location_state", {"state": said["stream"]}, {"state": said["state"]})


@case("N12")
def _answerable(story: Story, said: dict[str, str]) -> Case:
    session, words = ready(story), WORDS[story.language]
    note = {"note": words.note}
    return (
        session,
        lambda s: s.node_create("thread", said["vague"], note),
        lambda s: s.node_create("thread", words.thread, note),
    )


@case("N13")
def _condition(story: Story, said: dict[str, str]) -> Case:
    return creating(story, "thread", {"note": said["no condition"]}, {"note": WORDS[story.language].note})


@case("N14")
def _status(story: Story, said: dict[str, str]) -> Case:
    note = WORDS[story.language].note
    return creating(story, "thread", {"note": note, "status": "open"}, {"note": note, "status": "active"})


def linking(story: Story, *, target: str = "", relation: str = "mentor_of", direction: str = "out") -> Case:
    session, hero, pupil = written(story)
    bad = [{"target": target or pupil, "relation": relation, "direction": direction}]
    good = [{"target": pupil, "relation": "mentor_of"}]
    return session, lambda s: s.link_upsert(hero, bad), lambda s: s.link_upsert(hero, good)


@case("L1")
def _canonical(story: Story, said: dict[str, str]) -> Case:
    return linking(story, relation=said["synonym"])


@case("L2")
def _store_alone(story: Story, said: dict[str, str]) -> Case:
    return linking(story, relation="semantic_contains")


@case("L3")
def _real_ends(story: Story, said: dict[str, str]) -> Case:
    return linking(story, target=WORDS[story.language].pupil)


@case("L4")
def _direction(story: Story, said: dict[str, str]) -> Case:
    return linking(story, direction="both")


def outline_of(story: Story) -> str:
    words, said = WORDS[story.language], SAID[story.language]
    span = words.time.format(n=1), words.time.format(n=3)
    return render(RollupText(*span, (RollupItem(said["lesson"]),)), story.language)


def compacting(story: Story, bad: str, change: Callable[[tuple[str, ...]], Any] = tuple) -> Case:
    """A dispatch that finds a group ready; its facts land once, later cases take its state over."""
    unit = story.units()[5]
    if unit in story.uncurated():
        session = opened(story, [unit])
        session.submit_roll_call(roll_call(session))
        write_event(session)
        session.commit_facts()
    else:
        session = DispatchSession(story, story.reader(), [unit], RuleBook(story.language), "d")
        session.schema()
        session.list_candidates(["event"])
    ids = story.reader().compaction_groups("event", 0)[0].child_ids

    def compact(children: Any, outline: str) -> Call:
        return lambda s: s.compact_nodes("event", children, outline, thought=thought_for(s, outline))

    return session, compact(change(ids), bad), compact(ids, outline_of(story))


@case("C1")
def _outline(story: Story, said: dict[str, str]) -> Case:
    return compacting(story, outline_of(story).replace("1)", "-"))


@case("C2")
def _interval(story: Story, said: dict[str, str]) -> Case:
    first, third = (WORDS[story.language].time.format(n=n) for n in (1, 3))
    return compacting(story, outline_of(story).replace(first, third))


@case("C10")
def _patch(story: Story, said: dict[str, str]) -> Case:
    return compacting(story, outline_of(story) + said["patch"])


@case("C11")
def _group(story: Story, said: dict[str, str]) -> Case:
    return compacting(story, outline_of(story), lambda ids: ids[::-1])


def test_the_table_holds_every_rule_of_the_first_part() -> None:
    assert set(CASES) == set(FIRST_PART)
    assert set(FIRST_PART) <= {rule.id for rule in catalogue()}


@pytest.fixture(params=["zh", "en"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    with a_story(tmp_path, request.param, turns=3, schema_yaml=FACTION) as made:
        yield made


@pytest.fixture(scope="module", params=["zh", "en"])
def long_story(request: pytest.FixtureRequest) -> Iterator[Story]:
    """Five turns curated; the sixth makes a group ready."""
    with tempfile.TemporaryDirectory() as folder, a_story(Path(folder) / "library", request.param, turns=6) as made:
        for unit in made.units()[:5]:
            curate(made, unit)
        yield made


def hold_to(rule: str, case: Case) -> None:
    """The bad call is refused with the rule's id and changes nothing; the good one passes, checkpointed or not."""
    session, bad, good = case
    before = state_of(session)
    with pytest.raises(WriteRefused) as caught:
        bad(session)
    assert rule in broken(caught.value), str(caught.value)
    assert f"[{rule}]" in str(caught.value)
    assert all(v.mend for v in caught.value.violations)
    assert session.snapshot() == before
    good(restored(session))
    good(session)


@pytest.mark.parametrize("rule", [rule for rule in FIRST_PART if not rule.startswith("C")])
def test_a_rule_is_enforced_by_the_session(story: Story, rule: str) -> None:
    hold_to(rule, CASES[rule](story, SAID[story.language]))


def test_the_rules_of_compaction_are_enforced_by_the_session(long_story: Story) -> None:
    landed: DispatchSession | None = None
    for rule in ("C1", "C2", "C10", "C11"):
        session, bad, good = CASES[rule](long_story, SAID[long_story.language])
        landed = landed or session
        hold_to(rule, (restored(landed), bad, good))


def test_p2_also_asks_for_the_event_that_is_missing(story: Story) -> None:
    session, _, _ = written(story)
    before = state_of(session)
    with pytest.raises(WriteRefused) as caught:
        session.facts_draft()
    assert "P2" in broken(caught.value)
    assert session.snapshot() == before


def test_an_empty_roll_call_never_passes(story: Story) -> None:
    session = opened(story, story.units()[:1])
    with pytest.raises(WriteRefused) as caught:
        session.submit_roll_call(RollCall())
    assert {"R1", "R5"} <= broken(caught.value)


def test_a_session_taken_up_after_its_facts_is_held_to_them(story: Story) -> None:
    session, hero, pupil = written(story)
    write_event(session)
    commit = session.commit_facts()
    later = DispatchSession.after_facts(story, story.reader(), session.batch, RuleBook(story.language), commit)
    assert later.counts == session.counts
    for taken in (session, later):
        with pytest.raises(WriteRefused) as caught:
            taken.link_upsert(hero, [{"target": pupil, "relation": "mentor_of"}])
        assert "P8" in broken(caught.value)
    with pytest.raises(WriteRefused) as caught:
        later.compact_nodes("event", [session.event_id], "x", thought="x")
    assert "P1" not in broken(caught.value)
