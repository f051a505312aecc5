"""What the processes of a cell say to each other over the bus (msgpack, one message a sample).

Keys are `<cell>/<robot>/{state,event,command,intent,lease}`; `samples` has two more. States and intents: the newest
counts. Commands are asked and answered within a deadline. Radians, metres, seconds; stamps are nanoseconds of the
machine's monotonic clock, which all processes of a machine share. Not for the page: import them as `from
openpendant.messages import bus`.
"""

from typing import Literal

from .controller import ControllerCapabilities, RobotWindow
from .kinds import Mode, OperatingMode, RobotEventKind, Safety
from .said import SaidMessage, split_said
from .wire import Wire

Doing = Literal["nothing", "path", "approach", "servo", "uploaded", "stopping"]
Outcome = Literal["none", "running", "paused", "done", "stopped", "held", "failed"]
"""Of the present or last job: 'stopped' by somebody, 'held' by the gate or a watch, 'failed' at the controller."""
StopHow = Literal["along the path", "joint by joint", "by the controller", "at rest"]
"""How an arm came to rest; 'at rest': it did not move."""
Tcps = tuple[tuple[float, float, float], ...]
"""Points on the flange, metres."""
Matrix = tuple[tuple[int, ...], bytes]
"""Shape, and float64 in the machine's order."""


class ArmReport(Wire, frozen=True, kw_only=True):
    """How one arm is."""

    q: tuple[float, ...]
    """Measured."""
    q_rest: tuple[float, ...]
    """Where a motion from rest begins: where the controller itself wants the joints, or else where they are."""
    q_target: tuple[float, ...]
    """The controller's joint targets at the time when `q` was measured; `q` if it does not report them."""
    q_sent: tuple[float, ...] | None = None
    """The newest setpoint that it was sent and still has to keep to; None: there is none, as where its controller has
    stopped it, or runs a program."""
    sent_ns: int = 0
    """When `q_sent` was sent; 0: there is none."""
    intent_ns: int = 0
    """When the sample of the intent was taken that `q_sent` follows; 0: it follows none."""
    obeyed_ns: int = 0
    """When the first setpoint that follows this intent was sent; 0: it follows none."""
    qd: tuple[float, ...]
    moving: bool
    """Whether it is being moved, or still coming to rest."""
    doing: Doing
    job: str
    """Id of the present or last job; empty: there was none."""
    outcome: Outcome
    reason: str
    """Why it was stopped, held or failed."""
    place: float
    """For paths: how far it is, as the path parameter of the trajectory."""
    opening_m: float
    tool_moving: bool
    limited_by: tuple[str, ...] = ()
    """While somebody moves it by hand: why it does not do all that is asked, as text for people."""
    said: SaidMessage | None = None
    """`reason` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "reason")


class LoopTiming(Wire, frozen=True, kw_only=True):
    """How late the loop's ticks are, over about the last second. Milliseconds."""

    ticks: int
    """Since the process began."""
    late_ms: float
    """Median."""
    late_p99_ms: float
    late_max_ms: float
    busy_ms: float
    """Mean time that a tick takes."""


class StopMeasure(Wire, frozen=True, kw_only=True):
    """How a robot came to rest."""

    stops: int
    """The newest Halt that it answers for, as `RobotReport.stops`."""
    rest_s: float
    """From its cause to rest of all arms, seconds."""
    distance_m: float
    """Path of the tool's point meanwhile; of the arm that went farthest."""
    how: StopHow
    """Of the same arm."""


class RobotReport(Wire, frozen=True, kw_only=True):
    """How one robot is; the newest counts."""

    robot: str
    number: int
    """Counts reports since the process began."""
    stamp_ns: int
    """When this was written."""
    state_ns: int
    """When the controller's state in it was received; 0: never."""
    time_ns: int
    """The controller's own clock."""
    connected: bool
    """Whether the controller is there and its state is fresh."""
    ready: bool
    """Whether it would take a command to move."""
    reason: str
    """Why it would not."""
    mode: Mode
    safety: Safety
    arms: dict[str, ArmReport]
    inputs: dict[str, bool]
    outputs: dict[str, bool]
    holder: str
    """Who holds the control lease, for people; empty: none."""
    holder_id: str
    """The same by `LeaseRequest.holder`."""
    pid: int
    timing: LoopTiming
    reduced: bool
    """Whether tool and elbow keep to 250 mm/s, whatever moves them."""
    stops: int
    """How many Halts were obeyed, counted on from a number that grows with every start of the process."""
    stopped: StopMeasure | None = None
    """The newest stop that has come to rest."""
    operating: OperatingMode = "unknown"
    capabilities: ControllerCapabilities = ControllerCapabilities()
    window: RobotWindow | None = None
    """The open window of the controller; None: there is none, or it is not reported."""
    said: SaidMessage | None = None
    """`reason` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "reason")


class RobotEvent(Wire, frozen=True, kw_only=True):
    """Something that happened; the log of a robot."""

    robot: str
    number: int
    stamp_ns: int
    kind: RobotEventKind
    about: str = ""
    """The arm, signal or job; of a halt, who stops."""
    message: str = ""
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class TrajectoryMessage(Wire, frozen=True, kw_only=True):
    """A trajectory on its way to a robot's process; arrays as they are in `motion.Trajectory`."""

    limits: tuple[Matrix, ...]
    """lower, upper, velocity, acceleration, jerk."""
    knots: Matrix
    cells: Matrix
    breaks: Matrix
    law: Matrix
    owner: Matrix
    spans: tuple[tuple[int, float, float], ...]
    way_m: Matrix
    way_rate: Matrix


