"""An ABB driver and a virtual controller in one process and in virtual time: guidance, programs, stops and links."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from openpendant.controllers import Dialler, VendorTasks, VendorText
from openpendant.controllers.abb import SERVER_TASK, AbbArm, AbbDriver
from openpendant.kinematics import Arm
from openpendant.robots import load
from openpendant.runtime.arm_executor import REST_RAD_S
from openpendant.testing import NullModem, VirtualTime
from openpendant.virtual.abb import AbbController, AbbHost, AbbSetup, SignalSetup, TaskSetup, build_controller
from openpendant.virtual.abb.setup import OPTIONS
from openpendant.virtual.faults import Fault
from openpendant.virtual.wire import ProgramSockets

TICK_S = 0.004
READY = np.radians([0.0, 10.0, 20.0, 0.0, 60.0, 0.0])
STOP_RAD_S2 = np.radians(1296.0)
"""Of a stop along the path: that of the weakest joints of both robots, as the catalogue assumes them."""
SIGNALS = (SignalSetup("doGrip", "DO"), SignalSetup("doLamp", "DO"), SignalSetup("diShut", "DI"))
INPUTS, OUTPUTS = {"shut": "diShut"}, {"grip": "doGrip", "lamp": "doLamp"}
IRB_TASKS = (TaskSetup("T_ROB1", "ROB_1"), TaskSetup(SERVER_TASK))
YUMI_TASKS = (TaskSetup("T_ROB_L", "ROB_L"), TaskSetup("T_ROB_R", "ROB_R"), TaskSetup(SERVER_TASK))
NAMES = {"left": ("T_ROB_L", "ROB_L"), "right": ("T_ROB_R", "ROB_R")}
NO_EXTERNAL = "9E9,9E9,9E9,9E9,9E9,9E9"


def arms_of(model: str) -> tuple[AbbArm, ...]:
    """The arms of a robot of the catalogue, as its maker's record describes them to the driver."""
    return tuple(_arm(name, arm) for name, arm in load(model).arms.items())


def _arm(name: str, arm: Arm) -> AbbArm:
    task, unit = NAMES.get(name, ("T_ROB1", "ROB_1"))
    fastest, stop = np.radians(250.0), STOP_RAD_S2
    return AbbArm(name, task, unit, arm.limits_lower, arm.limits_upper, velocity=fastest, stop_deceleration=stop)


