"""Gate: the only path from setpoints to a robot."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError, UnknownNameError
from openpendant.said import say

from .arm_gate import ArmGate
from .facts import GateFacts
from .freshness import Freshness
from .lease import Leases
from .setpoints import Allowed, Held, HoldKind, Setpoint
from .surroundings import Surroundings

Array = NDArray[np.float64]


class Gate:
    """Stands between everything that wants to move a robot and its driver. Synchronous; the caller brings the clock.

    Once in every tick the owner calls, for each arm, `pass_setpoint` with what came in, or `tick` where nothing came,
    and sends the `q` of the answer if there is one.

    This protects against mistakes. It is not a certified safety function: the robot's own safety stays on.
    """

    def __init__(
        self, arms: Mapping[str, GateFacts], tick_ns: int, *, surroundings: Surroundings | None = None
    ) -> None:
        """Begin with every arm held and no holder of control.

        Args:
            arms: By the names that the controller uses.
            tick_ns: Between two calls.
            surroundings: What stands near; None: there is nothing.

        Raises:
            InputError: No arm, or no positive tick.
        """
        if not arms or tick_ns <= 0:
            raise InputError(f"a gate for {len(arms)} arms and a tick of {tick_ns} ns; both must be above 0")
        self._arms = {name: ArmGate(name, facts, tick_ns, surroundings) for name, facts in arms.items()}
        self.leases = Leases()
        """Who has control of the robot: of machines, kept here and nowhere else."""
        self._needs_dead_man = False
        self._clocks: dict[str, Freshness] = {}

    @property
    def holder(self) -> str | None:
        """The source that has control."""
        return self.leases.holder or None

    @property
    def reduced(self) -> bool:
        """Whether tools and elbows keep to 250 mm/s."""
        return any(arm.reduced for arm in self._arms.values())

    @reduced.setter
    def reduced(self, value: bool) -> None:
        for arm in self._arms.values():
            arm.reduced = bool(value)

    def grant(self, source: str, *, needs_dead_man: bool = False, clock_offset_ns: int | None = None) -> None:
        """Give control to a source. Arms that follow another one are stopped.

        Args:
            source: Its name; one that comes back with another clock must have another name.
            needs_dead_man: Whether its setpoints count only while a dead-man switch is held, whatever they do.
            clock_offset_ns: What must be added to its stamps to get the caller's clock: 0 in the same machine, or as
                measured by a round trip. None: estimated from what arrives.
        """
        if self.holder not in (None, source):
            self._hold_all("lease", f"control went to {source}")
        self.leases.grant_local(source)
        self.trust(source, clock_offset_ns, needs_dead_man=needs_dead_man)

    def trust(self, source: str, clock_offset_ns: int | None, *, needs_dead_man: bool = False) -> None:
        """Set the clock by which the holder of control stamps its setpoints, and whether it needs a dead-man switch.

        Args:
            source: Name of the source.
            clock_offset_ns: What must be added to its stamps to get the caller's clock; None: estimated.
            needs_dead_man: Whether its setpoints count only while a dead-man switch is held, on every arm.
        """
        self._needs_dead_man = needs_dead_man
        self._clocks.setdefault(source, Freshness()).offset_ns = clock_offset_ns

    def revoke(self, reason: str = "control was given back") -> None:
        """Take control from its holder; arms that move come to rest.

        Args:
            reason: Why, as text; the reason of the `Held` of every arm that was not held yet.
        """
        self.leases.clear()
        self._hold_all("lease", reason)

    def forget(self, source: str) -> None:
        """Forget the clock of a source that will not come back under this name; control that it holds is revoked.

        Args:
            source: Name of the source.
        """
        if self.holder == source:
            self.revoke(say("control.left", name=source))
        self._clocks.pop(source, None)

    def clutch_in(self, source: str, arm: str, measured: Array, *, needs_dead_man: bool = False) -> Held | None:
        """Let an arm follow a source, from its measured joints.

        Args:
            source: The holder of control.
            arm: Name of the arm.
            measured: (n,): its measured joints, radians (metres where a joint slides).
            needs_dead_man: Whether setpoints count only while the dead-man switch is held, until the next clutch-in.

        Returns:
            None where the arm follows; otherwise why it does not: the source has no control, the arm still moves, or
            `measured` is not n finite joints.

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        found = self._arm(arm)
        refused = self._refusal(source)
        if refused is not None:
            return refused
        return found.clutch_in(source, measured, self._clocks[source], needs_dead_man=needs_dead_man)

    def name_tcps(self, arm: str, tcps: Array) -> None:
        """Keep the TCPs that a program names to speed and spaces as well as the tool's own, until others are named.

        Args:
            arm: Name of the arm.
            tcps: (K, 3): points on the flange, metres; none: only the tool's own counts.

        Raises:
            UnknownNameError: The robot has no such arm.
            InputError: They are no rows of three finite numbers.
        """
        self._arm(arm).name_tcps(tcps)

    def release(self, source: str, arm: str) -> None:
        """Let an arm no longer follow a source: it comes to rest. Does nothing where the arm follows another source.

        Args:
            source: The source that lets go.
            arm: Name of the arm.

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        found = self._arm(arm)
        if found.source == source:
            found.hold("clutch", say("hold.let_go", source=source))

    def stop(self, reason: str = "stop", arms: Iterable[str] | None = None) -> None:
        """Bring arms to rest by a controlled stop that latches. Needs no lease: anybody may stop a robot.

        Args:
            reason: Why, as text.
            arms: Names of the arms to stop; None: all.

        Raises:
            UnknownNameError: The robot has no such arm; arms named before it are stopped.
        """
        for name in self._arms if arms is None else arms:
            self._arm(name).hold("stop", reason)

    def hold(self, kind: HoldKind, reason: str) -> None:
        """Bring all arms to rest for a reason that only the caller can see: the robot's state, a broken link.

        Args:
            kind: Kind of the hold.
            reason: Why, as text. An arm that is already held keeps its first reason.
        """
        self._hold_all(kind, reason)

    def held(self, arm: str) -> Held | None:
        """Return why an arm is held; None: it follows its source.

        Args:
            arm: Name of the arm.

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        return self._arm(arm).held

    def pass_setpoint(
        self, setpoint: Setpoint, measured: Array | None, now_ns: int, *, measured_ns: int | None = None
    ) -> Allowed | Held:
        """Return what to send to an arm at this tick, in which a setpoint came in.

        Args:
            setpoint: The newest that came in; radians (metres where a joint slides).
            measured: (n,): the arm's measured joints, radians (metres where a joint slides); None: not known.
            now_ns: Now, nanoseconds of the caller's monotonic clock.
            measured_ns: When `measured` was received, on the same clock; None: now.

        Returns:
            `Allowed` with the joints to send, or `Held` with the reason, and with joints to send while the arm stops.

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        arm = self._arm(setpoint.arm)
        refused = self._refusal(setpoint.source)
        if refused is None:
            refused = arm.offer(setpoint, now_ns, needs_dead_man=self._needs_dead_man)
        verdict = arm.tick(measured, measured_ns, now_ns)
        if refused is None:
            return verdict
        return replace(refused, q=verdict.q)

    def tick(self, arm: str, measured: Array | None, now_ns: int, *, measured_ns: int | None = None) -> Allowed | Held:
        """Return what to send to an arm at a tick in which no setpoint came in.

        Args:
            arm: Name of the arm.
            measured: (n,): the arm's measured joints, radians (metres where a joint slides); None: not known.
            now_ns: Now, nanoseconds of the caller's monotonic clock.
            measured_ns: When `measured` was received, on the same clock; None: now.

        Returns:
            As `pass_setpoint`.

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        return self._arm(arm).tick(measured, measured_ns, now_ns)

    def at_rest(self, arm: str) -> bool:
        """Return whether the setpoints sent to an arm are at rest: no velocity, no acceleration, no stop under way.

        Args:
            arm: Name of the arm.

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        return self._arm(arm).limiter.at_rest

    def speed_limit(self, arm: str, q: Array | None = None) -> float:
        """Return the largest speed of TCP and joint centres along a path, m/s. A path that is faster is held.

        Args:
            arm: Name of the arm.
            q: (n,): where a motion from rest would begin, radians (metres where a joint slides); None: the limit now.

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        return self._arm(arm).speed_limit(q)

    def watch(self, arm: str, q: Array, qd: Array) -> str:
        """Return which rule a measured motion breaks, as text; empty: none.

        For programs that the controller itself runs: speed and allowed space are watched.

        Args:
            arm: Name of the arm.
            q: (n,): measured joints, radians (metres where a joint slides).
            qd: (n,): measured joint velocities, rad/s (m/s where a joint slides).

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        return self._arm(arm).watch(q, qd)

    def speeds_along(self, arm: str, Q: Array, QD: Array) -> Array:
        """Return (N,) the speed of the fastest of TCP and joint centres in each row, m/s.

        Args:
            arm: Name of the arm.
            Q: (N, n): joints, radians (metres where a joint slides).
            QD: (N, n): joint velocities, rad/s (m/s where a joint slides).

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        return self._arm(arm).limiter.speeds_along(Q, QD)

    def load_kernels(self) -> None:
        """Load what only rare stops need; once, before a robot moves."""
        for arm in self._arms.values():
            arm.limiter.load_kernels()

    def _refusal(self, source: str) -> Held | None:
        if self.holder == source:
            return None
        return Held("lease", f"{source} has no control; {self.holder or 'nobody'} has", latched=False)

    def _hold_all(self, kind: HoldKind, reason: str) -> None:
        for arm in self._arms.values():
            arm.hold(kind, reason)

    def _arm(self, name: str) -> ArmGate:
        if name not in self._arms:
            raise UnknownNameError("arm of this robot", name, self._arms)
        return self._arms[name]
