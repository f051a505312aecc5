"""A robot as one file: a URDF, or a zip with a URDF and its meshes. What is in it is not trusted."""

import re
import tempfile
from pathlib import Path, PurePosixPath
from typing import Literal

from openpendant.archives import SentArchive
from openpendant.errors import InputError, RobotFileError, TakenNameError
from openpendant.robots.robot import Robot
from openpendant.said import Said, say

from .importer import import_urdf
from .xml import read_xml

MOST_FILES = 5000
USED = frozenset({".urdf", ".dae", ".stl", ".obj", ".mtl", ".ply", ".glb", ".gltf", ".bin", ".png", ".jpg", ".jpeg"})
"""Endings of what is taken out of an archive; packages hold much else that a robot does not need."""
PACKAGE = re.compile(rb"package://([^/\"'<>\s]{1,200})/")
WhenTaken = Literal["refuse", "replace", "keep"]


def import_robot_file(file: str, data: bytes, *, taken: WhenTaken = "refuse") -> Robot:
    """Make a URDF, or a zip with one, a robot of the user's catalogue.

    Meshes are read from the zip alone. Folders that `package://` addresses name are looked for in it by that name; the
    top of the zip stands for one that is not there.

    Args:
        file: What it is called; its ending says what it is.
        data: Its content.
        taken: Where an imported robot has that name already: refuse, replace it, or keep both (the new one is then
            called name_2). A robot that comes with OpenPendant is never replaced: both are kept.

    Raises:
        InputError: It cannot be used; names the file, the line where it is known, and what is wrong.
        TakenNameError: An imported robot has that name.
    """
    name = PurePosixPath(file.replace("\\", "/")).name[:80]
    ending = PurePosixPath(name).suffix.lower()
    if ending == ".xacro":
        raise InputError(say("robot.xacro", file=name))
    if ending not in (".urdf", ".xml", ".zip"):
        raise InputError(say("robot.not_a_robot", file=name))
    with tempfile.TemporaryDirectory(prefix="openpendant-robot-") as scratch:
        folder = Path(scratch).resolve()
        if ending == ".zip":
            urdf = _unpack(data, folder)
        else:
            urdf = folder / "robot.urdf"
            urdf.write_bytes(data)
        try:
            return _import_one(urdf, folder, taken)
        except RobotFileError as error:
            at = name if ending != ".zip" else f"{name}: {urdf.relative_to(folder).as_posix()}"
            raise InputError(_fault_in(at, error, is_alone=ending != ".zip")) from None
        except OSError as error:
            # As of a mesh whose name is too long for any file.
            raise InputError(say("robot.part_not_read", file=name, why=str(error.strerror))) from None


def _fault_in(file: str, error: RobotFileError, *, is_alone: bool) -> Said:
    """Return what is wrong in a robot's file, and what to do where a URDF came alone without its meshes."""
    fault = error.fault
    if is_alone and isinstance(fault, Said) and fault.code == "urdf.mesh":
        fault = say("robot.pack_meshes", why=fault)
    if error.line is None:
        return say("robot.file_fault", file=file, why=fault)
    return say("robot.file_fault_line", file=file, line=error.line, why=fault)


def _import_one(urdf: Path, folder: Path, taken: WhenTaken) -> Robot:
    packages = _packages(urdf, folder)
    try:
        return import_urdf(urdf, packages, replace=taken == "replace", within=folder)
    except TakenNameError as error:
        if taken == "refuse" and not error.is_fixed:
            raise
        for number in range(2, 100):
            try:
                return import_urdf(urdf, packages, name=f"{error.name[:60]}_{number}", within=folder)
            except TakenNameError:
                continue
        raise


def _packages(urdf: Path, folder: Path) -> dict[str, Path]:
    """Return a folder of the archive for every package that the URDF names."""
    # Reads it as XML first: what is not a URDF has no packages, and says so by its line.
    read_xml(urdf)
    names = {match.decode("utf-8", "replace") for match in PACKAGE.findall(urdf.read_bytes())}
    folders = sorted((path for path in folder.rglob("*") if path.is_dir()), key=lambda path: len(path.parts))
    found = {path.name: path for path in reversed(folders)}
    # Whoever packs the content of a package without its folder has its files at the top.
    tops = [path for path in folder.iterdir() if path.is_dir()]
    top = folder if (folder / "meshes").is_dir() or len(tops) != 1 else tops[0]
    return {name: found.get(name, top) for name in names}


def _unpack(data: bytes, folder: Path) -> Path:
    """Write what a robot needs of a zip into a folder; return where the URDF is."""
    archive = SentArchive(data, MOST_FILES)
    urdfs: list[Path] = []
    for number, place in enumerate(archive.places):
        hidden = any(part.startswith((".", "__MACOSX")) for part in place.parts)
        if hidden or place.suffix.lower() not in USED:
            continue
        target = folder / Path(*place.parts)
        archive.write(number, target)
        if place.suffix.lower() == ".urdf":
            urdfs.append(target)
    if len(urdfs) == 1:
        return urdfs[0]
    if urdfs:
        listed = ", ".join(path.relative_to(folder).as_posix() for path in urdfs[:6])
        raise InputError(say("robot.several", files=listed))
    recipe = next((str(place) for place in archive.places if place.suffix.lower() == ".xacro"), None)
    if recipe is None:
        raise InputError(say("robot.no_urdf"))
    raise InputError(say("robot.only_xacro", path=recipe, file=PurePosixPath(recipe).name))
