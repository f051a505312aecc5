"""What clients and server say to each other about robots that run: who has control, runs, jogging, stops.

Live joints come as binary messages, the newest alone, when robots have reported something new, at most sixty a second:
float64, first when the oldest of what is in it was reported, then for each arm of the newest `layout` four stamps, its
measured joints, and the newest setpoint that it was sent. The stamps: when the measured joints were received from the
controller, when the setpoint was sent, when the sample of the intent was taken that the setpoint follows, and when the
first setpoint was sent that follows this intent. Stamps are seconds of the server's monotonic clock. NaN: there is
none; where nothing was sent that still counts, so is the setpoint.
"""

from typing import Literal

import msgspec

from . import (
    ControllerCapabilities,
    Deed,
    EventKind,
    Intent,
    Mode,
    OperatingMode,
    Pose,
    RobotButton,
    RobotWindow,
    Safety,
    SaidMessage,
    SampleBatch,
    split_said,
)
from .presses import drop_long_press
from .wire import TaggedMessage


class Connect(TaggedMessage, frozen=True, kw_only=True, tag="connect"):
    """Start the robots of the cell: real ones at an address, virtual controllers for those that have one, else
    kinematic ones.
    """

    id: int
    addresses: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    """By robot; "kinematic": without a controller, also where the robot has a virtual one."""


class Probe(TaggedMessage, frozen=True, kw_only=True, tag="probe"):
    """Look at what is at an address, and say what is wrong with it. Nothing is switched or moved."""

    id: int
    robot: str
    address: str


class Disconnect(TaggedMessage, frozen=True, kw_only=True, tag="disconnect"):
    """Bring all robots to rest and end them."""

    id: int


class TakeControl(TaggedMessage, frozen=True, kw_only=True, tag="take control"):
    """Have control of a robot."""

    id: int
    robot: str
    take_over: bool = False
    """From whoever has it; what moves is stopped first."""


class GiveControl(TaggedMessage, frozen=True, kw_only=True, tag="give control"):
    """Give control of a robot back, or to somebody who asked for it."""

    id: int
    robot: str
    to: str = ""
    """A client; empty: whoever takes it next."""


class ControlRequest(TaggedMessage, frozen=True, kw_only=True, tag="ask control"):
    """Ask whoever has control to give it."""

    id: int
    robot: str


class Run(TaggedMessage, frozen=True, kw_only=True, tag="run"):
    """Run a program from where the arms stand; it is checked from there first."""

    id: int
    program: str
    mode: Literal["streamed", "uploaded"] | None = None
    """None: streamed where all its robots take setpoints, else uploaded."""
    reduced: bool | None = None
    """Whether the tool stays under 250 mm/s; None: on robots with an address."""
    loop: bool = False
    from_step: str = ""
    """The id of the step to begin with; parts are then where the last run has left them. Empty: the first."""
    single: bool = False
    """Whether it pauses after one step."""
    breakpoints: tuple[tuple[str, str], ...] = ()
    """Steps before which it pauses, by program and id; only where it is streamed."""


class ResumeStopped(TaggedMessage, frozen=True, kw_only=True, tag="resume stopped"):
    """Run on where the last run was stopped: in the same way, at the same step, with the same variables. It is a new
    request: checked from where the arms stand, with the way back if an arm was moved away meanwhile.
    """

    id: int
    breakpoints: tuple[tuple[str, str], ...] = ()
    """As of `Run`."""


class Pause(TaggedMessage, frozen=True, kw_only=True, tag="pause"):
    """Come to rest on the path."""

    id: int


class Resume(TaggedMessage, frozen=True, kw_only=True, tag="resume"):
    """Resume after a pause."""

    id: int


class SingleStep(TaggedMessage, frozen=True, kw_only=True, tag="step"):
    """Make one step of the run, and pause."""

    id: int


class SetBreakpoints(TaggedMessage, frozen=True, kw_only=True, tag="breakpoints"):
    """Have the run pause before these steps, by program and id, and before no others."""

    id: int
    breakpoints: tuple[tuple[str, str], ...]


class ResetParts(TaggedMessage, frozen=True, kw_only=True, tag="reset parts"):
    """Count all parts as being back where the cell says, out of every hand. Nothing moves."""

    id: int


class SetSpeed(TaggedMessage, frozen=True, kw_only=True, tag="speed"):
    """Set the override of all speeds of the run."""

    id: int
    fraction: float


class Stop(TaggedMessage, frozen=True, kw_only=True, tag="stop"):
    """Stop every robot. Needs no control and no role."""

    id: int = 0
    press: str = ""
    """Unique for each press of STOP, and the same over both connections of a client; empty: not known."""

    def __post_init__(self) -> None:
        """Keep no id that is too long."""
        drop_long_press(self)


