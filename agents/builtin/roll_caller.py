"""The roll-call without a model: each name that appears, what the look-up said, and one of three decisions."""

from __future__ import annotations

import re
from typing import Any

from talekeeper.agents.builtin.case import Case, Desk
from talekeeper.agents.builtin.cast import Member
from talekeeper.agents.builtin.found import PERSON, PLACE, Found
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.words import Words
from talekeeper.agents.protocols import Appearance, Briefing, ProposedName
from talekeeper.memory.models import Evidence
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import (
    ActiveThreadEntry,
    EntityEntry,
    FieldChange,
    NewThreadEntry,
    RollCall,
)

_EDITABLE = ("aliases", "controller")
"""Fields of a known node that stated facts may change; an identity is only written with a new sheet."""


class BuiltinRollCaller:
    """Names by evidence in the text, decisions by whether the look-up found them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def propose_names(self, briefing: Briefing) -> tuple[ProposedName, ...]:
        """Names of the batch beyond those already looked up, each with the span of its first mention."""
        reading = self._desk.read(briefing)
        known = {a.name for a in briefing.appearing} | set(reading.speakers)
        found = {a.name for a in briefing.appearing if a.matches}
        titles = [m.title for a in briefing.appearing for m in a.matches] + sorted(known - found)
        told = _told_of(briefing, self._desk.words)
        proposed: dict[str, ProposedName] = {}
        for item in reading.found:
            if item.name in known or item.alias_of or self._is_variant(item, titles):
                continue
            if not any(item.name in text for text in reading.texts) and known & _aliases_of(item.name, reading):
                continue  # its only trace in the text is a name that somebody else bears
            name = self._full_name(item, told)
            span = Evidence.of(reading.units[item.unit], item.start, item.end)
            if name not in known:
                proposed.setdefault(name, ProposedName(name, item.type, span))
        for alias, who in reading.aliases.items():  # 姓乐名进，字文谦: the alias is what stands in the text
            if who in proposed and alias not in known and not any(who in text for text in reading.texts):
                proposed.setdefault(alias, ProposedName(alias, PERSON, proposed[who].evidence))
        return tuple(proposed.values())

    def _is_variant(self, item: Found, titles: list[str]) -> bool:
        """A given name of somebody known (志强 of 曹志强, Elias of Elias Vane), or the reverse, is no new person."""
        if item.type != PERSON:
            return any(item.name in title or (len(title) > 1 and title in item.name) for title in titles)
        if self._desk.words.language == "en":
            mine = item.name.split()
            return any(_same_person(mine, title.split()) for title in titles)
        given = any(t.endswith(item.name) and 0 < len(t) - len(item.name) <= 2 for t in titles)
        return given or any(len(t) > 1 and item.name.startswith(t) for t in titles)

    def _full_name(self, item: Found, told: list[str]) -> str:
        """The full name that recent events use for a short one, so that it is the known person who is looked up."""
        if item.type != PERSON or " " in item.name:
            return item.name
        full = [t for t in told if t != item.name and item.name in t.split()]
        if self._desk.words.language == "zh":
            full = [t for t in told if t.endswith(item.name) and 0 < len(t) - len(item.name) <= 2]
        return full[0] if len(full) == 1 else item.name

    def call(self, briefing: Briefing, violations: tuple[Violation, ...] = ()) -> RollCall:
        """The roll-call; a retry holds on to no optional edit."""
        case = self._desk.case(briefing)
        bare = bool(violations)
        done: set[tuple[str, str]] = set()
        entries: dict[str, list[EntityEntry]] = {PERSON: [], PLACE: []}
        for appearance in briefing.appearing:
            if appearance.type in entries:
                entries[appearance.type].append(_entry(case, appearance, done, bare))
        return RollCall(
            tuple(entries[PERSON]), tuple(entries[PLACE]), _new_threads(case), _sweep(case), not case.verdicts
        )


def _aliases_of(name: str, reading: Reading) -> set[str]:
    return {alias for alias, who in reading.aliases.items() if who == name}


def _same_person(mine: list[str], theirs: list[str]) -> bool:
    if not theirs or not mine:
        return False
    if len(mine) == 1 or len(theirs) == 1:
        return mine[0] in theirs or theirs[0] in mine
    return mine == theirs


def _told_of(briefing: Briefing, words: Words) -> list[str]:
    """Names that the last events speak of: who was there, as their opening sentences say."""
    found: dict[str, None] = {}
    for node in (*briefing.recent, *((briefing.last_event,) if briefing.last_event else ())):
        summary = str(node.fields.get("summary", ""))
        if words.language == "en":
            found |= dict.fromkeys(re.findall(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b", summary))
        else:
            opening = summary.split("\n\n")[1:2]
            names = re.split("[、与]", re.split("在|等|独自", opening[0])[0]) if opening else []
            found |= dict.fromkeys(n for n in names if 2 < len(n) <= 4)
    return list(found)


def _entry(case: Case, appearance: Appearance, done: set[tuple[str, str]], bare: bool) -> EntityEntry:
    hits = [m for m in appearance.matches if m.type == appearance.type]
    title_hits = tuple(dict.fromkeys(m.node_id for m in hits if m.via == "title"))
    alias_hits = tuple(dict.fromkeys(m.node_id for m in hits if m.via == "alias"))
    member = case.cast.by_surface.get(appearance.name)
    key = (appearance.type, member.title if member else appearance.name)
    other_name = member is not None and not hits and member.title != appearance.name
    first = key not in done and not (other_name and member is not None and member.node_id is None)
    if first:
        done.add(key)
    if hits:
        changes = () if bare or not first or member is None else _changes(case, member)
        if changes and member is not None and member.node_id:
            reason = _say(case, "正文明言此项", "the text states it outright")
            return EntityEntry(appearance.name, title_hits, alias_hits, "EDIT", member.node_id, changes, reason)
        return EntityEntry(appearance.name, title_hits, alias_hits, "SKIP", None, (), _skip_reason(case, member))
    if member is not None and member.narrator:
        reason = _say(
            case,
            "是旁白或剧本的名字，不是故事里的人物，没有长期字段",
            "names the narrator or scenario, nobody in the story",
        )
        return EntityEntry(appearance.name, (), (), "SKIP", None, (), reason)
    if not first:
        reason = _say(
            case, f"与{key[1]}是同一个，本轮没有新的长期事实", f"the same as {key[1]}, with no lasting fact of its own"
        )
        return EntityEntry(appearance.name, (), (), "SKIP", None, (), reason)
    reason = _say(case, "检索无匹配，本轮首次出场", "no match, first appearance")
    return EntityEntry(appearance.name, (), (), "CREATE", None, (), reason)


def _changes(case: Case, member: Member) -> tuple[FieldChange, ...]:
    node = case.briefing.nodes.get(member.node_id or "")
    if node is None:
        return ()
    changes = []
    for field, after in wanted_fields(case, member).items():
        if field not in _EDITABLE:
            continue
        before = node.fields.get(field)
        if field == "aliases":
            held = list(before or [])
            fresh = [a for a in after if a not in held and a != node.title]
            if fresh:
                changes.append(FieldChange(field, "、".join(held), "、".join([*held, *fresh])))
        elif before != after and not before:
            changes.append(FieldChange(field, str(before or ""), str(after)))
    return tuple(changes)


def wanted_fields(case: Case, member: Member) -> dict[str, Any]:
    """The fields that this batch states for a member: ``aliases`` as a list, others as text."""
    fields: dict[str, Any] = {}
    aliases = [
        f.value for f in case.facts if f.title == member.title and f.type == member.type and f.field == "aliases"
    ]
    if aliases:
        fields["aliases"] = list(dict.fromkeys(aliases))
    for fact in case.facts:
        if fact.title == member.title and fact.type == member.type and fact.field != "aliases":
            fields[fact.field] = fact.value
    return fields


def _skip_reason(case: Case, member: Member | None) -> str:
    if member is None:
        return _say(case, "本轮只被提到，长期字段没有变化", "only mentioned, no lasting field changes")
    if member.ambiguous:
        return _say(
            case,
            "这个称呼不止一人使用，正文没有说明是谁，不动任何一人",
            "several bear this name and the text does not say which",
        )
    if member.type == PLACE:
        return _say(
            case,
            f"本轮只在{member.title}发生事情，归属、设施与风险都没有变化",
            f"things happen at {member.title}, but who holds it and what it is stay as they are",
        )
    if not (member.acts or member.speaks):
        return _say(
            case,
            f"本轮只有人提到{member.title}，身份、性格与目标没有新事实",
            f"{member.title} is only spoken of, no new lasting fact",
        )
    return _say(
        case,
        f"{member.title}本轮在场，身份、性格、目标与物品没有过了一天仍约束故事的变化",
        f"{member.title} is present, but identity, traits, goal and belongings do not change for good",
    )


def _new_threads(case: Case) -> tuple[NewThreadEntry, ...]:
    hook = case.hook
    if hook is None:
        return ()
    reason = _say(
        case,
        f"类别{hook.category}：{hook.kind}，要到另一场戏才能了结",
        f"category {hook.category}: {hook.kind}, which takes another scene to end",
    )
    return (NewThreadEntry(hook.title, "CREATE", hook.category, reason),)


def _sweep(case: Case) -> tuple[ActiveThreadEntry, ...]:
    return tuple(ActiveThreadEntry(v.node.id, v.node.title, v.decision, v.reason) for v in case.verdicts)


def _say(case: Case, zh: str, en: str) -> str:
    return zh if case.zh else en
