"""MoveQueue: moves that a program has asked for, made one after the other while it runs ahead."""

from collections import deque

from .mover import Claim, Mover
from .path import PathFault
from .path_move import PathMove

LAID_AHEAD_S = 0.4
"""The path behind the present move and the next is laid so far ahead of the arm: any arm can stop in less."""


class MoveQueue:
    """Lays the path of an arm out of the moves that are added, also while the arm moves.

    Moves with a zone are blended into the next one, `fine` ones come to rest. One move a tick joins the path, so that
    no tick takes long. A corner whose next move comes too late is a stop, and is counted in `missed`.

    Attributes:
        fault: Why the first of the waiting moves cannot be executed; it and those behind it stay until `clear`.
        finished: Moves that have been made, since the start.
        missed: Zones at which the arm had to stop because the next move came too late.
    """

    def __init__(self, mover: Mover) -> None:
        """Begin empty."""
        self._mover = mover
        self._waiting: deque[PathMove] = deque()
        self._laid: deque[PathMove] = deque()
        self._claim: Claim | None = None
        self.fault: PathFault | None = None
        self.finished = 0
        self.missed = 0

    @property
    def waiting(self) -> int:
        """How many moves are not part of the path yet."""
        return len(self._waiting)

    @property
    def ahead(self) -> int:
        """How many moves have not been finished, with the one that is being made."""
        return len(self._waiting) + len(self._laid)

    @property
    def present(self) -> PathMove | None:
        """The move that is being made; None: the arm has made all that could be laid."""
        return self._laid[0] if self._laid else None

    def add(self, asked: PathMove) -> None:
        """Make a move behind all others."""
        self._waiting.append(asked)

    def clear(self) -> None:
        """Forget all moves that are not finished; a moving arm brakes on its path."""
        self._waiting.clear()
        self._laid.clear()
        self.fault = None
        if self._claim is not None:
            self._mover.brake_on_path()
            self._mover.release(self._claim)
            self._claim = None

    def step(self) -> None:
        """Lay what comes next; before each step of the mover."""
        if self._claim is None:
            if not self._waiting or self.fault is not None:
                return
            self._claim = self._mover.claim()
            if self._claim is None:
                return
        mover = self._mover
        mover.feed()
        self._count()
        near = len(self._laid) <= mover.path.early or mover.path.left < LAID_AHEAD_S * mover.path.rate
        if self._waiting and self.fault is None and near:
            self._lay()
        if not self._laid and mover.path_done and (not self._waiting or self.fault is not None):
            mover.release(self._claim)
            self._claim = None

    def _lay(self) -> None:
        mover = self._mover
        if not mover.blendable and (mover.moving or self._laid):
            return
        fault = mover.begin(self._waiting[0])
        if fault is None:
            # The path continues without being looked after, and can be added to.
            mover.lasting = True
            self._laid.append(self._waiting.popleft())
        elif fault.kind == "late":
            self.missed += 1
            mover.end_blending()
        else:
            self.fault = fault

    def _count(self) -> None:
        """Count what lies behind the arm."""
        present = None if self._mover.path_done else self._mover.path.present
        while self._laid and self._laid[0] is not present:
            self._laid.popleft()
            self.finished += 1
