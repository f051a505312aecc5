"""import_urdf: makes a URDF with its meshes a robot of the user's catalogue."""

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from openpendant.errors import InputError, RobotFileError, TakenNameError
from openpendant.robots.catalogue import FACTS, is_built_in, load
from openpendant.robots.facts_file import encode_facts
from openpendant.robots.robot import Robot
from openpendant.robots.validation import ROBOT_NAME, find_fault
from openpendant.said import say
from openpendant.shapes import CollisionShape, Part, encode_collision, encode_glb
from openpendant.user_folders import user_robots_folder

from .arm_finder import find_arms
from .conversion import facts_from_urdf
from .model import UrdfShape
from .parser import parse_urdf


def import_urdf(
    path: Path | str,
    packages: Mapping[str, Path] | None = None,
    name: str | None = None,
    *,
    replace: bool = False,
    within: Path | None = None,
) -> Robot:
    """Return a URDF as a robot of the user's catalogue, where it stays.

    Meshes (STL, DAE, OBJ, PLY, GLB) become glTF in the links' frames, collision shapes are fitted
    round them, arms are found by themselves.

    Args:
        path: The URDF file.
        packages: Folders of the packages that `package://` addresses name.
        name: Its name in the catalogue; where left out, the robot's own.
        replace: Take the place of an imported robot of that name.
        within: Meshes are read from this folder alone, for a URDF that is not trusted; None: from anywhere.

    Raises:
        RobotFileError: The URDF or one of its meshes is broken; names file, line and element.
        InputError: The name cannot be used, or the catalogue cannot be written.
        TakenNameError: Another robot has that name.
    """
    urdf = Path(path)
    model = parse_urdf(urdf)
    name = _choose_name(name, model.name, replace=replace)
    # The libraries for meshes take a second to load: only who imports a sound robot waits for them.
    from .collision_shapes import enclose
    from .meshes import load_shape

    def parts_of(shapes: Iterable[UrdfShape], link: str) -> list[Part]:
        return [part for shape in shapes for part in load_shape(shape, urdf, packages or {}, link, within)]

    bodies = {link.name: parts_of(link.visuals, link.name) for link in model.links.values()}
    facts = facts_from_urdf(name, model, find_arms(model), urdf, {link for link, parts in bodies.items() if parts})
    fault = find_fault(facts)
    if fault is not None:
        raise RobotFileError(urdf, fault)
    collision: dict[str, tuple[CollisionShape, ...]] = {}
    for link in model.links.values():
        parts = bodies[link.name] or parts_of(link.collisions, link.name)
        if parts:
            collision[link.name] = enclose([part.mesh for part in parts])
    files = {f"meshes/{link}.glb": encode_glb(parts, link) for link, parts in bodies.items() if parts}
    files |= {FACTS: encode_facts(facts).encode(), "collision.json": encode_collision(collision)}
    try:
        _put(name, files)
    except OSError as error:
        path = str(error.filename or user_robots_folder())
        raise InputError(say("robot.not_written", path=path, why=str(error.strerror))) from None
    return load(name)


def _choose_name(wanted: str | None, own: str, *, replace: bool) -> str:
    name = re.sub(r"[^a-z0-9]+", "_", own.lower()).strip("_")[:64] if wanted is None else wanted
    if not ROBOT_NAME.fullmatch(name):
        raise InputError(say("robot.name_invalid", name=name))
    if is_built_in(name):
        raise TakenNameError(name, say("robot.name_built_in", name=name), is_fixed=True)
    if (user_robots_folder() / name).exists() and not replace:
        raise TakenNameError(name, say("robot.name_taken", name=name))
    return name


def _put(name: str, files: Mapping[str, bytes]) -> None:
    """Write the robot's folder beside its place and move it there, so that it is never visible half written."""
    home = user_robots_folder()
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".import-", dir=home) as scratch:
        fresh, old = Path(scratch) / "fresh", Path(scratch) / "old"
        (fresh / "meshes").mkdir(parents=True)
        for place, content in files.items():
            (fresh / place).write_bytes(content)
        target = home / name
        if target.exists():
            shutil.move(target, old)
        shutil.move(fresh, target)
