"""The one event of a dispatch, without a model: header, who was there, the few sentences that matter, bound rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from talekeeper.agents.builtin.case import Case, Desk
from talekeeper.agents.builtin.cast import Member
from talekeeper.agents.builtin.digest import chosen, points
from talekeeper.agents.builtin.point import Point
from talekeeper.agents.builtin.scene import own_place
from talekeeper.agents.builtin.sentences import MASK
from talekeeper.agents.builtin.thought import leaf_thought
from talekeeper.agents.builtin.topics import topics
from talekeeper.agents.builtin.words import Words, words_for
from talekeeper.agents.protocols import Briefing, EventDraft, LinkOp
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import RollCall

_NAMED = 4
"""People named in the opening sentence before the rest become "and others"."""
_LONG = 1200
"""Code points of a batch from which five sentences are kept instead of four."""


@dataclass(frozen=True)
class EventParts:
    """An event before it is put into its form."""

    time: str
    place: str
    opening: str
    points: tuple[Point, ...]
    irreversible: tuple[str, ...]
    open_threads: tuple[str, ...]
    excerpts: tuple[tuple[str, str], ...]


class BuiltinScribe:
    """Extracts; never invents."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def write(
        self,
        briefing: Briefing,
        roll_call: RollCall,
        written: Mapping[str, str],
        violations: tuple[Violation, ...] = (),
    ) -> EventDraft:
        """The event; a retry falls back to the opening sentence, which code built word for word."""
        case = self._desk.case(briefing)
        parts = _parts(case, roll_call, bare=bool(violations))
        if any(v.rule == "E1" for v in violations):
            parts = replace(parts, time=own_calendar(case), place=own_place(case.cast, case.words, briefing))
        summary = render(parts, case)
        return EventDraft(leaf_thought(case, parts, summary), summary, "", _links(case, roll_call, written))


def _parts(case: Case, roll_call: RollCall, *, bare: bool) -> EventParts:
    changes = () if bare else irreversible_rows(case)
    found = [] if bare else points(case.reading, case.cast, case.words)
    kept = chosen(
        found, case.briefing.batch_text, case.words, 5 if len(case.briefing.batch_text) > _LONG else 4, changes
    )
    opened = tuple(t.title for t in roll_call.new_threads if t.decision == "CREATE")
    excerpts = () if bare else excerpt_rows(case)
    opening = "" if kept else _opening(case, talk=bool(_spoken(case)))
    return EventParts(case.scene.time, case.scene.place, opening, kept, changes, opened, excerpts)


def own_calendar(case: Case) -> str:
    """The story's own calendar, for a text whose time no rule accepts."""
    return case.words.form("first_time", day=1, part="", turn=max(case.briefing.batch[-1].turn, 1))


def _spoken(case: Case) -> bool:
    return bool(case.reading.speech or case.reading.quotes)


def _opening(case: Case, *, talk: bool) -> str:
    """Who was there, said by code: the one sentence that an event always has."""
    words, place = case.words, case.scene.place
    people = list(case.cast.present) or list(case.cast.persons)
    names = [m.title for m in people[:_NAMED]]
    named_place = re.search(words.form("place_of_mark"), place) is None
    if not names:
        return words.form("quiet", place=place) if named_place else words.form("quiet_only")
    shown = words.join(names)
    if len(people) > _NAMED:
        shown = words.form("and_others", names=words.text("joiner").join(names))
    subjects = topics(case.reading, case.cast, words) if talk else ()
    if talk and len(names) == 1 and subjects:
        form = "talk_alone" if named_place else "spoke"
    elif talk and len(names) > 1:
        form = ("talk" if subjects else "talk_plain") if named_place else ("talk_only" if subjects else "talked")
    elif not named_place:
        form = "together" if len(names) > 1 else "lead"
    else:
        form = "alone" if len(people) == 1 else "lead_place"
    were = "was" if len(people) == 1 else "were"
    return words.form(form, names=shown, place=place, topics=words.join(subjects), were=were)


