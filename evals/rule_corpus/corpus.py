"""All generators of the corpus by rule id, listed here and nowhere else."""

from __future__ import annotations

from talekeeper.evals.rule_corpus import (
    classes,
    control,
    events,
    grounds,
    links,
    merging,
    nodes,
    places,
    protocol,
    roll_calls,
    rollups,
    sections,
    sheets,
    thoughts,
)
from talekeeper.evals.rule_corpus.sample import Corpus, Generator

_FAMILIES: tuple[Corpus, ...] = (
    protocol.CORPUS,
    roll_calls.CORPUS,
    events.CORPUS,
    sections.CORPUS,
    classes.CORPUS,
    grounds.CORPUS,
    sheets.CORPUS,
    thoughts.CORPUS,
    nodes.CORPUS,
    places.CORPUS,
    links.CORPUS,
    rollups.CORPUS,
    merging.CORPUS,
    control.CORPUS,
)


def generators() -> dict[str, Generator]:
    """Rule id → generator, in the order of the families."""
    return {rule: generator for family in _FAMILIES for rule, generator in family.items()}
