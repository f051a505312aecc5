"""An event loop that stands still is logged, with what it was doing: nobody else can tell afterwards."""

import asyncio
import re
import time
from collections.abc import Callable

import pytest

from openpendant.server.pulse import Pulse

HELD_S = 1.6
"""Long enough for a watch that is itself held up on a busy machine."""


def stand_still(seconds: float) -> None:
    time.sleep(seconds)


def compute(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def interrupted(hold: Callable[[float], None], seconds: float) -> None:
    pulse = Pulse()
    pulse.start()
    await asyncio.sleep(0.3)
    hold(seconds)
    await asyncio.sleep(0.3)
    pulse.close()


@pytest.mark.parametrize("hold", [stand_still, compute])
def test_a_loop_that_stands_still_is_logged_with_what_it_does(
    hold: Callable[[float], None], caplog: pytest.LogCaptureFixture
) -> None:
    asyncio.run(interrupted(hold, HELD_S))
    told = [one.message for one in caplog.records if f"in {hold.__name__}" in one.message]
    (found,) = (re.search(r"still for ([\d.]+) s; its thread computed ([\d.]+) s", one) for one in told)
    assert found is not None
    still_s, computed_s = map(float, found.groups())
    assert still_s >= HELD_S
    assert computed_s >= 0.95 * HELD_S if hold is compute else computed_s < 0.4


def test_a_short_wait_is_nobodys_business(caplog: pytest.LogCaptureFixture) -> None:
    asyncio.run(interrupted(stand_still, 0.05))
    assert not [one.message for one in caplog.records if "in stand_still" in one.message]
