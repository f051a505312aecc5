"""WorkPool: processes for what takes long (check, plan, export), so that nothing else waits for it.

Workers are started as modules, not by `multiprocessing`, which would run the caller's script again in each of them.
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
from typing import IO, Any, Generic, Literal, ParamSpec, TypeVar

from openpendant.errors import OpenPendantError
from openpendant.said import say

P = ParamSpec("P")
R = TypeVar("R")
HEADER = struct.Struct("<Q")
FrameKind = Literal["done", "error", "progress"]
"""What a worker sends: progress, then a result or an error."""


class WorkerDied(OpenPendantError):  # noqa: N818 - says what happened
    """A worker process has ended before it answered."""


class Work(Generic[R]):
    """One call that a worker is to make. Calls may come from any thread."""

    def __init__(self, lock: threading.Lock) -> None:
        """Made by `WorkPool.begin`, whose lock it shares."""
        self.future: Future[R] = Future()
        """Its result or its error, in the end."""
        self.progress = 0
        """Increases while the worker makes progress."""
        self._lock = lock
        self._worker: subprocess.Popen[bytes] | None = None
        self._cancelled = False

    @property
    def done(self) -> bool:
        """Whether there is a result or an error."""
        return self.future.done()

    def result(self) -> R:
        """Wait for the result and return it; raises what the work has raised, or `WorkerDied`."""
        return self.future.result()

    def cancel(self) -> None:
        """Have it not made, or end the worker that is at it; nothing where it is done."""
        with self._lock:
            self._cancelled = True
            if self._worker is not None:
                self._worker.kill()

    def begin(self, worker: "subprocess.Popen[bytes]") -> None:
        """A worker begins with it; raises WorkerDied where it was cancelled. For the pool."""
        with self._lock:
            if self._cancelled:
                raise WorkerDied(say("worker.cancelled"))
            self._worker = worker

    def leave(self) -> None:
        """The worker has answered or ended: from now on nothing ends it on account of this. For the pool."""
        with self._lock:
            self._worker = None


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
    return pickle.loads(raw)  # noqa: S301 - both ends are ours, over a private pipe


class WorkPool:
    """Some worker processes, started when they are first needed."""

    def __init__(self, workers: int | None = None) -> None:
        """Get ready.

        Args:
            workers: How many at most; default: one less than the machine has cores, at least two, so that short work
                does not wait behind a single long piece of work.
        """
        count = max(2, (os.cpu_count() or 2) - 1) if workers is None else max(1, workers)
        self._threads = ThreadPoolExecutor(count, "openpendant-pool")
        self._local = threading.local()
        self._lock = threading.Lock()
        self._workers: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def submit(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        """Have a function called in a worker; the future has its result or its error."""
        return self.begin(function, *args, **kwargs).future

    def begin(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Work[R]:
        """Have a function called in a worker; what is returned can be cancelled also while the worker is at it."""
        work: Work[R] = Work(self._lock)
        try:
            self._threads.submit(self._settle, work, function, args, kwargs)
        except RuntimeError:
            work.future.set_exception(WorkerDied(say("worker.closed")))
        return work

    def close(self) -> None:
        """End the workers; what they were at is lost."""
        with self._lock:
            self._closed = True
            workers = tuple(self._workers)
        for worker in workers:
            worker.kill()
        # What still waits is not cancelled: it fails at once, without workers, and its caller gets the error.
        self._threads.shutdown(wait=True)
        for worker in workers:
            _end(worker)

    def _settle(
        self, work: Work[Any], function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """Do the work and give its future what comes of it, whatever that is."""
        if not work.future.set_running_or_notify_cancel():
            return
        try:
            result = self._call(work, function, args, kwargs)
        except BaseException as error:
            work.future.set_exception(error)
        else:
            work.future.set_result(result)

    def _call(
        self, work: Work[Any], function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        worker = self._worker()
        stdin, stdout = worker.stdin, worker.stdout
        if stdin is None or stdout is None:
            raise WorkerDied(say("worker.no_pipes", pid=worker.pid))
        work.begin(worker)
        kind: FrameKind = "progress"
        value = None
        try:
            write_frame(stdin, (function, args, kwargs))
            while kind == "progress":
                kind, value = read_frame(stdout)
                work.progress += kind == "progress"
        except (EOFError, BrokenPipeError):
            self._forget(worker)
            raise WorkerDied(say("worker.ended", pid=worker.pid)) from None
        finally:
            work.leave()
        if kind == "error":
            raise value if isinstance(value, BaseException) else WorkerDied(say("worker.raised", value=repr(value)))
        return value

    def _worker(self) -> "subprocess.Popen[bytes]":
        worker: subprocess.Popen[bytes] | None = getattr(self._local, "worker", None)
        if worker is not None and worker.poll() is None:
            return worker
        if worker is not None:
            self._forget(worker)
        with self._lock:
            if self._closed:
                raise WorkerDied(say("worker.closed"))
            worker = subprocess.Popen(
                [sys.executable, "-m", "openpendant.pool.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
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
