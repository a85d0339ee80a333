from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event

from talekeeper.memory import fulltext, migrate, migrations, sqlite
from talekeeper.memory.errors import (
    InputError,
    LibraryBusy,
    LibraryDamaged,
    LibraryError,
    LibraryFull,
    LibraryOutdated,
    LibraryReadOnly,
    LibraryTooNew,
    NotFound,
    SchemaError,
)
from talekeeper.memory.library import Library, default_folder
from talekeeper.memory.tables import metadata
from tests.memory_story import curate, draft, new_story


def test_migrations_make_the_tables_that_the_code_expects(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library, library._database.reading() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"include_name": lambda name, kind, _: kind != "table" or not str(name).startswith(fulltext.PREFIX)},
        )
        assert compare_metadata(context, metadata) == []
        strict = connection.exec_driver_sql("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").all()
    assert {name for name, flag in strict if flag} == set(metadata.tables)


def test_the_list_of_revisions_is_that_of_the_scripts() -> None:
    folder = Path(migrations.__file__).parent
    scripts = [script.revision for script in ScriptDirectory(str(folder)).walk_revisions()]
    assert tuple(reversed(scripts)) == migrations.REVISIONS


def test_opening_again_keeps_everything(tmp_path: Path) -> None:
    Library.open(tmp_path / "deep" / "folder").close()
    story = new_story(tmp_path / "deep" / "folder")
    curate(story, ["沈青梧推开门", "门后有信"])
    story.library.close()
    with Library.open(tmp_path / "deep" / "folder", create=False) as library:
        assert [(s.title, s.units, s.curated, s.commits) for s in library.stories()] == [("听雪楼", 2, 2, 2)]
        assert library.check() == []
    assert sorted(os.listdir(tmp_path / "deep" / "folder")) == ["library.db"]


def test_a_story_is_found_by_id_title_and_folded_title(tmp_path: Path) -> None:
    story = new_story(tmp_path, title="聽雪樓 Ａ")
    library = story.library
    for name in (story.id, str(story.id), "聽雪樓 Ａ", "听雪楼 a"):
        assert library.story(name).id == story.id
    with pytest.raises(NotFound) as caught:
        library.story("聽雪")
    assert caught.value.nearest == ("聽雪樓 Ａ",)
    with pytest.raises(InputError, match="already"):
        library.create_story("听雪楼 A", language="zh")
    with pytest.raises(InputError, match="title"):
        library.create_story("  ", language="zh")
    with pytest.raises(SchemaError):
        library.create_story("新", language="zh", schema_yaml="types: [{name: X}]")
    assert len(library.stories()) == 1


def test_a_custom_type_and_settings_are_kept(tmp_path: Path) -> None:
    schema = "types: [{name: faction, prefix: faction, table_columns: [title, aim], required_columns: [title]}]"
    with Library.open(tmp_path) as library:
        library.create_story("门派", language="zh", schema_yaml=schema, settings={"rules": {"E9": "off"}})
        story = library.story("门派")
        assert story.reader().next_ids()["faction"] == 1
        assert story.rule_settings == {"E9": "off"}


def test_the_default_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TALEKEEPER_LIBRARY", str(tmp_path / "mine"))
    assert default_folder() == tmp_path / "mine"
    monkeypatch.delenv("TALEKEEPER_LIBRARY")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_folder().name == "talekeeper"


def write(path: Path, content: bytes) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / "library.db").write_bytes(content)
    return path


def test_files_that_are_no_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryDamaged, match="0 bytes"):
        Library.open(write(tmp_path / "empty", b""))
    with pytest.raises(LibraryDamaged, match="sound library"):
        Library.open(write(tmp_path / "text", b"not a database at all" * 100))
    other = write(tmp_path / "other", b"")
    connection = sqlite3.connect(other / "library.db")
    connection.execute("CREATE TABLE story (id)")
    connection.close()
    with pytest.raises(LibraryDamaged, match="isn't a talekeeper library"):
        Library.open(other)
    (tmp_path / "file").write_text("x")
    with pytest.raises(LibraryError, match="is a file"):
        Library.open(tmp_path / "file")
    with pytest.raises(LibraryError, match="no library"):
        Library.open(tmp_path / "nowhere", create=False)
    assert not (tmp_path / "nowhere").exists()


def test_a_later_version_s_library_is_left_alone(tmp_path: Path) -> None:
    Library.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "library.db")
    connection.execute("UPDATE alembic_version SET version_num = 'r9999'")
    connection.commit()
    connection.close()
    with pytest.raises(LibraryTooNew, match="r9999"):
        Library.open(tmp_path)


