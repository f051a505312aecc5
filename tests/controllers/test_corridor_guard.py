"""A program on the controller that leaves its corridor is stopped, by the controller's own state and clock."""

from collections.abc import Iterator

import numpy as np
import pytest
from streaming import ME, Streamed

from openpendant.messages import bus
from openpendant.runtime import Corridor

WIDE_RAD = 0.1
REACTION_S = 0.006
"""Three periods of the controller: its state comes out, the loop judges it, the script of the stop gets in."""
RISE_S = 0.02
MAKERS_RAD_S2 = 3.194 / 0.159
"""Of a UR3's base in a stop of category 0: from 183°/s in 159 ms (UR3/CB3 user manual 3.10, appendix A.1)."""


@pytest.fixture
def pair() -> Iterator[Streamed]:
    made = Streamed("127.0.12.48")
    yield made
    made.close()


def stray(pair: Streamed, v: float, a: float) -> float:
    """Upload a program that leaves its corridor, and tick until it has; return its joint's place before."""
    home = pair.drive.q_rest
    joints = ", ".join(f"{value:.6f}" for value in home + 2.0 * np.eye(6)[0])
    assert pair.ask(bus.LeaseRequest(holder=ME, name="Me", hold_s=1.0)) == bus.Accepted()
    upload = bus.Upload(
        holder=ME,
        job="stray",
        arm="arm",
        dialect="urscript",
        name="stray.script",
        text=f"def stray():\n  movej([{joints}], a={a}, v={v})\nend\n",
        corridor=Corridor(home[None, :], WIDE_RAD).encode(),
        q_start=tuple(home.tolist()),
        stops=pair.loop.stops,
    )
    assert pair.ask(upload) == bus.Accepted()
    pair.until(lambda: pair.q[0] - home[0] > WIDE_RAD, "an arm that strays")
    return float(home[0])


@pytest.mark.parametrize(("v", "a"), [(0.6, 1.0), (1.5, 6.0), (3.0, 12.0)])
def test_what_leaves_its_corridor_stops_in_the_time_and_on_the_way_of_a_stop(
    pair: Streamed, v: float, a: float
) -> None:
    home = stray(pair, v, a)
    left, speed = pair.q[0], pair.qd[0]
    assert speed > 0.9 * np.sqrt(2.0 * a * WIDE_RAD)
    took_s = pair.until(lambda: pair.rests, "rest", 1.0)
    # It still speeds up while the guard reacts.
    fastest = min(speed + a * REACTION_S, v)
    brakes_s = fastest / MAKERS_RAD_S2
    assert took_s <= REACTION_S + RISE_S + brakes_s
    assert pair.q[0] - left <= fastest * (REACTION_S + 0.5 * RISE_S + 0.5 * brakes_s)
    assert pair.q[0] - home > WIDE_RAD
    pair.until(lambda: not pair.drive.busy, "the end of the job")
    assert pair.drive.outcome == "held"
    assert "outside the corridor" in pair.drive.reason
