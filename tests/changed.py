"""`--changed`: only the tests that a change since main can reach, by the imports of modules and tests.

A module reaches every module that imports it, in a function too, and a test file reaches what it imports or names in a
text (as a process of its own), also by way of helpers beside it and of the `conftest.py` above it. A module that nobody
imports is found by its name: it stands for its room. What is not Python reaches the room, or the tests of the room,
that it lies in. Where none of this says what depends on a file, such as the Makefile, all tests run.
"""

import ast
import re
import subprocess
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path, PurePath

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "openpendant"
NAME = re.compile(rf"{PACKAGE}(\.\w+)+")
READERS = {
    "docs/": ("docs", "test_rooms.py", "e2e"),
    "examples/": ("docs", "examples"),
    "tools/": ("messages", "docs", "test_phases.py", "test_build_hook.py"),
    "web/": ("e2e", "messages", "said", "test_rooms.py"),
    "benchmarks/": ("docs",),
}
"""Folders of which some tests read files, and which: by folder or file in tests/."""


class Changed:
    """The plugin: leaves out files with tests that cannot see what has changed."""

    def __init__(self, paths: list[str]) -> None:
        """Take the files that have changed, from the root of the repository."""
        self._paths = paths

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave a file out before anything of it is imported."""
        if collection_path.is_file() and collection_path.name.startswith("test_"):
            return None if self.sees(collection_path) else True
        return None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """It is well when there was nothing to do."""
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK

    def sees(self, test: Path) -> bool:
        """Return whether a change can reach a file with tests."""
        if self._everything:
            return True
        place = test.relative_to(ROOT / "tests").as_posix()
        room = ROOT / "tests" / place.partition("/")[0] if "/" in place else test.parent
        readers = {one for path in self._paths for top in READERS if path.startswith(top) for one in READERS[top]}
        if any(place == one or place.startswith(f"{one}/") for one in readers):
            return True
        changed = {ROOT / path for path in self._paths}
        beside = (path for path in changed if path.suffix != ".py" and path.is_relative_to(ROOT / "tests"))
        if any(path.is_relative_to(room) for path in beside):
            return True
        files = with_helpers(test)
        return bool(files & changed) or any(named(path) & self._modules for path in files)

    @cached_property
    def _everything(self) -> bool:
        known = (*READERS, f"src/{PACKAGE}/", "tests/")
        return any(
            path == "tests/conftest.py" or not (path.startswith(known) or path.endswith(".md")) for path in self._paths
        )

    @cached_property
    def _modules(self) -> set[str]:
        """All modules that see a change in the sources."""
        import grimp

        graph = grimp.build_graph(PACKAGE)
        found: set[str] = set()
        for path in self._paths:
            place = PurePath(path)
            if place.parts[:2] != ("src", PACKAGE):
                continue
            parts = place.with_suffix("").parts[1:]
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if place.suffix == ".py" and graph.modules >= {module} and graph.find_modules_that_directly_import(module):
                found.add(module)
            else:
                room = ".".join(parts[:2])
                found |= {room, *graph.find_descendants(room)}
        reached = found.union(*(graph.find_downstream_modules(one) for one in found if one in graph.modules))
        # The front door imports rooms only when one of their names is used: see `named`.
        return reached - {PACKAGE}


def with_helpers(test: Path) -> set[Path]:
    """Return a file with tests, and all files of tests/ that it imports or that stand above it."""
    found: set[Path] = set()
    ahead = [test, *(folder / "conftest.py" for folder in test.parents if folder.is_relative_to(ROOT / "tests"))]
    while ahead:
        path = ahead.pop()
        if path in found or not path.exists():
            continue
        found.add(path)
        ahead += [helper for name in imports(path) for helper in helpers().get(name, ())]
    return found


@cache
def helpers() -> dict[str, list[Path]]:
    """Return what tests may import from beside them, by name."""
    found: dict[str, list[Path]] = {}
    for path in (*(ROOT / "tests").glob("*.py"), *(ROOT / "tests").glob("*/*.py")):
        found.setdefault(path.stem, []).append(path)
    return found


@cache
def imports(path: Path) -> set[str]:
    """Return the names that a file imports, with each name behind `from` as if it were a module."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


@cache
def rooms() -> dict[str, str]:
    """Return the room behind each name of the front door (`import openpendant as op`)."""
    tree = ast.parse((ROOT / "src" / PACKAGE / "__init__.py").read_text())
    tables = (
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_ROOMS"
    )
    return {name: f"{PACKAGE}.{room}" for table in tables for name, room in ast.literal_eval(table).items()}


@cache
def named(path: Path) -> set[str]:
    """Return the modules of OpenPendant that a file imports, names in a text or runs."""
    found = {name for name in imports(path) if name.partition(".")[0] == PACKAGE}
    tree = ast.parse(path.read_text())
    found |= {rooms()[name] for name in rooms() if f"{PACKAGE}.{name}" in found}
    imported = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    doors = {alias.asname or alias.name for alias in imported if alias.name == PACKAGE}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in doors and node.attr in rooms():
            found.add(rooms()[node.attr])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {match[0] for match in NAME.finditer(node.value)}
        elif isinstance(node, ast.List | ast.Tuple):
            words = [one.value if isinstance(one, ast.Constant) else None for one in node.elts]
            if ("-m", PACKAGE) in pairwise(words):
                found.add(f"{PACKAGE}.cli")
    return found


def changed_since_main() -> list[str]:
    """Return all files that differ from where this branch left main, or are not in the repository yet."""

    def git(*words: str) -> list[str]:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()

    (base,) = git("merge-base", "HEAD", "main")
    return [*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")]
