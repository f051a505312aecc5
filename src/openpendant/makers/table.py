"""The table of makers: those that come with OpenPendant, and those of other packages."""

from collections.abc import Iterator

from openpendant.errors import UnknownNameError
from openpendant.plugins import load_plugins
from openpendant.robots import Robot

from .abb import ABB
from .maker import Maker
from .universal_robots import UNIVERSAL_ROBOTS

ENTRY_POINTS = "openpendant.makers"
BUILT_IN = (UNIVERSAL_ROBOTS, ABB)


def makers() -> Iterator[Maker]:
    """Yield every maker, ours first; packages are looked through when ours are over."""
    yield from BUILT_IN
    yield from (one for one in load_plugins(ENTRY_POINTS).values() if isinstance(one, Maker))


def find_maker(robot: Robot) -> Maker | None:
    """Return the maker whose driver moves a robot of the catalogue; None: no driver speaks to it."""
    return next((maker for maker in makers() if maker.drives(robot)), None)


def maker_of_virtual(model: str) -> Maker:
    """Return the maker that has virtual controllers of a model.

    Raises:
        UnknownNameError: No maker has.
    """
    known: list[str] = []
    for maker in makers():
        models = () if maker.virtual is None else maker.virtual.models
        if model in models:
            return maker
        known += models
    raise UnknownNameError("virtual controller", model, known)


def usual_model() -> str:
    """Return the default model of a virtual controller."""
    return next(maker.virtual.models[0] for maker in BUILT_IN if maker.virtual is not None)
