"""The bodies of a robot as files: a GLB for each link, and its collision shapes.

A robot that comes with OpenPendant describes its bodies in `visuals.py`. They are made where the package is built, and
lie in `made/`. Where they are missing or were made from something else (a developer has edited a fact), they are made
now and kept in the cache: in both places files are named by what they are made from. Meshes and collision shapes are
made apart: who looks at a robot need not wait until shapes are fitted round it. An imported robot brings `meshes/*.glb`
and `collision.json` along.
"""

from pathlib import Path

from openpendant.shapes import VISUALS, BodyFiles, CollisionShape, decode_collision
from openpendant.user_folders import cache_folder

MADE = Path(__file__).parent / "made"
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
    files = BodyFiles(folder, MADE)
    if not files.visuals.is_dir():
        files = BodyFiles(folder, cache_folder() / "bodies")
        files.make_visuals()
    return _glbs(files.visuals)


def find_collision(folder: Path) -> dict[str, tuple[CollisionShape, ...]]:
    """Return the collision shapes of each link; fits them if they are not there yet, which takes some seconds, once.

    Raises:
        RobotFileError: The entry's files cannot be used.
    """
    if not (folder / VISUALS).is_file():
        own = folder / COLLISION
        return dict(decode_collision(own)) if own.is_file() else {}
    files = BodyFiles(folder, MADE)
    if not files.collision.is_file():
        files = BodyFiles(folder, cache_folder() / "bodies")
        files.make_collision()
    return dict(decode_collision(files.collision))


def _glbs(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.glb"))} if folder.is_dir() else {}