class CorridorMessage(Wire, frozen=True, kw_only=True):
    """Where an arm may be while a program runs on its controller."""

    points: Matrix
    """(M, n) joints."""
    tolerance_rad: float
    """How far from the nearest of them any joint may be."""


class Follow(Wire, frozen=True, kw_only=True, tag="follow"):
    """Follow a trajectory that begins where the arm rests."""

    holder: str
    job: str
    arm: str
    trajectory: TrajectoryMessage
    pace: float = 1.0
    tcps: Tcps = ()
    """Of other tools that the program names: they keep to speed and spaces beside the tool's own."""
    stops: int = 0
    """`RobotReport.stops` as known when this was requested; the robot refuses what is older than its last Halt."""


class Approach(Wire, frozen=True, kw_only=True, tag="approach"):
    """Go to joints with a velocity that follows the distance: gain · sign(d) · |d / π| ** exponent, per joint."""

    holder: str
    job: str
    arm: str
    q: tuple[float, ...]
    gain: float
    exponent: float
    tolerance_rad: float
    stops: int = 0
    """`RobotReport.stops` as known when this was requested; the robot refuses what is older than its last Halt."""


class TaskText(Wire, frozen=True, kw_only=True):
    """A program for one more task of the controller."""

    dialect: str
    name: str
    text: str
    task: str
    arm: str
    """That it moves; empty: none. One of the upload's: no other is watched."""


class UploadedArm(Wire, frozen=True, kw_only=True):
    """One more arm that uploaded programs move."""

    arm: str
    corridor: CorridorMessage
    q_start: tuple[float, ...]
    """Where the check began; the arm must be there."""
    tcps: Tcps = ()
    """As in `Upload`."""


class Upload(Wire, frozen=True, kw_only=True, tag="upload"):
    """Run a vendor's program on the controller, watched by a corridor; others may run beside it, as one job."""

    holder: str
    job: str
    arm: str
    dialect: str
    name: str
    text: str
    corridor: CorridorMessage
    q_start: tuple[float, ...]
    """Where the check began; the arm must be there."""
    task: str = ""
    """Of the controller; empty: its first."""
    beside: tuple[TaskText, ...] = ()
    """Programs of other tasks that start with it."""
    others: tuple[UploadedArm, ...] = ()
    """Arms that these move beside `arm`; what stops one of them stops the job."""
    tcps: Tcps = ()
    """Of other tools that the program names: they keep to speed and spaces beside the tool's own."""
    stops: int = 0
    """`RobotReport.stops` as known when this was requested; the robot refuses what is older than its last Halt."""


class EngageArm(Wire, frozen=True, kw_only=True, tag="engage"):
    """Clutch in: from now on the intents of this holder move the arm, from where it is measured to be."""

    holder: str
    job: str
    arm: str
    needs_dead_man: bool = False
    """Whether its intents count only while they say that the dead-man switch is held. A robot that needs one by itself
    (`RobotSettings.dead_man`) needs it whatever is said here."""
    stops: int = 0
    """`RobotReport.stops` as known when this was requested; the robot refuses what is older than its last Halt."""


class PauseMotion(Wire, frozen=True, kw_only=True, tag="pause"):
    """Come to rest on the path."""

    holder: str


class ResumeMotion(Wire, frozen=True, kw_only=True, tag="resume"):
    """Continue along the same path."""

    holder: str
    stops: int = 0
    """`RobotReport.stops` as known when this was requested; the robot refuses what is older than its last Halt."""


