"""The bodies of a robot as files: a GLB for each link, and its collision shapes.

A robot that comes with OpenPendant describes its bodies in `visuals.py`; they are made once and kept in
the cache. Meshes and collision shapes are kept apart: who looks at a robot need not wait until shapes are
fitted round it. An imported robot brings `meshes/*.glb` and `collision.json` along.
"""

import contextlib
import hashlib
import importlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import cast

import openpendant.shapes
from openpendant.errors import RobotFileError
from openpendant.shapes import CollisionShape, Part, decode_collision, encode_collision, encode_glb, fit_collision

from .places import cache_folder

__all__ = ["build_parts", "find_collision", "find_visuals"]

VISUALS = "visuals.py"
COLLISION = "collision.json"
MESHES = "meshes"


def find_visuals(folder: Path) -> dict[str, Path]:
    """Return the GLB of each link of the robot in a catalogue folder; makes them if they are not there yet.

    Making takes a second or two, once. Several processes may ask at the same time.

    Raises:
        RobotFileError: The entry's files cannot be used.
    """
    if not (folder / VISUALS).is_file():
        return _glbs(folder / MESHES)
    made = _made(folder)
    if not made.is_dir():
        made.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=made.parent))
        try:
            for link, parts in build_parts(folder).items():
                (aside / f"{link}.glb").write_bytes(encode_glb(parts, link))
            # Another process may have been quicker: a folder that is not empty cannot be replaced, and
            # its content is the same as ours.
            with contextlib.suppress(OSError):
                aside.rename(made)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return _glbs(made)


def find_collision(folder: Path) -> dict[str, tuple[CollisionShape, ...]]:
    """Return the collision shapes of each link; fits them if they are not there yet, which takes some seconds, once.

    Raises:
        RobotFileError: The entry's files cannot be used.
    """
    if not (folder / VISUALS).is_file():
        own = folder / COLLISION
        return dict(decode_collision(own)) if own.is_file() else {}
    made = _made(folder).with_suffix(f".{COLLISION}")
    if not made.is_file():
        made.parent.mkdir(parents=True, exist_ok=True)
        parts = build_parts(folder)
        # Links that are built alike share their list of parts, and then their shapes.
        fitted = {id(own): fit_collision([part.mesh for part in own]) for own in parts.values()}
        with tempfile.NamedTemporaryFile(dir=made.parent, prefix=f".{folder.name}-", delete=False) as aside:
            aside.write(encode_collision({link: fitted[id(own)] for link, own in parts.items()}))
        os.replace(aside.name, made)  # noqa: PTH105
    return dict(decode_collision(made))


def build_parts(folder: Path) -> dict[str, list[Part]]:
    """Run the `build` of an entry's `visuals.py`: parts by link.

    Raises:
        RobotFileError: The file has no `build`.
    """
    path = folder / VISUALS
    # The folder stands in as a package, so that a long description may be spread over several files.
    package = ModuleType(f"openpendant_visuals_{folder.name}")
    package.__path__ = [str(folder)]
    sys.modules[package.__name__] = package
    try:
        module = importlib.import_module(f"{package.__name__}.{path.stem}")
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == package.__name__]:
            del sys.modules[name]
    build = getattr(module, "build", None)
    if not callable(build):
        raise RobotFileError(path, "has no function build() -> dict of parts by link")
    return cast(dict[str, list[Part]], build())


def _made(folder: Path) -> Path:
    return cache_folder() / "bodies" / f"{folder.name}-{_digest(folder)}"


def _glbs(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.glb"))} if folder.is_dir() else {}


def _digest(folder: Path) -> str:
    """Return a digest of everything the bodies are made from."""
    digest = hashlib.sha256()
    door = openpendant.shapes.__file__
    for path in (*sorted(folder.glob("*.py")), *sorted(Path(door).parent.glob("*.py"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
