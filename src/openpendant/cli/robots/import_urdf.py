"""`openpendant robots import`: bring a robot in from its URDF."""

from pathlib import Path
from typing import Annotated

import typer

from openpendant.errors import InputError

__all__ = ["import_robot"]


def import_robot(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The URDF file.")],
    name: Annotated[str | None, typer.Option(help="Name in the catalogue; the robot's own where left out.")] = None,
    package: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=PATH", help="Where the files of package://NAME/ are; may be given several times."),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of an imported robot.")] = False,
) -> None:
    """Make a URDF with its meshes a robot of your catalogue."""
    from openpendant.robots import import_urdf

    robot = import_urdf(path, packages=parse_packages(package or []), name=name, replace=replace)
    print(f"imported {robot.name}: openpendant robots show {robot.name}")


def parse_packages(words: list[str]) -> dict[str, Path]:
    """Return the folder of each package; raises InputError where a word is not NAME=PATH or no folder."""
    packages: dict[str, Path] = {}
    for word in words:
        name, equals, folder = word.partition("=")
        if not (name and equals and folder):
            raise InputError(f"--package {word!r} is not of the form NAME=PATH")
        if not Path(folder).is_dir():
            raise InputError(f"--package {word!r}: {folder} is not a folder")
        packages[name] = Path(folder)
    return packages