class SwitchOutput(TaggedMessage, frozen=True, kw_only=True, tag="output"):
    """Set a digital output of a robot."""

    id: int
    robot: str
    signal: str
    value: bool


class SetTool(TaggedMessage, frozen=True, kw_only=True, tag="tool"):
    """Move the fingers of an arm's tool."""

    id: int
    robot: str
    arm: str
    opening_m: float
    closes: bool | None = None
    """Whether it closes; null: where fingers go to less than half of their travel."""


class Engage(TaggedMessage, frozen=True, kw_only=True, tag="engage"):
    """Clutch in: from now on `intend` moves this arm, from where it is."""

    id: int
    robot: str
    arm: str = ""
    needs_dead_man: bool = False
    """Whether intents count only while they say that the dead-man switch is held; real robots need that anyway."""


class Intend(TaggedMessage, frozen=True, kw_only=True, tag="intend"):
    """What the person wants the arm to do now; not answered, the newest counts.

    The stamp of the intent is when its sample was taken, on the client's own monotonic clock, the one of `Pong`: the
    server converts it. What is too old, or comes before the server knows that clock, is dropped. The source is the
    server's.
    """

    robot: str
    intent: Intent


class Pong(TaggedMessage, frozen=True, kw_only=True, tag="pong"):
    """The answer to a `Ping`, at once: the server learns from it how the client's clock differs from its own."""

    number: int
    """Of the ping."""
    stamp_ns: int
    """The client's monotonic clock when the ping was read, nanoseconds."""


class Present(TaggedMessage, frozen=True, kw_only=True, tag="present"):
    """The person is there. Not answered; the page says it from its animation frame, at least four times a second.

    Who has control of a robot that moves, or has begun a run that is being checked or is running, says it: after 1.5 s
    of silence the robots are stopped and control is free.
    """

    stamp_ns: int
    """The client's monotonic clock, nanoseconds."""


class WatchSamples(TaggedMessage, frozen=True, kw_only=True, tag="watch samples"):
    """Have the samples of some robots sent from now on, of no others; empty: of none."""

    id: int
    robots: tuple[str, ...]


class SetReduced(TaggedMessage, frozen=True, kw_only=True, tag="reduced"):
    """Hold tool and elbow of a robot under 250 mm/s, or lift that; needs control of the robot."""

    id: int
    robot: str
    reduced: bool


class Press(TaggedMessage, frozen=True, kw_only=True, tag="press"):
    """Press a button of a controller: one of `RobotStatus.buttons`, or of its window."""

    id: int
    robot: str
    button: str


FromOperator = (
    Connect
    | Probe
    | Disconnect
    | TakeControl
    | GiveControl
    | ControlRequest
    | Run
    | Pause
    | Resume
    | SingleStep
    | ResumeStopped
    | SetBreakpoints
    | ResetParts
    | SetSpeed
    | Stop
    | SwitchOutput
    | SetTool
    | Engage
    | Intend
    | Press
    | Pong
    | Present
    | SetReduced
    | WatchSamples
)


