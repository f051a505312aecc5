"""`openpendant robots urdf`: write our URDF of a robot."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from openpendant.cli.joints import RobotArgument
from openpendant.errors import InputError


def write_urdf(
    robot: RobotArgument,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write; stdout by default.")] = None,
    visuals: Annotated[bool, typer.Option("--visuals/--no-visuals", help="Include the meshes.")] = True,
) -> None:
    """Write the URDF of a robot, with the paths of its meshes on this machine."""
    from rich.console import Console

    from openpendant.robots import load

    found = load(robot)
    if visuals:
        # Made once for a robot, which takes a while; the line goes away by itself.
        with Console(stderr=True).status(f"Making the meshes of {found.title} …"):
            found.visual_paths()
    text = found.urdf(visuals=visuals)
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}") from None
    print(f"wrote {out}")
