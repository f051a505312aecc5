"""An arm that does not follow its setpoints is held: drives that are too weak, or a joint that is blocked.

The program's run, the link, the robot's process, its loop and its gate are the real ones, in virtual time. Only the
drives are made worse; everything else is seen from outside, by what is sent to them and where the joints get. A virtual
UR3e, streamed to as its driver does it, shows that an arm that follows is not held for what is late about it.
"""

from dataclasses import replace

import numpy as np
import pytest
from servoed_ur import ServoedUr, loop_of_ur

from openpendant import robots
from openpendant.controllers import KinematicRobot
from openpendant.messages import JointIntent, bus
from openpendant.motion import JointLimits, MoveJoint, Trajectory, joint_limits, plan
from openpendant.runtime import RobotLoop
from openpendant.runtime.bus_codec import encode_trajectory
from virtual_cell import ARM, HOME, SWINGS, TICK_NS, VirtualCell

TICK_S = TICK_NS * 1e-9
BEHIND_RAD, BEHIND_S = 0.05, 0.1
"""As docs/gate.md says: so far a joint may be outside of where it was sent in this time before its state."""
REST_S = 0.2
"""From full speed an IRB 120 stops in 0.16 s by its stop limits; some ticks come on top."""
WEAK = pytest.mark.parametrize("share", [0.0, 0.1])
LATE_S = 0.2
"""So old a state gets; 0.25 s are no state at all."""
UR_TICK_NS = 2_000_000
UR_LAG_S = 0.042
"""A servoj with a look-ahead of 30 ms and 12 ms of smoothing and transport."""


def ahead_at_most(limits: JointLimits, fastest: float, seconds: float) -> float:
    """Return how far setpoints get ahead of an arm that stands still: until it is seen, and then in their stop.

    Args:
        limits: Of the arm.
        fastest: Velocity that was sent, rad/s.
        seconds: What is allowed behind.
    """
    stop = limits.stop
    stopping = float((fastest / stop.deceleration + stop.deceleration / stop.jerk).max())
    return BEHIND_RAD + fastest * (seconds + 0.5 * stopping)


class Drives:
    """The drives of a cell's arm, which follow with a share of the velocity that they should have."""

    def __init__(self, world: VirtualCell, share: float) -> None:
        plant = world.loop.controller
        assert isinstance(plant, KinematicRobot)
        self.world, self._arm, self._servo = world, plant._arms[ARM], plant.servo
        self._whole = self._arm.facts
        self._arm.facts = replace(self._whole, velocity=share * self._whole.velocity)
        self.sent: list[np.ndarray] = []
        self.behind = 0.0
        """Largest distance between what was sent and where the joint was then."""
        plant.servo = self._take  # type: ignore[method-assign]

    def _take(self, arm: str, q: np.ndarray) -> np.ndarray:
        self.sent.append(np.array(q))
        self.behind = max(self.behind, float(np.abs(q - self._arm.q).max()))
        self._servo(arm, q)
        return np.array(q)

    @property
    def fastest(self) -> float:
        """Largest velocity that was sent, rad/s."""
        return float(np.abs(np.diff(self.sent, axis=0)).max()) / TICK_S

    def repair(self) -> None:
        self._arm.facts = self._whole


def held(drives: Drives) -> None:
    """Look what the gate has done, and that everything rests and stays where it is."""
    world = drives.world
    why = world.loop.gate.held(ARM)
    assert why is not None
    assert why.kind == "following"
    assert "from its setpoint" in why.reason
    # It is seen one tick later.
    most = ahead_at_most(world.loop.drives[ARM].parts.limits, drives.fastest, BEHIND_S + TICK_S)
    assert BEHIND_RAD < drives.behind <= most
    place, count = world.q.copy(), len(drives.sent)
    world.ticks(100)
    assert np.array_equal(world.q, place), "it goes on after the hold"
    assert len(drives.sent) == count


@WEAK
def test_a_run_whose_arm_does_not_follow_is_held_and_fails(share: float) -> None:
    world = VirtualCell()
    drives = Drives(world, share)
    run = world.run(SWINGS)
    begin = world.now
    while not run.life.over:
        world.step()
        assert world.now - begin < 5_000_000_000, "nobody notices"
    assert run.status == "failed"
    assert "was held" in run.message
    assert "from its setpoint" in run.message
    world.ticks(int(REST_S / TICK_S))
    held(drives)
    drives.repair()
    again = world.run(SWINGS)
    world.ticks(1000)
    assert again.status == "done", again.message
    assert np.abs(world.q - np.array(HOME)).max() < 1e-3


@WEAK
def test_a_jog_whose_arm_does_not_follow_is_held(share: float) -> None:
    world = VirtualCell()
    drives = Drives(world, share)
    arm = world.arms["me"]
    arm.acquire()
    arm.engage()
    for _ in range(200):
        velocity = (2.5, 0.0, 0.0, 0.0, 0.0, 0.0)
        arm.intend(JointIntent(source=arm.client_id, arm=ARM, stamp_ns=world.now, velocity=velocity))
        world.ticks(4)
        if world.loop.drives[ARM].outcome == "held":
            break
    assert world.loop.drives[ARM].outcome == "held"
    held(drives)


