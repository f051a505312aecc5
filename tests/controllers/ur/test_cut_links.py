"""Cut links over real sockets: what `test_program_stop.py` has in virtual time."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from lockstep import Lockstep
from uploading import PORTS, cut_at_random, swing


@pytest.fixture(scope="module")
def pair() -> Iterator[Lockstep]:
    made = Lockstep("127.0.12.40")
    yield made
    made.close()


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(1000, 1050))
def test_a_cut_link_leaves_the_arm_at_rest_fifty_times(pair: Lockstep, seed: int) -> None:
    pair.get_ready()
    cut_at_random(pair, np.random.default_rng(seed), list(PORTS)[seed % len(PORTS)])


def test_pressing_stop_again_and_again_costs_no_thread(pair: Lockstep) -> None:
    pair.get_ready()
    pair.start(swing())
    before = threading.active_count()
    pair.fault("silence", seconds=2.0)
    for _ in range(200):
        pair.driver.stop()
        pair.tick()
        assert threading.active_count() <= before
    pair.get_ready()
