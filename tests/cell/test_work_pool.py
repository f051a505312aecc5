"""Work that takes long is done elsewhere; its results and errors come back."""

import os
import time

import pytest

from openpendant.cell import WorkerDied, WorkPool
from openpendant.errors import UnknownNameError
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
