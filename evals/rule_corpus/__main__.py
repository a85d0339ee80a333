"""``python -m talekeeper.evals.rule_corpus [RULE …]``: score rules, print JSON, write the docs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from talekeeper.evals.bench.measure import as_json
from talekeeper.evals.rule_corpus.corpus import generators
from talekeeper.evals.rule_corpus.measure import measure, without_corpus
from talekeeper.evals.rule_corpus.report import markdown
from talekeeper.rules import handbook

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main() -> None:
    """Score what was asked for, all by default; the docs are written only for all."""
    parser = argparse.ArgumentParser(prog="talekeeper.evals.rule_corpus", description=__doc__)
    parser.add_argument("rules", nargs="*", metavar="RULE", help="rule ids (default: all)")
    parser.add_argument("--docs", type=Path, default=DOCS, help="folder for rules.md and rules-report.md")
    given = parser.parse_args()
    strangers = sorted(set(given.rules) - set(generators()))
    if strangers:
        parser.error(f"no corpus for {', '.join(strangers)}")
    scores = measure(given.rules or None)
    print(as_json({"rules": [score.as_dict() for score in scores], "without_corpus": without_corpus()}))
    if not given.rules:
        given.docs.mkdir(parents=True, exist_ok=True)
        (given.docs / "rules-report.md").write_text(markdown(scores), encoding="utf-8")
        (given.docs / "rules.md").write_text(handbook.markdown(), encoding="utf-8")
        print(f"written: {given.docs / 'rules.md'}, {given.docs / 'rules-report.md'}", file=sys.stderr)


if __name__ == "__main__":
    main()
