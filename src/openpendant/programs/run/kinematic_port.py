"""KinematicPort: a simulated robot of this process as a run needs it; its time passes with the run's ticks."""

from openpendant.controllers import KinematicRobot, SampledPath
from openpendant.errors import InputError
from openpendant.motion import Pacing, PathPlayer, Trajectory

from .robot_port import Playback, PortState, RobotPort


class KinematicPort:
    """Keeps `RobotPort`. Not for robots that exist: their setpoints pass a gate, in `runtime`."""

    def __init__(self, robot: KinematicRobot) -> None:
        """Send to a simulated robot.

        Raises:
            InputError: It is not simulated.
        """
        if not isinstance(robot, KinematicRobot):  # pyright: ignore[reportUnnecessaryIsInstance] - from untyped code
            raise _not_simulated(robot)
        self._robot = robot

    @property
    def tick_s(self) -> float:
        """The robot's."""
        return self._robot.capabilities.tick_ns * 1e-9

    @property
    def state(self) -> PortState:
        """The newest state."""
        state = self._robot.state
        return PortState(state.q, state.inputs, state.outputs, state.tool_moving)

    def play(self, trajectory: Trajectory, arm: str, speed: float) -> Playback:
        """Send a trajectory to an arm."""
        return PathPlayer(trajectory, _WholePaths(self._robot, arm), speed)

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Open or close an arm's tool."""
        self._robot.tool(arm, opening_m, closes=closes)

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output."""
        self._robot.set_output(name, value)

    def pass_tick(self) -> None:
        """Let a tick pass, in simulation."""
        self._robot.advance(1)


def as_port(robot: KinematicRobot | RobotPort) -> RobotPort:
    """Return the port of a robot, as it is or of a simulated one.

    Raises:
        InputError: It is neither a port nor simulated.
    """
    if isinstance(robot, KinematicRobot):
        return KinematicPort(robot)
    if not hasattr(robot, "play"):  # From untyped code.
        raise _not_simulated(robot)
    return robot


def _not_simulated(robot: object) -> InputError:
    return InputError(f"{type(robot).__name__} is not a simulated robot; run it in a CellRuntime")


class _WholePaths:
    """Sends all rows of a path at once. Keeps `motion.PathSink`."""

    def __init__(self, robot: KinematicRobot, arm: str) -> None:
        self._robot, self._arm = robot, arm

    @property
    def tick_s(self) -> float:
        return self._robot.capabilities.tick_ns * 1e-9

    @property
    def done(self) -> int:
        return self._robot.progress(self._arm).done

    @property
    def finished(self) -> bool:
        return self._robot.progress(self._arm).finished

    def follow(self, pacing: Pacing) -> None:
        self._robot.run(SampledPath(self._arm, pacing.rows(0, pacing.count)))
