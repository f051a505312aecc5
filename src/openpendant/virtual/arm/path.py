"""Path: planned moves, and the law by which the arm goes along them; moves can be added while it moves."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.kinematics import Arm
from openpendant.motion import Blocked, JointLimits, MoveJoint, Trajectory, plan

from .kernels.law import ends_soon, lay_law, locate, ride
from .path_lag import PathLag
from .path_move import FREE, PathMove
from .slow_places import widen_slow_places

Ending = Literal["none", "pause", "stop"]
"""How the path is left: not; gently, to continue later; with the decelerations of a stop."""
PAUSE = 1.5
"""A pause decelerates by this multiple of the moves themselves."""

Array = NDArray[np.float64]
LEVER_M = 0.1
"""In moves of a given duration the tool may turn as if its point had this lever: 0.25 m/s go with 2.5 rad/s."""
AHEAD_TICKS = 4.0
"""The next move is requested this long before the arm must brake for the end."""
ASIDE_RAD = 1e-3
"""A path that is farther from the arm than this does not pass through it."""
BESIDE = 3
"""Cells of the moves before and after in which the arm is looked for, too."""
JUMP = 1e-4
"""dq/ds, radians for a second at full speed: larger differences are not rounding."""
FINEST = 1500
EARLY = 4


@dataclass(frozen=True)
class PathFault:
    """Why a path cannot be executed."""

    kind: str
    """"limit", "singular", "unreachable", "degenerate", or "late": too late to be blended."""
    reason: str


class Path:
    """A path that is being ridden.

    Attributes:
        smoothing_s: Time by which all means together lengthen every move.
    """

    def __init__(
        self, arm: Arm, limits: JointLimits, *, tick_s: float, smoothing_s: float, rise_s: float = 0.0
    ) -> None:
        """Begin without a path.

        Args:
            arm: The arm.
            limits: Of planned moves and of stops.
            tick_s: Length of a tick.
            smoothing_s: Time by which what comes after lengthens every move.
            rise_s: Time over which accelerations along the path rise and fall; it lengthens every move, too.
        """
        self._arm = arm
        # Jerk is limited later, by means over a few ticks; planning without it is quicker.
        self._limits, self._jerk_limits = limits.scaled(jerk=math.inf), limits
        self._lag = PathLag(arm.dof, tick_s, rise_s)
        self._tick_s, self._ahead_s = tick_s, AHEAD_TICKS * tick_s
        self.smoothing_s = smoothing_s + self._lag.delay_s
        self.moves: list[PathMove] = []
        self._starts: list[Array] = []
        self.state = np.zeros(5)
        self.left = 0.0
        self._dropped = 0

    @property
    def present(self) -> PathMove:
        """The move that the arm is making; in a corner the earlier one lasts to its middle."""
        return self.moves[int(self._trajectory.owner[self._cell])]

    @property
    def _cell(self) -> int:
        """Where the arm is: the law is ahead of it by the lag."""
        return self._lag.cell if self._lag.on else int(self.state[2])

    def begin(self, q_start: Array, asked: PathMove, T_flange_tool: Array) -> PathFault | None:
        """Plan the first move from rest at `q_start`; None where that worked."""
        self.moves, self._starts = [asked], [np.array(q_start)]
        self._T = np.array(T_flange_tool)
        fault = self._lay()
        if fault is None:
            self.state[:] = 0.0
            self._lag.begin(q_start)
        return fault

    def extend(self, asked: PathMove, raw: Array) -> PathFault | None:
        """Add a move behind the last one, blended by the radius of that; the arm continues from where it is."""
        self._drop_passed()
        owner = self._trajectory.owner
        present = int(owner[int(self.state[2])]) - self._dropped, int(owner[self._cell]) - self._dropped
        self.moves.append(asked)
        self._starts.append(self._trajectory.q_end)
        fault = self._lay_around(present, raw)
        if fault is not None:
            self.moves.pop()
            self._starts.pop()
            self._lay_around(present, raw)
        self.state[3] = 0.0
        coming = int(np.searchsorted(self._stops, float(self.state[0])))
        self.state[4] = min(coming, len(self._stops) - 1)
        self.left = float(self._knots[-1] - self.state[0])
        return fault

    def advance(self, factor: float, ending: Ending, raw: Array) -> bool:
        """Continue for one tick; True at the end of the path.

        Args:
            factor: Of speed.
            ending: Whether to brake to rest on the path, and how hard.
            raw: (2, n) gets joints and velocities.
        """
        asked = self._stop_rows if ending == "stop" else self._asked
        brake = {"none": 0.0, "pause": PAUSE, "stop": 1.0}[ending]
        knots, cells, stops, grid, rates = self._knots, self._cells, self._stops, self._grid, self._rates
        lag, state = self._lag, self.state
        if not lag.on:
            self.left = ride(knots, cells, stops, asked, grid, rates, state, factor, brake, self._tick_s, raw)
            return self.left <= 0.0
        if ending == "stop":
            # A stop does not wait for what the law has been ahead.
            lag.drop(state)
        if lag.level or state[0] < stops[int(state[4])]:
            self.left = ride(knots, cells, stops, asked, grid, rates, state, factor, brake, self._tick_s, lag.law)
        # Otherwise the arm comes to rest at a corner without a curve, or at the end, before the law continues.
        lag.follow(knots, cells, state, raw)
        return self.left <= 0.0 and lag.level

    @property
    def rate(self) -> float:
        """How fast the arm goes along the path: `left` would take `left / rate` seconds."""
        return float(self.state[1])

    @property
    def still(self) -> bool:
        """Whether the arm rests on the path."""
        return float(self.state[1]) <= 0.0 and (not self._lag.on or self._lag.level)

    @property
    def present_way(self) -> tuple[float, float]:
        """Metres of the tool's point along the present move: behind the arm, and before it."""
        owner, way, cell = self._trajectory.owner, self._trajectory.way_m, self._cell
        move = int(owner[cell])
        first, last = (int(np.searchsorted(owner, move, side=side)) for side in ("left", "right"))
        share = (self._place - float(self._knots[cell])) / float(self._knots[cell + 1] - self._knots[cell])
        here = float(way[cell]) + min(max(share, 0.0), 1.0) * float(way[cell + 1] - way[cell])
        return here - float(way[first]), float(way[last]) - here

    @property
    def _place(self) -> float:
        return self._lag.place if self._lag.on else float(self.state[0])

    @property
    def early(self) -> int:
        """Moves that are laid however far the arm is: those around a corner decide how the planner goes round it."""
        return EARLY if self._lag.on else 1

    @property
    def extensible(self) -> bool:
        """Whether the law has not come to the end: a move can still be added."""
        return self.left > 0.0

    def ends_soon(self, factor: float) -> bool:
        """Return whether the end is so near that the next move must be known now to be blended, at a part of speed."""
        return bool(
            ends_soon(
                self._stops, self._asked, self._grid, self._rates, self.state, factor, self._corner, self._ahead_s
            )
        )

    @property
    def target(self) -> Array:
        """Joints at the end of the last move."""
        return self._trajectory.q_end

    def _lay_around(self, present: tuple[int, int], raw: Array) -> PathFault | None:
        """Lay the path of all moves and find law and arm there, also inside a corner that has only been rounded."""
        for flows in (True, False) if self._lag.on else (False,):
            fault = self._lay(flows=flows)
            if fault is not None:
                return fault
            if self._find(present, raw) <= ASIDE_RAD:
                return None
        return PathFault("late", "the next move came when the corner was already passed")

    def _lay(self, *, flows: bool = True) -> PathFault | None:
        """Lay the path of all moves; `flows`: as the planner does where jerk is limited, through small zones, too."""
        last = len(self.moves) - 1
        zones = any(not one.move.zone.fine for one in self.moves[:last])
        flows = flows and zones and self._lag.on
        limits = self._jerk_limits if flows else self._limits
        moves = [one.geometry(fine=n == last, speed=flows) for n, one in enumerate(self.moves)]
        try:
            found = plan(self._arm, limits, self._starts[0], moves, self._T)
        except InputError as error:
            return PathFault("limit", str(error))
        if isinstance(found, Blocked):
            kind = {"limit": "limit", "jump": "singular"}.get(found.kind, found.kind)
            return PathFault(kind, found.reason)
        self._trajectory = found
        self._knots = np.ascontiguousarray(found.knots)
        self._cells = np.ascontiguousarray(found.cells)
        self._law(found)
        self.left = float(self._knots[-1])
        return None

    def _law(self, found: Trajectory) -> None:
        # Corners have short cells with much curvature: several looks into each, and many into long ones.
        steps = np.diff(self._knots)
        looks = np.clip(np.ceil(steps / max(0.002, float(self._knots[-1]) / FINEST)), 3, None).astype(np.int64)
        start = np.repeat(self._knots[:-1], looks)
        inner = np.arange(len(start)) - np.repeat(np.cumsum(looks) - looks, looks)
        self._grid = np.append(start + inner * np.repeat(steps / looks, looks), self._knots[-1])
        self._asked = np.array([self._ruled(n).rows(self._limits) for n in range(len(self.moves))])
        # A stop is limited by what the joints can do, not by what the moves were asked for.
        n = self._limits.dof
        self._stop_rows = self._asked.copy()
        self._stop_rows[:, n + 2 :] = FREE
        self._stop_rows[:, n + 2 : -2] = self._limits.stop.deceleration
        self._rates = np.empty((len(self._grid), 3 + self._asked.shape[1]))
        knots, cells, packed = self._knots, self._cells, self._arm.packed
        self._stops = _find_stops(knots, cells)
        lay_law(knots, cells, found.owner, self._stops, self._asked, packed, self._T, self._grid, self._rates)
        if self._lag.on:
            widen_slow_places(self._grid, self._rates, self._asked, 0.5 * self.smoothing_s)

        # Where the zone of the last move begins: along a bent way it may be entered a little earlier.
        left = found.way_m[-1] - found.way_m
        self._corner = float(np.interp(-1.3 * self.moves[-1].move.zone.radius_m, -left, self._knots))

    def _ruled(self, n: int) -> PathMove:
        """Return a move with the limits that its duration asks for."""
        asked = self.moves[n]
        cells = np.flatnonzero(self._trajectory.owner == n)
        if asked.duration_s <= 0.0 or not len(cells):
            return asked
        # A trapezoid over the asked time, a fifth of it for each ramp; the smoothing takes its own share of time.
        time = max(asked.duration_s - self.smoothing_s, 2.0 * self._tick_s)
        first, last = int(cells[0]), int(cells[-1]) + 1
        Q, _ = self._trajectory.path()
        lever_m = 0.0 if isinstance(asked.move, MoveJoint) else LEVER_M
        if lever_m > 0.0:
            length = float(self._trajectory.way_m[last] - self._trajectory.way_m[first])
            T = self._arm.fk(Q[[first, last]], check_limits=False)
            turn = math.acos(min(1.0, max(-1.0, 0.5 * (float(np.trace(T[0, :3, :3].T @ T[1, :3, :3])) - 1.0))))
            length = max(length, LEVER_M * turn)
        else:
            length = float(np.abs(Q[last] - Q[first]).max())
        v = max(length / (0.8 * time), 1e-6)
        return asked.ruled_by(v, v / (0.2 * time), lever_m)

    def _find(self, present: tuple[int, int], raw: Array) -> float:
        """Find law and arm on the path, in the moves that they are in; return how far away the law is."""
        if not self._lag.on:
            return self._locate(present[0], raw, self.state)
        off = self._locate(present[0], self._lag.law, self.state)
        place = np.zeros(3)
        self._locate(present[1], raw, place)
        self._lag.shift(float(place[0]), int(place[2]))
        return off

    def _locate(self, present: int, raw: Array, state: Array) -> float:
        owner = self._trajectory.owner
        first, last = (int(np.searchsorted(owner, present, side=side)) for side in ("left", "right"))
        # The middle of a corner may be counted to either move.
        first, last = max(first - BESIDE, 0), min(last + BESIDE, len(owner))
        return locate(self._knots, self._cells, first, last, raw[0], raw[1], state)

    def _drop_passed(self) -> None:
        """Forget moves whose way and corner lie behind the arm: what follows does not depend on them."""
        owners = self._trajectory.owner
        self._dropped = 0
        cell = self._cell
        while len(self.moves) > 1 and len(self._starts) > 1:
            own = np.flatnonzero(owners == 1)
            # Inside a corner the path still depends on the move before it: look half a move further.
            if not len(own) or cell < int(own[0]) + max(2, len(own) // 2):
                break
            self.moves.pop(0)
            self._starts.pop(0)
            owners = owners - 1
            self._dropped += 1


def _find_stops(knots: Array, cells: Array) -> Array:
    """Return the places where the direction of the path jumps, so that only an arm at rest can pass, and the end."""
    width = np.diff(knots)[:-1, None]
    powers = np.arange(1, 6) * width ** np.arange(5)
    jump = np.abs(cells[1:, 1] - np.einsum("ck,ckn->cn", powers, cells[:-1, 1:])).max(axis=1)
    return np.append(knots[1:-1][jump > JUMP], knots[-1])
