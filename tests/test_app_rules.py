"""``talekeeper rules``: the catalogue, one rule with examples, a story's settings; and ``doctor`` by rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from talekeeper.app.handbook import by_rule
from talekeeper.memory.library import Library
from talekeeper.rules.book import catalogue
from tests.app_help import document, run


def test_the_catalogue_lists_every_rule_with_its_kind() -> None:
    view = document("rules")
    assert [row["rule"] for row in view["rules"]] == [rule.id for rule in catalogue()]
    assert {row["severity"] for row in view["rules"]} == {"hard", "soft"}
    page = run("rules")
    assert page.exit_code == 0
    assert "Can't" not in page.output
    for rule in catalogue():
        assert rule.id in page.output


@pytest.mark.parametrize(("ui", "words"), [("en", "quotation marks"), ("zh", "引号")])
def test_one_rule_is_explained_with_a_bad_and_a_good_example(ui: str, words: str) -> None:
    result = run("rules", "e3", env={"TALEKEEPER_UI": ui})
    assert result.exit_code == 0
    assert words in result.output
    for text in ("林晚把“父亲的信”交给沈砚。", "林晚把父亲的信交给沈砚。", 'Mara gave "the ledger" to Tom.'):
        assert text in result.output
    view = document("rules", "E3")
    assert (view["rule"], view["severity"], view["can_be_turned_off"]) == ("E3", "hard", True)
    assert view["in"]["zh"]["bad"] != view["in"]["zh"]["good"]
    assert document("rules", "T8")["can_be_turned_off"] is False


def test_an_unknown_rule_names_its_family() -> None:
    result = run("rules", "E99")
    assert result.exit_code == 3
    assert "E16" in result.output or "E12" in result.output


def test_a_storys_settings_are_shown(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        library.create_story("灯影", language="zh", settings={"rules": {"E3": "soft", "E9": "off"}})
    rows = {row["rule"]: row for row in document("rules", "--library", tmp_path, "--story", "灯影")["rules"]}
    assert (rows["E3"]["severity"], rows["E3"]["default"]) == ("soft", "hard")
    assert rows["E9"]["severity"] == "off"
    assert "default hard" in run("rules", "E3", "--library", tmp_path, "--story", "灯影").output
    doctor = document("doctor", "--library", tmp_path)
    assert doctor["settings"] == {"灯影": {"E3": "soft", "E9": "off"}}
    assert "E3: soft" in run("doctor", "--library", tmp_path).output


def test_violations_are_counted_by_rule_in_the_catalogues_order() -> None:
    rows = [{"rule": r, "severity": s} for r, s in (("T8", "hard"), ("E3", "hard"), ("E3", "soft"), ("E3", "hard"))]
    counts = by_rule(rows)
    assert list(counts) == ["E3", "T8"]
    assert (counts["E3"]["hard"], counts["E3"]["soft"]) == (2, 1)
    assert counts["T8"]["statement"]["en"]
