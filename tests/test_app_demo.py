"""The demo in both languages: all that it promises to show is there, and its folder is safe."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app_help import document, run


@pytest.mark.parametrize("language", ["zh", "en"])
def test_demo_shows_what_was_learnt_and_doctor_agrees(tmp_path: Path, language: str) -> None:
    library = tmp_path / "demo"
    view = document("demo", "--lang", language, "--library", library)
    assert view["status"]["units"]["curated"] == view["status"]["units"]["total"] >= 24
    assert len(view["characters"]) >= 5
    assert len(view["places"]) >= 3
    assert {thread["status"] for thread in view["threads"]} == {"active", "resolved"}
    assert any(event["depth"] and event["children"] for event in view["events"])
    assert view["curation"]["stories"][0]["read"]["swipes"] == 1
    assert view["status"]["messages"]["hidden"] == 2
    leaves = [leaf for event in view["events"] for leaf in leaves_of(event)]
    assert [unit for leaf in leaves for unit in leaf["units"]] == [f"u{n + 1}" for n in range(len(leaves))]
    assert document("doctor", "--library", library)["clean"]
    again = run("demo", "--lang", language, "--library", library)
    assert again.exit_code == 0
    assert "nothing to do" in again.stdout
    for part in ("Events", "Characters", "Places", "Threads", "talekeeper show", str(library)):
        assert part in again.stdout


def leaves_of(event: dict[str, object]) -> list[dict[str, list[str]]]:
    children = event["children"]
    assert isinstance(children, list)
    if not children:
        return [event]  # type: ignore[list-item]
    return [leaf for child in children for leaf in leaves_of(child)]


def test_demo_leaves_a_folder_of_other_things_alone(tmp_path: Path) -> None:
    (tmp_path / "novel.md").write_text("mine")
    result = run("demo", "--library", tmp_path, "--fresh")
    assert result.exit_code == 3
    assert "novel.md" in result.stderr
    assert [f.name for f in tmp_path.iterdir()] == ["novel.md"]


def test_fresh_takes_away_the_old_library_and_nothing_else(tmp_path: Path) -> None:
    from talekeeper.app.showcase import prepare

    for name in ("library.db", "library.db-wal", "checkpoints.db", "notes.txt"):
        (tmp_path / name).write_text("")
    prepare(tmp_path, fresh=True)
    assert [f.name for f in tmp_path.iterdir()] == ["notes.txt"]
