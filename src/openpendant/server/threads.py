"""run_in_thread: run something slow in a thread, without holding up the event loop or the end of the program."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def run_in_thread(work: Callable[[], T]) -> T:
    """Return what `work` returns, or raise what it raises, computed in a daemon thread.

    `asyncio.to_thread` would make Ctrl-C wait until the last mesh is built; a daemon thread does not.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:
            report(future.set_exception, error)
        else:
            report(future.set_result, result)

    def report(settle: Callable[..., None], value: object) -> None:
        def settle_unless_cancelled() -> None:
            if not future.done():
                settle(value)

        # The loop may be closed by now: the result is no longer needed.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle_unless_cancelled)

    threading.Thread(target=run, name=f"aside {getattr(work, '__name__', 'work')}", daemon=True).start()
    return await future
