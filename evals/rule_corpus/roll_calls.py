"""Roll-calls and writes that break R1–R5, and ones that keep them in unusual ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from talekeeper.evals.rule_corpus.sample import Corpus, Sample, World, broken, pick, valid, worlds
from talekeeper.memory.models import Language, NameMatch
from talekeeper.memory.schema import default_schema
from talekeeper.rules.subjects import (
    ActiveThreadEntry,
    EntityEntry,
    FieldChange,
    NewThreadEntry,
    RollCall,
    RollCallSubject,
    WriteSubject,
)

PERSON, PLACE, THREAD = "character_sheet", "location_state", "thread"
_UNKNOWN: Any = "KEEP"
_COLUMNS = {spec.name: spec.table_columns for spec in default_schema().types}


def base(world: World) -> RollCallSubject:
    """A right roll-call: the first of the cast is edited, the second skipped, the third created, one thread swept."""
    a, b, c = world.cast
    zh = world.language == "zh"
    why = "本批里他受了伤，身份随之改变" if zh else "he was wounded in this batch and lost his post"
    keep = "只在场旁听，长期身份与目标没有变化" if zh else "was only present; goal and identity stay as they are"
    fresh = "第一次登场，查无此人" if zh else "appears here for the first time, nobody of that name"
    change = FieldChange("identity", "旧职" if zh else "clerk", "新职" if zh else "captain")
    entries = (
        EntityEntry(a, ("char_1",), (), "EDIT", "char_1", (change,), why),
        EntityEntry(b, (), ("char_2",), "SKIP", "char_2", (), keep),
        EntityEntry(c, (), (), "CREATE", None, (), fresh),
    )
    place = EntityEntry(world.scenes[0].place, ("place_1",), (), "SKIP", "place_1", (), keep)
    untouched = "这一批没有触及它的目标" if zh else "this batch doesn't touch its goal"
    thread = ActiveThreadEntry("thread_1", world.thread, "SKIP", untouched)
    return RollCallSubject(
        RollCall(entries, (place,), (), (thread,)),
        {PERSON: world.cast, PLACE: (world.scenes[0].place,)},
        {
            a: (NameMatch("char_1", PERSON, a, "title", a),),
            b: (NameMatch("char_2", PERSON, f"{b}?", "alias", b),),
            c: (),
            world.scenes[0].place: (NameMatch("place_1", PLACE, world.scenes[0].place, "title", ""),),
        },
        {"thread_1": world.thread},
        _COLUMNS,
    )


def _call(subject: RollCallSubject, **parts: Any) -> RollCallSubject:
    return replace(subject, roll_call=replace(subject.roll_call, **parts))


def _entry(subject: RollCallSubject, at: int, **parts: Any) -> RollCallSubject:
    entries = list(subject.roll_call.characters)
    entries[at] = replace(entries[at], **parts)
    return _call(subject, characters=tuple(entries))


def _listed(language: Language) -> Iterator[Sample]:
    """R1."""
    shorthands = pick(
        language, ("全部都是新的", "其余角色无变化", "无变化"), ("all new", "the rest: no change", "nobody else")
    )
    for world in worlds(language):
        subject = base(world)
        people = subject.roll_call.characters
        for at, name in enumerate(world.cast):
            yield broken(_call(subject, characters=people[:at] + people[at + 1 :]), f"{name} left out")
        yield broken(_call(subject, locations=()), "the place left out")
        for text in shorthands:
            yield broken(_call(subject, shorthand=text), text)
        yield broken(_entry(subject, 0, name=f"{world.cast[0]}、{world.cast[1]}"), "two names in one entry")
        yield broken(_entry(subject, 1, name=pick(language, ("其他人",), ("the others",))[0]), "the others")
        yield broken(_entry(subject, 2, name=" "), "no name")
        yield valid(subject, "as it is")
        yield valid(_call(subject, characters=people[::-1]), "another order")
        yield valid(_call(subject, characters=(*people, replace(people[2], name="Zed"))), "one more than expected")
        yield valid(_entry(subject, 0, name=f" {world.cast[0].upper()} "), "another case")
        some = {PERSON: world.cast[:1], PLACE: (world.scenes[0].place,)}
        yield valid(replace(subject, expected=some), "fewer expected")
        yield valid(replace(subject, expected={PLACE: (world.scenes[0].place,)}), "no person expected")
        again = {**subject.looked_up, "Zed": subject.looked_up[world.cast[0]]}
        named = replace(subject, looked_up=again, expected={**subject.expected, PERSON: (*world.cast, "Zed")})
        yield valid(named, "an alias whose bearer is listed")


def _answers(language: Language) -> Iterator[Sample]:
    """R2."""
    for world in worlds(language):
        subject = base(world)
        a, b, c = world.cast
        yield broken(_entry(subject, 0, title_hits=("char_9",)), f"{a}: another id")
        yield broken(_entry(subject, 0, title_hits=()), f"{a}: a hit left out")
        yield broken(_entry(subject, 0, title_hits=("char_1", "char_9")), f"{a}: an id too many")
        yield broken(_entry(subject, 1, title_hits=("char_2",), alias_hits=()), f"{b}: alias told as title")
        yield broken(_entry(subject, 1, alias_hits=()), f"{b}: alias left out")
        yield broken(_entry(subject, 2, alias_hits=("char_2",)), f"{c}: a hit that isn't")
        yield broken(_entry(subject, 2, name="Zed"), "never asked for")
        answers = {name: found for name, found in subject.looked_up.items() if name != b}
        yield broken(replace(subject, looked_up=answers), f"{b} never asked for")
        yield valid(subject, "as it is")
        yield valid(_call(subject, characters=subject.roll_call.characters[:1]), "fewer entries")
        yield valid(_entry(subject, 0, name=a.upper()), "another case")
        both = (*subject.looked_up[a], NameMatch("char_7", PERSON, "Zed", "alias", a))
        told = replace(subject, looked_up={**subject.looked_up, a: both})
        yield broken(told, f"{a}: one of two hits left out")
        yield valid(_entry(told, 0, alias_hits=("char_7",)), f"{a}: both hits told")
        twice = (*subject.looked_up[a], NameMatch("char_1", PERSON, a, "alias", a))
        by_both = replace(subject, looked_up={**subject.looked_up, a: twice})
        yield valid(by_both, f"{a}: title and alias of one node")
        yield valid(replace(subject, looked_up={**subject.looked_up, "Zed": both}), "a name asked for besides")


def _decisions(language: Language) -> Iterator[Sample]:
    """R3."""
    vague = pick(language, ("补充信息", "更新", "有变化。"), ("more info", "update", "added details."))
    empty = pick(language, ("", "无变化", "略"), ("", "no change", "same as above"))
    good = pick(
        language,
        ("补充信息：他在本批里被任命为船长", "更新身份，因为他被免职", "断臂之后不能再执剑"),
        ("update: he was made captain in this batch", "more information: he lost his arm", "lost his post"),
    )
    for world in worlds(language):
        subject = base(world)
        change = subject.roll_call.characters[0].changes[0]
        yield broken(_entry(subject, 2, title_hits=("char_3",)), "CREATE over a title")
        yield broken(_entry(subject, 2, alias_hits=("char_3",)), "CREATE over an alias")
        yield broken(_entry(subject, 0, node_id=None), "EDIT of nothing")
        yield broken(_entry(subject, 0, node_id="char_9"), "EDIT of another")
        yield broken(_entry(subject, 0, changes=()), "EDIT without fields")
        yield broken(_entry(subject, 0, changes=(replace(change, field="mood"),)), "EDIT of no column")
        yield broken(_entry(subject, 0, changes=(replace(change, after=change.before),)), "EDIT that changes nothing")
        for reason in vague:
            yield broken(_entry(subject, 0, reason=reason), f"EDIT because {reason}")
        for reason in empty:
            yield broken(_entry(subject, 1, reason=reason), f"SKIP because {reason!r}")
        yield broken(_entry(subject, 1, decision="KEEP"), "a decision that isn't")
        yield valid(subject, "as it is")
        yield valid(_entry(subject, 2, reason=""), "CREATE without a reason")
        yield valid(_entry(subject, 0, changes=(change, replace(change, field="goal"))), "two fields")
        yield valid(_entry(subject, 0, changes=(replace(change, before=""),)), "a field that was empty")
        for reason in good:
            yield valid(_entry(subject, 0, reason=reason), f"EDIT because {reason}")
            yield valid(_entry(subject, 1, reason=reason), f"SKIP because {reason}")


def _follows(language: Language) -> Iterator[Sample]:
    """R4."""
    for world in worlds(language):
        a, b, c = world.cast
        hooks = (NewThreadEntry(world.thread, "CREATE", 1), NewThreadEntry("Zed?", "SKIP"))
        swept = (
            ActiveThreadEntry("thread_1", "A", "SKIP"),
            ActiveThreadEntry("thread_2", "B", "EDIT"),
            ActiveThreadEntry("thread_3", "C", "RESOLVED"),
        )
        call = replace(base(world).roll_call, new_threads=hooks, active_threads=swept)
        bad = (
            WriteSubject(call, "create", PERSON, ("Zed",)),
            WriteSubject(call, "create", PERSON, (a,)),
            WriteSubject(call, "create", PERSON, (b, "Zed")),
            WriteSubject(call, "create", PLACE, (c,)),
            WriteSubject(call, "edit", PERSON, node_id="char_2", fields=("goal",)),
            WriteSubject(call, "edit", PERSON, node_id="char_9", fields=("identity",)),
            WriteSubject(call, "edit", PERSON, node_id="char_1", fields=("goal",)),
            WriteSubject(call, "edit", PERSON, node_id="char_1", fields=("identity", "traits")),
            WriteSubject(call, "create", THREAD, ("Zed",)),
            WriteSubject(call, "create", THREAD, ("Zed?",)),
            WriteSubject(call, "edit", THREAD, node_id="thread_1", fields=("note",)),
            WriteSubject(call, "edit", THREAD, node_id="thread_2", fields=("status",), status="resolved"),
            WriteSubject(call, "edit", THREAD, node_id="thread_3", fields=("status",), status="abandoned"),
        )
        good = (
            WriteSubject(call, "create", PERSON, (c,)),
            WriteSubject(call, "create", PERSON, (c.upper(), "Zed")),
            WriteSubject(call, "edit", PERSON, node_id="char_1", fields=("identity",)),
            WriteSubject(call, "edit", PERSON, node_id="char_1"),
            WriteSubject(call, "create", THREAD, (world.thread,)),
            WriteSubject(call, "edit", THREAD, node_id="thread_2", fields=("note",)),
            WriteSubject(call, "edit", THREAD, node_id="thread_3", fields=("note", "status"), status="resolved"),
            WriteSubject(call, "create", "event", ("Zed",)),
        )
        yield from (broken(s, f"{s.op} {s.type} {s.names or s.node_id} {s.fields}") for s in bad)
        yield from (valid(s, f"{s.op} {s.type} {s.names or s.node_id} {s.fields}") for s in good)


def _swept(language: Language) -> Iterator[Sample]:
    """R5."""
    reason = pick(language, ("信已送到，目标达成",), ("the letter arrived, so its goal is reached",))[0]
    vague = pick(language, ("", "无变化", "同上"), ("", "unchanged", "as above"))
    for world in worlds(language):
        subject = base(world)
        line = subject.roll_call.active_threads[0]
        none = replace(subject, active_threads={})
        yield broken(_call(subject, active_threads=()), "left out")
        yield broken(_call(subject, active_threads=(), said_no_active=True), "said there is none")
        yield broken(replace(subject, active_threads={**subject.active_threads, "thread_2": "Zed"}), "one of two")
        yield broken(_call(subject, active_threads=(line, replace(line, node_id="thread_9"))), "one that isn't active")
        yield broken(_call(subject, active_threads=(line, replace(line, decision="RESOLVED"))), "two lines disagree")
        yield broken(_call(subject, active_threads=(replace(line, decision=_UNKNOWN),)), "a decision that isn't")
        yield broken(_call(none, active_threads=()), "none, and not said")
        for text in vague:
            yield broken(_call(subject, active_threads=(replace(line, reason=text),)), f"because {text!r}")
        yield valid(subject, "as it is")
        yield valid(_call(none, active_threads=(), said_no_active=True), "none, and said")
        for decision in ("SKIP", "EDIT", "RESOLVED", "ABANDONED"):
            told = replace(line, decision=decision, reason=reason)
            yield valid(_call(subject, active_threads=(told,)), f"{decision} because {reason}")
        two = replace(subject, active_threads={**subject.active_threads, "thread_2": "Zed"})
        yield valid(_call(two, active_threads=(line, replace(line, node_id="thread_2", title="Zed"))), "two of two")
        yield valid(_call(subject, active_threads=(line, line)), "the same line twice")
        yield valid(_call(subject, active_threads=(replace(line, title="?"),)), "another title, the right id")


CORPUS: Corpus = {"R1": _listed, "R2": _answers, "R3": _decisions, "R4": _follows, "R5": _swept}
