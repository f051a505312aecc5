"""An arm that does not follow its setpoints is held: drives that are too weak, or a joint that is blocked.

The program's run, the link, the robot's process, its loop and its gate are the real ones, in virtual time. Only the
drives are made worse; everything else is seen from outside, by what is sent to them and where the joints get.
"""

from dataclasses import replace

import numpy as np
import pytest
from virtual_cell import ARM, HOME, SWINGS, TICK_NS, VirtualCell

from openpendant.controllers import Plant
from openpendant.messages import JointIntent

TICK_S = TICK_NS * 1e-9
BEHIND_RAD, BEHIND_S = 0.05, 0.3
"""As docs/gate.md says: so far a joint may be behind, and what it was sent in this time."""
REST_S = 0.2
"""From full speed an IRB 120 stops in 0.16 s by its stop limits; some ticks come on top."""
WEAK = pytest.mark.parametrize("share", [0.0, 0.1])


class Drives:
    """The drives of a cell's arm, which follow with a share of the velocity that they should have."""

    def __init__(self, world: VirtualCell, share: float) -> None:
        plant = world.loop.controller
        assert isinstance(plant, Plant)
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
    assert "from where it was sent" in why.reason
    # One tick passes until it is seen; then the setpoints go on as far as a stop does, and it goes half its speed.
    most = BEHIND_RAD + drives.fastest * (BEHIND_S + 2.0 * TICK_S + 0.5 * REST_S)
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
    assert "from where it was sent" in run.message
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
