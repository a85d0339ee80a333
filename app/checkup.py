"""The work behind ``doctor``: the audit with its progress shown, its report as plain dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from talekeeper.app.output import Output
from talekeeper.app.progress import shown_progress
from talekeeper.app.views import library_view

if TYPE_CHECKING:
    from talekeeper.memory.library import Library
    from talekeeper.memory.story import Story


def check_library(library: Library, stories: Sequence[Story] | None, out: Output) -> dict[str, Any]:
    """``{library, clean, checked, hard, soft, problems, by_rule, settings, violations: [{story, node, rule, …}]}``."""
    from talekeeper.app.handbook import by_rule
    from talekeeper.graph.audit import audit

    chosen = list(stories) if stories is not None else [library.story(info.id) for info in library.stories()]
    total = sum(story.unit_count() for story in chosen)
    with shown_progress(out.err, out.words("checking"), total, out.words("unit_turn")) as advance:
        report = audit(library, chosen, on_progress=lambda done, of, title: advance(done, title))
    rows = [{"story": story, "node": node, **asdict(v)} for story, node, v in report.violations]
    return {
        "library": library_view(library),
        "clean": report.clean,
        "checked": dict(report.checked),
        "hard": sum(row["severity"] == "hard" for row in rows),
        "soft": sum(row["severity"] == "soft" for row in rows),
        "problems": list(report.problems),
        "by_rule": by_rule(rows),
        "settings": {story.title: dict(story.rule_settings) for story in chosen if story.rule_settings},
        "violations": rows,
    }
