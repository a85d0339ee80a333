"""N7–N9 and N16: what belongs on a character's sheet, and whether the batch supports a change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from talekeeper.memory.text import fold
from talekeeper.rules.family import CHARACTER, EVENT, THREAD, rule
from talekeeper.rules.model import Violation
from talekeeper.rules.node_rules import SAMPLES, is_blank, items
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.prose_parts import within_a_name
from talekeeper.rules.section_rules import content
from talekeeper.rules.subjects import AliasUse, NodeSubject

SCENES = MESSAGES = 3
TRAIT_SCENES = 2
_SUPPORT = 0.2
_NAMES_AND_STATES = frozenset({"title", "aliases", "status", SAMPLES})
_IDENTITY_FAULTS = {"post": "N8_post", "role": "N8_role", "looks": "N8_looks", "self_named": "N8_self"}
_PARTS = {"state": ("traits", "N9_state"), "done": ("goal", "N9_done"), "vague_goal": ("goal", "N9_vague")}


def _texts(subject: NodeSubject, column: str) -> Iterator[tuple[str, str]]:
    """(where, text) for each text of a column."""
    value = subject.fields.get(column)
    if isinstance(value, str):
        yield f"fields.{column}", value
    elif isinstance(value, list | tuple):
        for index, text in enumerate(value):
            if isinstance(text, str):
                yield f"fields.{column}[{index}]", text


def _own_names(subject: NodeSubject) -> tuple[str, ...]:
    """What the character is called; 白发魔女 is no remark on looks."""
    return tuple(name for name in (subject.title, *items(subject.fields.get("aliases"))) if len(name) > 1)


def _is_sheet(subject: NodeSubject) -> bool:
    return subject.spec.name == CHARACTER and not subject.deleting


def alias_is_used(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N7."""
    if subject.spec.name == EVENT or subject.deleting:
        return
    before = {fold(name) for name in items((subject.before or {}).get("aliases"))}
    places = [fold(name) for name in subject.place_names]
    for where, alias in _texts(subject, "aliases"):
        key = fold(alias)
        if not key or key in before:
            continue
        if subject.spec.name == CHARACTER and any(key in place for place in places):
            yield pack.report("N7", "part_of_place", where=where, excerpt=alias)
        elif subject.alias_uses is not None and not _used(subject.alias_uses, alias):
            yield pack.report("N7", "rare", where=where, excerpt=alias, scenes=SCENES)


def _used(uses: Mapping[str, AliasUse], alias: str) -> bool:
    use = uses.get(alias) or uses.get(fold(alias)) or AliasUse()
    return use.declared or use.scenes >= SCENES or use.user_messages >= MESSAGES


def lasting_identity(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N8."""
    if not _is_sheet(subject):
        return
    names = _own_names(subject)
    for column in pack.words.identity_columns:
        if column not in subject.spec.table_columns:
            continue
        for where, text in _texts(subject, column):
            hits = pack.words.classes.hits(text)
            for fault, listed in _IDENTITY_FAULTS.items():
                for span in hits[listed]:
                    if not within_a_name(text, span, names):
                        yield pack.report("N8", fault, where=where, text=text, span=span)


def lasting_parts(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N9."""
    if not _is_sheet(subject):
        return
    for fault, (column, listed) in _PARTS.items():
        for where, text in _texts(subject, column):
            for span in pack.words.classes.hits(text)[listed]:
                yield pack.report("N9", fault, where=where, text=text, span=span)
    for where, text in _texts(subject, "inventory"):
        if any(span == (0, len(text)) for span in pack.words.classes.hits(text)["N9_daily"]):
            yield pack.report("N9", "daily", where=where, text=text, span=(0, len(text)))
    if subject.trait_scenes is not None:
        for where, trait in _texts(subject, "traits"):
            if subject.trait_scenes.get(trait, TRAIT_SCENES) < TRAIT_SCENES:
                yield pack.report("N9", "once", where=where, excerpt=trait)


def supported(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N16. Only edits: what a create says is judged field by field elsewhere."""
    if subject.before is None or subject.deleting or not subject.batch_text or subject.spec.name in (EVENT, THREAD):
        return
    batch = content(subject.batch_text, pack.words)
    for column in subject.sent:
        before = subject.before.get(column)
        if column in _NAMES_AND_STATES or subject.fields.get(column) == before:
            continue
        for where, text in _texts(subject, column):
            added = _added(text, before, pack)
            if added and len(added & batch) < _SUPPORT * len(added):
                yield pack.report("N16", "unsupported", where=where, excerpt=text, column=column)


def _added(text: str, before: Any, pack: LanguagePack) -> set[str]:
    """What the new value is about and the old one was not."""
    if is_blank(before):
        return content(text, pack.words)
    return content(text, pack.words) - content(" ".join(items(before)), pack.words)


RULES = (
    rule("N7", "node", alias_is_used, "soft"),
    rule("N8", "node", lasting_identity),
    rule("N9", "node", lasting_parts, "soft"),
    rule("N16", "node", supported, "soft"),
)
