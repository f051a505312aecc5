"""`openpendant robots import`: bring a robot in from its URDF."""

from pathlib import Path
from typing import Annotated

import typer

from openpendant.errors import InputError


def import_robot(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The URDF file.")],
    name: Annotated[str | None, typer.Option(help="Name in the catalogue; the robot's own name by default.")] = None,
    package: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=PATH", help="Folder of package://NAME/; repeatable."),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace an imported robot of that name.")] = False,
) -> None:
    """Import a URDF with its meshes into your catalogue."""
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
