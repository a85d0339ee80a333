"""N1–N6 and N10: what every node write must satisfy, and the samples of a character's speech."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from talekeeper.memory.text import fold, name_keys
from talekeeper.rules import titles
from talekeeper.rules.copying import copied
from talekeeper.rules.event_form import parse
from talekeeper.rules.family import CHARACTER, EVENT, THREAD, rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.subjects import NodeSubject

SAMPLES = "language_sample"
MOST_SAMPLES = 3
SAMPLE_CHARACTERS = 30
_LONGEST_LABEL = 20
_NAMES = frozenset({"title", "aliases"})
_BRACKETED = {"[": "]", "【": "】", "(": ")", "（": "）", "〔": "〕", "<": ">"}
_QUOTES = "\"'“”‘’「」『』 "


def is_blank(value: Any) -> bool:
    """Nothing to read in it: None, white space, or a list of such."""
    if isinstance(value, str):
        return not any(c.isprintable() and not c.isspace() for c in value)
    if isinstance(value, Sequence):
        return all(is_blank(item) for item in value)
    return value is None


def items(value: Any) -> list[str]:
    """A field's value as a list of texts; a text counts line by line."""
    if value is None:
        return []
    if isinstance(value, str):
        return [line.strip() for line in value.split("\n") if line.strip()]
    if isinstance(value, Mapping):
        return [f"{key}: {text}" for key, text in value.items()]
    return [str(item) for item in value if not is_blank(item)] if isinstance(value, Sequence) else [str(value)]


