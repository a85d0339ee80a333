"""The repair message for every rule: whole, short, and in the story's language."""

from __future__ import annotations

import re

import pytest

from talekeeper.evals.rule_corpus.corpus import generators
from talekeeper.memory.models import Language
from talekeeper.rules.book import catalogue
from talekeeper.rules.pack import phrases
from talekeeper.rules.repair import repair_message
from tests.rule_subjects import BOOKS

RULES = {rule.id: rule for rule in catalogue()}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("rule", list(generators()))
def test_what_breaks_a_rule_is_told_whole_and_short(rule: str, language: Language) -> None:
    sample = next(s for s in generators()[rule](language) if s.breaks)
    found = BOOKS[language].check(RULES[rule].scope, sample.subject)
    text = repair_message(found, language)
    assert {f"[{v.rule}]" for v in found} == set(re.findall(r"\[[A-Z]\d+\]", text))
    assert len(text) <= 250 * len({(v.rule, v.mend) for v in found}) + 120
    severities = [v.severity for v in found]
    assert severities == sorted(severities)


def test_every_phrase_stands_in_both_languages_with_the_same_names() -> None:
    for rule, faults in phrases().items():
        for fault, texts in faults.items():
            assert set(texts) == {"zh", "en"}, (rule, fault)
            names = [set(re.findall(r"\{(\w+)\}", " ".join(texts[name].values()))) for name in ("zh", "en")]
            assert names[0] == names[1], (rule, fault)
            assert not re.search("[一-鿿]{4}", texts["en"]["message"].replace("最终", "")), (rule, fault)
