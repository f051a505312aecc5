"""The build hook makes page and bodies, only where it must; a wheel has both."""

import os
import re
import runpy
import shutil
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

import pytest

from brick import write_brick

ROOT = Path(__file__).resolve().parents[1]
HOOK = runpy.run_path(str(ROOT / "hatch_build.py"))


def put(path: Path, when: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    os.utime(path, (when, when))
    return path


def test_a_page_newer_than_its_sources_is_fresh(tmp_path: Path) -> None:
    web, index = tmp_path / "web", tmp_path / "static" / "index.html"
    put(web / "src" / "main.ts", 100)
    assert not HOOK["is_fresh"](index, web)
    put(index, 200)
    assert HOOK["is_fresh"](index, web)
    put(web / "node_modules" / "three" / "three.js", 300)
    assert HOOK["is_fresh"](index, web)
    put(web / "src" / "main.ts", 300)
    assert not HOOK["is_fresh"](index, web)


def test_packages_are_installed_once_for_a_lock_file(tmp_path: Path) -> None:
    put(tmp_path / "package-lock.json", 100)
    assert not HOOK["is_installed"](tmp_path)
    put(tmp_path / "node_modules" / ".package-lock.json", 200)
    assert HOOK["is_installed"](tmp_path)
    put(tmp_path / "package-lock.json", 300)
    assert not HOOK["is_installed"](tmp_path)


def put_tool(root: Path, name: str, text: str) -> None:
    put(root / "tools" / name, 100).write_text(text)


@pytest.mark.parametrize(("skip", "target"), [("1", "wheel"), ("", "sdist")])
def test_no_page_is_built_where_none_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skip: str, target: str
) -> None:
    monkeypatch.setenv("OPENPENDANT_SKIP_WEB", skip)
    put_tool(tmp_path, "bodies.py", "def make_all(robots):\n    robots.mkdir(parents=True)\n")
    hook = HOOK["PackageHook"](str(tmp_path), {}, None, None, "", target)
    hook.initialize("standard", {})
    assert (tmp_path / "src" / "openpendant" / "robots").is_dir() == (target == "wheel")
    assert not (tmp_path / "src" / "openpendant" / "server").exists()


def test_a_failed_build_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENPENDANT_SKIP_WEB", raising=False)
    put(tmp_path / "web" / "package-lock.json", 100)
    put_tool(tmp_path, "npm.py", "def npm(*words):\n    return 1\n")
    put_tool(tmp_path, "bodies.py", "def make_all(robots):\n    pass\n")
    hook = HOOK["PackageHook"](str(tmp_path), {}, None, None, "", "wheel")
    with pytest.raises(RuntimeError, match=r"npm ci .* failed .* OPENPENDANT_SKIP_WEB=1"):
        hook.initialize("standard", {})


def test_bodies_are_kept_made_and_swept(tmp_path: Path) -> None:
    make_all = runpy.run_path(str(ROOT / "tools" / "bodies.py"))["make_all"]
    write_brick(tmp_path / "brick")
    (tmp_path / "plain").mkdir()
    first = make_all(tmp_path)
    assert [path.suffix for path in first] == [".glb", ".json"]
    times = [path.stat().st_mtime_ns for path in first]
    put(tmp_path / "made" / ".brick-being-written", int(time.time()))
    put(tmp_path / "made" / ".brick-left-behind", 100)
    assert make_all(tmp_path) == first
    assert [path.stat().st_mtime_ns for path in first] == times
    assert {path.name for path in (tmp_path / "made").glob(".*")} == {".brick-being-written"}
    write_brick(tmp_path / "brick", size="(0.2, 0.1, 0.1)")
    second = make_all(tmp_path)
    assert not set(first) & set(second)
    assert not any(path.exists() for path in first)


def test_a_build_has_what_bodies_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = {"fast-simplification", "msgspec", "numpy", "scikit-image", "scipy"}
    same = {text for text in project["build-system"]["requires"] if re.split(r"[<>=]", text)[0] in needed}
    assert len(same) == len(needed)
    assert same <= set(project["project"]["dependencies"])


def copy_sources(root: Path) -> None:
    """Copy what a wheel is built from, but with one small robot and no page."""
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, root / name)
    (root / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "bodies.py", root / "tools" / "bodies.py")
    leave_out = shutil.ignore_patterns("static", "made", "visuals.py", "__pycache__")
    shutil.copytree(ROOT / "src", root / "src", ignore=leave_out)
    write_brick(root / "src" / "openpendant" / "robots" / "brick")


USE = """from pathlib import Path
from openpendant.robots import bodies
brick = Path(bodies.__file__).with_name("brick")
print(bodies.find_visuals(brick)["block"], list(bodies.find_collision(brick)))
"""


@pytest.mark.timeout(300)
def test_a_wheel_has_the_bodies_and_they_are_used(tmp_path: Path, own_cache: Path) -> None:
    root, there = tmp_path / "root", tmp_path / "there"
    root.mkdir()
    copy_sources(root)
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")],
        cwd=root,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"OPENPENDANT_SKIP_WEB": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    with zipfile.ZipFile(next((tmp_path / "dist").glob("*.whl"))) as wheel:
        inside = [name for name in wheel.namelist() if "/robots/made/" in name]
        wheel.extractall(there)
    assert [name.rpartition("/")[2] for name in inside if name.endswith(".glb")] == ["block.glb"]
    assert len(inside) == 2
    used = subprocess.run(
        [sys.executable, "-c", USE],
        env=os.environ | {"PYTHONPATH": str(there)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert used.stdout.split() == [str(there / next(name for name in inside if name.endswith(".glb"))), "['block']"]
    assert not own_cache.exists()
