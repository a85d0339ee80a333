"""The command line as a whole: what ``--help`` promises exists, starts fast, and imports nothing heavy."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from talekeeper.app.cli import app
from tests.app_help import run

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = {
    "curate": {"--story", "--library", "--model", "--lang", "--from", "--to", "--dry-run", "--format", "--schema"},
    "demo": {"--lang", "--library", "--fresh"},
    "show": {"--library", "--story", "--at", "--full"},
    "timeline": {"--library", "--story", "--at", "--leaves", "--last"},
    "threads": {"--library", "--story", "--at", "--all"},
    "find": {"--library", "--story", "--at", "--type"},
    "search": {"--library", "--story", "--at", "--type", "--in", "--count"},
    "status": {"--library", "--story"},
    "stories": {"--library"},
    "doctor": {"--library", "--story"},
    "rules": {"--library", "--story"},
    "version": set(),
}
HEAVY = ("langgraph", "langchain_core", "sqlalchemy", "pydantic", "chromadb", "yaml", "numpy", "onnxruntime", "opencc")


def options() -> dict[str, set[str]]:
    commands = getattr(get_command(app), "commands")  # noqa: B009 - Typer's own group class has no public name
    return {
        name: {opt for param in command.params for opt in param.opts if opt.startswith("--")} - {"--help"}
        for name, command in commands.items()
    }


def test_commands_and_options_are_these() -> None:
    assert options() == {name: wanted | {"--json"} for name, wanted in COMMANDS.items()}


def test_help_names_every_command_and_each_has_help() -> None:
    page = run("--help")
    assert page.exit_code == 0
    for name in COMMANDS:
        assert re.search(rf"\b{name}\b", page.stdout)
        own = run(name, "--help")
        assert own.exit_code == 0
        assert own.stdout.strip()


def test_no_command_prints_the_help() -> None:
    assert "curate" in run().output


@pytest.mark.parametrize("page", ["README.md", "README.zh.md", "CONTRIBUTING.md"])
def test_commands_and_options_in_the_pages_exist(page: str) -> None:
    if not (ROOT / page).exists():
        pytest.skip(f"no {page} yet")
    known = options()
    for line in (ROOT / page).read_text("utf-8").splitlines():
        for command, rest in re.findall(r"\btalekeeper ([a-z]+)\b([^`|#]*)", line):
            if line.lstrip().startswith(("talekeeper", "$", "uv", "pip")) or "`talekeeper" in line:
                assert command in known, line
                for option in re.findall(r"(?<!\S)--[a-z-]+", rest):
                    assert option in known[command] | {"--help"}, line


def test_version_is_the_package_s() -> None:
    from importlib.metadata import version

    assert json.loads(run("version", "--json").stdout)["version"] == version("talekeeper")
    assert version("talekeeper") in run("version").stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nsys.argv = ['talekeeper', '--help']\nfrom talekeeper.app.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({m.split('.')[0] for m in sys.modules}), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [name for name in HEAVY if f"'{name}'" in ran.stderr] == []


def test_help_answers_within_its_time() -> None:
    """Processor time, so that a busy machine doesn't decide; the wall clock is the benchmark's."""
    took = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "talekeeper.app.cli", "--help"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(took) <= 0.6
