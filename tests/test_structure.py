"""The shape of the project: who may import whom, how long a module may be, and what the wheel must hold."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("app", "evals", "graph", "agents", "prompts", "tools", "sources", "rules", "memory")
"""Top to bottom: a folder may import only from folders below it, and from itself."""
MAX_LINES = 400
CODE_NOT_SHIPPED = ("__pycache__",)


def modules() -> Iterator[Path]:
    for layer in LAYERS:
        yield from sorted((ROOT / layer).rglob("*.py"))


ALL_MODULES = list(modules())


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(tree: ast.AST) -> Iterator[str]:
    """Every dotted name that a module imports, inside functions too; ``from a import b`` yields ``a`` and ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in line {node.lineno}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer_faults(layer: str, source: str) -> list[str]:
    """What the module imports from folders that are not below ``layer``."""
    above = LAYERS[: LAYERS.index(layer)]
    faults = []
    for name in imported(ast.parse(source)):
        parts = name.split(".")
        if parts[0] in LAYERS and parts[0] not in sys.stdlib_module_names:
            faults.append(f"import {name} (write talekeeper.{name})")
        if parts[0] == "talekeeper" and len(parts) > 1 and (parts[1] in above or parts[1] not in LAYERS):
            faults.append(name)
    return faults


@pytest.mark.parametrize(
    ("layer", "source", "faulty"),
    [
        ("memory", "from talekeeper.rules.book import RuleBook", True),
        ("memory", "def f():\n    import talekeeper.app.cli", True),
        ("memory", "from talekeeper import rules", True),
        ("rules", "import memory.models", True),
        ("rules", "from talekeeper import Library", True),
        ("rules", "from talekeeper.memory import models", False),
        ("app", "from talekeeper.memory.models import Node", False),
    ],
)
def test_layer_faults_finds_what_it_must(layer: str, source: str, faulty: bool) -> None:
    assert bool(layer_faults(layer, source)) is faulty


@pytest.mark.parametrize("path", ALL_MODULES, ids=ids)
def test_module_imports_only_downwards(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    assert layer_faults(layer, path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", ALL_MODULES, ids=ids)
def test_module_is_short_and_says_why_it_exists(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= MAX_LINES
    body = ast.parse(text).body
    if path.name != "__init__.py" or body:
        assert ast.get_docstring(ast.parse(text)), "no module docstring"


def settings() -> dict[str, object]:
    loaded: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    return loaded


def packages_on_disk() -> set[str]:
    found = {"talekeeper"}
    for layer in LAYERS:
        for marker in (ROOT / layer).rglob("__init__.py"):
            found.add(".".join(("talekeeper", *marker.parent.relative_to(ROOT).parts)))
    return found


def test_package_list_names_every_folder() -> None:
    listed = settings()["packages"]
    assert isinstance(listed, list)
    assert sorted(listed) == sorted(packages_on_disk())


def test_folder_with_modules_is_a_package() -> None:
    bare = {str(m.parent.relative_to(ROOT)) for m in ALL_MODULES if not (m.parent / "__init__.py").exists()}
    assert bare == set()


@pytest.mark.parametrize("layer", LAYERS)
def test_link_points_to_its_folder(layer: str) -> None:
    link = ROOT / "src" / "talekeeper" / layer
    assert link.is_symlink()
    assert str(link.readlink()) == f"../../{layer}"
    assert link.resolve() == ROOT / layer


def test_src_holds_links_and_nothing_else() -> None:
    inside = {p.name for p in (ROOT / "src" / "talekeeper").iterdir()} - {"__pycache__"}
    assert inside == {"__init__.py", "py.typed", *LAYERS}


def tracked_files() -> set[str]:
    """Every file of the folders as it must stand in the wheel, data files included."""
    found = {"talekeeper/__init__.py", "talekeeper/py.typed"}
    for layer in LAYERS:
        for path in (ROOT / layer).rglob("*"):
            if path.is_file() and not set(path.parts) & set(CODE_NOT_SHIPPED):
                found.add(f"talekeeper/{path.relative_to(ROOT)}")
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy so that nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "project"
    copy.mkdir()
    names = ["pyproject.toml", "README.md", "LICENSE", "src", *LAYERS]
    ignore = "__pycache__"
    for name in names:
        subprocess.run(["cp", "-a", str(ROOT / name), str(copy)], check=True)
    for stale in copy.rglob(ignore):
        if stale.is_dir() and not stale.is_symlink():
            subprocess.run(["rm", "-rf", str(stale)], check=True)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder / "dist"), str(copy)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    return next((folder / "dist").glob("*.whl"))


def test_wheel_holds_what_the_folders_hold(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == tracked_files()


def test_wheel_works_where_no_checkout_is(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = (
        "import talekeeper, talekeeper.app.cli, talekeeper.memory.schema as s\n"
        "assert 'site' in talekeeper.__file__ and 'site' in s.__file__, s.__file__\n"
        "assert s.default_schema().type('event')\n"
        "from importlib import resources\n"
        "for lang in ('zh', 'en'):\n"
        "    assert resources.files('talekeeper.app').joinpath('samples', f'lantern_{lang}.jsonl').is_file()\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n" + code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert run.returncode == 0, run.stderr


def project_texts() -> Iterator[Path]:
    """Every text file that git knows of, or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and not path.is_symlink() and path.suffix not in {".png", ".lock"}:
            yield path


def test_nothing_is_left_open() -> None:
    """No stub, no note to oneself: what can't be done yet has an issue, not a line in the code."""
    marks = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b|NotImplemented" r"Error")
    left = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in project_texts()
        if path.suffix == ".py"
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), start=1)
        if marks.search(line)
    ]
    assert left == []


def test_no_absolute_path_of_a_machine() -> None:
    """The project works wherever it lies: no path of somebody's own machine stands in it."""
    homes = re.compile(r"(?<![\w.$}])/(?:ho" r"me|ro" r"ot|wo" r"rk|Users)/[\w.-]+")
    left = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in project_texts()
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), start=1)
        if homes.search(line)
    ]
    assert left == []


def test_langgraph_json_names_a_factory_that_exists() -> None:
    graphs = json.loads((ROOT / "langgraph.json").read_text("utf-8"))["graphs"]
    for target in graphs.values():
        module, _, name = target.partition(":")
        source = (ROOT / Path(*module.split(".")[1:])).with_suffix(".py").read_text("utf-8")
        defined = {n.name for n in ast.parse(source).body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
        assert name in defined
