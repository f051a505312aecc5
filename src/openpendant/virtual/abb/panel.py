"""ControllerPanel: motors, operating mode, emergency stop and speed of a controller."""

from typing import Literal

from .controller_log import STATES, ControllerLog
from .refusal import ControllerRefusal

OperatingMode = Literal["AUTO", "MANR", "MANF"]
ControllerState = Literal["motoron", "motoroff", "guardstop", "emergencystop"]
MODES: tuple[OperatingMode, ...] = ("AUTO", "MANR", "MANF")
MANUAL_MM_S = 250.0
"""The tool's speed in manual mode with reduced speed."""


class ControllerPanel:
    """The state that Robot Web Services calls ctrlstate, and the switches around it.

    Attributes:
        mode: "AUTO", "MANR" (manual, reduced speed) or "MANF" (manual, full speed).
        motors: Whether they are on.
        emergency: Whether an emergency stop is pressed.
        guard: Whether the gate of the cell is open.
    """

    def __init__(self, log: ControllerLog) -> None:
        """Begin in automatic mode with motors off."""
        self._log = log
        self.mode: OperatingMode = "AUTO"
        self.motors = False
        self.emergency = False
        self.guard = False
        self._speed_percent = 100.0
        self._written: ControllerState = "motoroff"
        self._write_log("motoroff")

    @property
    def state(self) -> ControllerState:
        """What the controller is ready for."""
        if self.emergency:
            return "emergencystop"
        if self.guard:
            return "guardstop"
        return "motoron" if self.motors else "motoroff"

    @property
    def speed_percent(self) -> float:
        """0 to 100."""
        return self._speed_percent

    def set_speed(self, percent: float) -> None:
        """Set the speed of all moves.

        Raises:
            ControllerRefusal: Not 0 to 100.
        """
        if not 0.0 <= percent <= 100.0:
            raise ControllerRefusal(f"speed ratio {percent:g}; 0 to 100 are allowed")
        self._speed_percent = percent

    def set_motors(self, *, on: bool) -> None:
        """Switch the motors.

        Raises:
            ControllerRefusal: A stop is active.
        """
        if on and self.emergency:
            raise ControllerRefusal("an emergency stop is pressed")
        if on and self.guard:
            raise ControllerRefusal("the safety guard is open")
        self.motors = on
        self.log_state()

    def require_motors(self) -> None:
        """Do nothing while the motors are on.

        Raises:
            ControllerRefusal: They are off; says why.
        """
        if self.state != "motoron":
            raise ControllerRefusal(f"the controller is in state {self.state}; switch the motors on")

    def set_mode(self, mode: OperatingMode) -> None:
        """Turn the key; that switches the motors off."""
        if mode != self.mode:
            self.mode, self.motors = mode, False
            self._write_log(mode)
            self.log_state()

    def set_emergency(self, *, pressed: bool) -> None:
        """Press or release an emergency stop; the motors stay off afterwards."""
        self.emergency = pressed
        self.motors = False
        self.log_state()

    def set_guard(self, *, opened: bool) -> None:
        """Open or close the gate of the cell; the motors stay off afterwards."""
        self.guard = opened
        self.motors = False
        self.log_state()

    def log_state(self) -> None:
        """Write a state that is new into the event log."""
        if self.state != self._written:
            self._written = self.state
            self._write_log(self.state)

    def _write_log(self, word: str) -> None:
        self._log.write(2 if word in ("guardstop", "emergencystop") else 1, *STATES[word])