def irreversible_rows(case: Case) -> tuple[str, ...]:
    """Permanent changes that the narration states, each as one short sentence."""
    rows: dict[str, None] = {}
    lines = [case.cast.marker.mark(s.text.replace(MASK, "")) for s in case.reading.narration]
    unsure = "没有|未|不|若|如果|险些|差点|几乎|要是|假" if case.zh else r"\b(?:not|never|if|almost|nearly|would)\b|n't"
    for raw, form in case.words.data["irreversible"]:
        pattern = case.words.named(raw)
        for line in lines:
            for match in pattern.finditer(line.text):
                if re.search(unsure, line.text[max(0, match.start() - 6) : match.end()]):
                    continue
                named = {k: case.cast.title_of(line.plain(v)) for k, v in match.groupdict().items() if v}
                if named.get("who") != named.get("other"):
                    rows.setdefault(form.format(**named), None)
    return tuple(rows)[:3]


def excerpt_rows(case: Case) -> tuple[tuple[str, str], ...]:
    """Wording that must survive letter by letter: what a letter says, what an oath swears."""
    rows: dict[str, str] = {}
    oath = case.words.named(case.words.text("oath"))
    for text, marked in zip(case.reading.texts, case.cast.marked, strict=True):
        for match in case.words.pattern("excerpt").finditer(text):
            rows.setdefault(match["text"].strip(), match["label"])
        for match in oath.finditer(marked.text):
            label = case.words.text("oath_label").format(who=case.cast.title_of(marked.plain(match["who"])))
            rows.setdefault(marked.plain(match["text"]).strip(), label)
    return tuple((label, text) for text, label in rows.items())[:2]


def render(parts: EventParts, case: Case) -> str:
    """The summary in its form: two header lines, prose, and only those sections that have rows."""
    zh = case.zh
    lines = [f"{'时间' if zh else 'Time'}: {parts.time}", f"{'地点' if zh else 'Place'}: {parts.place}", ""]
    lines.append(prose_of(parts, zh))
    for title, rows in (
        ("不可逆" if zh else "Irreversible", parts.irreversible),
        ("未结" if zh else "Open", tuple(f'→ thread "{t}"' for t in parts.open_threads)),
        ("原文摘录" if zh else "Excerpts", tuple(f'{label}: "{text}"' for label, text in parts.excerpts)),
    ):
        if rows:
            lines += ["", f"{title}:", *(f"- {row}" for row in rows)]
    return "\n".join(lines)


def prose_of(parts: EventParts, zh: bool) -> str:
    """Opening, chosen sentences, and each permanent change that these don't already say."""
    sentences = [*filter(None, [parts.opening]), *(p.text for p in parts.points)]
    for row in parts.irreversible:
        if not any(_says(row, sentence, words_for("zh" if zh else "en")) for sentence in sentences):
            sentences.append(f"{row}。" if zh else f"{row[:1].upper()}{row[1:]}.")
    return ("" if zh else " ").join(sentences)


def _says(row: str, sentence: str, words: Words) -> bool:
    """Whether a sentence tells of a permanent change: its very words, or who and what stand in it."""
    ends = [part for part in words.pattern("row_joints").split(row) if part]
    return row in sentence or (len(ends) > 1 and all(end in sentence for end in ends))


def _links(case: Case, roll_call: RollCall, written: Mapping[str, str]) -> tuple[LinkOp, ...]:
    links = []
    for member in case.cast.persons:
        target = _id_of(member, written)
        if target:
            relation = "involved_in" if member.acts or member.speaks else "mentions"
            links.append(LinkOp("@event", relation, target))
    place = next((m for m in case.cast.places if m.title == case.scene.place_title), None)
    target = _id_of(place, written) if place else None
    if target:
        links.append(LinkOp("@event", "occurred_at", target))
    opened = [t.title for t in roll_call.new_threads if t.decision == "CREATE"]
    links.extend(LinkOp("@event", "advances", written[title]) for title in opened if title in written)
    links.extend(LinkOp("@event", "advances", v.node.id) for v in case.verdicts if v.decision != "SKIP")
    return tuple(dict.fromkeys(links))


def _id_of(member: Member, written: Mapping[str, str]) -> str | None:
    if member.ambiguous:
        return None
    return member.node_id or next((written[s] for s in (member.title, *member.surfaces) if s in written), None)
