"""ServoedUr: a virtual Universal Robots arm behind the `Controller` interface, without sockets and without a clock.

Its setpoints are followed by the controller's own servoj with the numbers that the driver gives it. So loop and gate
can be measured on the arm in virtual time, and every figure is the same on every machine.
"""

import numpy as np

from openpendant.controllers import Capabilities, ControllerEvent, Job, Progress, RobotState, StopKind
from openpendant.controllers.ur.control_child import GAIN, LOOKAHEAD_S, TICK_S
from openpendant.controllers.ur.decoded_state import read_state
from openpendant.controllers.ur.state_link import OUTPUTS
from openpendant.errors import InputError
from openpendant.runtime import RobotLoop
from openpendant.runtime.robot_builder import build_robot
from openpendant.runtime.settings import RobotSettings
from openpendant.scene import Cell, CellRobot, encode_cell
from openpendant.virtual.ur import Tracking, UrController, UrOptions, ur_model

__all__ = ["ServoedUr", "loop_of_ur"]

TICK_NS = 2_000_000
DOUBLES = [f"input_double_register_{k}" for k in range(6)]
FOLLOW = f"""\
def follow():
  while True:
    if read_input_integer_register(0) > 0:
      q = [{", ".join(f"read_input_float_register({k})" for k in range(6))}]
      servoj(q, t={TICK_S}, lookahead_time={LOOKAHEAD_S}, gain={GAIN:g})
    else:
      sync()
    end
  end
end
"""


class ServoedUr:
    """One arm. Time passes where it is polled: a tick for each 2 ms since the last time."""

    def __init__(self, model: str, arm: str, q: np.ndarray) -> None:
        """Begin with power on, at rest at q; no noise, and no limit of the tool's speed."""
        options = UrOptions(power=True, tracking=Tracking(noise=0.0), tool_speed_m_s=20.0)
        self.brain = UrController(ur_model(model), start_q=tuple(q.tolist()), options=options)
        self.brain.run_script(FOLLOW)
        self.capabilities = Capabilities(TICK_NS)
        self.sent: list[np.ndarray] = []
        """Every setpoint."""
        self._arm = arm
        self._read = self.brain.compile_reader(OUTPUTS)
        self._write = self.brain.compile_writer(["input_int_register_0", *DOUBLES])
        self._due_ns = 0
        self._state = self._read_state(0)

    @property
    def state(self) -> RobotState:
        """As it was read last."""
        return self._state

    @property
    def q(self) -> np.ndarray:
        """Where the joints are, whether anybody has read that or not."""
        return np.array(self.brain.read("actual_q"))

    @property
    def qd(self) -> np.ndarray:
        """How fast they are."""
        return np.array(self.brain.read("actual_qd"))

    def connect(self) -> None:
        """Nothing: it is there."""

    def close(self) -> None:
        """Nothing."""

    def poll(self, now_ns: int) -> None:
        """Let the ticks pass that are due, and read the state."""
        self._due_ns = self._due_ns or now_ns
        while self._due_ns <= now_ns:
            self.tick()
        self._state = self._read_state(now_ns)

    def tick(self) -> None:
        """Let one tick pass; its state is read by `poll`."""
        self._due_ns += TICK_NS
        self.brain.tick()

    def events(self) -> tuple[ControllerEvent, ...]:
        """Nothing happens but motion."""
        return ()

    def run(self, job: Job) -> None:
        """Refuse: this one is streamed to."""
        raise InputError(f"{type(job).__name__} for an arm that is only streamed to")

    def progress(self, arm: str) -> Progress:  # noqa: ARG002 - of the one arm
        """There is never a job."""
        return Progress(0, 0)

    def servo(self, arm: str, q: np.ndarray) -> np.ndarray:  # noqa: ARG002 - of the one arm
        """Take a setpoint for the next tick."""
        self.sent.append(np.array(q))
        self._write((1, *q.tolist()))
        return np.array(q)

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Refuse: it has none."""
        raise InputError(f"{arm} has no tool: {opening_m} m, closes {closes}")

    def set_output(self, name: str, value: bool) -> None:
        """Refuse: it has none."""
        raise InputError(f"no output {name!r} to set to {value}")

    def stop(self, kind: StopKind = "path") -> None:
        """Nothing: what is streamed to it comes to rest."""

    def _read_state(self, now_ns: int) -> RobotState:
        reading = read_state(self._read(), now_ns, {}, {})
        return reading.state(self._arm, moving=False, connected=True, in_control=True)


def loop_of_ur(model: str, q: np.ndarray, make: type[ServoedUr] = ServoedUr) -> tuple[RobotLoop, ServoedUr]:
    """Return the loop of a robot that stands alone at q, with its gate and servo, on a virtual arm; and the arm."""
    cell = Cell(name="alone", robots=(CellRobot(name="robot", model=model),))
    document = encode_cell(cell).decode()
    # With an address it is built for the ticks of the driver, which is never connected.
    settings = RobotSettings(
        cell="alone", document=document, robot="robot", endpoint="tcp/127.0.0.1:1", address="127.0.0.1"
    )
    built = build_robot(settings, rehearsed=False).loop
    arm, drive = next(iter(built.drives.items()))
    controller = make(model, arm, q)
    return RobotLoop("robot", controller, built.gate, [drive.parts]), controller
