"""The form of a leaf event's summary: two header lines, a blank line, prose, up to three sections.

Parsing never fails: it returns what is there, each part with its span in the given string, and the faults of form that
the rules then report. Rendering writes the one right form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import Labels, lexicon
from talekeeper.rules.scan import Line, lines

SECTIONS = ("irreversible", "open_threads", "excerpts")
_COLONS = (":", "：")
_UNKNOWN_HEADER = re.compile(r"[^\s\-*•:：。！？.!?,，；;]{1,12}(?: [^\s:：。！？.!?,，；;]{1,12})?[:：]")
_THREAD_ROW = re.compile(r'→\s*thread\s*["“「](.+)["”」]\s*')
_EXCERPT_ROW = re.compile(r'([^"“「:：]{1,60})[:：]\s*["“「](.*)["”」]\s*', re.DOTALL)
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FormFault:
    """What is wrong with the form: ``kind`` names the fault, ``span`` where, ``name`` the section concerned."""

    kind: str
    span: Span
    name: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One section as it stands: its kind, its header's span, and its rows without the ``- ``."""

    kind: str
    header: Span
    rows: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class EventText:
    """A leaf event's summary in parts.

    Attributes:
        time, place: header values; empty if the header is missing.
        prose: body text, its paragraphs as written.
        irreversible, open_threads, excerpts: rows; thread titles; (label, verbatim) pairs.
        faults: faults of form found while parsing; empty for what ``render`` wrote.
        spans: span of ``time``, ``place`` and ``prose`` in the parsed string.
        sections: every section as it stands, repeated and unknown ones included.
    """

    time: str
    place: str
    prose: str
    irreversible: tuple[str, ...] = ()
    open_threads: tuple[str, ...] = ()
    excerpts: tuple[tuple[str, str], ...] = ()
    faults: tuple[FormFault, ...] = field(default=(), compare=False)
    spans: dict[str, Span] = field(default_factory=dict, compare=False)
    sections: tuple[Section, ...] = field(default=(), compare=False)


def render(event: EventText, language: Language) -> str:
    """The summary in its one right form; lines end with LF, nothing follows the last row."""
    labels = lexicon(language).labels
    blocks = [f"{labels.time[0]}: {event.time}\n{labels.place[0]}: {event.place}", event.prose]
    rows = {
        "irreversible": [f"- {row}" for row in event.irreversible],
        "open_threads": [f'- → thread "{title}"' for title in event.open_threads],
        "excerpts": [f'- {label}: "{verbatim}"' for label, verbatim in event.excerpts],
    }
    blocks += ["\n".join([f"{section_label(labels, kind)}:", *rows[kind]]) for kind in SECTIONS if rows[kind]]
    return "\n\n".join(blocks)


def section_label(labels: Labels, kind: str) -> str:
    """The header word that code writes for a section."""
    words: tuple[str, ...] = getattr(labels, kind)
    return words[0]


@lru_cache(maxsize=8)
def parse(summary: str, language: Language) -> EventText:
    """The parts of a summary and its faults of form."""
    labels = lexicon(language).labels
    rows = lines(summary)
    faults: list[FormFault] = []
    spans: dict[str, Span] = {}
    values: dict[str, str] = {}
    for index, name in enumerate(("time", "place")):
        found = _header(rows[index], getattr(labels, name)) if index < len(rows) else None
        if found is None:
            line = rows[min(index, len(rows) - 1)]
            faults.append(FormFault(f"no_{name}", (line.start, line.end)))
        else:
            spans[name], values[name] = found, summary[found[0] : found[1]]
    body = rows[2:]
    if body and not body[0].blank:
        faults.append(FormFault("no_blank_line", (body[0].start, body[0].end)))
    prose, sections, more = _body(body, labels)
    spans["prose"] = prose
    kept = [s for s in sections if s.kind in SECTIONS]
    texts = {k: [summary[a:b] for s in kept if s.kind == k for a, b in s.rows] for k in SECTIONS}
    threads = [m[1] for row in texts["open_threads"] if (m := _THREAD_ROW.fullmatch(row))]
    quotes = [(m[1].strip(), m[2]) for row in texts["excerpts"] if (m := _EXCERPT_ROW.fullmatch(row))]
    return EventText(
        time=values.get("time", ""),
        place=values.get("place", ""),
        prose=summary[prose[0] : prose[1]],
        irreversible=tuple(texts["irreversible"]),
        open_threads=tuple(threads),
        excerpts=tuple(quotes),
        faults=tuple(faults + more),
        spans=spans,
        sections=tuple(sections),
    )


