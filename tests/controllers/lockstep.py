"""A driver and a virtual controller that tick together, with real sockets between them.

The time of both is counted in ticks, so a busy machine makes a test slower but changes no figure of it.
"""

import sys
import threading
import time
from collections.abc import Callable

import numpy as np

from openpendant.controllers import VendorText
from openpendant.controllers.ur import UrDriver
from openpendant.virtual.faults import Fault
from openpendant.virtual.ur import RuntimeState, UrController, UrOptions, ur_model
from openpendant.virtual.ur.host import UrHost

START = (0.0, -1.5, 1.0, -1.5, -1.5, 0.0)
TICK_NS = 2_000_000
FASTER = 4.0
"""So many times faster than the clock on the wall, where the machine can."""
IDLE_CHILD = "import os\nwhile True:\n    came = os.read(0, 65536)\n    if not came or b'e' in came:\n        break\n"
"""Stands for the process with ur_rtde: it never gets control, and leaves when told to."""
SWING = """\
def swing():
  while True:
    movej([{far}], a={a}, v={v})
    movej([{near}], a={a}, v={v})
  end
end
"""


def swing(way: float = 1.5, v: float = 1.5, a: float = 6.0) -> VendorText:
    """A program that swings the base without end."""
    near, far = list(START), list(START)
    far[0] += way
    text = SWING.format(far=", ".join(map(str, far)), near=", ".join(map(str, near)), v=v, a=a)
    return VendorText("urscript", "swing", text)


class Lockstep:
    """Robot and driver; what is measured is the controller's own state."""

    def __init__(self, address: str, child: str | None = IDLE_CHILD) -> None:
        """Begin with power on; `child` stands for the process with ur_rtde, None: it is that process."""
        self.host = UrHost(
            address,
            lambda sockets: UrController(
                ur_model("ur3e"), options=UrOptions(power=False), start_q=START, sockets=sockets
            ),
        )
        self.driver = UrDriver(address, control=None if child is None else (sys.executable, "-c", child))
        self._with_host(self.driver.connect)
        self.now_ns = time.monotonic_ns()
        self._due = time.monotonic()
        self.faster = FASTER
        self.host.brain.brake_release()
        self.until(lambda: self.driver.state.mode == "ready", "power")

    def close(self) -> None:
        self._with_host(self.driver.close)
        self.host.close()

    @property
    def brain(self) -> UrController:
        return self.host.brain

    @property
    def q(self) -> np.ndarray:
        return np.array(self.brain.read("actual_q"))

    @property
    def speed(self) -> float:
        return float(np.abs(self.brain.read("target_qd")).max())

    @property
    def rests(self) -> bool:
        """Whether the arm rests and no program plays."""
        return self.speed == 0.0 and self.brain.read("runtime_state") == RuntimeState.STOPPED

    def tick(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.host.step()
            self.now_ns += TICK_NS
            self.driver.poll(self.now_ns)
            self._due = max(self._due + TICK_NS * 1e-9 / self.faster, time.monotonic() - 0.05)
            time.sleep(max(0.0, self._due - time.monotonic()))

    def until(self, there: Callable[[], bool], what: str, seconds: float = 20.0) -> float:
        """Tick until something is there; return how long it took, seconds of the controller."""
        for count in range(round(seconds * 500)):
            if there():
                return count * 0.002
            self.tick()
        raise AssertionError(f"no {what} within {seconds} s: {self.driver.state}, {self.driver.events()[-5:]}")

    def fault(self, kind: str, ports: tuple[int, ...] = (), **values: float) -> None:
        self.host.cause(Fault(kind, ports=ports, **values))

    def start(self, program: VendorText) -> None:
        """Upload a program and let it get fast."""
        self.driver.run(program)
        self.until(lambda: self.speed > 0.5, "motion")

    def get_ready(self) -> None:
        """Let every fault pass and the driver find its way back; then nothing of ours plays."""
        self.faster = FASTER
        self.fault("clear")
        ready = lambda: self.driver.state.connected and not self.driver.state.moving["arm"] and self.rests  # noqa: E731
        self.until(ready, "recovery", 60.0)
        self.driver.events()

    def _with_host(self, work: Callable[[], None]) -> None:
        """Do something that waits for the controller's answers."""
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
                self.host.step()
                time.sleep(0.001)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            work()
        finally:
            ended.set()
            thread.join()
