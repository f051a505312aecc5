"""What a studio under load is made of: a cell of four robots that never rest, and viewers in their own process.

As a program, `python -m benchmarks.studio_load URL PROJECT COUNT SECONDS [--deaf]`, it is the viewers: so many
websockets that read everything, and on demand one more that reads nothing. It prints one line of JSON.
"""

import asyncio
import json
import os
import socket
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from websockets.asyncio.client import connect

from openpendant.client import ClientProject, Studio
from openpendant.messages import Pose
from openpendant.programs import MoveAxis, Program, Repeat
from openpendant.scene import Add

__all__ = ["Seen", "Served", "four_robots", "keep_moving", "open_deaf", "start_watching", "watch"]

ROBOTS = {"irb120": (0.0, 0.0), "ur3e": (0.0, 2.0), "rx90l": (3.0, 0.0), "yumi": (3.0, 3.0)}
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
WARM_S = 1.0


class Served:
    """A real `openpendant serve` in its own process, and what it uses."""

    def __init__(self, home: Path, command: list[str] | None = None) -> None:
        """Start it, or what `command` starts instead, and wait until it says that it is ready."""
        began = time.monotonic()
        command = command or [sys.executable, "-m", "openpendant", "serve", "--json", "--no-open", "--port", "0"]
        environment = os.environ | {"OPENPENDANT_HOME": str(home)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        self.url: str = json.loads(self.process.stdout.readline())["url"]
        self.up_s = time.monotonic() - began

    def cpu_s(self) -> float:
        """Return the processor time it has used, without that of the robots' own processes."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_S

    def memory(self) -> int:
        """Return the bytes it holds in memory."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * PAGE

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(20.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def four_robots(studio: Studio) -> str:
    """Make a project with four robots that stand apart, and a program that never ends; return its id."""
    name = studio.create("load")
    with studio.open(name) as project:
        for robot, (x, y) in ROBOTS.items():
            pose = Pose(xyz=(x, y, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))
            project.edit_cell(Add(section="robots", item={"name": robot, "model": robot, "pose": pose}))
        there, back = ((0.6, 0.3, 0.0, 0.0, 0.5, 0.0), (-0.6, 0.0, 0.0, 0.0, 0.5, 0.0))
        steps = (MoveAxis(id="s2", q=there, speed="50%"), MoveAxis(id="s3", q=back, speed="50%"))
        project.add_program(Program(name="swing", robot="irb120", steps=(Repeat(id="s1", steps=steps),)))
    return name


def keep_moving(project: ClientProject) -> None:
    """Start the robots of an open project, and the program that never ends."""
    project.robots.start()
    project.robots.take_control("irb120")
    project.robots.run("swing")
    end = time.monotonic() + 30.0
    while abs(project.robots.joints().measured["irb120/arm"][0]) < 0.05:
        assert time.monotonic() < end, f"the arm does not move: {project.robots.run_status}"
        time.sleep(0.05)


@dataclass(frozen=True)
class Seen:
    """What viewers have seen of the robots."""

    rate_hz: float
    """Of the viewer that got the fewest."""
    p50_ms: float
    """From the robot's report to the viewer."""
    p99_ms: float
    worst_ms: float
    lost: int
    """Viewers whose link ended."""


def watch(url: str, project: str, count: int, seconds: float, *, deaf: bool = False) -> Seen:
    """Let so many viewers look on from a separate process."""
    viewers = start_watching(url, project, count, seconds, deaf=deaf)
    told, _ = viewers.communicate()
    assert viewers.returncode == 0, f"the viewers ended with status {viewers.returncode}"
    return Seen(**json.loads(told))


def start_watching(
    url: str, project: str, count: int, seconds: float, *, deaf: bool = False
) -> "subprocess.Popen[str]":
    """Start so many viewers, and do not wait for them."""
    command = [sys.executable, "-m", "benchmarks.studio_load", url, project, str(count), str(seconds)]
    return subprocess.Popen([*command, *(["--deaf"] if deaf else [])], stdout=subprocess.PIPE, text=True)


async def _viewer(address: str, number: int, seconds: float, late: list[float]) -> int:
    """Read everything for some seconds; return how many frames came, or -1 where the link ended."""
    frames = 0
    async with connect(address, max_size=None) as link:
        await link.send(json.dumps({"type": "hello", "client": f"viewer{number}", "name": f"viewer {number}"}))
        begin = time.monotonic() + WARM_S
        end = begin + seconds
        while (left := end - time.monotonic()) > 0.0:
            try:
                message = await asyncio.wait_for(link.recv(), left)
            except TimeoutError:
                break
            except Exception:
                return -1
            now = time.monotonic()
            if isinstance(message, bytes) and now > begin:
                late.append(now - struct.unpack_from("<d", message)[0])
                frames += 1
    return frames


def open_deaf(address: str) -> socket.socket:
    """Open a websocket by hand, say hello, and never read."""
    parts = urlsplit(address)
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect((parts.hostname, parts.port))
    head = (
        f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    link.sendall(head.encode())
    assert link.recv(1024).startswith(b"HTTP/1.1 101"), "the server refuses the websocket"
    hello = json.dumps({"type": "hello", "client": "deaf", "name": "deaf"}).encode()
    mask = b"\x01\x02\x03\x04"
    link.sendall(bytes([0x81, 0x80 | len(hello)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(hello)))
    return link


async def _look_on(url: str, project: str, count: int, seconds: float, *, deaf: bool) -> Seen:
    address = f"{url.replace('http', 'ws', 1)}/ws/projects/{project}"
    stuck = open_deaf(address) if deaf else None
    late: list[float] = []
    frames = await asyncio.gather(*(_viewer(address, i, seconds, late) for i in range(count)))
    if stuck is not None:
        stuck.close()
    ms = np.array(late) * 1e3
    return Seen(
        rate_hz=round(min(max(n, 0) for n in frames) / seconds, 1),
        p50_ms=round(float(np.percentile(ms, 50)), 2),
        p99_ms=round(float(np.percentile(ms, 99)), 2),
        worst_ms=round(float(ms.max()), 1),
        lost=sum(n < 0 for n in frames),
    )


def main() -> None:
    url, project, count, seconds = sys.argv[1:5]
    seen = asyncio.run(_look_on(url, project, int(count), float(seconds), deaf="--deaf" in sys.argv))
    print(json.dumps(vars(seen)))


if __name__ == "__main__":
    main()
