"""Safety: protective and emergency stops, violations, and what the status bits say of them."""

from openpendant.virtual.arm import TickClock

from .messages import ErrorCode, MessageLog, SafetyModeChange
from .modes import SafetyMode, SafetyStatusBit
from .options import UrOptions

EARLY = (
    "Cannot unlock protective stop until 5s after occurrence. Always inspect cause of protective stop before unlocking"
)
"""The controller's words when somebody unlocks too early."""


class Safety:
    """What holds the arm. Stops latch until somebody releases them."""

    def __init__(self, clock: TickClock, options: UrOptions, log: MessageLog) -> None:
        self._clock = clock
        self._options = options
        self._log = log
        self._protective_since: int | None = None
        self._unlocks_when_due = False
        self._pressed = False
        self._violated = False
        self._fault = False
        self.safeguard = False
        self.reduced = False
        self.cause = ""
        """Why it stopped last, in the controller's words."""
        self.popup = False
        """Whether the window about the stop is still shown."""
        self._reported = SafetyMode.NORMAL

    @property
    def mode(self) -> SafetyMode:
        """The gravest of what holds."""
        if self._fault:
            return SafetyMode.FAULT
        if self._violated:
            return SafetyMode.VIOLATION
        if self._pressed:
            return SafetyMode.ROBOT_EMERGENCY_STOP
        if self._protective_since is not None:
            return SafetyMode.PROTECTIVE_STOP
        if self.safeguard:
            return SafetyMode.SAFEGUARD_STOP
        return SafetyMode.REDUCED if self.reduced else SafetyMode.NORMAL

    @property
    def stopped(self) -> bool:
        """Whether the arm may not move."""
        return self.mode not in (SafetyMode.NORMAL, SafetyMode.REDUCED)

    @property
    def emergency(self) -> bool:
        """Whether the red button is pressed."""
        return self._pressed

    @property
    def status_bits(self) -> int:
        """As `safety_status_bits`."""
        mode = self.mode
        bits = 0

        def set_bit(bit: SafetyStatusBit, value: bool) -> None:
            nonlocal bits
            bits |= int(value) << bit

        set_bit(SafetyStatusBit.NORMAL_MODE, mode == SafetyMode.NORMAL)
        set_bit(SafetyStatusBit.REDUCED_MODE, mode == SafetyMode.REDUCED)
        set_bit(SafetyStatusBit.PROTECTIVE_STOPPED, mode == SafetyMode.PROTECTIVE_STOP)
        set_bit(SafetyStatusBit.SAFEGUARD_STOPPED, mode == SafetyMode.SAFEGUARD_STOP)
        set_bit(SafetyStatusBit.ROBOT_EMERGENCY_STOPPED, self._pressed)
        set_bit(SafetyStatusBit.EMERGENCY_STOPPED, self._pressed)
        set_bit(SafetyStatusBit.VIOLATION, self._violated)
        set_bit(SafetyStatusBit.FAULT, self._fault)
        set_bit(SafetyStatusBit.STOPPED_DUE_TO_SAFETY, self.stopped)
        return bits

    def protective_stop(self, code: int, argument: int, text: str) -> bool:
        """Latch a protective stop; False where the arm was stopped already."""
        if self.stopped:
            return False
        self._protective_since, self._unlocks_when_due = self._clock.ticks, False
        self.cause = f"C{code}A{argument}: Protective Stop: {text}"
        self.popup = True
        self._log.add(ErrorCode(self._clock.ticks, code, argument, 1, f"Protective Stop: {text}"))
        self._publish()
        return True

    @property
    def early(self) -> str | None:
        """Why a protective stop cannot be released yet; None where it can be, or there is none."""
        since, least = self._protective_since, self._clock.ticks_in(self._options.unlock_after_s)
        return EARLY if since is not None and self._clock.ticks - since < least else None

    def unlock(self) -> str | None:
        """Release a protective stop; None where that worked or nothing was to do, else why not."""
        if self._protective_since is None or self.early is not None:
            return self.early
        self._protective_since, self._unlocks_when_due = None, False
        self._publish()
        return None

    def unlock_when_due(self) -> None:
        """Release a protective stop as soon as it can be."""
        self._unlocks_when_due = self.unlock() is not None

    def tick(self) -> None:
        """Release what is to be released."""
        if self._unlocks_when_due:
            self.unlock_when_due()

    def press(self) -> bool:
        """Press the red button; False where it was pressed already."""
        if self._pressed:
            return False
        self._pressed = True
        self._protective_since = None
        self.cause = "Robot Emergency Stop"
        self._publish()
        return True

    def release(self) -> None:
        """Pull the red button up."""
        self._pressed = False
        self._publish()

    def violate(self, argument: int, text: str) -> None:
        """Report a violated safety limit: only a restart of the safety system helps."""
        self._violated = True
        self.cause = f"C191A{argument}: Safety system violation: {text}"
        self.popup = True
        self._log.add(ErrorCode(self._clock.ticks, 191, argument, 2, f"Safety system violation: {text}"))
        self._publish()

    def fail(self, argument: int, text: str) -> None:
        """Report a fault of the safety system."""
        self._fault = True
        self.cause = f"C192A{argument}: Safety system fault: {text}"
        self.popup = True
        self._log.add(ErrorCode(self._clock.ticks, 192, argument, 3, f"Safety system fault: {text}"))
        self._publish()

    def restart(self) -> None:
        """Restart the safety system; only a pressed button keeps its state."""
        self._violated = self._fault = False
        self._protective_since = None
        self.popup = False
        self._publish()

    def set_inputs(self, *, safeguard: bool | None = None, reduced: bool | None = None) -> None:
        """Take the safety inputs: an open safeguard, reduced mode."""
        self.safeguard = self.safeguard if safeguard is None else safeguard
        self.reduced = self.reduced if reduced is None else reduced
        self._publish()

    def _publish(self) -> None:
        mode = self.mode
        if mode != self._reported:
            self._reported = mode
            self._log.add(SafetyModeChange(self._clock.ticks, 0, 0, int(mode)))