class AbbPair:
    """Robot and driver; what is measured is the plant of the controller."""

    def __init__(
        self,
        model: str = "irb120",
        *,
        options: Sequence[str] = OPTIONS,
        tasks: Sequence[TaskSetup] | None = None,
        signals: Sequence[SignalSetup] = SIGNALS,
        connected: bool = True,
        arms: Sequence[AbbArm] | None = None,
        **driver: object,
    ) -> None:
        """Begin with motors on, in automatic mode."""
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        chosen = (YUMI_TASKS if model == "yumi" else IRB_TASKS) if tasks is None else tasks
        setup = AbbSetup(model, "robot", folder, folder, signals=signals, options=options, tasks=chosen)
        robot = load(model)
        start = READY if model == "irb120" else np.concatenate([robot.posture(arm=name) for name in robot.arms])

        def make(sockets: ProgramSockets) -> AbbController:
            brain = build_controller(setup, sockets, start_q=start)
            brain.panel.set_motors(on=True)
            return brain

        self.host = AbbHost("robot", make, in_process=True)
        self.clock = VirtualTime()
        self.dialler: Dialler = NullModem(self.host, self.clock)
        made = arms_of(model) if arms is None else tuple(arms)
        self.driver = AbbDriver("robot", made, inputs=INPUTS, outputs=OUTPUTS, dialler=self.dialler, **driver)  # type: ignore[arg-type]
        self.arms = tuple(arm.name for arm in made)
        if connected:
            self.driver.connect()
            self.until(lambda: self.driver.state.can_move, "control")
            self.driver.events()

    def close(self) -> None:
        self.driver.close()
        self.host.close()
        self._folder.cleanup()

    @property
    def brain(self) -> AbbController:
        return self.host.brain

    @property
    def arm(self) -> str:
        return self.arms[0]

    def plant(self, arm: str = "") -> np.ndarray:
        """The joints of an arm, as they are."""
        return np.array(self._unit(arm).arm.plant.q)

    def speed(self, arm: str = "") -> float:
        return float(np.abs(self._unit(arm).arm.plant.qd).max())

    def _unit(self, arm: str):
        return self.brain.units[NAMES.get(arm or self.arm, ("", "ROB_1"))[1]]

    @property
    def rests(self) -> bool:
        """Whether all arms rest, as a robot's loop counts it."""
        return max(self.speed(arm) for arm in self.arms) < REST_RAD_S

    @property
    def held(self) -> bool:
        """Whether no program moves the arms: at the end of a move an arm rests for a moment, too."""
        brain = self.brain
        return not brain.program.running or all(brain._stops.stopped(one) for one in brain.units.values())

    def tick(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.clock.sleep(TICK_S)
            self.driver.poll(self.clock.now_ns())

    def until(self, there: Callable[[], bool], what: str, seconds: float = 20.0) -> float:
        """Tick until something is there; return how long it took, seconds of the controller."""
        for count in range(round(seconds / TICK_S)):
            if there():
                return count * TICK_S
            self.tick()
        log = [f"{one.code} {one.title}: {one.text}" for one in self.brain.log.newest_first()[:4]]
        raise AssertionError(f"no {what} within {seconds} s: {self.driver.state}, {self.driver.events()[-5:]}, {log}")

    def fault(self, kind: str, ports: tuple[int, ...] = (), **values: float) -> None:
        self.host.cause(Fault(kind, ports=ports, **values))  # type: ignore[arg-type]

    def kinds(self) -> list[str]:
        return [event.kind for event in self.driver.events()]

    def start(self, job: VendorText | VendorTasks, least_rad_s: float = 0.5) -> None:
        """Upload a job and let it get fast."""
        self.driver.run(job)
        self.until(lambda: max(self.speed(arm) for arm in self.arms) > least_rad_s, "motion")

    def recover(self) -> None:
        """Let every fault pass and the driver find its way back; then nothing of ours moves."""
        self.fault("clear")
        state = lambda: self.driver.state  # noqa: E731
        self.until(lambda: state().can_move and not any(state().moving.values()) and self.rests, "recovery", 60.0)


def jointtarget(q: Sequence[float] | np.ndarray) -> str:
    degrees = [f"{value:.5f}" for value in np.degrees(np.asarray(q))]
    external = NO_EXTERNAL if len(degrees) == 6 else ",".join((degrees[6], *NO_EXTERNAL.split(",")[1:]))
    return f"[[{','.join(degrees[:6])}],[{external}]]"


def moves(name: str, body: str, task: str = "", arm: str = "") -> VendorText:
    return VendorText("rapid", name, f"MODULE {name}\n  PROC main()\n{body}  ENDPROC\nENDMODULE\n", task, arm)


def swing(pair: AbbPair, way: float = 1.0, speed: str = "v1000", arm: str = "", joint: int = 0) -> VendorText:
    """A program that swings one joint of an arm without end."""
    arm = arm or pair.arm
    near = pair.driver.state.q[arm]
    far = np.array(near)
    # Towards the middle: the arm rests anywhere after a stop.
    far[joint] -= np.copysign(way, near[joint]) if abs(near[joint]) > 1.0 else -way
    steps = "".join(f"      MoveAbsJ {jointtarget(q)}, {speed}, fine, tool0;\n" for q in (far, near))
    body = f"    WHILE TRUE DO\n{steps}    ENDWHILE\n"
    return moves(f"swing_{arm}", body, NAMES.get(arm, ("T_ROB1", ""))[0], arm)


def short_ride(pair: AbbPair, arms: Mapping[str, float]) -> VendorText | VendorTasks:
    """A job that moves the first joint of each arm there and back."""
    texts = []
    for arm, way in arms.items():
        near = pair.driver.state.q[arm]
        far = np.array(near)
        far[0] += way
        body = "".join(f"    MoveAbsJ {jointtarget(q)}, v500, fine, tool0;\n" for q in (far, near))
        texts.append(moves(f"ride_{arm}", body, NAMES.get(arm, ("T_ROB1", ""))[0], arm))
    return texts[0] if len(texts) == 1 else VendorTasks("ride", tuple(texts))


def wave(pair: AbbPair, arm: str, way: float, seconds: float) -> np.ndarray:
    """Rows of a smooth path of the first joint from where the arm is held."""
    return wave_from(pair.driver.state.q_target[arm], way, seconds)


def wave_from(start: np.ndarray, way: float, seconds: float) -> np.ndarray:
    """The same from joints."""
    count = round(seconds / TICK_S)
    x = np.arange(1, count + 1)[:, None] / count
    away = np.zeros(len(start))
    away[0] = way
    return start + away * (x**3 * (10.0 - 15.0 * x + 6.0 * x**2))
