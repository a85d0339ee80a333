"""The bundled sample chats: of the shape that the demo promises, and twins row by row."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pytest


def rows(language: str) -> list[dict[str, Any]]:
    text = resources.files("talekeeper.app").joinpath("samples", f"lantern_{language}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_sample_is_a_chat_of_24_turns_or_more_with_a_swipe_and_hidden_rows(language: str) -> None:
    header, *messages = rows(language)
    assert header["chat_metadata"]
    assert sum(m["is_user"] for m in messages) >= 24
    assert any(len(m.get("swipes", ())) > 1 and m["swipe_id"] == 1 for m in messages)
    assert any(m["is_system"] for m in messages)
    assert any("<think>" in m["mes"] for m in messages)
    assert all(m["swipes"][m["swipe_id"]] == m["mes"] for m in messages if "swipes" in m)


def test_the_samples_are_twins() -> None:
    zh, en = rows("zh")[1:], rows("en")[1:]
    shape = [(m["is_user"], m["is_system"], m.get("swipe_id"), len(m.get("swipes", ()))) for m in zh]
    assert shape == [(m["is_user"], m["is_system"], m.get("swipe_id"), len(m.get("swipes", ()))) for m in en]
