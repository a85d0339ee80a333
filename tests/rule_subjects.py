"""Valid subjects of every scope, and hostile ones, for tests of rules. Samples are ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talekeeper.memory.models import Language, NameMatch
from talekeeper.memory.schema import default_schema
from talekeeper.rules.book import RuleBook
from talekeeper.rules.model import Scope, Violation
from talekeeper.rules.subjects import (
    ActiveThreadEntry,
    ChildSummary,
    ClosingSubject,
    EntityEntry,
    EventSubject,
    FieldChange,
    LinkSubject,
    NewThreadEntry,
    NodeSubject,
    ProtocolSubject,
    RollCall,
    RollCallSubject,
    RollupSubject,
    SweepSubject,
    SweptThread,
    ThoughtSubject,
    WriteSubject,
)

SCHEMA = default_schema()
BOOKS: dict[Language, RuleBook] = {"zh": RuleBook("zh"), "en": RuleBook("en")}
EVENT: dict[Language, str] = {
    "zh": "时间: 2157-01-15 09:00\n地点: 观景舱・东侧\n\n"
    "林晚把父亲的信交给沈砚，沈砚答应替她送到北港。两人约定三天后在码头会合。\n\n"
    '不可逆:\n- 信已离开林晚之手\n\n未结:\n- → thread "北港送信"\n\n原文摘录:\n- 信封: "父亲亲启"',
    "en": "Time: Day 3, evening\nPlace: Harrow's loft\n\n"
    "Mara gave the guards' ledger to Tom. He didn't open it, but he agreed to carry it to Northport.\n\n"
    "Irreversible:\n- The ledger left Mara's hands\n\nOpen threads:\n"
    '- → thread "Ledger to Northport"\n\nExcerpts:\n- Seal: "By hand only"',
}


def faults(language: Language, scope: Scope, subject: Any, rule: str) -> list[Violation]:
    """What one rule has against a subject."""
    return [v for v in BOOKS[language].check(scope, subject) if v.rule == rule]


def event(language: Language, *, time: str = "", place: str = "", prose: str = "", tail: str = "") -> str:
    """A summary with the parts given and plain ones for the rest."""
    if language == "zh":
        return f"时间: {time or '2157-01-15 09:00'}\n地点: {place or '观景舱'}\n\n{prose or '林晚离开了观景舱。'}{tail}"
    return f"Time: {time or '2157-01-15 09:00'}\nPlace: {place or 'The Loft'}\n\n{prose or 'Mara left the loft.'}{tail}"


def node(type_: str, title: str, *, edit_of: dict[str, Any] | None = None, **fields: Any) -> NodeSubject:
    """A create, or an edit of ``edit_of`` (title included) that sends ``fields``."""
    spec = SCHEMA.type(type_)
    assert spec is not None
    if edit_of is None:
        image = {"title": title, **fields}
        return NodeSubject(spec, title, image, image)
    sent = dict(fields) if title == edit_of.get("title", title) else {"title": title, **fields}
    return NodeSubject(spec, title, {**edit_of, "title": title, **fields}, sent, before=edit_of)


def hostile(text: str) -> Iterator[tuple[Scope, Any]]:
    """Subjects of every scope with ``text`` wherever a text can stand."""
    yield "event", EventSubject(text, batch_text=text, previous_time=text)
    yield "event", EventSubject(f"时间: {text}\n地点: {text}\n\n{text}\n\n不可逆:\n- {text}\n\n未结:\n{text}")
    yield "event", EventSubject(f"Time: {text}\nPlace: {text}\n\n{text}\n\nExcerpts:\n- {text}")
    names, quoted = frozenset({text, text[:3]}), f"“{text}”\n'{text}'"
    for head, rows in (("时间: 1\n地点: 1", f"不可逆:\n- {text}"), ("Time: 1\nPlace: 1", f"Irreversible:\n- {text}")):
        whole = f"{head}\n\n{text}\n\n{rows}"
        yield "event", EventSubject(whole, quoted, text, names, (text,), names, names, names, text, names)
        yield "sweep", SweepSubject(whole, (SweptThread(text, text, text), SweptThread("thread_1", text[:6])))
    yield "thought", ThoughtSubject(text, text)
    yield "thought", ThoughtSubject(f"<thought>最终 prose:\n{text}\n</thought>", f"{text}x")
    for spec in SCHEMA.types:
        plain = dict.fromkeys(spec.table_columns, text)
        listed = {column: [text, ""] for column in spec.table_columns}
        yield "node", NodeSubject(spec, text, plain, plain, batch_text=text)
        yield "node", NodeSubject(spec, text, listed, {text: text}, (text,), plain, batch_text=text[::-1])
        yield "node", NodeSubject(spec, text, plain, plain, before=plain, deleting=True)
    yield "link", LinkSubject(SCHEMA.vocabulary, text, text, text, direction=text, source_type=text)
    yield "rollup", RollupSubject(text, (text,), (text, text), (ChildSummary(text, text, text, text, True),), 2)
    outline = f"时间: {text} 至 {text};\n1) {text} ({text})\n2) {text}"
    yield "rollup", RollupSubject(outline, (text,), (), (ChildSummary("event_1", text),), 3)
    yield "closing", ClosingSubject(text, {text: 1, "groups": 2}, True)
    many = (text,)
    yield "protocol", ProtocolSubject((text, "event", "create"), 2, True, {text: 2}, *[many] * 7)
    yield from _hostile_roll_calls(text)


def _hostile_roll_calls(text: str) -> Iterator[tuple[Scope, Any]]:
    entry = EntityEntry(text, (text,), (text,), "EDIT", text, (FieldChange(text, text, text),), text)
    skip = EntityEntry(text, (), (), "SKIP", None, (), text)
    hook = NewThreadEntry(text, "CREATE", 1, text)
    roll_call = RollCall((entry, skip), (entry,), (hook,), (ActiveThreadEntry(text, text, "SKIP", text),), True, text)
    match = NameMatch(text, text, text, "title", text)
    yield "roll_call", RollCallSubject(roll_call, {text: (text,)}, {text: (match,)}, {text: text}, {text: (text,)})
    for type_ in ("character_sheet", "thread", text):
        yield "write", WriteSubject(roll_call, "create", type_, (text,), text, (text,), text)
        yield "write", WriteSubject(roll_call, "edit", type_, (text,), text, (text,), text)
