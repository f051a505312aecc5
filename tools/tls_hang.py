"""Why the client has its own websocket: python tools/tls_hang.py [COUNT] [SECONDS]

Opens websockets over TLS with `websockets.sync`, says something and closes them, one after the other, until one hangs:
it reads in one thread and writes in another, and both use one SSL object. Then the stacks of both threads are printed.
Those that fail with an error are counted.
Ends after COUNT of them (3000) or SECONDS (120) where none does. On the loopback address alone, with a certificate of
its own that goes with it.
"""

import asyncio
import ssl
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import websockets
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from openpendant.server import CERTIFICATES, Lan

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 120.0
HANGS_S = 5.0
"""So long none takes that does not hang, on a machine with much to do either."""


@contextmanager
def echoing(folder: Path) -> Iterator[tuple[str, ssl.SSLContext]]:
    """A server over TLS in a thread that sends back what it is sent."""
    lan = Lan(folder / CERTIFICATES, 0, address="127.0.0.1")
    loop, ready, ports = asyncio.new_event_loop(), threading.Event(), list[int]()
    over = asyncio.Event()

    async def echo(socket: ServerConnection) -> None:
        async for text in socket:
            await socket.send(text)

    async def main() -> None:
        async with serve(echo, "127.0.0.1", 0, ssl=lan.context, close_timeout=1.0) as server:
            ports.append(next(iter(server.sockets)).getsockname()[1])
            ready.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(main(),), daemon=True)
    thread.start()
    assert ready.wait(10.0), "the server does not start"
    try:
        yield f"wss://127.0.0.1:{ports[0]}/", ssl.create_default_context(cafile=str(lan.authority.file))
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(5.0)


class Opening:
    """A thread that opens one after the other, and notes how far it is."""

    def __init__(self, address: str, context: ssl.SSLContext, before: set[int]) -> None:
        """Begin; `before` are the threads that have nothing to do with it."""
        self.opened, self.since_s, self.doing = 0, time.monotonic(), "opens"
        self.errors: list[str] = []
        self._address, self._context, self._before = address, context, before
        self.thread = threading.Thread(target=self._open_all, name="opens, writes and closes", daemon=True)
        self.thread.start()

    def _open_all(self) -> None:
        for number in range(COUNT):
            self.since_s, self.doing = time.monotonic(), "opens"
            try:
                self._open_one(f"{number}")
            except WebSocketException as error:
                self.errors.append(f"{number + 1}th, as it {self.doing}: {error.__cause__ or error}")
            self.opened = number + 1

    def _open_one(self, text: str) -> None:
        with connect(self._address, ssl=self._context, open_timeout=SECONDS, close_timeout=SECONDS) as socket:
            self.doing = "writes and reads"
            socket.send(text)
            assert socket.recv() == text
            self.doing = "closes"

    def stacks(self) -> str:
        """Return the stacks of its threads: its own, and the one of websockets that reads."""
        names = {thread.ident: thread.name for thread in threading.enumerate()}
        mine = {ident: frame for ident, frame in sys._current_frames().items() if ident not in self._before}
        return "\n".join(
            f"thread {names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}"
            for ident, frame in mine.items()
        )


def main() -> int:
    """Open until one hangs; return 1 where one does."""
    versions = f"websockets {websockets.__version__}, {ssl.OPENSSL_VERSION}, Python {sys.version.split()[0]}"
    with tempfile.TemporaryDirectory() as folder, echoing(Path(folder)) as (address, context):
        before = {thread.ident for thread in threading.enumerate() if thread.ident is not None}
        began, opening = time.monotonic(), Opening(address, context, before)
        hangs = False
        while opening.thread.is_alive() and not hangs and time.monotonic() - began < SECONDS:
            opening.thread.join(0.1)
            hangs = opening.thread.is_alive() and time.monotonic() - opening.since_s > HANGS_S
        took_s = time.monotonic() - began
        if hangs:
            print(f"the {opening.opened + 1}th hangs as it {opening.doing}, after {took_s:.0f} s ({versions})")
            print(f"\n{opening.stacks()}")
        else:
            print(f"none of {opening.opened} hangs, in {took_s:.0f} s ({versions})")
        print("\n".join([f"{len(opening.errors)} have failed with an error", *opening.errors]))
    return int(hangs)


if __name__ == "__main__":
    sys.exit(main())
