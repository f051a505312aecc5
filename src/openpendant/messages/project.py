"""What clients and server say to each other about one open project (JSON text, one message a frame).

A client says hello and gets the whole; from then on it keeps its copy by numbered patches. Edits are answered with the
number of the patch that they made, or with the reason why not. Questions have an id, answers carry it.
"""

from typing import Any, Literal

from openpendant.programs import Near, Program, Report, RunStatus
from openpendant.projects import Patch, ProjectEdit
from openpendant.scene import Cell

from . import SaidMessage, split_said, split_said_list
from .operation import FromOperator, FromRobots
from .wire import TaggedMessage


class Hello(TaggedMessage, frozen=True, kw_only=True, tag="hello"):
    """The first message of a client."""

    client: str
    """Unique for each browser or script, and the same after a reconnect: its undo stays its own."""
    name: str
    """For people."""
    protocol: int = 1
    """Which it speaks, up to `PROTOCOL`. 5: it reads live joints with their stamps. 4: it knows what controllers can
    do, shows their buttons, and knows titles and notes by their codes. 3: it knows what is said by its code. 2: it
    answers `Ping`, says `Present`, stamps its intents, and knows `Stopped`. 1: none of it."""


class Introduce(TaggedMessage, frozen=True, kw_only=True, tag="introduce"):
    """Be known by another name from now on; not answered."""

    name: str


class Edit(TaggedMessage, frozen=True, kw_only=True, tag="edit"):
    """Make an edit."""

    id: int
    edit: ProjectEdit


class Undo(TaggedMessage, frozen=True, kw_only=True, tag="undo"):
    """Take back this client's last edit."""

    id: int


class Redo(TaggedMessage, frozen=True, kw_only=True, tag="redo"):
    """Do again what this client has undone last."""

    id: int


class Save(TaggedMessage, frozen=True, kw_only=True, tag="save"):
    """Write the files now."""

    id: int
    overwrite: bool = False
    """Also over what was changed outside."""


class Reload(TaggedMessage, frozen=True, kw_only=True, tag="reload"):
    """Take the files as they are now; edits that were not saved are set aside."""

    id: int


class Resync(TaggedMessage, frozen=True, kw_only=True, tag="resync"):
    """A patch is missing: send the whole."""


class Look(TaggedMessage, frozen=True, kw_only=True, tag="look"):
    """What this person looks at, for the others to see."""

    mode: str = ""
    selected: tuple[str, ...] = ()
    program: str = ""


class Watch(TaggedMessage, frozen=True, kw_only=True, tag="watch"):
    """Keep checking these programs, now and after every edit."""

    programs: tuple[str, ...]


class SimulationRequest(TaggedMessage, frozen=True, kw_only=True, tag="recording"):
    """How does a program run, for the timeline?"""

    id: int
    program: str
    dt_s: float = 0.02


class NearestRequest(TaggedMessage, frozen=True, kw_only=True, tag="nearest"):
    """What is nearest to arms that stand so? For a hand that drags them."""

    id: int
    joints: dict[str, tuple[float, ...]]
    """By robot/arm; the other arms stand at their start. Radians, metres where a joint slides."""


FromClient = (
    Hello
    | Introduce
    | Edit
    | Undo
    | Redo
    | Save
    | Reload
    | Resync
    | Look
    | Watch
    | SimulationRequest
    | NearestRequest
    | FromOperator
)


class Person(TaggedMessage, frozen=True, kw_only=True, tag="person"):
    """Somebody who has the project open."""

    client: str
    name: str
    color: str
    mode: str = ""
    selected: tuple[str, ...] = ()
    program: str = ""


class HistoryNow(TaggedMessage, frozen=True, kw_only=True, tag="history"):
    """What this client can undo and redo, as text; the next one last."""

    undo: tuple[str, ...]
    redo: tuple[str, ...]
    undo_said: tuple[SaidMessage | None, ...] = ()
    """`undo` by their codes; None: it has none. Empty: none of them has one."""
    redo_said: tuple[SaidMessage | None, ...] = ()
    """`redo` likewise."""

    def __post_init__(self) -> None:
        """Keep codes and English apart."""
        split_said_list(self, "undo")
        split_said_list(self, "redo")


class SaveState(TaggedMessage, frozen=True, kw_only=True, tag="saved"):
    """Whether the files hold everything."""

    state: Literal["saved", "unsaved", "changed outside", "failed"]
    seq: int
    """The number of the newest patch in the files."""
    message: str = ""
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class Whole(TaggedMessage, frozen=True, kw_only=True, tag="whole"):
    """The whole project, as of patch `seq`."""

    protocol: int
    """Of the server: a page that speaks another one is to be loaded again."""
    seq: int
    project: str
    you: str
    """The client's own id."""
    cell: Cell
    programs: dict[str, Program]
    people: tuple[Person, ...]
    history: HistoryNow
    saved: SaveState
    recovered: str = ""
    """What was done about edits of an earlier process; empty: nothing."""
    said: SaidMessage | None = None
    """`recovered` by its code; None: it has none."""
    stop_url: str = ""
    """Websocket of the stop service, which stops the robots of this project whatever the server is busy with; empty:
    there is none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "recovered")


class Patched(TaggedMessage, frozen=True, kw_only=True, tag="patch"):
    """The project has changed."""

    patch: Patch


class People(TaggedMessage, frozen=True, kw_only=True, tag="people"):
    """Who has the project open, and what they look at."""

    people: tuple[Person, ...]


class Done(TaggedMessage, frozen=True, kw_only=True, tag="done"):
    """An edit, undo, redo or save was made."""

    id: int
    seq: int


class Refusal(TaggedMessage, frozen=True, kw_only=True, tag="refused"):
    """Something was not done, and why: one sentence for the person."""

    id: int | None
    message: str
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class Checking(TaggedMessage, frozen=True, kw_only=True, tag="checking"):
    """A check has begun."""

    program: str
    seq: int


class Checked(TaggedMessage, frozen=True, kw_only=True, tag="checked"):
    """What a check has found, of the project as of patch `seq`."""

    program: str
    seq: int
    report: Report | None
    summary: str
    """The answer in one sentence; where there is no report, why."""
    took_ms: float
    said: SaidMessage | None = None
    """`summary` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "summary")


class Simulated(TaggedMessage, frozen=True, kw_only=True, tag="recorded"):
    """A program as it runs; arrays are lists of numbers, arms by robot/arm. SI and radians."""

    id: int
    program: str
    seq: int
    t: list[float]
    q: dict[str, list[list[float]]]
    openings: dict[str, list[float]]
    tools: dict[str, list[list[float]]]
    speeds: dict[str, list[float]]
    distance_m: list[float]
    parts: dict[str, list[list[float]]]
    """Position and quaternion w, x, y, z of each sample."""
    steps: list[Any]
    """program, step, start_s, end_s."""
    status: RunStatus
    message: str
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class NearestNow(TaggedMessage, frozen=True, kw_only=True, tag="nearest"):
    """The pair that is nearer than allowed, or else the nearest one."""

    id: int
    near: Near | None
    """None: nothing that anything could be near to."""
    touches: bool
    """Whether it is nearer than allowed."""


FromServer = (
    Whole
    | Patched
    | People
    | HistoryNow
    | SaveState
    | Done
    | Refusal
    | Checking
    | Checked
    | Simulated
    | NearestNow
    | FromRobots
)
