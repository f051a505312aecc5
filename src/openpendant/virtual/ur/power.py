"""Power: the states of the arm from off over idle to running and back, in counted ticks."""

from openpendant.virtual.arm import TickClock

from .modes import JointMode, RobotMode, ToolMode
from .options import UrOptions


class Power:
    """The robot mode. Each command begins a timed transition; `tick` carries it on."""

    def __init__(self, clock: TickClock, options: UrOptions) -> None:
        self._clock = clock
        self._options = options
        self.mode = RobotMode.RUNNING if options.power else RobotMode.POWER_OFF
        self._next: RobotMode | None = None
        self._due = 0
        self._release_too = False

    @property
    def on(self) -> bool:
        """Whether the arm has power."""
        return self.mode in (RobotMode.POWER_ON, RobotMode.IDLE, RobotMode.BACKDRIVE, RobotMode.RUNNING)

    @property
    def running(self) -> bool:
        """Whether the brakes are released and the drives hold the arm."""
        return self.mode == RobotMode.RUNNING

    @property
    def releasing(self) -> bool:
        """Whether the arm is on its way to running."""
        return self._release_too and self._next is not None

    @property
    def joint_mode(self) -> JointMode:
        """Of all joints: they do the same."""
        match self.mode:
            case RobotMode.RUNNING:
                return JointMode.RUNNING
            case RobotMode.BACKDRIVE:
                return JointMode.BACKDRIVE
            case RobotMode.IDLE | RobotMode.POWER_ON:
                return JointMode.IDLE
            case RobotMode.BOOTING:
                return JointMode.BOOTING
            case _:
                return JointMode.POWER_OFF

    @property
    def tool_mode(self) -> ToolMode:
        """Of the tool's board."""
        if self.mode == RobotMode.RUNNING:
            return ToolMode.RUNNING
        return ToolMode.IDLE if self.on else ToolMode.NOT_RESPONDING

    def power_on(self) -> None:
        """Switch the arm on; the brakes stay closed."""
        if self.mode == RobotMode.POWER_OFF:
            self.mode = RobotMode.BOOTING
            self._then(RobotMode.POWER_ON, 0.7 * self._options.power_on_s)

    def brake_release(self) -> None:
        """Release the brakes; switches the arm on first where it is off."""
        if self.mode == RobotMode.RUNNING:
            return
        self._release_too = True
        self.power_on()
        if self.mode == RobotMode.IDLE:
            self._then(RobotMode.RUNNING, self._options.brake_release_s)

    def power_off(self) -> None:
        """Close the brakes and switch the arm off."""
        self._release_too = False
        if self.mode == RobotMode.POWER_OFF:
            return
        self.mode = RobotMode.POWER_ON if self.on else RobotMode.BOOTING
        self._then(RobotMode.POWER_OFF, self._options.power_off_s)

    def cut(self) -> None:
        """Lose power at once: brakes close."""
        self._release_too = False
        self._next = None
        self.mode = RobotMode.POWER_OFF

    def tick(self) -> None:
        """Carry on what has begun."""
        if self._next is None or self._clock.ticks < self._due:
            return
        self.mode, self._next = self._next, None
        if self.mode == RobotMode.POWER_ON:
            self._then(RobotMode.IDLE, 0.3 * self._options.power_on_s)
        elif self.mode == RobotMode.IDLE and self._release_too:
            self._then(RobotMode.RUNNING, self._options.brake_release_s)
        elif self.mode == RobotMode.RUNNING:
            self._release_too = False

    def _then(self, mode: RobotMode, after_s: float) -> None:
        self._next = mode
        self._due = self._clock.ticks + max(1, self._clock.ticks_in(after_s))
