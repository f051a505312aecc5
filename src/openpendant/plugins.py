"""load_plugins: what other packages add to OpenPendant, by Python entry points."""

import logging
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import entry_points
from types import MappingProxyType

log = logging.getLogger("openpendant")


@lru_cache(maxsize=16)
def load_plugins(group: str) -> Mapping[str, object]:
    """Return what installed packages offer under a group of entry points, by name.

    A package that cannot be loaded is left out, with a warning in the log: one that is broken must not keep all robots
    from starting. Asked once for each process.

    Args:
        group: As in the package's `[project.entry-points."openpendant.makers"]`.
    """
    found: dict[str, object] = {}
    for point in entry_points(group=group):
        try:
            found[point.name] = point.load()
        except Exception as error:  # It is code that we know nothing of.
            log.warning("%s %r (%s) is left out: %s: %s", group, point.name, point.value, type(error).__name__, error)
    return MappingProxyType(found)
