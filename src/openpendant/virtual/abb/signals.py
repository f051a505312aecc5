"""SignalTable: the signals of a controller, by the names of its configuration."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from .refusal import ControllerRefusal, NotThere

SignalKind = Literal["DI", "DO", "AI", "AO", "GI", "GO"]
Watch = Callable[[float], None]
NETWORK, UNIT = "Local", "DRV_1"
"""Where all signals of a virtual controller are."""


@dataclass(frozen=True, slots=True)
class SignalSetup:
    """A signal of the configuration.

    Attributes:
        name: As programs write it; upper and lower case are the same.
        kind: Digital, analog or group; input or output.
        value: At power-up.
    """

    name: str
    kind: SignalKind
    value: float = 0.0


class SignalTable:
    """The signals and their values."""

    def __init__(self, setup: Iterable[SignalSetup]) -> None:
        """Begin with the values of power-up."""
        self._setup = {one.name.lower(): one for one in setup}
        self._values = {key: one.value for key, one in self._setup.items()}
        self._watches: dict[str, list[Watch]] = {}

    @property
    def all(self) -> tuple[SignalSetup, ...]:
        """The configuration, in its order."""
        return tuple(self._setup.values())

    def setup(self, name: str) -> SignalSetup:
        """Return a signal's configuration.

        Raises:
            NotThere: There is none of that name.
        """
        found = self._setup.get(name.lower())
        if found is None:
            raise NotThere(f"unknown signal {name[:40]!r}; known: {', '.join(one.name for one in self.all)}")
        return found

    def read(self, name: str) -> float:
        """Return the value of a signal.

        Raises:
            NotThere: There is none of that name.
        """
        return self._values[self.setup(name).name.lower()]

    def check(self, name: str, value: float) -> SignalSetup:
        """Return the configuration of a signal that can have a value.

        Raises:
            NotThere: There is none of that name.
            ControllerRefusal: The signal cannot have that value.
        """
        one = self.setup(name)
        if not math.isfinite(value):
            raise ControllerRefusal(f"{one.name} is {value:g}; finite numbers are allowed")
        if one.kind in ("DI", "DO") and value not in (0.0, 1.0):
            raise ControllerRefusal(f"{one.name} is {value:g}; 0 and 1 are allowed")
        if one.kind in ("GI", "GO") and (value < 0.0 or value % 1.0):
            raise ControllerRefusal(f"{one.name} is {value:g}; whole numbers from 0 are allowed")
        return one

    def write(self, name: str, value: float) -> None:
        """Change a signal, whoever does it: a virtual input has no cable; raises as `check`."""
        key = self.check(name, value).name.lower()
        before, self._values[key] = self._values[key], value
        if before != value:
            for watch in tuple(self._watches.get(key, ())):
                watch(value)

    def watch(self, name: str, watch: Watch) -> Callable[[], None]:
        """Call `watch` with every new value of a signal; return what ends that.

        Raises:
            NotThere: There is none of that name.
        """
        watches = self._watches.setdefault(self.setup(name).name.lower(), [])
        watches.append(watch)

        def end() -> None:
            if watch in watches:
                watches.remove(watch)

        return end
