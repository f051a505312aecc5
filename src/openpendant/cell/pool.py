"""WorkPool: processes for what takes long (check, plan, export), so that nothing else waits for it.

Workers are started as modules, not by `multiprocessing`, which would run the caller's script anew in each of them.
Functions and arguments must be picklable, and functions importable by name.
"""

import os
import pickle
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Any, ParamSpec, TypeVar

from openpendant.errors import OpenPendantError

__all__ = ["WorkPool", "WorkerDied"]

P = ParamSpec("P")
R = TypeVar("R")
HEADER = struct.Struct("<Q")


class WorkerDied(OpenPendantError):  # noqa: N818 - says what happened
    """A worker process has ended before it answered."""


def write_frame(stream: IO[bytes], value: object) -> None:
    """Write one pickled value with its length."""
    raw = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(HEADER.pack(len(raw)) + raw)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """Read one pickled value.

    Raises:
        EOFError: The other side has closed.
    """
    head = stream.read(HEADER.size)
    if len(head) < HEADER.size:
        raise EOFError
    (size,) = HEADER.unpack(head)
    raw = stream.read(size)
    if len(raw) < size:
        raise EOFError
    return pickle.loads(raw)  # noqa: S301 - both ends are ours, over a pipe that nobody else has


class WorkPool:
    """Some worker processes, started when they are first needed."""

    def __init__(self, workers: int | None = None) -> None:
        """Get ready.

        Args:
            workers: How many at most; default: one less than the machine has cores, at least two, so that nobody waits
                behind a single long piece of work.
        """
        count = max(2, (os.cpu_count() or 2) - 1) if workers is None else max(1, workers)
        self._threads = ThreadPoolExecutor(count, "openpendant-pool")
        self._local = threading.local()
        self._lock = threading.Lock()
        self._workers: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def submit(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        """Have a function called in a worker; the future has its result or its error."""
        return self._threads.submit(self._call, function, args, kwargs)  # pyright: ignore[reportReturnType]

    def close(self) -> None:
        """End the workers; what they were at is lost."""
        with self._lock:
            self._closed = True
            workers = tuple(self._workers)
        for worker in workers:
            worker.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in workers:
            _end(worker)

    def _call(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        worker = self._worker()
        stdin, stdout = worker.stdin, worker.stdout
        if stdin is None or stdout is None:
            raise WorkerDied(f"the worker process {worker.pid} has no pipes")
        try:
            write_frame(stdin, (function, args, kwargs))
            done, value = read_frame(stdout)
        except (EOFError, BrokenPipeError):
            self._forget(worker)
            raise WorkerDied(f"the worker process {worker.pid} has ended before it answered") from None
        if done:
            return value
        raise value

    def _worker(self) -> "subprocess.Popen[bytes]":
        worker: subprocess.Popen[bytes] | None = getattr(self._local, "worker", None)
        if worker is not None and worker.poll() is None:
            return worker
        if worker is not None:
            self._forget(worker)
        with self._lock:
            if self._closed:
                raise WorkerDied("the pool is closed")
            worker = subprocess.Popen(
                [sys.executable, "-m", "openpendant.cell.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            self._workers.add(worker)
        self._local.worker = worker
        return worker

    def _forget(self, worker: "subprocess.Popen[bytes]") -> None:
        with self._lock:
            self._workers.discard(worker)
        self._local.worker = None
        _end(worker)


def _end(worker: "subprocess.Popen[bytes]") -> None:
    worker.kill()
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                continue
