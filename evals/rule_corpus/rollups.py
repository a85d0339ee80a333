"""To be filled."""

from __future__ import annotations

from talekeeper.evals.rule_corpus.sample import Corpus

CORPUS: Corpus = {}
