"""The nearest right thing: what a wrong column, id, type, relation or quotation most likely meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz, process, utils

from talekeeper.memory.errors import NotFound
from talekeeper.memory.models import Node
from talekeeper.memory.text import fold
from talekeeper.tools.view import StagedView

_ID = re.compile(r"[a-z][a-z0-9]*_[0-9]+")
_LIMIT = 3
_LONGEST = 200
_LONGEST_TEXT = 20_000
"""Nothing near is looked for behind these many characters: alignment costs the product of both lengths."""


def nearest(asked: str, choices: Iterable[str], limit: int = _LIMIT) -> tuple[str, ...]:
    """Up to ``limit`` choices, best first; never empty while there are choices, so that a hint can always be given."""
    ranked = process.extract(
        asked[:_LONGEST], list(dict.fromkeys(choices)), scorer=fuzz.WRatio, processor=utils.default_process, limit=limit
    )
    close = tuple(choice for choice, score, _ in ranked if score >= 60)
    return close or tuple(choice for choice, _, _ in ranked[:1])


def nearest_nodes(asked: str, view: StagedView, types: Sequence[str] | None = None) -> tuple[str, ...]:
    """Ids, each with its title, that a wrong node id most likely meant: bearers of the name first, all of them."""
    asked = asked[:_LONGEST]
    bearers = view.find_by_name(asked, types)
    if bearers:
        return tuple(f"{m.node_id} ({m.title})" for m in bearers)
    within = _ID.search(fold(asked))
    if within is not None and view.exists(within[0]):
        return (label(view.node(within[0])),)
    staged = {label(node): node for node in view.staged_nodes(types)}
    here = [name for name in nearest(asked, staged) if fuzz.WRatio(asked, name) >= 60]
    refs = nearest(asked.removeprefix("@"), view.staging.refs) if asked.startswith("@") else ()
    try:
        view.reader.node(asked)
    except NotFound as absent:
        return tuple(dict.fromkeys([*(f"@{ref}" for ref in refs), *here, *absent.nearest]))[:5]
    return tuple(here)


def nearest_passage(quote: str, text: str, margin: int = 0) -> str:
    """The passage of ``text`` that is most like ``quote``."""
    if not quote or not text:
        return ""
    found = fuzz.partial_ratio_alignment(quote[:_LONGEST], text[:_LONGEST_TEXT])
    if found is None:
        return ""
    return text[max(found.dest_start - margin, 0) : found.dest_end + margin]


def label(node: Node) -> str:
    """``char_3 (张三)``."""
    return f"{node.id} ({node.title})" if node.title else node.id
