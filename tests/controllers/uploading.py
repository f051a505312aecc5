"""A driver and a virtual controller in one process and in virtual time: uploads, stops and links, without setpoints."""

from collections.abc import Callable, Sequence

import numpy as np

from openpendant.controllers import VendorText
from openpendant.controllers.ur import UrDriver
from openpendant.testing import NullModem, VirtualTime
from openpendant.virtual.faults import Fault
from openpendant.virtual.ur import RuntimeState, UrController, UrOptions, ur_model
from openpendant.virtual.ur.host import UrHost
from unsafe import promise

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

    def __init__(self, *, in_process: bool = True, host: str = "robot", control: Sequence[str] | None = ()) -> None:
        """Begin with power on."""
        # Where a process is to hold the robot, the driver would wait for it to get control.
        options = UrOptions(power=in_process)
        self.host = UrHost(
            host,
            lambda sockets: UrController(ur_model("ur3e"), options=options, start_q=START, sockets=sockets),
            in_process=in_process,
        )
        self.clock = VirtualTime()
        dialler = NullModem(self.host, self.clock) if in_process else None
        self.driver = UrDriver(host, control=control, dialler=dialler)
        self.connect()
        if not in_process:
            self.host.brain.brake_release()
        self.until(lambda: self.driver.state.mode == "ready", "power")

    def connect(self) -> None:
        self.driver.connect()

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
        """Recover, and forget what was told meanwhile."""
        self.recover()
        self.driver.events()

    def recover(self) -> None:
        """Let every fault pass and the driver find its way back; then nothing of ours plays."""
        self.fault("clear")
        ready = lambda: self.driver.state.connected and not self.driver.state.moving["arm"] and self.rests  # noqa: E731
        self.until(ready, "recovery", 60.0)


# How an arm comes to rest where its program is cut off, stopped, or both.

HEARTBEAT_S = 0.402
"""After so long without a beat the controller stops the program (2.5 Hz, and one tick)."""
NOTICED_S = 0.36
"""After so long without a state the driver counts the link as lost."""
STOP_S = 0.159
"""Of the base of a UR3 from full speed (maker's manual, stop category 0)."""
SLACK_S = 0.03
"""A beat of 20 ms on its way, and ticks of both sides."""
PORTS = {"30001": (30001,), "30004": (30004,), "29999": (29999,), "all": ()}


def stays_at_rest(pair: Uploads, seconds: float = 1.0) -> None:
    """The arm rests, and nothing of ours begins again."""
    q = pair.q
    for _ in range(round(seconds * 50)):
        pair.tick(10)
        promise(pair.rests, "it moves after a stop")
    promise(np.abs(pair.q - q).max() < 1e-3, "it has moved after a stop")


def cut_at_random(pair: Uploads, random: np.random.Generator, ports: str) -> None:
    """Cut a link for 50 ms to 5 s while a program runs, without a STOP, then go on pressing STOP."""
    pair.start(swing())
    pair.tick(int(random.integers(1, 800)))
    kind = "drop" if random.random() < 0.5 or ports == "29999" else "silence"
    lasts = float(np.exp(random.uniform(np.log(0.05), np.log(5.0))))
    pair.fault(kind, PORTS[ports], seconds=lasts)
    told = f"{kind} of {ports} for {lasts:.2f} s"
    unheard = ports == "29999" or (kind == "silence" and (ports == "30001" or lasts < NOTICED_S))
    if unheard:
        # Nothing that supervises the program is gone: it goes on until a person stops it.
        pair.tick(100)
        assert not pair.rests, told
        pair.driver.stop()
    bound = HEARTBEAT_S + STOP_S + SLACK_S + (NOTICED_S if kind == "silence" and not unheard else 0.0)
    took = pair.until(lambda: pair.rests, f"rest after {told}", 30.0)
    promise(took <= bound, f"{told}: {took:.3f} s")
    for _ in range(3):
        pair.driver.stop()
        pair.tick(5)
    stays_at_rest(pair, max(1.0, lasts))


def stop_that_hardly_gets_through(pair: Uploads, random: np.random.Generator) -> None:
    """Press STOP while the dashboard is silent and scripts come late, perhaps after the silence."""
    pair.start(swing())
    pair.tick(int(random.integers(1, 800)))
    lasts = float(np.exp(random.uniform(np.log(0.05), np.log(5.0))))
    late_ms = float(random.uniform(20.0, 2000.0))
    pair.fault("silence" if random.random() < 0.5 else "drop", PORTS["29999"], seconds=lasts)
    pair.fault("delay", (30001, 30002), ms=late_ms)
    pair.tick(int(random.integers(0, 200)))
    pair.driver.stop("now" if random.random() < 0.5 else "path")
    told = f"scripts {late_ms:.0f} ms late, no dashboard for {lasts:.2f} s"
    took = pair.until(lambda: pair.rests, f"rest with {told}", 30.0)
    promise(took <= HEARTBEAT_S + STOP_S + SLACK_S, f"{told}: {took:.3f} s")
    stays_at_rest(pair, max(lasts, 1e-3 * late_ms) + 0.5)
