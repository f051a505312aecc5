"""What a robot's controller can do, and what its pendant has to press: said by the controller, not by a page."""

from .said import SaidMessage, split_said
from .wire import Wire


class ControllerCapabilities(Wire, frozen=True, kw_only=True):
    """What a controller can do."""

    servo: bool = True
    """Whether it takes setpoints: without them it cannot be jogged, and programs run uploaded."""
    sampled: bool = True
    """Whether it takes paths of joints for every tick."""
    dialects: tuple[str, ...] = ()
    """Languages that it runs."""
    arms: tuple[str, ...] = ()
    """Its arms, by its own names; empty: not known."""
    state_s: float = 0.0
    """Between two of its states, seconds; 0: one comes at every tick."""


class RobotButton(Wire, frozen=True, kw_only=True):
    """A button of a controller."""

    name: str
    """As `Press.button`."""
    title: str
    why: str = ""
    """Why it cannot be pressed now; empty: it can."""
    said: SaidMessage | None = None
    """`title` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "title")


class RobotWindow(Wire, frozen=True, kw_only=True):
    """A window that a controller has open on its own screen."""

    number: int
    """Another one for each window."""
    title: str
    text: str
    buttons: tuple[RobotButton, ...] = ()
    """That answer it from here; none: it is answered at the robot."""
