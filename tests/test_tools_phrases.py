"""The wording files: complete in both languages, with the same placeholders, for rules that exist."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
import yaml

import talekeeper.tools
from talekeeper.rules.book import catalogue
from talekeeper.tools.errors import WriteRefused, worst_first
from talekeeper.tools.phrases import violation

FOLDER = Path(talekeeper.tools.__file__).parent
PHRASES = yaml.safe_load((FOLDER / "phrases.yaml").read_text("utf-8"))
TOOLS = yaml.safe_load((FOLDER / "tools.yaml").read_text("utf-8"))
SOURCE = "\n".join(path.read_text("utf-8") for path in FOLDER.glob("*.py"))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("key", sorted(PHRASES))
def test_a_phrase_is_whole_used_and_the_same_in_both_languages(key: str) -> None:
    entry = PHRASES[key]
    names = [placeholders(entry[lang]["message"] + entry[lang]["mend"]) for lang in ("zh", "en")]
    assert names[0] == names[1]
    assert entry["rule"] in {rule.id for rule in catalogue()}
    assert re.search(rf'(?:fault|violation)\(\s*"{key}"', SOURCE)
    for language in ("zh", "en"):
        made = violation(key, language, where="w", **dict.fromkeys(names[0], "x"))
        assert (made.rule, made.severity, made.where) == (entry["rule"], "hard", "w")
        assert made.message
        assert made.mend


def test_every_tool_and_argument_is_described_in_both_languages() -> None:
    described = [*TOOLS["common"].values(), *TOOLS["tools"].values()]
    described += [a for t in TOOLS["tools"].values() for a in t["arguments"].values() if isinstance(a, dict)]
    assert all(entry["zh"] and entry["en"] for entry in described)
    assert {
        a.rstrip("!") for t in TOOLS["tools"].values() for a in t["arguments"].values() if isinstance(a, str)
    } <= set(TOOLS["common"])
    for note in TOOLS["notes"].values():
        assert placeholders(note["zh"]) == placeholders(note["en"])


def test_a_refusal_lists_hard_ones_first_and_nothing_twice() -> None:
    hard = violation("unswept", "en")
    soft = type(hard)("N9", "soft", "cut", severity="soft")
    assert worst_first([soft, hard, soft, hard]) == (hard, soft)
    refused = WriteRefused([soft, hard])
    assert refused.violations == (hard, soft)
    assert str(refused).index("[R5]") < str(refused).index("[N9]")
    assert refused.who == "model"
