"""A driver and a virtual controller in one process and in virtual time: uploads, stops and links, without setpoints."""

from collections.abc import Callable

import numpy as np

from openpendant.controllers import VendorText
from openpendant.controllers.ur import UrDriver
from openpendant.testing import NullModem, VirtualTime
from openpendant.virtual.faults import Fault
from openpendant.virtual.ur import RuntimeState, UrController, UrOptions, ur_model
from openpendant.virtual.ur.host import UrHost

START = (0.0, -1.5, 1.0, -1.5, -1.5, 0.0)
TICK_NS = 2_000_000
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


class Uploads:
    """Robot and driver; what is measured is the controller's own state."""

    def __init__(self) -> None:
        """Begin with power on."""
        self.clock = VirtualTime()
        self.host = UrHost(
            "robot",
            lambda sockets: UrController(
                ur_model("ur3e"), options=UrOptions(power=False), start_q=START, sockets=sockets
            ),
            in_process=True,
        )
        self.driver = UrDriver("robot", control=(), dialler=NullModem(self.host, self.clock))
        self.driver.connect()
        self.host.brain.brake_release()
        self.until(lambda: self.driver.state.mode == "ready", "power")

    def close(self) -> None:
        self.driver.close()
        self.host.close()

    @property
    def brain(self) -> UrController:
        return self.host.brain

    @property
    def q(self) -> np.ndarray:
        return np.array(self.brain.read("actual_q"))

    @property
    def speed(self) -> float:
        return max(map(abs, self.brain.read("target_qd")))

    @property
    def rests(self) -> bool:
        """Whether the arm rests and no program plays."""
        return self.speed == 0.0 and self.brain.read("runtime_state") == RuntimeState.STOPPED

    def tick(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.clock.sleep(TICK_NS * 1e-9)
            self.driver.poll(self.clock.now_ns())

    def until(self, there: Callable[[], bool], what: str, seconds: float = 20.0) -> float:
        """Tick until something is there; return how long it took, seconds."""
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
        self.fault("clear")
        ready = lambda: self.driver.state.connected and not self.driver.state.moving["arm"] and self.rests  # noqa: E731
        self.until(ready, "recovery", 60.0)
        self.driver.events()
