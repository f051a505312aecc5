"""CraneHost: a crane as a process; mains, faults, pace, control channel and page are those of every controller.

It has its own fault: while it is `slow` it takes no setpoints, and says how it is every 0.25 s. `clear` ends it.
"""

from collections.abc import Callable

from openpendant.virtual import Fault
from openpendant.virtual.host import VirtualHost

from .brain import CraneBrain
from .operator import CraneOperator
from .protocol import PORT, TICK_NS, Hello
from .service import Clients

QUICK, SLOW = Hello(servo=True, period_ns=TICK_NS), Hello(servo=False, period_ns=250_000_000)


class CraneHost(VirtualHost):
    """A crane at its own address."""

    def __init__(self, address: str, q: tuple[float, ...], key: str = "auto", *, in_process: bool = False) -> None:
        super().__init__(address, tick_ns=TICK_NS, in_process=in_process)
        self._start = q
        self.brain = CraneBrain(q, key)
        self._clients = Clients(self, QUICK)
        self.begin(CraneOperator(self), {PORT: self._clients})

    def work(self) -> None:
        self.brain.tick()
        self._clients.push()

    def cause(self, fault: Fault) -> None:
        if fault.kind in ("slow", "clear"):
            self._clients.become(SLOW if fault.kind == "slow" else QUICK)
        if fault.kind == "slow":
            self._operator.write("warning", "fault: slow")
        else:
            super().cause(fault)

    def lose_power(self) -> None:
        self.brain.switch(on=False)

    def boot(self) -> None:
        self.brain = CraneBrain(self._start, self.brain.key)


def run_crane(
    address: str, q: tuple[float, ...], key: str, *, on_ready: Callable[[], None], ended: Callable[[], bool]
) -> None:
    """Be a crane at an address until `ended` says so."""
    host = CraneHost(address, q, key)
    on_ready()
    host.run(ended)
