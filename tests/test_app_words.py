"""Labels: the same keys and places in both languages, and none that a command asks for is missing."""

from __future__ import annotations

import ast
import string
from importlib import resources
from pathlib import Path

import pytest
import yaml

from talekeeper.app.words import Words, ui_language
from talekeeper.memory.models import Language

APP = Path(__file__).resolve().parents[1] / "app"


def labels(language: str) -> dict[str, str]:
    text = resources.files("talekeeper.app").joinpath("words", f"{language}.yaml").read_text("utf-8")
    loaded: dict[str, str] = yaml.safe_load(text)
    return loaded


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def asked_for() -> set[str]:
    """Every literal key that the app's code hands to ``words(…)``."""
    keys = set()
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "words" and node.args:
                first = node.args[0]
                keys |= {first.value} if isinstance(first, ast.Constant) and isinstance(first.value, str) else set()
    return keys


def test_both_languages_have_the_same_labels_with_the_same_places() -> None:
    zh, en = labels("zh"), labels("en")
    assert zh.keys() == en.keys()
    assert {k for k in zh if places(zh[k]) != places(en[k])} == set()


def test_every_label_that_a_command_asks_for_exists() -> None:
    asked = asked_for()
    assert len(asked) > 30
    assert asked - labels("en").keys() == set()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_label_takes_its_values(language: Language) -> None:
    assert "7" in Words(language)("n_hidden", n=7)


def test_a_name_without_a_label_keeps_itself() -> None:
    assert Words("zh").get("magic_system", "magic_system") == "magic_system"
    assert Words("zh").get("thread", "thread") == "线索"


@pytest.mark.parametrize(
    ("env", "story", "expected"),
    [
        ({}, "", "en"),
        ({}, "zh", "zh"),
        ({"LANG": "C.UTF-8"}, "zh", "zh"),
        ({"LANG": "en_GB.UTF-8"}, "zh", "en"),
        ({"LANG": "zh_CN.UTF-8"}, "en", "zh"),
        ({"LC_ALL": "zh_TW.UTF-8", "LANG": "en_US.UTF-8"}, "", "zh"),
        ({"TALEKEEPER_UI": "en", "LANG": "zh_CN.UTF-8"}, "zh", "en"),
    ],
)
def test_language_of_labels(env: dict[str, str], story: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TALEKEEPER_UI", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert ui_language(story) == expected
