"""The bodies of a robot as files: a GLB for each link, and its collision shapes.

A robot that comes with OpenPendant describes its bodies in `visuals.py`; they are made once
and kept in the cache. An imported robot brings `meshes/*.glb` and `collision.json` along.
"""

import contextlib
import hashlib
import importlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import cast

import openpendant.shapes
from openpendant.errors import RobotFileError
from openpendant.shapes import CollisionShape, Part, decode_collision, encode_collision, encode_glb, fit_collision

from .places import cache_folder

__all__ = ["Bodies", "build_parts", "find_bodies"]

Progress = Callable[[str, int, int], None]
"""Called with a link's name, how many links are done, and how many there are."""

VISUALS = "visuals.py"
COLLISION = "collision.json"
MESHES = "meshes"


@dataclass(frozen=True, slots=True)
class Bodies:
    """Where the meshes of a robot are, and its collision shapes; both by link, in the link's frame."""

    visuals: Mapping[str, Path]
    collision: Mapping[str, tuple[CollisionShape, ...]]


def find_bodies(folder: Path, progress: Progress | None = None) -> Bodies:
    """Return the bodies of the robot in a catalogue folder; makes them if they are not there yet.

    Making takes a few seconds, once. Several processes may ask at the same time.

    Args:
        folder: The entry's folder, with `visuals.py` or with `meshes/` and `collision.json`.
        progress: Told after each link that is made; not called when all is there.

    Raises:
        RobotFileError: The entry's files cannot be used.
    """
    if not (folder / VISUALS).is_file():
        return _read(folder / MESHES, folder / COLLISION)
    made = cache_folder() / "bodies" / f"{folder.name}-{_digest(folder)}"
    if not (made / COLLISION).is_file():
        _make(folder, made, progress)
    return _read(made, made / COLLISION)


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


def _make(folder: Path, made: Path, progress: Progress | None) -> None:
    """Write all files into a folder aside, then give it its name in one step."""
    made.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=made.parent))
    try:
        links = build_parts(folder)
        collision: dict[str, tuple[CollisionShape, ...]] = {}
        # Links that are built alike (two arms of one kind) share their parts, and so their shapes.
        fitted: dict[int, tuple[CollisionShape, ...]] = {}
        for done, (link, parts) in enumerate(links.items(), start=1):
            (aside / f"{link}.glb").write_bytes(encode_glb(parts, link))
            if id(parts) not in fitted:
                fitted[id(parts)] = fit_collision([part.mesh for part in parts])
            collision[link] = fitted[id(parts)]
            if progress is not None:
                progress(link, done, len(links))
        (aside / COLLISION).write_bytes(encode_collision(collision))
        # Another process may have been quicker: a folder that is not empty cannot be replaced, and its
        # content is the same as ours.
        with contextlib.suppress(OSError):
            aside.rename(made)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _read(meshes: Path, collision: Path) -> Bodies:
    visuals = {path.stem: path for path in sorted(meshes.glob("*.glb"))} if meshes.is_dir() else {}
    shapes = decode_collision(collision) if collision.is_file() else {}
    return Bodies(MappingProxyType(visuals), MappingProxyType(shapes))


def _digest(folder: Path) -> str:
    """Return a digest of everything the bodies are made from."""
    digest = hashlib.sha256()
    door = openpendant.shapes.__file__
    for path in (*sorted(folder.glob("*.py")), *sorted(Path(door).parent.glob("*.py"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
