"""A small story in both languages, and dispatches over it, for the tests of the tools."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from talekeeper.memory.library import Library
from talekeeper.memory.models import Language, Message, Unit, UnitDraft
from talekeeper.memory.story import Story
from talekeeper.rules.book import RuleBook
from talekeeper.rules.event_form import EventText, render
from talekeeper.rules.subjects import ActiveThreadEntry, EntityEntry, FieldChange, NewThreadEntry, RollCall
from talekeeper.tools.errors import WriteRefused
from talekeeper.tools.session import DispatchSession
from tests.thoughts import honest_thought


@dataclass(frozen=True)
class Words:
    """What the sample story says, in one language."""

    hero: str
    pupil: str
    town: str
    thread: str
    note: str
    told: str
    time: str
    new: str
    same: str
    prose: str
    told_by: str


WORDS: Mapping[Language, Words] = {
    "zh": Words(
        hero="沈青",
        pupil="陆遥",
        town="青石镇",
        thread="归还铜镜",
        note="沈青答应把铜镜还给陆遥；铜镜交到陆遥手里时算作了结。",
        told="第{n}日上午，沈青来到青石镇，把第{n}套剑法教给陆遥，并答应日后归还铜镜。",
        time="第{n}日 上午",
        new="首次登场，身份长期有效",
        same="长期身份和目标都没有改变",
        prose="陆遥跟沈青学会第{n}套剑法。",
        told_by="旁白",
    ),
    "en": Words(
        hero="Mara",
        pupil="Tobin",
        town="Greywharf",
        thread="Return the bronze mirror",
        note="Mara agreed to give Tobin the mirror back; it counts as resolved when Tobin holds the mirror.",
        told="Early on day {n} Mara came to Greywharf, showed Tobin form number {n} and agreed to return the mirror.",
        time="Day {n}, morning",
        new="first appearance, a lasting identity",
        same="neither identity nor goal of the character changed",
        prose="Tobin learned form {n} from Mara.",
        told_by="Narrator",
    ),
}


@contextmanager
def a_story(path: Path, language: Language, turns: int = 8, *, schema_yaml: str = "") -> Iterator[Story]:
    """A story of ``turns`` turns in a library at ``path``."""
    with Library.open(path) as library:
        story = library.create_story("sample", language=language, schema_yaml=schema_yaml)
        story.add_units([turn(language, n) for n in range(1, turns + 1)])
        yield story


def turn(language: Language, n: int, *, hidden: bool = False) -> UnitDraft:
    words = WORDS[language]
    told = words.told.format(n=n)
    asked = f"{n}?"
    return UnitDraft(
        "turn",
        (
            Message("user", words.pupil, asked, asked, hidden=hidden),
            Message("character", words.hero, told, told),
        ),
    )


def opened(
    story: Story, batch: Sequence[Unit], *, names: Sequence[str] = (), autocommit: bool = False, dispatch_id: str = ""
) -> DispatchSession:
    """A dispatch that has read all that must be read before a roll-call."""
    words = WORDS[story.language]
    session = DispatchSession(
        story,
        story.reader(),
        batch,
        RuleBook(story.language),
        dispatch_id or "d_" + "_".join(unit.ref for unit in batch),
        author="tester",
        fingerprint="test",
        autocommit=autocommit,
    )
    session.schema()
    session.list_candidates(["event"])
    for name in (words.hero, words.pupil, words.town, *names):
        for match in session.find_by_name(name).matches:
            session.node_brief(match.node_id)
    for thread in session.reader.active_threads():
        session.node_brief(thread.id)
    return session


def entry(session: DispatchSession, name: str, **given: Any) -> EntityEntry:
    """A true roll-call entry: CREATE for a newcomer, SKIP for someone known, unless ``given`` says otherwise."""
    words = WORDS[session.language]
    answer = session.find_by_name(name)
    stored = [m for m in answer.matches if not session.node_brief(m.node_id).staged]
    title = tuple(m.node_id for m in stored if m.via == "title")
    alias = tuple(m.node_id for m in stored if m.via == "alias")
    decision = given.pop("decision", "SKIP" if stored else "CREATE")
    reason = given.pop("reason", words.same if decision == "SKIP" else words.new)
    return EntityEntry(name, title, alias, decision, reason=reason, **given)


def changes(*columns: str) -> tuple[FieldChange, ...]:
    return tuple(FieldChange(column, "before", "after") for column in columns)


def roll_call(session: DispatchSession, **given: Any) -> RollCall:
    """A roll-call that the rules accept for the sample batch."""
    words = WORDS[session.language]
    threads = session.reader.active_threads()
    parts: dict[str, Any] = {
        "characters": (entry(session, words.hero), entry(session, words.pupil)),
        "locations": (entry(session, words.town),),
        "new_threads": () if threads else (NewThreadEntry(words.thread, "CREATE", 1, words.new),),
        "active_threads": tuple(ActiveThreadEntry(t.id, t.title, "SKIP", words.same) for t in threads),
        "said_no_active": not threads,
    }
    return RollCall(**{**parts, **given})


def write_newcomers(session: DispatchSession) -> dict[str, str]:
    """Create whoever the roll-call said to create; name → id for everyone."""
    words, ids = WORDS[session.language], {}
    for name, type_ in (
        (words.hero, "character_sheet"),
        (words.pupil, "character_sheet"),
        (words.town, "location_state"),
    ):
        known = session.find_by_name(name).title_exact
        ids[name] = known[0] if known else session.node_create(type_, name).node_id
    if not session.reader.active_threads():
        ids[words.thread] = session.node_create("thread", words.thread, {"note": words.note}).node_id
    return ids


def summary_of(session: DispatchSession, n: int = 0, **given: Any) -> str:
    words = WORDS[session.language]
    number = n or session.batch[-1].turn
    new = [] if session.reader.active_threads() else [words.thread]
    parts: dict[str, Any] = {
        "time": words.time.format(n=number),
        "place": words.town,
        "prose": words.prose.format(n=number),
        "open_threads": tuple(new),
    }
    return render(EventText(**{**parts, **given}), session.language)


def thought_for(session: DispatchSession, summary: str, salt: str = "") -> str:
    events = session.reader.list_nodes(["event"], include_rolled_up=True)
    listed = [f"{unit.ref}: {summary}" for unit in session.batch]
    listed += [f"{node.id}: {node.fields.get('summary', '')}" for node in events]
    return honest_thought(summary, session.language, listed, salt)


def write_event(session: DispatchSession, **given: Any) -> str:
    summary = given.pop("summary", None) or summary_of(session)
    given.setdefault("thought", thought_for(session, summary))
    return session.node_create("event", fields={"summary": summary}, **given).node_id


def curate(story: Story, unit: Unit, n: int = 0) -> DispatchSession:
    """A whole dispatch of one unit, committed."""
    session = opened(story, [unit])
    session.submit_roll_call(roll_call(session))
    write_newcomers(session)
    write_event(session, **({"summary": summary_of(session, n)} if n else {}))
    session.commit_facts()
    return session


def state_of(session: DispatchSession) -> Mapping[str, Any]:
    """Everything a refused call must leave as it was."""
    return copy.deepcopy(session.snapshot())


def restored(session: DispatchSession) -> DispatchSession:
    """The same session after a trip through JSON, as a checkpoint makes it."""
    packed = json.loads(json.dumps(session.snapshot(), ensure_ascii=False))
    state = session._state
    return DispatchSession.restore(state.story, state.story.reader(), session.batch, state.rules, packed)


def refusal(session: DispatchSession, verb: str, *args: Any, **kwargs: Any) -> WriteRefused:
    """Call a tool that must be refused, and hold it to having changed nothing."""
    before = state_of(session)
    with pytest.raises(WriteRefused) as caught:
        getattr(session, verb)(*args, **kwargs)
    assert session.snapshot() == before
    return caught.value


def broken(refused: WriteRefused) -> set[str]:
    return {violation.rule for violation in refused.violations}
