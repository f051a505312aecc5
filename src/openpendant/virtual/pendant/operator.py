"""Operator: carries out orders on a virtual controller and returns what its pendant shows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from openpendant.errors import InputError, OpenPendantError
from openpendant.virtual.faults import Fault, Faults
from openpendant.virtual.pacer import Pace

from .layout import PageLayout
from .log import PendantLog
from .orders import GetPace, GetState, PendantOrder, PressButton, order_decoder
from .state import PendantState

Press = Callable[[], object]
"""Presses a button; False: the controller refused."""
OFF = {"booting": "The controller is booting.", "off": "The controller is switched off."}
SWITCH_ON = "switch_on"
"""The button of the mains, which every controller has."""


class OperatedHost(Protocol):
    """What an operator needs of the host around the controller."""

    @property
    def address(self) -> str:
        """Where its ports are."""
        ...

    @property
    def mains(self) -> str:
        """One of "on", "booting" and "off"."""
        ...

    @property
    def ticks(self) -> int:
        """Periods of the process, over reboots."""
        ...

    @property
    def faults(self) -> Faults:
        """The faults that last."""
        ...

    def cause(self, fault: Fault) -> None:
        """Let something go wrong, or right again."""
        ...

    def pace(self) -> Pace:
        """Return how well the ticks keep their times."""
        ...


class Operator(ABC):
    """The hands and eyes of a person at the controller. They are outside of it, and outlive its reboots.

    A maker says which orders it takes and how they are carried out (`obey`), which buttons there are (`presses`) and
    what is shown (`state`).
    """

    def __init__(
        self, host: OperatedHost, *kinds: type[PendantOrder], while_off: tuple[type[PendantOrder], ...] = ()
    ) -> None:
        """Take the orders of `kinds` beside state, pace, press and fault.

        Args:
            host: Around the controller.
            kinds: The maker's orders.
            while_off: Those of them that need no controller that is switched on.
        """
        self._host = host
        self._decode = order_decoder(*kinds)
        self._while_off = while_off
        self.log = PendantLog()

    def reply_to(self, data: bytes) -> bytes:
        """Carry out the order in one JSON object; return the reply as one, without a line end."""
        try:
            reply = self.perform(self._decode(data))
        except OpenPendantError as error:
            return msgspec.json.encode({"ok": False, "why": str(error)})
        return msgspec.json.encode({"ok": True, **reply})

    def perform(self, order: PendantOrder | Fault) -> dict[str, Any]:
        """Carry out an order; return its result.

        Raises:
            OpenPendantError: It cannot be done; says why.
        """
        host = self._host
        match order:
            case GetState():
                return {"state": self.state()}
            case GetPace():
                return {"pace": host.pace()}
            case Fault():
                host.cause(order)
            case PressButton(button="switch_on"):
                host.cause(Fault("power_on"))
            case _ if host.mains != "on" and not isinstance(order, self._while_off):
                raise InputError(f"the controller is {'booting' if host.mains == 'booting' else 'switched off'}")
            case PressButton(button=button):
                self._press(button)
            case _:
                return self.obey(order)
        return {}

    def write(self, level: str, text: str) -> None:
        """Write one line into the log, at the controller's time."""
        self.log.write(level, text, self.time_s)

    def tick(self) -> None:  # noqa: B027 - most controllers have nothing to do then
        """Do what time brings; once per tick."""

    @property
    @abstractmethod
    def time_s(self) -> float:
        """The controller's own time."""

    @property
    @abstractmethod
    def layout(self) -> PageLayout:
        """What the page is made of."""

    @abstractmethod
    def state(self) -> PendantState:
        """Return what the pendant shows now."""

    @abstractmethod
    def presses(self) -> Mapping[str, Press]:
        """Return what each button does, by name, beside `switch_on`."""

    @abstractmethod
    def obey(self, order: PendantOrder) -> dict[str, Any]:
        """Carry out an order of the maker; return its result.

        Raises:
            OpenPendantError: It cannot be done; says why.
        """

    def shown_of_host(self) -> dict[str, Any]:
        """Return the fields of `PendantState` that the host knows."""
        host = self._host
        return {
            "address": host.address,
            "mains": host.mains,
            "time_s": self.time_s,
            "messages": self.log.newest(),
            "faults": host.faults.lasting(),
            "late_p99_us": host.pace().late_p99_us,
        }

    def _press(self, button: str) -> None:
        presses = self.presses()
        if button not in presses:
            raise InputError(f"no button named {button!r}; known: {', '.join((SWITCH_ON, *presses))}")
        why = self.state().buttons[button]
        if why is not None:
            raise InputError(f"{button} cannot be pressed: {why}")
        if presses[button]() is False:
            raise InputError(f"{button}: the controller refused; see its messages")


def buttons_while_off(mains: str, buttons: tuple[str, ...]) -> dict[str, str | None]:
    """Return why no button but `switch_on` can be pressed while the controller is booting or switched off."""
    return dict.fromkeys(buttons, OFF[mains]) | {SWITCH_ON: None if mains == "off" else OFF[mains]}
