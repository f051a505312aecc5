"""Work that takes long is done elsewhere; its results and errors come back."""

import os
import time

import pytest

from openpendant.errors import UnknownNameError
from openpendant.pool import WorkerDied, WorkPool, show_progress
from openpendant.robots import load


def test_results_errors_and_deaths_come_back() -> None:
    pool = WorkPool(1)
    try:
        assert pool.submit(os.getpid).result(60) != os.getpid()
        assert pool.submit(sorted, [3, 1, 2], reverse=True).result(60) == [3, 2, 1]
        with pytest.raises(UnknownNameError, match="no robot named 'irb121'"):
            pool.submit(load, "irb121").result(60)
        with pytest.raises(WorkerDied):
            pool.submit(os._exit, 3).result(60)
        assert pool.submit(abs, -2).result(60) == 2
    finally:
        pool.close()


def test_closing_ends_what_is_under_way() -> None:
    pool = WorkPool(1)
    pool.submit(abs, -1).result(60)
    slow = pool.submit(time.sleep, 600)
    pool.close()
    assert slow.cancelled() or isinstance(slow.exception(0), WorkerDied)
    assert isinstance(pool.submit(abs, -1).exception(60), WorkerDied)


def test_what_is_cancelled_ends_and_makes_room() -> None:
    pool = WorkPool(1)
    try:
        slow, waiting = pool.begin(time.sleep, 600), pool.begin(abs, -1)
        waiting.cancel()
        slow.cancel()
        for work in (slow, waiting):
            with pytest.raises(WorkerDied):
                work.future.result(60)
        slow.cancel()
        # Whoever is next is not ended with it.
        assert pool.begin(abs, -2).future.result(60) == 2
    finally:
        pool.close()


def test_work_shows_that_it_gets_on() -> None:
    pool = WorkPool(1)
    try:
        gets_on, still = pool.begin(show_progress), pool.begin(abs, -1)
        assert gets_on.future.result(60) is None
        assert still.future.result(60) == 1
        assert (gets_on.progress, still.progress) == (1, 0)
    finally:
        pool.close()
    show_progress()  # Nobody waits for this process.