class SetPace(Wire, frozen=True, kw_only=True, tag="pace"):
    """Set the override of speeds, above 0 up to 1, also of the path under way."""

    holder: str
    pace: float
    stops: int = 0
    """`RobotReport.stops` as known when this was requested; the robot refuses what is older than its last Halt."""


class ReduceSpeed(Wire, frozen=True, kw_only=True, tag="reduced"):
    """Keep tool and elbow to 250 mm/s from now on, or lift that."""

    holder: str
    reduced: bool
    stops: int = 0
    """`RobotReport.stops` as known when this was requested; where it lifts the limit, the robot refuses what is older
    than its last Halt."""


class SetDigital(Wire, frozen=True, kw_only=True, tag="digital"):
    """Set a digital output."""

    holder: str
    name: str
    value: bool
    stops: int = 0
    """`RobotReport.stops` as known when this was requested; the robot refuses what is older than its last Halt."""


class MoveTool(Wire, frozen=True, kw_only=True, tag="tool"):
    """Open or close an arm's tool, as the cell has it wired."""

    holder: str
    arm: str
    opening_m: float
    """How far each finger of a simulated tool goes; 0 without fingers."""
    closes: bool
    stops: int = 0
    """`RobotReport.stops` as known when this was requested; the robot refuses what is older than its last Halt."""


class CarriedMessage(Wire, frozen=True, kw_only=True):
    """A part in an arm's hand."""

    arm: str
    """robot/arm."""
    T_flange_part: Matrix
    resting_on: tuple[str, ...] = ()


class Arrange(Wire, frozen=True, kw_only=True, tag="arrange"):
    """Know where things are by now: parts were taken or put down, fingers moved. For the gate's look-ahead."""

    holder: str
    poses: dict[str, Matrix]
    """Of objects that are no longer where the cell says, in the world."""
    carried: dict[str, CarriedMessage]
    openings: dict[str, float]
    """How far fingers are open, by robot/arm, metres."""


class Halt(Wire, frozen=True, kw_only=True, tag="halt"):
    """Stop everything. Needs no lease."""

    who: str
    kind: Literal["path", "now"] = "path"
    press: str = ""
    """Unique for each press of STOP: a robot that has obeyed it over the line to the stop service, or will, counts it
    once. Empty: not known, and always obeyed."""


class LeaseRequest(Wire, frozen=True, kw_only=True, tag="ask lease"):
    """Ask for the control lease, or show that it is still wanted."""

    holder: str
    """Unique for each client."""
    name: str
    """For people."""
    hold_s: float
    """The lease ends if its holder is silent for this time."""
    take_over: bool = False
    """As supervisor: from whoever holds it; what moves is stopped first."""


class DropLease(Wire, frozen=True, kw_only=True, tag="drop lease"):
    """Give the control lease back."""

    holder: str


class LeaseRenewal(Wire, frozen=True, kw_only=True):
    """The holder of a lease is alive; published, not answered."""

    holder: str
    stamp_ns: int


class EventsRequest(Wire, frozen=True, kw_only=True, tag="ask events"):
    """Which events came after this number?"""

    after: int = 0


class LoggedEvents(Wire, frozen=True, kw_only=True, tag="events"):
    """Events, oldest first; the log keeps the newest thousand."""

    events: tuple[RobotEvent, ...]


class Accepted(Wire, frozen=True, kw_only=True, tag="accepted"):
    """It will be done, or is done."""

    message: str = ""


class Halted(Wire, frozen=True, kw_only=True, tag="halted"):
    """The robot obeys a Halt; `RobotReport.stopped` is set when it has come to rest."""

    stops: int
    """As `RobotReport.stops`, with this one."""
    reason: str = ""
    """Why the stop could not be sent to the controller; empty: it was."""
    said: SaidMessage | None = None
    """`reason` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "reason")


class Denied(Wire, frozen=True, kw_only=True, tag="denied"):
    """It will not be done."""

    reason: str
    kind: Literal["input", "lease", "state", "stopped"]
    """'input': the values are not allowed; 'lease': somebody else has control; 'state': not now;
    'stopped': it was requested before the robot's last Halt."""
    said: SaidMessage | None = None
    """`reason` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "reason")


Command = (
    Follow
    | Approach
    | Upload
    | EngageArm
    | PauseMotion
    | ResumeMotion
    | SetPace
    | ReduceSpeed
    | SetDigital
    | MoveTool
    | Arrange
    | Halt
    | LeaseRequest
    | DropLease
    | EventsRequest
)
Reply = Accepted | Denied | LoggedEvents | Halted
