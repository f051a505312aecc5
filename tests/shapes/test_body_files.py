"""Bodies as files: the same from the same description, named by all they are made from, whole or not there."""

import ast
import os
import stat
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest

from brick import write_brick
from openpendant import robots
from openpendant.errors import RobotFileError
from openpendant.shapes import BodyFiles, body_files, build_parts, make_bodies

MAKE = """import sys
from pathlib import Path
from openpendant.shapes import make_bodies
make_bodies(Path(sys.argv[1]), Path(sys.argv[2]))
print(*sorted(name for name, module in sys.modules.items() if module is not None))
"""


def make_elsewhere(folder: Path, into: Path, seed: str = "0") -> list[str]:
    """Make bodies in a separate process and return the modules that it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", MAKE, str(folder), str(into)],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def described() -> list[str]:
    return [name for name in robots.names() if (robots.load(name).folder / "visuals.py").is_file()]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.timeout(300)
def test_the_same_description_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = robots.load("ur3e").folder
    for seed in ("1", "2"):
        make_elsewhere(folder, tmp_path / seed, seed)
    first = contents(tmp_path / "1")
    assert len(first) == len(build_parts(folder)) + 1
    assert contents(tmp_path / "2") == first


def test_whatever_they_are_made_from_changes_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_brick(tmp_path / "brick")
    names = [BodyFiles(folder, tmp_path).visuals]
    write_brick(folder, title="Another brick")
    names.append(BodyFiles(folder, tmp_path).visuals)
    write_brick(folder, size="(0.2, 0.1, 0.1)")
    names.append(BodyFiles(folder, tmp_path).visuals)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "fitting.py").write_text("another way to fit")
    monkeypatch.setattr(body_files, "__file__", str(tmp_path / "code" / "body_files.py"))
    names.append(BodyFiles(folder, tmp_path).visuals)
    assert len(set(names)) == 4
    monkeypatch.undo()
    write_brick(folder)
    assert BodyFiles(folder, tmp_path).visuals == names[0]


def test_a_folder_elsewhere_gives_the_same_name(tmp_path: Path) -> None:
    here, there = (write_brick(tmp_path / place / "brick") for place in ("here", "there"))
    assert BodyFiles(here, tmp_path).visuals == BodyFiles(there, tmp_path).visuals


@pytest.mark.parametrize("name", described())
def test_a_description_uses_nothing_that_its_name_does_not_cover(name: str) -> None:
    used: set[str] = set()
    for path in robots.load(name).folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                used |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                used.add(str(node.module))
    assert used <= {"math", "numpy", "numpy.typing", "openpendant.shapes"}


def test_making_them_needs_no_more_than_a_build_has(tmp_path: Path) -> None:
    loaded = make_elsewhere(write_brick(tmp_path / "brick"), tmp_path / "made")
    own = {name for name in loaded if name.split(".")[0] == "openpendant"}
    own = {name for name in own if name.split(".")[1:2] not in (["shapes"], ["said"])}
    assert own == {"openpendant", "openpendant.version", "openpendant.errors", "openpendant.digests"}
    assert {"skimage", "scipy", "fast_simplification", "msgspec"} <= set(loaded)
    assert not {"numba", "trimesh", "platformdirs", "tomli_w", "fastapi"} & set(loaded)


def test_processes_may_make_the_same_bodies_at_once(tmp_path: Path) -> None:
    folder, into = write_brick(tmp_path / "brick"), tmp_path / "made"
    with get_context("spawn").Pool(3) as pool:
        pool.starmap(make_bodies, [(folder, into)] * 6)
    files = BodyFiles(folder, into)
    assert files.complete
    assert {path.name for path in into.iterdir()} == {files.visuals.name, files.collision.name}
    assert [path.name for path in files.visuals.iterdir()] == ["block.glb"]


def test_others_may_read_them(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        make_bodies(write_brick(tmp_path / "brick"), tmp_path / "made")
    finally:
        os.umask(before)
    for path in (tmp_path / "made").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o755 if path.is_dir() else 0o644)


def test_a_description_that_fails_leaves_nothing(tmp_path: Path) -> None:
    folder = write_brick(tmp_path / "brick", size="(0.0, 0.0, 0.0)")
    (folder / "visuals.py").write_text('def build():\n    raise ValueError("no bodies")\n')
    files = BodyFiles(folder, tmp_path / "made")
    for make in (files.make_visuals, files.make_collision):
        with pytest.raises(ValueError, match="no bodies"):
            make()
    assert contents(tmp_path / "made") == {}
    assert not files.complete


def test_a_description_without_build_is_named(tmp_path: Path) -> None:
    (tmp_path / "visuals.py").write_text("PARTS = {}\n")
    with pytest.raises(RobotFileError, match="no function build"):
        build_parts(tmp_path)
