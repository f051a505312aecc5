"""Bodies come from the package where they were made from what is there now, else they are made in the cache."""

import subprocess
import sys
from pathlib import Path

import pytest
import trimesh

from brick import write_brick
from openpendant import robots
from openpendant.robots import bodies
from openpendant.robots.bodies import find_collision, find_visuals
from openpendant.shapes import make_bodies

LOAD = """import sys
from openpendant.robots import load, names
for name in names():
    assert load(name).visual_paths() and load(name).collision()
print(*sorted({"skimage", "fast_simplification", "scipy.spatial", "trimesh", "manifold3d"} & set(sys.modules)))
"""
READ_SIZE = """import tomllib
from pathlib import Path

FACTS = tomllib.loads(Path(__file__).with_name("facts.toml").read_text())
SIZE = (FACTS["width"], 0.1, 0.1)
"""


@pytest.fixture
def made(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The bodies of a package, with those of a brick in it."""
    folder = tmp_path / "package" / "made"
    make_bodies(write_brick(tmp_path / "brick"), folder)
    monkeypatch.setattr(bodies, "MADE", folder)
    return folder


def width(folder: Path) -> float:
    return float(trimesh.load(find_visuals(folder)["block"]).extents[0])


def test_what_the_package_has_is_not_made_again(tmp_path: Path, made: Path, own_cache: Path) -> None:
    assert find_visuals(tmp_path / "brick")["block"].parent.parent == made
    assert set(find_collision(tmp_path / "brick")) == {"block"}
    assert not own_cache.exists()


def test_what_the_package_lacks_is_made_once(tmp_path: Path, own_cache: Path) -> None:
    first, shapes = find_visuals(write_brick(tmp_path / "brick")), find_collision(tmp_path / "brick")
    files = {path: path.stat().st_mtime_ns for path in own_cache.rglob("*") if path.is_file()}
    assert len(files) == 2
    assert find_visuals(tmp_path / "brick") == first
    assert find_collision(tmp_path / "brick") == shapes
    assert {path: path.stat().st_mtime_ns for path in own_cache.rglob("*") if path.is_file()} == files


def test_meshes_do_not_wait_for_collision_shapes(tmp_path: Path, own_cache: Path) -> None:
    find_visuals(write_brick(tmp_path / "brick"))
    assert [path.suffix for path in own_cache.rglob("*") if path.is_file()] == [".glb"]


def test_an_edited_description_is_used_at_once(tmp_path: Path, made: Path, own_cache: Path) -> None:
    shapes = find_collision(tmp_path / "brick")
    assert width(tmp_path / "brick") == pytest.approx(0.1, abs=1e-3)
    write_brick(tmp_path / "brick", size="(0.2, 0.1, 0.1)")
    assert width(tmp_path / "brick") == pytest.approx(0.2, abs=1e-3)
    assert find_visuals(tmp_path / "brick")["block"].is_relative_to(own_cache)
    assert find_collision(tmp_path / "brick") != shapes
    write_brick(tmp_path / "brick")
    assert find_visuals(tmp_path / "brick")["block"].is_relative_to(made)
    assert find_collision(tmp_path / "brick") == shapes


def test_an_edited_fact_is_used_at_once(tmp_path: Path, made: Path, own_cache: Path) -> None:
    """A description that reads the facts beside it: a number there is enough."""
    facts = tmp_path / "brick" / "facts.toml"
    (tmp_path / "brick" / "more.py").write_text(READ_SIZE)
    facts.write_text("width = 0.1\n")
    make_bodies(tmp_path / "brick", made)
    assert width(tmp_path / "brick") == pytest.approx(0.1, abs=1e-3)
    assert find_visuals(tmp_path / "brick")["block"].is_relative_to(made)
    facts.write_text("width = 0.3\n")
    assert width(tmp_path / "brick") == pytest.approx(0.3, abs=1e-3)
    assert find_visuals(tmp_path / "brick")["block"].is_relative_to(own_cache)


@pytest.mark.timeout(300)
def test_robots_of_the_catalogue_load_no_library_that_makes_bodies() -> None:
    for name in robots.names():
        robots.load(name).visual_paths()
        robots.load(name).collision()
    done = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
