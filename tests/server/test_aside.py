"""Slow work in a thread: results, errors, and nobody waiting any more."""

import asyncio
import threading

import pytest

from openpendant.server.threads import run_in_thread


def test_the_loop_goes_on_while_work_is_done_aside() -> None:
    async def both() -> str:
        go = threading.Event()

        def work() -> str:
            go.wait(60)
            return threading.current_thread().name

        task = asyncio.create_task(run_in_thread(work))
        # Only the loop itself can let the work finish.
        asyncio.get_running_loop().call_soon(go.set)
        return await task

    assert asyncio.run(both()) == "aside work"


def test_an_error_comes_back_to_who_waits() -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        asyncio.run(run_in_thread(fail))


def test_a_result_nobody_waits_for_is_dropped() -> None:
    go, done = threading.Event(), threading.Event()

    def work() -> None:
        go.wait(60)
        done.set()

    async def give_up() -> None:
        task = asyncio.create_task(run_in_thread(work))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(give_up())
    go.set()
    assert done.wait(60)
