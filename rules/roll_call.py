"""The roll-call as it stands in a response: what the look-ups answered and what was decided, name by name.

Code renders one fixed form; the parser also takes the looser forms that models write (a reason in brackets after the
decision, 从 X 改为 Y). A line that stands where an entry is due and names nobody is kept as ``shorthand`` for R1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise

from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import RollCallLabels, lexicon
from talekeeper.rules.scan import lines
from talekeeper.rules.subjects import EntityEntry, RollCall

_SWEPT = {
    "SKIP": "SKIP",
    "EDIT": "EDIT note",
    "RESOLVED": "EDIT status=resolved",
    "ABANDONED": "EDIT status=abandoned",
}


_DRESS = ' \t#*_>`-"'
"""Characters that a reader takes for Markdown when they open or close a line."""
_HEADING_DRESS = " \t#*_`"
"""The same before a heading: behind ``>`` stands what somebody else wrote."""


def has_roll_call(text: str, language: Language) -> bool:
    """The text holds a roll-call: its heading at the start of a line. Speaking of one is none."""
    return bool(blocks(text, language))


def blocks(text: str, language: Language) -> list[str]:
    """Every roll-call of a text, each from its heading to the next one or the end."""
    headers = lexicon(language).roll_call.header
    starts = [line.start for line in lines(text) if line.text.lstrip(_HEADING_DRESS).startswith(headers)]
    return [text[start:end] for start, end in pairwise([*starts, len(text)])]


def parse(text: str, language: Language) -> RollCall:
    """The roll-call in a response; an empty one where nothing of it is found."""
    from talekeeper.rules.roll_call_reader import read_roll_call

    return read_roll_call(text, language)


def render(roll_call: RollCall, language: Language) -> str:
    """The visible block. ``parse`` gives back what was rendered, except ``shorthand``."""
    labels = lexicon(language).roll_call
    rows = [labels.header[0]]
    rows += _entity_section(labels.characters[0], roll_call.characters, labels)
    rows += _entity_section(labels.locations[0], roll_call.locations, labels)
    rows.append(f"{labels.threads[0]}:")
    for hook in roll_call.new_threads:
        rows.append(f"  - {labels.name[0]}: {inline(hook.title)}")
        category = f" ({labels.category[0]}: {hook.category})" if hook.category is not None else ""
        rows.append(f"    {labels.decision[0]}: {hook.decision}{category}")
        rows += _reason(hook.reason, labels)
    if roll_call.active_threads:
        rows.append(f"  {labels.active[0]}:")
        for entry in roll_call.active_threads:
            title = json.dumps(entry.title, ensure_ascii=False)
            rows.append(f"    - {entry.node_id} {title}: {_SWEPT[entry.decision]}")
            rows += [f"  {row}" for row in _reason(entry.reason, labels)]
    elif roll_call.said_no_active:
        rows.append(f"  {labels.active[0]}: {labels.empty[0]}")
    return "\n".join(rows)


def _entity_section(heading: str, entries: Iterable[EntityEntry], labels: RollCallLabels) -> list[str]:
    rows: list[str] = []
    for entry in entries:
        rows.append(f"  - {labels.name[0]}: {inline(entry.name)}")
        hits = "; ".join(
            f"{label} = {', '.join(ids) or labels.empty[0]}"
            for label, ids in ((labels.title_hits[0], entry.title_hits), (labels.alias_hits[0], entry.alias_hits))
        )
        rows.append(f"    {labels.lookup[0]}: {hits}")
        rows.append(f"    {labels.decision[0]}: {entry.decision}" + (f" {entry.node_id}" if entry.node_id else ""))
        if entry.changes:
            rows.append(f"    {labels.changes[0]}:")
            for change in entry.changes:
                before, after = (json.dumps(v, ensure_ascii=False) for v in (change.before, change.after))
                rows.append(f"      * {inline(change.field)}: {before} {labels.into[0]} {after}")
        rows += _reason(entry.reason, labels)
    return [f"{heading}:", *rows] if rows else [f"{heading}: {labels.empty[0]}"]


def _reason(reason: str, labels: RollCallLabels) -> list[str]:
    return [f"    {labels.reason[0]}: {inline(reason)}"] if reason else []


def inline(text: str) -> str:
    """``text`` as one line that reads back the same: as it is where that is safe, else as a JSON string."""
    plain = text == " ".join(text.split()) and text.isprintable() and text == text.strip(_DRESS)
    return text if plain and text else json.dumps(text, ensure_ascii=False)


def outline(text: str) -> str:
    """The inverse of ``inline``."""
    bare = text.strip()
    if bare.startswith('"') and bare.endswith('"'):
        try:
            value = json.loads(bare)
        except ValueError:
            return bare
        return value if isinstance(value, str) else bare
    return bare
