"""The tables of stops in the docs are those that the tool writes, and an arm that is streamed to stops as it should."""

from pathlib import Path

import pytest

from openpendant import robots
from openpendant.motion import joint_limits

ROOT = Path(__file__).resolve().parent.parent.parent

from stop_table import BEGIN, END, PAGE, SHARES, STREAMED_JOINTS, stop_streamed, tables  # noqa: E402

LAG_S = 0.042
"""Of a streamed UR: 30 ms of look-ahead, 12 ms of smoothing and transport."""


def test_the_table_of_stops_is_up_to_date() -> None:
    written = PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    assert written.strip() == tables(), "run tools/stop_table.py"
    assert "no room" not in written


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("joint", STREAMED_JOINTS)
def test_a_streamed_stop_takes_what_its_setpoints_take_and_the_lag(joint: int, share: float) -> None:
    limits = joint_limits(robots.load("ur3e"), "arm")
    v, most = share * float(limits.velocity[joint]), float(limits.stop.deceleration[joint])
    seconds = v / most + most / float(limits.stop.jerk[joint])
    way, time_s = stop_streamed(joint, share)
    assert way <= 0.5 * v * seconds + v * LAG_S
    # The last bit of the way is crept along: as an exponential with the lag as its time.
    assert time_s <= seconds + 2.0 * LAG_S
