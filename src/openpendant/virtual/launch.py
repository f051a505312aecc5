"""start_virtual: a virtual controller in its own process, ready when the call returns."""

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, cast

from openpendant.errors import ControllerError, LinkError, OpenPendantError

CONTROL_PORT = 29990
PANEL_PORT = 29980
READY_WITHIN_S = 120.0
"""The first start on a machine compiles the kernels."""
REPLY_WITHIN_S = 10.0
Reply = dict[str, Any]


class VirtualControl:
    """A connection to the control channel of a virtual controller: what a hand, a wire cutter and a mains plug do.

    One JSON object per line in each direction. Every method raises ControllerError where the order is refused, and
    LinkError where the process is gone.
    """

    def __init__(self, address: str, port: int = CONTROL_PORT, *, within_s: float = REPLY_WITHIN_S) -> None:
        """Connect; raises LinkError where nothing answers within some seconds."""
        self.address, self.port = address, port
        try:
            self._socket = socket.create_connection((address, port), timeout=within_s)
        except OSError as error:
            raise LinkError(
                f"no reply from a virtual controller at {address}:{port}: {error.strerror or error}"
            ) from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self._socket.makefile("rb")

    def control(self, do: str, **values: object) -> Reply:
        """Send one order and return its reply, see docs/virtual-ur.md."""
        try:
            self._socket.sendall(json.dumps({"do": do, **values}).encode() + b"\n")
            line = self._lines.readline()
        except OSError as error:
            raise LinkError(f"the virtual controller at {self.address} does not respond: {error}") from None
        if not line:
            raise LinkError(f"the virtual controller at {self.address} is gone")
        reply = cast(Reply, json.loads(line))
        if not reply["ok"]:
            raise ControllerError(str(reply["why"]))
        return reply

    def press(self, button: str) -> Reply:
        """Press a button of the pendant: power_on, brake_release, play, emergency_stop, …"""
        return self.control("press", button=button)

    def fault(self, kind: str, **values: object) -> Reply:
        """Cause a fault: drop, freeze, silence, delay, corrupt, reboot, power_off, power_on, clear."""
        return self.control("fault", kind=kind, **values)

    def state(self) -> Reply:
        """Return what the pendant shows."""
        return cast(Reply, self.control("state")["state"])

    def read(self, *names: str) -> Reply:
        """Return variables of the maker's state protocol by name, as the controller holds them now."""
        return cast(Reply, self.control("read", names=names)["values"])

    def disconnect(self) -> None:
        """Close the connection; the controller lives on."""
        self._lines.close()
        self._socket.close()


class VirtualHandle(VirtualControl):
    """A virtual controller that this process started. A context manager; leaving it ends the process."""

    def __init__(self, process: "subprocess.Popen[bytes]", ready: Reply) -> None:
        """Made by `start_virtual`."""
        self.process = process
        self.ready = ready
        super().__init__(str(ready["address"]), int(ready["control"]))

    @property
    def panel_url(self) -> str:
        """Address of the pendant's page."""
        return str(self.ready["panel"])

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        self.process.kill()
        self._gone()

    def close(self) -> None:
        """End the process and wait for it."""
        if self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(REPLY_WITHIN_S)
        if self.process.poll() is None:
            self.process.kill()
        self._gone()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _gone(self) -> None:
        self.process.wait()
        self.disconnect()
        _close_streams(self.process)


def start_virtual(
    model: str,
    bind: str = "127.0.0.2",
    *,
    start_q: Sequence[float] | Mapping[str, Sequence[float]] | None = None,
    options: Sequence[str] = (),
    ready_within_s: float = READY_WITHIN_S,
    **own: Path | str | float | bool | None,
) -> VirtualHandle:
    """Start a virtual controller and wait until its ports answer.

    Args:
        model: As `openpendant virtual` calls it: "ur3e", …
        bind: Address of its own, 127.0.0.2 and upwards; the ports are the vendor's.
        start_q: Joints at the start, radians; of several arms by name.
        options: Further words for `openpendant virtual`.
        ready_within_s: How long to wait; the first start on a machine compiles for about half a minute.
        own: The maker's own options, as `power="off"` for `--power off`; True gives a switch, None and False nothing.
            `openpendant virtual --help` has them all.

    Raises:
        OpenPendantError: The process ended or did not become ready; the message carries what it said.
    """
    words = [sys.executable, "-m", "openpendant", "virtual", model, "--bind", bind, "--json"]
    for name, value in own.items():
        if value is not None and value is not False:
            words.append(f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}"))
    if start_q is not None:
        words.append(f"--start-q={_joints(start_q)}")
    words += ["--until-eof", *options]
    with tempfile.TemporaryFile() as complaints:
        # It ends when its standard input does: a controller does not outlive whoever started it, even by a crash.
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints)
        try:
            return VirtualHandle(process, _wait_until_ready(process, complaints, ready_within_s))
        except BaseException:
            process.kill()
            process.wait()
            _close_streams(process)
            raise


def _joints(start_q: Sequence[float] | Mapping[str, Sequence[float]]) -> str:
    """Return joints as the command line takes them: `1,2,3`, or `left:1,2;right:3,4`."""
    if isinstance(start_q, Mapping):
        return ";".join(f"{arm}:{_joints(q)}" for arm, q in start_q.items())
    return ",".join(str(float(one)) for one in start_q)


def _close_streams(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def _wait_until_ready(process: "subprocess.Popen[bytes]", complaints: IO[bytes], within_s: float) -> Reply:
    assert process.stdout is not None  # noqa: S101 - stdout is a pipe
    end = time.monotonic() + within_s
    said = b""
    while not said.endswith(b"\n"):
        left = end - time.monotonic()
        readable, _, _ = select.select([process.stdout], [], [], max(left, 0.0))
        if not readable:
            raise OpenPendantError(f"the virtual controller was not ready within {within_s:g} s")
        piece = os.read(process.stdout.fileno(), 4096)
        if not piece:
            status = process.wait()
            complaints.seek(0)
            words = complaints.read().decode(errors="replace").strip().splitlines()
            why = words[-1].removeprefix("openpendant: ") if words else f"it ended with status {status}"
            raise OpenPendantError(f"the virtual controller did not start: {why}")
        said += piece
    return cast(Reply, json.loads(said))