def known_columns(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N1."""
    columns = subject.spec.table_columns
    for name in dict.fromkeys([*subject.sent, *subject.fields, *subject.cleared]):
        if name in columns:
            continue
        near = get_close_matches(str(name).casefold()[:60], columns, n=1, cutoff=0.3)
        values = {"columns": pack.listed(columns), "right": near[0] if near else "", "type": subject.spec.name}
        yield pack.report("N1", "near" if near else "unknown", where=f"fields.{name}", excerpt=str(name), values=values)


def required_filled(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N2."""
    if subject.deleting:
        return
    for name in subject.spec.required_columns:
        value = subject.title if name == "title" else subject.fields.get(name)
        if name in subject.cleared:
            yield pack.report("N2", "cleared", where=f"fields.{name}", column=name)
        elif is_blank(value) or (name in subject.sent and is_blank(subject.sent[name])):
            yield pack.report("N2", "empty", where=f"fields.{name}", column=name)


def bare_title(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N3. Events and threads have no name of their own: what their title may be is another rule's matter."""
    title, words = subject.title, pack.words
    if subject.spec.name in (EVENT, THREAD) or subject.deleting:
        return
    person = subject.spec.name == CHARACTER
    if span := titles.brackets(title, words):
        yield pack.report("N3", "brackets", where="title", text=title, span=span)
    if person and (found := titles.prefix(title, words)):
        span, kind = found
        yield pack.report("N3", kind, where="title", text=title, span=span, name=title[span[1] :].strip(" .·的"))
    elif not titles.brackets(title, words) and (span := titles.bilingual(title, words, person=person)):
        yield pack.report("N3", "bilingual", where="title", text=title, span=span)
    elif span := titles.second_name(title):
        yield pack.report("N3", "joined", where="title", text=title, span=span)


def no_namesake(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N4. Two people may go by one name, so an edit may add an alias that another bears; it can't take over a title."""
    if subject.deleting or (subject.before is not None and subject.before.get("title") == subject.title):
        return
    taken = set(name_keys(subject.title))
    for match in subject.namesakes:
        if subject.before is None or (match.via == "title" and taken & set(name_keys(match.title))):
            yield pack.report("N4", match.via, where="title", excerpt=match.name, node=match.node_id, title=match.title)


def editable(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N5."""
    spec = subject.spec
    if subject.deleting:
        if not (spec.deletable and spec.editable):
            yield pack.report("N5", "undeletable", where="type", type=spec.name)
        return
    if subject.before is None:
        return
    if not spec.editable:
        yield pack.report("N5", "uneditable", where="type", type=spec.name)
        return
    before = subject.before
    renamed = before.get("title", subject.title) != subject.title
    same = [n for n, v in subject.sent.items() if _same(before.get(n), v) and not (n == "title" and renamed)]
    cleared = [name for name in subject.cleared if not is_blank(before.get(name))]
    if len(same) == len(subject.sent) and not cleared and not renamed:
        yield pack.report("N5", "no_change", where="fields")
        return
    for name in same:
        yield pack.report("N5", "unchanged", where=f"fields.{name}", column=name)


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        return list(before) == list(after)
    return bool(before == after)


def own_words(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N6. Names are copied by nature, samples and excerpts on purpose; an event's headers and thread rows are names."""
    if subject.deleting or not subject.batch_text:
        return
    for name, value in subject.fields.items():
        if name in _NAMES or name == SAMPLES:
            continue
        if subject.before is not None and name in subject.before and _same(subject.before[name], value):
            continue
        many = isinstance(value, list | tuple)
        for index, text in enumerate(value if many else (value,)):
            if isinstance(text, str):
                where = f"fields.{name}[{index}]" if many else f"fields.{name}"
                yield from _copies(text, where, subject, pack)


def _copies(text: str, where: str, subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    ends = pack.words.sentence_ends
    parts = [(0, len(text))]
    if subject.spec.name == EVENT and where == "fields.summary":
        event = parse(text, pack.language)
        rows = [row for s in event.sections if s.kind in ("irreversible", "unknown") for row in s.rows]
        parts = [event.spans["prose"], *rows] if "time" in event.spans else parts
    for start, stop in parts:
        for a, b in copied(text[start:stop], subject.batch_text, ends):
            yield pack.report("N6", "copied", where=where, text=text, span=(start + a, start + b))


def samples(subject: NodeSubject, pack: LanguagePack) -> Iterator[Violation]:
    """N10."""
    if SAMPLES not in subject.spec.table_columns or subject.deleting:
        return
    where = f"fields.{SAMPLES}"
    after = items(subject.fields.get(SAMPLES))
    before = items(subject.before.get(SAMPLES)) if subject.before else []
    if after == before:
        return
    if len(after) > MOST_SAMPLES:
        yield pack.report("N10", "too_many", where=where, count=len(after), limit=MOST_SAMPLES)
    for index, sample in enumerate(after):
        if sample in before:
            continue
        said = spoken_part(sample)
        if said is None:
            yield pack.report("N10", "unlabelled", where=f"{where}[{index}]", excerpt=sample)
        elif len(said) > SAMPLE_CHARACTERS:
            limits = {"count": len(said), "limit": SAMPLE_CHARACTERS}
            yield pack.report("N10", "too_long", where=f"{where}[{index}]", excerpt=sample, values=limits)
    kept = {fold(sample) for sample in after}
    lost = [sample for sample in before if fold(sample) not in kept]
    if lost and not _identity_changes(subject, pack):
        yield pack.report("N10", "rewritten", where=where, excerpt=lost[0])


def spoken_part(sample: str) -> str | None:
    """What is said in ``战斗中: 都退后`` or ``[at work] step back``; None if no label of its scene stands before it."""
    text = sample.strip()
    close = _BRACKETED.get(text[:1])
    end = text.find(close, 1, _LONGEST_LABEL + 2) if close else -1
    if end > 1 and text[end + 1 :].strip(" :："):
        return text[end + 1 :].strip(" :：").strip(_QUOTES)
    cut = min((at for c in ":：|｜" if (at := text.find(c)) > 0), default=-1)
    if not 0 < cut <= 2 * _LONGEST_LABEL or not text[:cut].strip(_QUOTES) or text[0] in _QUOTES:
        return None
    return text[cut + 1 :].strip().strip(_QUOTES) or None


def _identity_changes(subject: NodeSubject, pack: LanguagePack) -> bool:
    before = subject.before or {}
    names = [name for name in pack.words.identity_columns if name in subject.spec.table_columns]
    return any(not _same(before.get(name), subject.fields.get(name)) for name in names)


RULES = (
    rule("N1", "node", known_columns),
    rule("N2", "node", required_filled),
    rule("N3", "node", bare_title),
    rule("N4", "node", no_namesake),
    rule("N5", "node", editable),
    rule("N6", "node", own_words),
    rule("N10", "node", samples),
)
