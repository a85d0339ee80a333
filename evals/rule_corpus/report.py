"""The corpus's scores as a Markdown table (``docs/rules-report.md``)."""

from __future__ import annotations

from collections.abc import Sequence

from talekeeper.evals.rule_corpus.false_alarms import flagged, honest
from talekeeper.evals.rule_corpus.measure import Score
from talekeeper.evals.rule_corpus.sample import LANGUAGES
from talekeeper.rules.book import catalogue

_HEAD = """# How well the rules tell right from wrong

Made by `make rules-report`. For each rule a script breaks valid Chinese and English texts in many ways, and makes as
many texts that come close to a fault and are right. Recall is the share of broken texts that the rule reports,
precision the share of its reports that are right. A test holds both at 0.98 for every hard rule.

| rule | what it asks | broken | caught | recall | near-misses | false alarms | precision |
|---|---|---:|---:|---:|---:|---:|---:|
"""


def markdown(scores: Sequence[Score]) -> str:
    """The table, and what was got wrong beneath it."""
    statements = {rule.id: rule.statement["en"] for rule in catalogue()}
    rows = [_row(score, statements[score.rule]) for score in scores]
    wrong = [line for score in scores for line in _wrong(score)]
    tail = ["", "## What they got wrong", "", *(wrong or ["Nothing."]), "", "## Honest summaries", "", *_honest()]
    return _HEAD + "\n".join([*rows, *tail]) + "\n"


def _honest() -> list[str]:
    """How many honest summaries are flagged, and each that is flagged hard."""
    rows: list[str] = []
    for language in LANGUAGES:
        found = list(flagged(language))
        hard = [(item, [v for v in all_ if v.severity == "hard"]) for item, all_ in found]
        refused = [(item, faults) for item, faults in hard if faults]
        count = len(honest(language))
        rows.append(f"- {language}: {count} summaries, {len(refused)} flagged hard, {len(found)} flagged at all")
        rows += [f"  - {faults[0].rule} {faults[0].excerpt!r}" for _, faults in refused]
    return rows


def _row(score: Score, statement: str) -> str:
    name = score.rule if score.severity == "hard" else f"{score.rule} ({score.severity})"
    asked = statement.replace("|", "\\|")
    return (
        f"| {name} | {asked} | {score.broken} | {score.caught} | {score.recall:.3f} "
        f"| {score.near_misses} | {len(score.false_alarms)} | {score.precision:.3f} |"
    )


def _wrong(score: Score) -> list[str]:
    missed = [f"- {score.rule} missed {label}" for label in score.missed]
    return missed + [f"- {score.rule} cried over {label}" for label in score.false_alarms]