class RobotStatus(TaggedMessage, frozen=True, kw_only=True, tag="robot"):
    """How one robot is, as its controller says."""

    name: str
    how: Literal["virtual", "real", "kinematic"]
    address: str
    panel: str
    """The address of a virtual controller's own pendant; empty: there is none."""
    connected: bool
    ready: bool
    reason: str
    """Why it would not take a command."""
    mode: Mode
    safety: Safety
    moving: bool
    holder: str
    """The client that has control; empty: none."""
    asking: tuple[str, ...]
    """Clients that ask for control."""
    inputs: dict[str, bool]
    outputs: dict[str, bool]
    openings: dict[str, float]
    """By arm, metres."""
    late_ms: float
    """How late the ticks of its loop are, 99 of 100."""
    reduced: bool = False
    """Whether tool and elbow are held under 250 mm/s."""
    operating: OperatingMode = "unknown"
    capabilities: ControllerCapabilities = ControllerCapabilities()
    buttons: tuple[RobotButton, ...] = ()
    """That its controller has for whoever operates it from here, what it needs next first."""
    window: RobotWindow | None = None
    """That its controller has open; None: none."""
    said: SaidMessage | None = None
    """`reason` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "reason")


class RunStatus(TaggedMessage, frozen=True, kw_only=True, tag="run status"):
    """How the present or last run stands."""

    program: str
    mode: Literal["streamed", "uploaded"]
    status: Literal["checking", "ready", "running", "paused", "done", "failed", "stopped"]
    message: str
    step: str | None
    by: str
    """The client who began it."""
    speed: float
    step_in: str = ""
    """The program whose step it is: its own, or one that it calls; empty: its own."""
    variables: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    """Of the program whose step it is, as they are by now; at most a few times a second."""
    resumes_at: str = ""
    """The id of the step at which it can be resumed, since it was stopped there; empty: it cannot."""
    resumes_in: str = ""
    """The program of that step."""
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class PartPlace(TaggedMessage, frozen=True, kw_only=True, tag="part"):
    """Where a part is that a run has moved."""

    name: str
    arm: str
    """The arm (robot/arm) in whose hand it is; empty: it lies in the world."""
    pose: Pose
    """In the flange of that arm, or in the world."""


class Operating(TaggedMessage, frozen=True, kw_only=True, tag="operating"):
    """Everything about the robots that run; sent whenever any of it changes."""

    state: Literal["off", "starting", "on", "failed"]
    message: str
    """Why it failed."""
    robots: tuple[RobotStatus, ...]
    run: RunStatus | None
    layout: tuple[tuple[str, int], ...]
    """Arms (robot/arm) in the order of the binary messages, with their number of joints."""
    stale: bool
    """Whether the cell was edited since the robots were started; a run restarts them."""
    parts: tuple[PartPlace, ...] = ()
    """Parts that are not where the cell says, since the present or last run."""
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class Event(TaggedMessage, frozen=True, kw_only=True, tag="event"):
    """Something that happened."""

    number: int
    robot: str
    time_s: float
    """Seconds since 1970."""
    kind: EventKind
    """"person" for what somebody did; else as the robot's controller and its process say."""
    about: str
    """What was done, as "run" or "stop"; or the arm, signal or job."""
    message: str
    """What it was done with, or what was said about it."""
    who: str = ""
    """The name of the person who did it; empty: no person."""
    did: Deed | None = None
    """What they did; None: no deed of a person."""
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class Events(TaggedMessage, frozen=True, kw_only=True, tag="events"):
    """What has happened since the last of these, oldest first."""

    events: tuple[Event, ...]


class ProbeFinding(TaggedMessage, frozen=True, kw_only=True, tag="finding"):
    """One thing that was found out about an address."""

    code: str
    """What it is; each maker has its own."""
    fine: bool
    """False: the robot will not move before this is put right."""
    hopeless: bool = False
    """Whether connecting would not change it."""
    value: str
    """What the controller said, or which address or port it is about."""
    message: str
    """One sentence: what it is and what to do."""
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class ProbeReply(TaggedMessage, frozen=True, kw_only=True, tag="probed"):
    """What is at an address."""

    id: int
    robot: str
    address: str
    findings: tuple[ProbeFinding, ...]


class Ping(TaggedMessage, frozen=True, kw_only=True, tag="ping"):
    """A question to a client that is answered with `Pong` at once; comes several times a second."""

    number: int
    delay_ms: float | None
    """The least round trip of the last seconds; None: not known yet."""
    offset_known: bool
    """Whether the client's clock is known, so that its intents are obeyed."""
    dropped: int = 0
    """Intents of this connection that were not obeyed because they were too old, or came before its clock was known."""
    offset_s: float | None = None
    """What the server adds to a stamp of the client's clock, so that it is one of its own: at most the round trip too
    little. Seconds; None: not known yet."""


class RobotSamples(TaggedMessage, frozen=True, kw_only=True, tag="samples"):
    """What a robot was sent and measured, tick by tick, to who asked by `WatchSamples`. Who reads too slowly misses
    some; the numbers of the batches say how many.
    """

    batch: SampleBatch


class RobotStop(TaggedMessage, frozen=True, kw_only=True, tag="robot stop"):
    """What a stop has done to one robot."""

    robot: str
    reached: bool
    """Whether it has obeyed. False: it may still move."""
    rest_ms: float | None
    """How long after the stop reached it it was at rest; None: not seen at rest."""
    distance_mm: float | None
    """How far its tool went meanwhile; None: not known."""
    reason: str
    """Why it was not reached or not seen at rest; else how it stopped. One sentence, or empty."""
    said: SaidMessage | None = None
    """`reason` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "reason")


class Stopped(TaggedMessage, frozen=True, kw_only=True, tag="stopped"):
    """What a stop has done, to everybody; whoever asked for it is then also answered, refused where not all obeyed."""

    id: int
    """The number of the question, for whoever asked."""
    by: str
    """The client that requested it; empty: another source."""
    robots: tuple[RobotStop, ...]
    """All robots that run, start or are being ended; empty: there are none."""
    cancelled: str = ""
    """The program whose run had not begun yet, and now does not; empty: there was none."""


FromRobots = Operating | Events | ProbeReply | Ping | Stopped | RobotSamples
