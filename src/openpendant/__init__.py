"""OpenPendant: program, operate, watch and teach robots from a virtual twin.

    import openpendant as op

    arm = op.load("ur3e").arm()
    T_base_tool0 = arm.fk([0.0, -1.57, 1.57, 0.0, 1.57, 0.0])

Importing this package is quick; the numerics are loaded with the first robot.
"""

from typing import TYPE_CHECKING

from .version import __version__

if TYPE_CHECKING:
    from .client import connect
    from .robots import Robot, load, names

__all__ = ["Robot", "__version__", "connect", "load", "names"]


def __getattr__(name: str) -> object:
    """Load the catalogue or the client when it is first asked for."""
    if name in ("Robot", "load", "names"):
        from . import robots

        return getattr(robots, name)
    if name == "connect":
        from . import client

        return client.connect
    raise AttributeError(f"module 'openpendant' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Tell the public names, also those not loaded yet."""
    return sorted({*globals(), *__all__})
