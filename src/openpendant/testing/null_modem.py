"""NullModem: joins a driver to a virtual controller in the same process, under one virtual clock and without sockets.

    host = UrHost("robot", make_brain, in_process=True)
    clock = VirtualTime()
    driver = UrDriver("robot", control=(), dialler=NullModem(host, clock))
    report = check_controller(lambda: driver, program=program, clock=clock)

Every run is the same. What a driver leaves to processes of their own has no place here: of a Universal Robots arm that
is motion by ur_rtde, so that programs, stops, losses and recoveries are checked, and setpoints are not.
"""

from openpendant.controllers import ByteLink, DatagramLink
from openpendant.controllers.dialler import CHUNK
from openpendant.errors import InputError, LinkError
from openpendant.virtual.host import VirtualHost
from openpendant.virtual.wire import CableEnd, InProcessPorts

from .virtual_time import VirtualTime


class NullModem:
    """A `Dialler` to one virtual controller, whatever host is asked for; time passes for both while one waits."""

    def __init__(self, host: VirtualHost, clock: VirtualTime) -> None:
        """Let the controller live by a clock.

        Args:
            host: Of the virtual controller, made with `in_process`; nothing else may call its `step`.
            clock: That the driver is polled by.

        Raises:
            InputError: The ports of the host are real ones.
        """
        if not isinstance(host.wire, InProcessPorts):
            raise InputError("the ports of this virtual controller are sockets; make it with in_process=True")
        self._ports, self._clock = host.wire, clock
        clock.every(host.tick_ns, host.step)

    def dial(self, host: str, port: int) -> ByteLink:
        """Connect to a port of the controller."""
        try:
            return _Cable(f"{host}:{port}", self._ports.connect(port), "")
        except LinkError as error:
            return _Cable(f"{host}:{port}", None, str(error))

    def listen(self, host: str, port: int) -> DatagramLink:  # noqa: ARG002 - there is one host
        """Receive the controller's datagrams."""
        return self._ports.station(port)

    def now_ns(self) -> int:
        """Return the virtual time."""
        return self._clock.now_ns()

    def wait(self, seconds: float) -> None:
        """Let time pass, and the controller live."""
        self._clock.sleep(seconds)


class _Cable:
    """See `ByteLink`."""

    def __init__(self, place: str, end: CableEnd | None, why: str) -> None:
        self._place, self._end, self._why = place, end, why

    def ready(self) -> bool:
        self._own()
        return True

    def send(self, data: bytes) -> int:
        try:
            return self._own().send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise self._lost(error) from None

    def receive(self) -> bytes:
        own = self._own()
        if not own.stirs:
            return b""
        try:
            data = own.recv(CHUNK)
        except OSError as error:
            raise self._lost(error) from None
        if not data:
            raise LinkError(f"the controller at {self._place} closed the connection")
        return data

    def close(self, *, reset: bool = False) -> None:
        end, self._end = self._end, None
        if end is not None:
            end.end(reset=reset)

    def _own(self) -> CableEnd:
        if self._end is None:
            raise LinkError(self._why or f"there is no connection to {self._place}")
        return self._end

    def _lost(self, error: OSError) -> LinkError:
        return LinkError(f"the connection to {self._place} was lost: {error.strerror or error}")
