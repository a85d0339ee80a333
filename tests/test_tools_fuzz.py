"""Whatever an agent sends: only errors of ours, a refused call changes nothing, a checkpoint gives the same session
back, and what a dispatch commits the store takes and the audit finds clean."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from talekeeper.graph.audit import audit
from talekeeper.memory.errors import TalekeeperError
from talekeeper.memory.library import Library
from talekeeper.memory.models import Language
from talekeeper.memory.story import Story
from talekeeper.tools.errors import ArgumentRefused, WriteRefused
from talekeeper.tools.langchain import run_tool_calls, tool_names
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
)

VERBS = [name.removeprefix("memory_") for name in tool_names()]
ARGUMENTS = {
    "list_candidates": ("types", "seq_window", "exclude_recent_messages", "limit"),
    "expand_seeds": ("seed_ids", "hops", "include_children", "exclude_internal"),
    "find_by_name": ("query", "types"),
    "node_brief": ("node_id",),
    "edge_summary": ("node_id",),
    "keyword_search": ("query", "types", "k"),
    "vector_search": ("query",),
    "node_create": ("type", "title", "fields", "links", "ref", "thought", "evidence"),
    "node_edit": ("node_id", "set_fields", "clear_fields", "title", "thought", "evidence"),
    "node_delete": ("node_id", "evidence"),
    "link_upsert": ("source_node_id", "links", "evidence"),
    "link_delete": ("source_node_id", "target_node_id", "relation", "direction", "evidence"),
    "compaction_candidates": ("type", "depth"),
    "compact_nodes": ("type", "child_ids", "summary", "fields", "thought"),
}
COLUMNS = ["title", "aliases", "goal", "traits", "status", "note", "summary", "state", "language_sample", "-1", "goal "]
TYPES = ["event", "character_sheet", "location_state", "thread", "Event", "角色", "-1", ""]
IDS = ["char_1", "char_2", "place_1", "event_1", "event_2", "thread_1", " CHAR_1", "char_１", "@event", "@a", "-1"]
MARKS = ["<thought>", "</thought>", "[dedup roll-call]", "\n", "x"]
RELATIONS = ["related", "mentor_of", "allied_with", "involved_in", "contains", "师父", "-1"]

odd_text = st.one_of(
    st.text(max_size=12),
    st.text(st.characters(categories=["Cs", "Cf", "Cc", "Nd", "No"]), max_size=6),
    st.sampled_from(["[" * 2000, '{"a":' * 800, "²", "١", "[NaN]", "[" + "9" * 5000 + "]", "</thought>", "\0"]),
)
odd_atoms = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), odd_text)


def nested(atoms: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        atoms,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(odd_text, inner, max_size=3)),
        max_leaves=6,
    )


odd = nested(odd_atoms)
odder = nested(st.one_of(odd_atoms, st.builds(lambda: 10**5000)))


def arguments_for(language: Language) -> dict[str, st.SearchStrategy[Any]]:
    """For each argument, values that make sense now and then."""
    words = WORDS[language]
    names = st.sampled_from([words.hero, words.pupil, words.town, words.thread, f"{words.hero}、{words.pupil}", "Quen"])
    said = st.sampled_from([words.note, words.same, words.told.format(n=2), "  ", "\u200b"])
    texts = st.one_of(names, said, odd_text)
    ids = st.sampled_from(IDS)
    types = st.sampled_from(TYPES)
    values = st.one_of(texts, st.lists(texts, max_size=3), odd)
    fields = st.dictionaries(st.sampled_from(COLUMNS), values, max_size=3)
    row = st.fixed_dictionaries(
        {"target": ids, "relation": st.sampled_from(RELATIONS)},
        optional={"direction": st.sampled_from(["out", "in", "both", "up"]), "evidence": st.sampled_from(["u1", "u2"])},
    )
    quoted = [{"unit": "u2", "quote": words.hero}], [{"quote": "无此句"}]
    evidence = st.sampled_from([None, "u2", ["u2"], ["u1"], *quoted])
    return {
        "types": st.one_of(types, st.lists(types, max_size=2)),
        "seq_window": st.one_of(st.just({"from": 1, "to": 1}), st.just([9, 1]), odd),
        "exclude_recent_messages": st.one_of(st.integers(-1, 3), odd),
        "seed_ids": st.one_of(ids, st.lists(ids, max_size=3), odd),
        "query": st.one_of(names, odd),
        "node_id": ids,
        "source_node_id": ids,
        "target_node_id": ids,
        "relation": st.sampled_from(RELATIONS),
        "direction": st.sampled_from([None, "out", "in", "both"]),
        "links": st.lists(row, max_size=2),
        "type": types,
        "title": st.one_of(st.none(), names, texts),
        "fields": fields,
        "set_fields": fields,
        "clear_fields": st.lists(st.sampled_from(COLUMNS), max_size=2),
        "ref": st.sampled_from(["", "hero", "@event", "char_1", "a b", words.hero]),
        "evidence": evidence,
        "child_ids": st.lists(ids, max_size=3),
        "depth": st.integers(-1, 2),
    }


@st.composite
def calls(draw: st.DrawFn, language: Language) -> tuple[str, dict[str, Any]]:
    """One tool call: mostly of the right shape, sometimes odd, sometimes with arguments nobody knows."""
    verb = draw(st.sampled_from([*VERBS, "node_edit", "node_edit", "node_create", "link_upsert"]))
    pool = arguments_for(language)
    given_: dict[str, Any] = {}
    for name in ARGUMENTS.get(verb, ()):
        if draw(st.integers(0, 9)) < 7 or name in ("type", "node_id", "source_node_id", "links"):
            given_[name] = draw(pool.get(name, odd) if draw(st.integers(0, 9)) else odd)
    if verb in ("node_create", "node_edit") and draw(st.integers(0, 3)) == 0:
        summary = "" if draw(st.booleans()) else None
        given_ = _event_call(draw, language, verb, summary)
    if draw(st.integers(0, 19)) == 0:
        given_[draw(st.sampled_from(["node", "x", "self", "session"]))] = draw(odd)
    return verb, given_


def _event_call(draw: st.DrawFn, language: Language, verb: str, tail: str | None) -> dict[str, Any]:
    words = WORDS[language]
    day, said = draw(st.integers(1, 4)), draw(st.integers(1, 9))
    label = {"zh": ("时间", "地点"), "en": ("Time", "Place")}[language]
    prose = words.prose.format(n=said)
    summary = f"{label[0]}: {words.time.format(n=day)}\n{label[1]}: {words.town}\n\n{prose}"
    final = "最终 prose" if language == "zh" else "Final prose"
    thought = f"<thought>{said}{day}\n{final}:\n{summary}{tail or ''}\n</thought>"
    if verb == "node_create":
        return {"type": "event", "fields": {"summary": summary}, "thought": thought}
    target = draw(st.sampled_from(["@event", "event_1", "event_2", "event_3"]))
    return {"node_id": target, "set_fields": {"summary": summary}, "thought": thought}


@contextmanager
def second_dispatch(language: Language) -> Iterator[tuple[Path, Story, DispatchSession]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library"
        with a_story(path, language, turns=3) as story:
            curate(story, story.units()[0])
            yield path, story, opened(story, story.units()[1:2])


def editable(session: DispatchSession) -> None:
    """A roll-call that leaves the agent much to do."""
    words = WORDS[session.language]
    columns = changes("goal", "title", "aliases", "traits", "language_sample")
    people = [
        entry(session, name, decision="EDIT", node_id=session.find_by_name(name).title_exact[0], changes=columns)
        for name in (words.hero, words.pupil)
    ]
    session.submit_roll_call(roll_call(session, characters=tuple(people)))


def finish(session: DispatchSession) -> None:
    """Do what the roll-call promised and is still undone, then write the event if there is none."""
    words = WORDS[session.language]
    for name in (words.hero, words.pupil):
        for found in session.reader.find_by_name(name, ["character_sheet"]):
            if found.node_id not in session.written_ids() and found.via == "title":
                session.node_edit(found.node_id, {"goal": words.thread})
    if not session.event_id:
        previous = session.node("event_1").time_to or ""
        n = next((n for n in range(2, 10) if words.time.format(n=n) >= previous), 9)
        write_event(session, summary=summary_of(session, n, open_threads=()))


@pytest.mark.parametrize("language", ["zh", "en"])
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_random_calls_never_break_a_dispatch(language: Language, data: st.DataObject) -> None:
    with second_dispatch(language) as (path, story, session):
        if data.draw(st.integers(0, 4)):
            editable(session)
        for number in range(data.draw(st.integers(1, 12))):
            verb, args = data.draw(calls(language))
            before = session.snapshot()
            message = AIMessage("", tool_calls=[{"name": f"memory_{verb}", "args": args, "id": str(number)}])
            [answer] = run_tool_calls(session, message)
            if answer.status == "error":
                assert session.snapshot() == before, (verb, args, answer.content)
            again = restored(session)
            assert again.snapshot() == session.snapshot(), (verb, args)
            str(answer.content).encode("utf-8")
        if session.roll_call is None:
            editable(session)
        try:
            finish(session)
        except WriteRefused:
            return
        commit_and_audit(path, story, session)


def commit_and_audit(path: Path, story: Story, session: DispatchSession) -> None:
    try:
        draft = session.facts_draft()
    except WriteRefused:
        return
    json.dumps(draft.meta, ensure_ascii=False).encode("utf-8")
    story.commit(draft)
    with Library.open(path) as library:
        report = audit(library)
    hard = [(node, v.rule, v.message) for _, node, v in report.violations if v.severity == "hard"]
    assert hard == []
    assert report.clean, report.problems


def outcome(session: DispatchSession, verb: str, args: dict[str, Any]) -> str | None:
    """What a refused call says; None where it was answered."""
    try:
        getattr(session, verb)(**args)
    except TalekeeperError as error:
        return str(error)
    return None


@pytest.mark.parametrize("language", ["zh", "en"])
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(verb=st.sampled_from(VERBS), data=st.data())
def test_odd_arguments_are_refused_or_read(language: Language, verb: str, data: st.DataObject) -> None:
    with second_dispatch(language) as (_, _, session):
        editable(session)
        for _ in range(6):
            args = {name: data.draw(odder) for name in ARGUMENTS.get(verb, ())}
            before = session.snapshot()
            told = outcome(session, verb, args)
            if told is not None:
                assert session.snapshot() == before
                assert len(told.encode("utf-8")) < 20_000
            assert restored(session).snapshot() == session.snapshot()


@pytest.mark.parametrize("language", ["zh", "en"])
@given(text=st.one_of(odd_text, st.lists(st.sampled_from(MARKS)).map("".join)))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_response_can_be_observed(language: Language, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder, a_story(Path(folder) / "library", language, turns=1) as story:
        session = opened(story, story.units())
        try:
            session.observe(text)
        except WriteRefused:
            assert session.roll_call is None
        except ArgumentRefused:
            pytest.fail("a response has no arguments")
        assert restored(session).snapshot() == session.snapshot()


def test_a_thought_is_used_once(tmp_path: Path) -> None:
    with a_story(tmp_path, "zh") as story:
        session = opened(story, story.units()[:1])
        summary = summary_of(session)
        session.observe(thought_for(session, summary) * 2)
        assert len(session.snapshot()["thoughts"]["pending"]) == 1