def test_an_arm_that_follows_is_not_held() -> None:
    world = VirtualCell()
    drives = Drives(world, 1.0)
    run = world.run(SWINGS)
    world.ticks(1000)
    assert run.status == "done", run.message
    assert drives.behind < BEHIND_RAD + drives.fastest * 2.0 * TICK_S


class LateUr(ServoedUr):
    """A virtual UR whose controller or whose states come late; times are seconds since its first tick."""

    stalls: tuple[float, float] = (np.inf, np.inf)
    """Between these times the controller gets no time; then it makes up for it, four ticks in one."""
    silent: tuple[tuple[float, float], ...] = ()
    """Between these times its states do not arrive."""
    first_ns = 0

    def poll(self, now_ns: int) -> None:
        self.first_ns = self.first_ns or now_ns
        self._due_ns = self._due_ns or now_ns
        at = (now_ns - self.first_ns) * 1e-9
        if self.stalls[0] <= at < self.stalls[1]:
            return
        for _ in range(4):
            if self._due_ns <= now_ns:
                self.tick()
        if not any(since <= at < until for since, until in self.silent):
            self._state = self._read_state(now_ns)


class UrSwing:
    """A joint of a UR3e swings at full speed, streamed to by loop and gate in virtual time."""

    def __init__(self, joint: int = 0) -> None:
        robot = robots.load("ur3e")
        made, arm = loop_of_ur("ur3e", robot.posture(), LateUr)
        assert isinstance(arm, LateUr)
        self.loop: RobotLoop = made
        self.arm, self.now = arm, 10**9
        self.limits = joint_limits(robot, ARM)
        self.behind = 0.0
        self.tick()
        self.loop.command(bus.LeaseRequest(holder="me", name="me", hold_s=1.0), self.now)
        q = self.arm.state.q[ARM]
        found = plan(robot.arm(), self.limits, q, [MoveJoint(q + self.limits.velocity * np.eye(6)[joint])])
        assert isinstance(found, Trajectory)
        answer = self.loop.command(
            bus.Follow(holder="me", job="swing", arm=ARM, trajectory=encode_trajectory(found), stops=self.loop.stops),
            self.now,
        )
        assert isinstance(answer, bus.Accepted), answer

    @property
    def outcome(self) -> str:
        return self.loop.drives[ARM].outcome

    @property
    def at_s(self) -> float:
        return (self.now - self.arm.first_ns) * 1e-9

    @property
    def fastest(self) -> float:
        """Largest velocity that was sent, rad/s."""
        return float(np.abs(np.diff(self.arm.sent, axis=0)).max()) / (UR_TICK_NS * 1e-9)

    def tick(self, *, after_s: float = UR_TICK_NS * 1e-9) -> None:
        self.now += round(after_s * 1e9)
        self.loop.renew(bus.LeaseRenewal(holder="me", stamp_ns=self.now))
        self.loop.tick(self.now)
        if self.arm.sent:
            self.behind = max(self.behind, float(np.abs(self.arm.sent[-1] - self.arm.q).max()))

    def go_on(self, until_s: float) -> None:
        while self.at_s < until_s:
            self.tick()


def test_a_streamed_ur_is_behind_as_its_look_ahead_says() -> None:
    swing = UrSwing()
    swing.go_on(3.0)
    assert swing.outcome == "done"
    assert swing.fastest > 0.99 * swing.limits.velocity[0]
    assert swing.behind < swing.fastest * UR_LAG_S


@pytest.mark.parametrize("joint", [0, 3])
@pytest.mark.parametrize("late", ["states", "controller", "machine", "machine, shortly"])
def test_an_arm_that_follows_is_not_held_for_what_is_late(late: str, joint: int) -> None:
    swing = UrSwing(joint)
    if late == "states":
        swing.arm.silent = tuple((at, at + LATE_S) for at in (0.3, 0.502, 0.704, 0.906))
    elif late == "controller":
        swing.arm.stalls = (0.6, 0.6 + 0.75 * LATE_S)
    swing.go_on(0.6)
    assert np.abs(swing.arm.qd[joint]) > 0.95 * swing.limits.velocity[joint]
    if late.startswith("machine"):
        # After 40 ms in which nothing was sent the loop goes on from rest, and the arm from full speed shoots past it.
        swing.tick(after_s=0.5 * LATE_S if late == "machine" else 0.042)
    swing.go_on(4.0)
    assert swing.outcome == "done", swing.loop.drives[ARM].reason


@pytest.mark.parametrize("age_s", [0.0, LATE_S])
def test_a_ur_that_is_paused_at_its_pendant_is_held(age_s: float) -> None:
    swing = UrSwing()
    swing.go_on(0.6)
    if age_s:
        swing.arm.silent = ((0.6, 0.6 + age_s),)
    swing.arm.brain.pause()
    swing.go_on(2.0)
    assert swing.outcome == "held"
    assert "from its setpoint" in swing.loop.drives[ARM].reason
    assert np.abs(swing.arm.qd).max() < 1e-3
    # What counts for the age fades as fast as the time passes.
    assert swing.behind <= ahead_at_most(swing.limits, swing.fastest, BEHIND_S + age_s + UR_TICK_NS * 1e-9)
