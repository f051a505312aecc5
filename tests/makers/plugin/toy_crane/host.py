"""CraneHost: a crane as a process; mains, faults, pace, control channel and page are those of every controller."""

from collections.abc import Callable

from openpendant.virtual.host import VirtualHost

from .brain import CraneBrain
from .operator import CraneOperator
from .protocol import PORT, TICK_NS, Hello
from .service import Clients

SLOW_NS = 250_000_000


class CraneHost(VirtualHost):
    """A crane at an address of its own."""

    def __init__(self, address: str, q: tuple[float, ...], *, slow: bool = False, in_process: bool = False) -> None:
        super().__init__(address, tick_ns=TICK_NS, in_process=in_process)
        self._start = q
        self.brain = CraneBrain(q)
        self._clients = Clients(self, Hello(not slow, SLOW_NS if slow else TICK_NS))
        self.begin(CraneOperator(self), {PORT: self._clients})

    def work(self) -> None:
        self.brain.tick()
        self._clients.tell()

    def lose_power(self) -> None:
        self.brain.switch(on=False)

    def boot(self) -> None:
        self.brain = CraneBrain(self._start)


def run_crane(
    address: str, q: tuple[float, ...], *, slow: bool, on_ready: Callable[[], None], ended: Callable[[], bool]
) -> None:
    """Be a crane at an address until `ended` says so."""
    host = CraneHost(address, q, slow=slow)
    on_ready()
    host.run(ended)