def _header(line: Line, names: Iterable[str]) -> Span | None:
    """Span of the value after ``name:``; None if the line is another one or has no value."""
    for name in names:
        for colon in _COLONS:
            if line.text.startswith(name + colon):
                value = line.text[len(name) + 1 :]
                start = line.start + len(name) + 1 + len(value) - len(value.lstrip())
                end = start + len(value.strip())
                return (start, end) if value.strip() else None
    return None


def _body(body: list[Line], labels: Labels) -> tuple[Span, list[Section], list[FormFault]]:
    """Prose up to the first section header, then the sections with the faults of their form."""
    starts = [i for i in range(len(body)) if _section_kind(body, i, labels)]
    first = starts[0] if starts else len(body)
    filled = [line for line in body[:first] if not line.blank]
    at = body[0].start if body else 0
    prose = (filled[0].start, filled[-1].end) if filled else (at, at)
    sections: list[Section] = []
    faults: list[FormFault] = []
    for begin, end in zip(starts, [*starts[1:], len(body)], strict=False):
        kind = _section_kind(body, begin, labels)
        section, more = _section(body[begin], body[begin + 1 : end], kind)
        sections.append(section)
        faults += more
    return prose, sections, faults + _order_faults(sections)


def _section_kind(body: list[Line], index: int, labels: Labels) -> str:
    """``irreversible``, ``open_threads``, ``excerpts``, ``unknown`` for another header over rows, or empty."""
    text = body[index].text.strip()
    if len(text) > 80 or not text:
        return ""
    for kind in SECTIONS:
        for name in getattr(labels, kind):
            if text.startswith((f"{name}:", f"{name}：")):
                return kind
    follows = next((line.text for line in body[index + 1 : index + 3] if not line.blank), "")
    if _UNKNOWN_HEADER.fullmatch(text) and follows.lstrip().startswith("- "):
        return "unknown"
    return ""


def _section(header: Line, following: list[Line], kind: str) -> tuple[Section, list[FormFault]]:
    start, end, text = header.stripped()
    faults: list[FormFault] = []
    if kind == "unknown":
        faults.append(FormFault("unknown_section", (start, end), text))
    if not text.endswith(_COLONS):
        faults.append(FormFault("inline_content", (start, end), text))
    rows: list[Span] = []
    for line in following:
        if line.blank:
            continue
        left, right, bare = line.stripped()
        if bare.startswith("- ") and bare[2:].strip():
            body = bare[2:]
            rows.append((left + 2 + len(body) - len(body.lstrip()), right))
        else:
            faults.append(FormFault("stray_line", (left, right), text))
    if not rows and kind != "unknown":
        faults.append(FormFault("empty_section", (start, end), text))
    return Section(kind, (start, end), tuple(rows)), faults


def _order_faults(sections: list[Section]) -> list[FormFault]:
    faults: list[FormFault] = []
    seen: list[str] = []
    for section in sections:
        if section.kind not in SECTIONS:
            continue
        if section.kind in seen:
            faults.append(FormFault("repeated_section", section.header, section.kind))
        elif seen and SECTIONS.index(section.kind) < max(SECTIONS.index(k) for k in seen):
            faults.append(FormFault("section_order", section.header, section.kind))
        seen.append(section.kind)
    return faults
