"""Actions: the steps of a program, field by field.

Metres, radians, seconds. Speeds and zones are words as people say them: `v200`, `30%`, `120 mm/s`; `fine`, `z10`,
`12 mm`. Numbers that change while a program runs are expressions over its variables: `row * 0.05`.
"""

from typing import Literal

import msgspec

from openpendant.messages import Pose

Value = float | str
"""A number, or an expression that gives one."""


class _ProgramEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Common settings: unknown fields are refused, defaults are not written."""


class Step(_ProgramEntry, frozen=True, kw_only=True, tag_field="do"):
    """What every action has."""

    id: str = ""
    """Identifies the step, whatever is inserted before it; unique in its program."""
    enabled: bool = True
    """False: it is passed over, with all that is inside it."""


class InlinePoint(_ProgramEntry, frozen=True, kw_only=True):
    """A point that has no name in the cell."""

    pose: Pose
    """Of the tool's TCP in `frame`."""
    frame: str = "world"
    """`world`, a frame of the cell, or a robot (its root link)."""
    q: tuple[float, ...] | None = None
    """Joints that choose the configuration."""


Target = str | InlinePoint
"""The name of a point of the cell, or a point of the step's own."""


class Offset(_ProgramEntry, frozen=True, kw_only=True):
    """How far beside the point, as in the rows of a pallet."""

    by: tuple[Value, Value, Value]
    """Along x, y, z, metres."""
    axes: Literal["frame", "tool"] = "frame"
    """Axes of the point's frame, or of the tool as it stands at the point."""


class Wait(Step, frozen=True, kw_only=True, tag="wait"):
    """Do nothing for a while."""

    seconds: float


class GoTo(Step, frozen=True, kw_only=True, tag="go to"):
    """Bring the tool to a point: by joints, in a straight line, or on a circle through another point."""

    to: Target
    how: Literal["joint", "line", "arc"] = "joint"
    via: Target | None = None
    """For an arc: the point on the way."""
    offset: Offset | None = None
    tool: str = ""
    """The tool whose TCP is meant, one of the cell; empty: the one that the arm carries."""
    speed: str = "v200"
    zone: str = "fine"


class MoveAxis(Step, frozen=True, kw_only=True, tag="move axis"):
    """Bring the joints to given values; all start and stop together."""

    q: tuple[float, ...]
    """In the vendor's counting of axes, radians (metres where a joint slides)."""
    speed: str = "v200"
    zone: str = "fine"


class Tool(Step, frozen=True, kw_only=True, tag="tool"):
    """Open or close the tool: a gripper's fingers, a torch's arc (closed: burning)."""

    state: Literal["open", "close"]


Axis = Literal["tool", "+x", "-x", "+y", "-y", "+z", "-z"]
"""A direction to come from and to leave in: backwards along the tool, or along an axis of the point's frame."""


class Handling(Step, frozen=True, kw_only=True):
    """What picking and placing have in common: approach by joints, straight to the point, straight away from it."""

    part: str
    """The object of the cell; empty: whatever is there, or in the tool."""
    at: Target | None = None
    """Where the TCP is when the tool closes or opens; None: on the part, from above, where the cell says it stands."""
    offset: Offset | None = None
    approach_m: float = 0.1
    """How far from the point the straight approach begins."""
    retreat_m: float = 0.1
    """How far the straight retreat goes."""
    along: Axis = "tool"
    """Approach and retreat are both along this."""
    speed: str = "v200"
    """To the start of the approach."""
    slowly: str = "v100"
    """On the approach and retreat."""
    zone: str = "z10"
    """At the start of the approach and the end of the retreat."""


class PickPart(Handling, frozen=True, kw_only=True, tag="pick"):
    """Open the tool, approach a part, close the tool at it and retreat with it."""

    opening_m: float | None = None
    """Between the fingers when they hold the part; another one is a failure. None: any."""


class PlacePart(Handling, frozen=True, kw_only=True, tag="place"):
    """Approach with the part in the tool, put it down, open the tool and retreat."""


class SetOutput(Step, frozen=True, kw_only=True, tag="set output"):
    """Set a digital output; the arm does not stop for it."""

    signal: str
    value: bool = True


class WaitInput(Step, frozen=True, kw_only=True, tag="wait input"):
    """Stop and wait until a digital input has a value."""

    signal: str
    value: bool = True
    timeout_s: float | None = None
    """After this time the program stops with an error; None: it waits for ever."""


class SpeedOverride(Step, frozen=True, kw_only=True, tag="speed"):
    """All speeds from here on, in percent of what the moves say."""

    percent: float


class SetVariable(Step, frozen=True, kw_only=True, tag="set"):
    """Give a variable a number."""

    name: str
    value: Value


class Comment(Step, frozen=True, kw_only=True, tag="comment"):
    """Words for people."""

    text: str


class Call(Step, frozen=True, kw_only=True, tag="call"):
    """Run another program of the cell, on its own arm, and come back."""

    program: str


class Group(Step, frozen=True, kw_only=True, tag="group"):
    """Steps that belong together."""

    title: str
    steps: tuple["Action", ...] = ()


class Repeat(Step, frozen=True, kw_only=True, tag="repeat"):
    """Do steps again and again."""

    times: int | None = None
    """How often; None: for ever."""
    steps: tuple["Action", ...] = ()


class While(Step, frozen=True, kw_only=True, tag="while"):
    """Repeat steps while a condition holds; it is evaluated before each round."""

    condition: str
    steps: tuple["Action", ...] = ()


class If(Step, frozen=True, kw_only=True, tag="if"):
    """Do steps where a condition holds, and others where it does not."""

    condition: str
    """Over inputs and variables: `part_present and count < 3`."""
    steps: tuple["Action", ...] = ()
    otherwise: tuple["Action", ...] = ()


Action = (
    Wait
    | GoTo
    | MoveAxis
    | Tool
    | PickPart
    | PlacePart
    | SetOutput
    | WaitInput
    | SpeedOverride
    | SetVariable
    | Comment
    | Call
    | Group
    | Repeat
    | While
    | If
)
