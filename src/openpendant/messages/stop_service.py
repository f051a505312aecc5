"""What the stop service hears and says: to the server (JSON lines), to robots (msgpack frames), to pages (JSON)."""

import msgspec

from . import SaidMessage, split_said
from .presses import drop_long_press


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Common settings of all messages."""


class ListenerSettings(_Message, frozen=True, kw_only=True, tag="door"):
    """A group of listening sockets that the service inherits."""

    sockets: tuple[int, ...]
    """File descriptors."""
    port: int
    page_port: int
    """Port of the server whose pages may ask."""
    chain: str = ""
    """Files of certificate and key; empty: without TLS, on this machine alone."""
    key: str = ""


class ServiceSettings(_Message, frozen=True, kw_only=True, tag="settings"):
    """The first line on the standard input of the service."""

    line: int
    """File descriptor of the socket that robots connect to."""
    secret: str
    """What robots say to be believed."""
    cookie: str
    """The name of the cookie that holds a page's token."""
    doors: tuple[ListenerSettings, ...]


class ServiceState(_Message, frozen=True, kw_only=True, tag="state"):
    """Every further line: what the server knows by now, in full."""

    sessions: dict[str, str] = {}
    """SHA-256 of the tokens that are good, in hex, with the names of their owners."""
    hosts: tuple[str, ...] = ()
    """Names under which a request over the network may come."""
    robots: dict[str, tuple[str, ...]] = {}
    """Robots that run, by project."""
    certificate: int = 0
    """Counts renewals of the certificate: a higher number means that the files are to be read again."""


class StopNotice(_Message, frozen=True, kw_only=True, tag="news"):
    """A line on standard output; without a project it only shows that the service is alive."""

    project: str = ""
    client: str = ""
    """Who asked, as the page knows itself; empty: not said."""
    name: str = ""
    """The name that somebody was paired with; empty: on this machine."""
    press: str = ""
    """As `StopRequest.press`."""


class StopRequest(_Message, frozen=True, kw_only=True, tag="stop"):
    """A page asks for a stop, in the same words as over the socket of its project."""

    id: int = 0
    press: str = ""
    """Unique for each press of STOP, and the same over both connections of a client; empty: not known."""

    def __post_init__(self) -> None:
        """Keep no id that is too long."""
        drop_long_press(self)


class HaltedRobot(_Message, frozen=True, kw_only=True, tag="robot stop"):
    """What a stop has done to one robot; reads as `messages.operation.RobotStop`."""

    robot: str
    reached: bool
    rest_ms: float | None
    distance_mm: float | None
    reason: str
    said: SaidMessage | None = None
    """`reason` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "reason")


class HaltReport(_Message, frozen=True, kw_only=True, tag="stopped"):
    """What a stop has done; reads as `messages.operation.Stopped`.

    Sent when every robot has answered or a while has passed, and again when all are at rest or a longer while has.
    """

    id: int
    by: str
    robots: tuple[HaltedRobot, ...]
    cancelled: str = ""


class LineAddress(_Message, frozen=True, kw_only=True, tag="line"):
    """How a robot's process reaches the service."""

    port: int
    """On 127.0.0.1."""
    secret: str
    project: str


class LineHello(_Message, frozen=True, kw_only=True, tag="hello"):
    """The first frame of a robot."""

    secret: str
    project: str
    robot: str


class LineHalt(_Message, frozen=True, kw_only=True, tag="halt"):
    """Stop; the only thing that the service asks of a robot."""

    number: int
    who: str
    press: str = ""
    """As `StopRequest.press`."""


class LineReply(_Message, frozen=True, kw_only=True, tag="reply"):
    """A robot has obeyed, or why not."""

    number: int
    obeyed: bool
    reason: str = ""


class LineRest(_Message, frozen=True, kw_only=True, tag="rest"):
    """A robot that was stopped is at rest, as it has measured itself."""

    number: int
    """Of the newest stop that it has obeyed."""
    rest_s: float
    """From the stop to rest."""
    distance_m: float
    """Of the tool's point."""
    how: str


FromRobot = LineHello | LineReply | LineRest