def test_reading_only(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    curate(story, ["一"])
    story.library.close()
    with Library.open(tmp_path, read_only=True) as library:
        again = library.story("听雪楼")
        assert again.unit_count() == 1
        with pytest.raises(LibraryReadOnly):
            again.add_units([draft("二")])
        with pytest.raises(LibraryReadOnly):
            library.create_story("二", language="zh")
    with pytest.raises(LibraryError, match="no library"):
        Library.open(tmp_path / "none", read_only=True)


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Library.open(tmp_path).close()
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(LibraryReadOnly, match="can't be written"):
        Library.open(tmp_path)
    with Library.open(tmp_path, read_only=True) as library:
        assert library.stories() == []
    assert os.listdir(tmp_path) == ["library.db"]


def test_an_older_form_is_brought_up_to_date_but_not_by_a_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Library.open(tmp_path).close()
    upgraded: list[Path] = []
    monkeypatch.setattr(migrate, "HEAD", "r9999")
    monkeypatch.setattr(migrate, "upgrade", lambda database: upgraded.append(database.path))
    with pytest.raises(LibraryReadOnly, match="older form"):
        Library.open(tmp_path, read_only=True)
    Library.open(tmp_path).close()
    assert upgraded == [tmp_path / "library.db"]


def test_a_library_of_the_first_form_is_brought_up_to_date_and_keeps_everything(tmp_path: Path) -> None:
    database = sqlite.Database(tmp_path / "library.db")
    migrate.upgrade(database, "r0001")
    assert migrate.revision_of(database) == "r0001"
    database.close()
    with pytest.raises(LibraryOutdated):
        Library.open(tmp_path, read_only=True)
    connection = sqlite3.connect(tmp_path / "library.db")
    connection.execute(
        "INSERT INTO story (title, key, language, source, schema_yaml, settings, created_at)"
        " VALUES ('听雪楼', '听雪楼', 'zh', '', '', '{}', '2026-01-01T00:00:00+00:00')"
    )
    connection.execute("INSERT INTO worldline (story_id, name) VALUES (1, 'main')")
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.commit()
    connection.close()
    assert "story" in tables
    assert "source_report" not in tables
    with Library.open(tmp_path) as library:
        assert migrate.revision_of(library._database) == migrate.HEAD
        story = library.story("听雪楼")
        assert story.sources() == []
        story.record_source("雪.jsonl", {"rows": 3})
        assert [source.report for source in story.sources()] == [{"rows": 3}]
        assert library.check() == []
    with Library.open(tmp_path, read_only=True) as library:
        assert [info.title for info in library.stories()] == ["听雪楼"]


def test_a_full_disk_leaves_nothing_of_the_write(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    curate(story, ["一"])
    database = story.library._database

    @event.listens_for(database._engine, "checkout")
    def limit(connection: sqlite3.Connection, *_: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")

    with pytest.raises(LibraryFull, match="disk is full"):
        story.add_units([draft("一"), draft("长" * 200_000)])
    assert story.unit_count() == 1
    assert story.library.check() == []


def test_a_locked_database_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 20)
    story = new_story(tmp_path)
    other = sqlite3.connect(tmp_path / "library.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LibraryBusy, match="locked"):
        story.add_units([draft("一")])
    other.execute("ROLLBACK")
    other.close()
    assert len(story.add_units([draft("一")]).added) == 1


def test_two_processes_may_create_one_library(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from talekeeper.memory.library import Library; "
        "Library.open(pathlib.Path(sys.argv[1])).close()"
    )
    runs = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(2)]
    assert [run.wait(60) for run in runs] == [0, 0]
    assert os.listdir(tmp_path) == ["library.db"]


def test_stories_do_not_leak_into_each_other(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        stories = [library.create_story(f"第{i}部", language="zh") for i in range(10)]
        for i, story in enumerate(stories):
            curate(story, [f"沈青梧在{i}号楼", f"第{i}封信"])
        for i, story in enumerate(stories):
            reader = story.reader()
            assert [e.id for e in reader.events(10)] == ["event_2", "event_1"]
            assert len(reader.find_by_name("第1件事")) == 1
            hits = reader.keyword_search("沈青梧", kinds=("node", "unit"), k=50)
            assert {hit.snippet.count(f"{i}号楼") for hit in hits if hit.id in ("u1", "event_1")} == {1}
            assert {hit.id for hit in hits} <= {"u1", "u2", "event_1", "event_2"}
        assert library.check() == []
