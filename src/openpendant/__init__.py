"""OpenPendant: program, operate, watch and teach robots from a virtual twin.

    import openpendant as op

    arm = op.load("ur3e").arm()
    T_base_tool0 = arm.fk([0.0, -1.57, 1.57, 0.0, 1.57, 0.0])

    project = op.open_project("pick_and_place")
    report = op.check_program(project.cell, project.program("sort_cubes").program)

Importing this package is quick; what a name needs is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .version import __version__

if TYPE_CHECKING:
    from .client import connect
    from .makers import export_as
    from .programs import check_program, open_project
    from .robots import Robot, load, names
    from .runtime import CellRuntime
    from .virtual import start_virtual

__all__ = [
    "CellRuntime",
    "Robot",
    "__version__",
    "check_program",
    "connect",
    "export_as",
    "load",
    "names",
    "open_project",
    "start_virtual",
]

_ROOMS = {
    "CellRuntime": "runtime",
    "Robot": "robots",
    "check_program": "programs",
    "connect": "client",
    "export_as": "makers",
    "load": "robots",
    "names": "robots",
    "open_project": "programs",
    "start_virtual": "virtual",
}


def __getattr__(name: str) -> object:
    """Load a public name from its room when it is first used."""
    if name in _ROOMS:
        return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    raise AttributeError(f"module 'openpendant' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, also those that are not loaded yet."""
    return sorted({*globals(), *__all__})
