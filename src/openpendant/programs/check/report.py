"""Report: what a check has found, step by step. Plain values: it can be pickled and written as JSON."""

import math
from typing import Literal

import msgspec

from openpendant.messages import SaidMessage, decode_said, decode_said_list, split_said, split_said_list
from openpendant.programs.document import Action, PickPart, PlacePart
from openpendant.said import join, say
from openpendant.scene import Nearest

Vec3 = tuple[float, float, float]
Verdict = Literal["clear", "remark", "fails", "not reached"]
FindingKind = Literal[
    "unreachable",
    "limit",
    "singular",
    "collision",
    "space",
    "no circle",
    "zone cut",
    "speed never reached",
    "tool",
    "wiring",
    "endless",
]


class _ReportPart(msgspec.Struct, frozen=True, kw_only=True):
    """Common settings of the parts of a report."""


class Near(_ReportPart, frozen=True, kw_only=True):
    """The two things that come nearest to each other."""

    distance_m: float
    a: str
    """What moves: robot/link, or the name of a carried part."""
    b: str
    point_a: Vec3
    """In the world, metres."""
    point_b: Vec3
    margin_m: float = 0.0
    """How near they may come."""

    def __str__(self) -> str:
        """Say it as text."""
        return f"{1000.0 * self.distance_m:.1f} mm between {self.a} and {self.b}"

    @classmethod
    def of(cls, nearest: Nearest) -> "Near | None":
        """Return a pair of a collision world as plain values; None where nothing is near."""
        if not math.isfinite(nearest.distance_m):
            return None
        ax, ay, az = (float(value) for value in nearest.point_a)
        bx, by, bz = (float(value) for value in nearest.point_b)
        return cls(
            distance_m=float(nearest.distance_m),
            a=nearest.a,
            b=nearest.b,
            point_a=(ax, ay, az),
            point_b=(bx, by, bz),
            margin_m=nearest.margin_m,
        )


class Finding(_ReportPart, frozen=True, kw_only=True):
    """Something to be said of a step."""

    kind: FindingKind
    message: str
    fails: bool
    """False for a remark: the step can be made, but not quite as it was written."""
    fraction: float | None = None
    """How far along the move, 0 to 1."""
    joint: str | None = None
    near: Near | None = None
    """For a collision: what with what, and where."""
    q: tuple[float, ...] | None = None
    """The joints there."""
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class Alternative(_ReportPart, frozen=True, kw_only=True):
    """Another way to make a step that fails; it was checked like the step itself."""

    kind: Literal["branch", "turn", "way round", "pick", "place"]
    message: str
    q: tuple[float, ...] | None = None
    """Joints at the end."""
    turn_rad: float = 0.0
    """For a turn: how much further about the tool's own z."""
    way: tuple[tuple[float, ...], ...] = ()
    """For a way round: joints on the way, the end included."""
    action: PickPart | PlacePart | None = None
    """For a pick or place: what takes the place of the step."""
    instead_of: tuple[str, ...] = ()
    """For a pick or place: ids of the steps that it stands for, the failing one among them."""
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


class StepReport(_ReportPart, frozen=True, kw_only=True):
    """What was found for one step, over all its turns."""

    id: str
    program: str
    number: str
    """Where it stands, as 3 or 3.1."""
    verdict: Verdict
    visits: int = 0
    duration_s: float = 0.0
    """All its turns together."""
    length_m: float = 0.0
    """Way of the tool's point, all its turns together."""
    clearance: Near | None = None
    findings: tuple[Finding, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    plain: tuple[Action, ...] = ()
    """Of a pick or place: the plain steps that it means."""


class StartReport(_ReportPart, frozen=True, kw_only=True):
    """Where the arms begin, and whether that matters."""

    q: dict[str, tuple[float, ...]]
    """By robot/arm, radians."""
    depends: bool
    """Whether the program does what was checked only from there."""
    reason: str = ""
    said: SaidMessage | None = None
    """`reason` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "reason")


class Report(_ReportPart, frozen=True, kw_only=True):
    """The answer of a check."""

    cell: str
    program: str
    clear: bool
    first_failing: str | None
    """Id of the step that fails first, in the order in which they are made."""
    first_failing_in: str
    """The program that it belongs to; empty: none fails."""
    first_failing_round: int = 1
    """The round in which it does, of a program that begins again when it ends."""
    duration_s: float
    """From start to end, of the first round; without the time that inputs are waited for."""
    cycle_s: float | None
    """Of one round, where the program goes round for ever."""
    length_m: float
    clearance: Near | None
    """The least distance of all; None: nothing that anything could be near to."""
    start: StartReport
    busy_s: dict[str, float]
    """How long each arm moves or works its tool, by robot/arm."""
    steps: tuple[StepReport, ...]
    paths: int
    """In how many ways conditions on inputs were answered."""
    notes: tuple[str, ...]
    unchecked: tuple[str, ...]
    """What the check did not look at; a program is clear only where there is nothing."""
    fingerprint: str
    """Of the cell, the programs and the start: what this report is about."""
    notes_said: tuple[SaidMessage | None, ...] = ()
    """`notes` by their codes; None: it has none. Empty: none of them has one."""
    unchecked_said: tuple[SaidMessage | None, ...] = ()
    """`unchecked` likewise."""

    def __post_init__(self) -> None:
        """Keep codes and English apart."""
        split_said_list(self, "notes")
        split_said_list(self, "unchecked")

    @property
    def failing(self) -> tuple[StepReport, ...]:
        """The steps that fail, in order."""
        return tuple(step for step in self.steps if step.verdict == "fails")

    @property
    def summary(self) -> str:
        """The answer in one sentence."""
        if self.unchecked and self.first_failing is None:
            return join(decode_said_list(self.unchecked, self.unchecked_said), "list.semicolon")
        if not self.clear:
            first = (self.first_failing, self.first_failing_in)
            worst = next((step for step in self.steps if (step.id, step.program) == first), None)
            if worst is None:
                return say("check.fails_before", why=decode_said(self.start.reason, self.start.said))
            why = next((decode_said(one.message, one.said) for one in worst.findings if one.fails), "")
            if self.first_failing_round > 1:
                return say("check.step_fails_in_round", number=worst.number, round=self.first_failing_round, why=why)
            return say("check.step_fails", number=worst.number, why=why)
        near = say("check.nothing_near")
        if (least := self.clearance) is not None:
            near = say("check.nearest", distance_mm=1000.0 * least.distance_m, a=least.a, b=least.b)
        if self.cycle_s is not None:
            return say("check.clear_round", cycle_s=self.cycle_s, near=near)
        return say("check.clear", duration_s=self.duration_s, near=near)
