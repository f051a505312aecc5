"""Addresses that are kept for virtual controllers, and runtimes that start them at the same moment."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from openpendant.runtime import CellRuntime
from openpendant.runtime.virtual_process import OwnAddresses
from openpendant.scene import Cell, CellRobot

SOMEWHERE = (-1.5, 1.0, -1.5, -1.5, 0.0)
PORTS = (30001, 30004)


def test_an_address_is_kept_before_anybody_listens() -> None:
    with closing(OwnAddresses()) as ours, closing(OwnAddresses()) as theirs:
        first, second = ours.keep_free(PORTS, ()), ours.keep_free(PORTS, ())
        other = theirs.keep_free(PORTS, ())
        assert len({first, second, other}) == 3
        ours.close()
        assert theirs.keep_free(PORTS, ()) == first


def test_robots_of_runtimes_that_start_together_have_controllers_of_their_own() -> None:
    together = threading.Barrier(2)

    def start(base: float) -> float:
        robot = CellRobot(name="arm", model="ur3e", joints={"arm": (base, *SOMEWHERE)})
        together.wait()
        with CellRuntime(Cell(name="one", robots=(robot,))) as runtime:
            runtime.robot("arm").wait_ready(within_s=30.0)
            seen = float(runtime.robot("arm").state.arms["arm"].q[0])
            # Who is ready first must not end while the other one may be connected to it.
            together.wait()
            return seen

    with ThreadPoolExecutor(2) as threads:
        seen = list(threads.map(start, (0.3, -0.3)))
    assert seen == pytest.approx([0.3, -0.3], abs=0.01)
