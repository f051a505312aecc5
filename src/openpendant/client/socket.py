"""ClientSocket: a websocket for callers that are not asynchronous; one thread alone reads and writes it.

`websockets.sync` reads in one thread and writes in another. Over TLS both then use one SSL object at the same time,
which OpenSSL does not allow: the reader waits for ever for an answer to a request that was never sent whole. Opened in
a loop, one in a few hundred hangs so. Here an event loop in its own thread does both.
"""

import asyncio
import ssl
import threading
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from openpendant.errors import LinkError

CLOSE_S = 2.0
T = TypeVar("T")


class ClientSocket:
    """An open websocket. Calls may come from any thread."""

    def __init__(
        self,
        address: str,
        on_message: Callable[[str | bytes], None],
        on_end: Callable[[str], None],
        *,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
        within_s: float = 60.0,
    ) -> None:
        """Open it.

        Args:
            address: ws:// or wss://.
            on_message: Called with each message in the socket's own thread; may call `send`.
            on_end: Called once with the reason, after the last message.
            headers: Sent with the opening request.
            ssl_context: For wss://.
            within_s: How long opening, and later each `send`, may take.

        Raises:
            LinkError: The server did not reply in time, or refuses.
        """
        self._on_message, self._on_end, self._within_s = on_message, on_end, within_s
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._serve, name="openpendant socket", daemon=True)
        self._thread.start()

        async def open_it() -> ClientConnection:
            return await connect(
                address, max_size=None, open_timeout=within_s, additional_headers=headers, ssl=ssl_context
            )

        try:
            self._connection = self._wait(open_it())
        except (OSError, TimeoutError, InvalidHandshake) as error:
            self._end()
            raise LinkError(f"{address} cannot be opened: {error}") from None
        except BaseException:
            self._end()
            raise
        self._reading = asyncio.run_coroutine_threadsafe(self._read(), self._loop)

    def send(self, text: str) -> None:
        """Send a message; from `on_message` it is sent as soon as that returns.

        Args:
            text: The message.

        Raises:
            LinkError: The connection is closed, or the server does not take it in time.
        """
        if threading.current_thread() is self._thread:
            task = self._loop.create_task(self._send(text))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        if not self._thread.is_alive():
            raise LinkError("the connection to the server is closed")
        try:
            self._wait(self._connection.send(text))
        except ConnectionClosed as error:
            raise LinkError(f"the server has closed the connection: {error}") from None
        except TimeoutError:
            raise LinkError(f"the server has accepted no message for {self._within_s:g} s") from None

    def post(self, text: str) -> None:
        """Have a message sent, without waiting until the server takes it; where it does not get out, `on_end` says why.

        Args:
            text: The message.

        Raises:
            LinkError: The connection is closed.
        """
        if not self._thread.is_alive():
            raise LinkError("the connection to the server is closed")
        asyncio.run_coroutine_threadsafe(self._send(text), self._loop)

    def close(self) -> None:
        """Close it; `on_end` has been called when this returns. Closing twice is allowed."""
        if not self._thread.is_alive():
            return
        try:
            self._wait(asyncio.wait_for(self._connection.close(), CLOSE_S))
            self._reading.result(CLOSE_S)
        except TimeoutError:
            self._connection.transport.abort()
        self._end()

    async def _send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except ConnectionClosed:
            return  # The reader reports why.

    async def _read(self) -> None:
        reason = "the server has closed the connection"
        try:
            async for message in self._connection:
                self._on_message(message)
        except ConnectionClosed as error:
            reason = f"the server has closed the connection: {error}"
        finally:
            self._on_end(reason)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(self._within_s + CLOSE_S)
        except BaseException:
            future.cancel()
            raise

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def _end(self) -> None:
        async def cancel_all() -> None:
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(cancel_all(), self._loop).result(CLOSE_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_S)
        if not self._thread.is_alive():
            self._loop.close()
