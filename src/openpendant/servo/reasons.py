"""Wording: why an arm does not do all that is wanted, as text for people."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from openpendant.said import join, say

Array = NDArray[np.float64]

LITTLE = 0.8
"""Less than this part of the requested motion is done: worth reporting."""


class Wording:
    """Keeps the sentences, so that none is put together inside a tick twice."""

    def __init__(self, titles: Sequence[str]) -> None:
        """Know the joints by these titles."""
        self._limits = [say("jog.at_limit", joint=title) for title in titles]

    def barred(self, why: Sequence[str]) -> str:
        """Return why a jog cannot continue in its direction."""
        causes = [text for text in why if text not in ("at top speed", "stale", "stopped")]
        if "at the edge of its reach" in causes:
            return say("jog.stretched")
        if not causes or causes == ["singular"]:
            return say("jog.singular")
        return say("jog.barred", why=join(causes, "list.comma"))

    def reasons(
        self, held: Array, forces: Array, names: Sequence[str], *, stale: bool, stopped: bool
    ) -> tuple[str, ...]:
        """Return what holds the arm.

        Args:
            held: As `kernels.program.limits_held` writes it.
            forces: The multipliers of the program.
            names: Of the obstacles.
            stale: Whether nothing was received from the source for too long.
            stopped: Whether it was stopped.
        """
        why: list[str] = []
        if stale:
            why.append("stale")
        if stopped:
            why.append("stopped")
        n = len(self._limits)
        if held[0]:
            why += [text for text, hit in zip(self._limits, held[5:], strict=True) if hit]
            near = {name for name, force in zip(names, forces[n:], strict=False) if force != 0.0}
            why += [say("jog.near", name=name) for name in sorted(near)]
        if held[4]:
            why.append("at the edge of its reach")
        if held[1]:
            why.append("at top speed")
        if not held[0] and min(held[2], held[3]) < LITTLE:
            why.append("singular")
        return tuple(why)
