"""A link that is late, stalls, or goes deaf without closing anything, between a client and the server."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Queue
from urllib.parse import urlsplit


class BadLink:
    """A TCP relay on another loopback address with the server's own port: by its Host header it is the same server."""

    def __init__(self, url: str) -> None:
        self._target = ("127.0.0.1", urlsplit(url).port or 0)
        self.delay_s = 0.0
        """How late everything is, each way."""
        self.flowing = threading.Event()
        """While not set, nothing passes; what was sent meanwhile comes in a burst."""
        self.flowing.set()
        self.reading = threading.Event()
        """While not set, nothing is taken from the sockets either: what is sent stays with the sender, once they are
        full."""
        self.reading.set()
        self._listener = socket.create_server(("127.0.0.2", self._target[1]))
        self.url = f"http://127.0.0.2:{self._target[1]}"
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self.flowing.set()
        self.reading.set()
        for one in (self._listener, *self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._target)
                self._sockets += [near, far]
                for source, sink in ((near, far), (far, near)):
                    waiting: Queue[tuple[float, bytes]] = Queue()
                    threading.Thread(target=self._read, args=(source, waiting), daemon=True).start()
                    threading.Thread(target=self._write, args=(sink, waiting), daemon=True).start()

    def _read(self, source: socket.socket, waiting: "Queue[tuple[float, bytes]]") -> None:
        data = b"?"
        while data:
            self.reading.wait()
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            waiting.put((time.monotonic() + self.delay_s, data))

    def _write(self, sink: socket.socket, waiting: "Queue[tuple[float, bytes]]") -> None:
        with suppress(OSError):
            while True:
                due, data = waiting.get()
                time.sleep(max(0.0, due - time.monotonic()))
                self.flowing.wait()
                if not data:
                    sink.shutdown(socket.SHUT_WR)
                    return
                sink.sendall(data)


@contextmanager
def bad_link(url: str) -> Iterator[BadLink]:
    """Yield a link to the server at `url`; it is good until it is told otherwise."""
    link = BadLink(url)
    try:
        yield link
    finally:
        link.close()
