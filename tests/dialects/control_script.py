"""Catches the control script that ur_rtde uploads, with a fake controller that answers just enough.

The script belongs to ur_rtde and is not kept anywhere. The client holds Python's lock while it connects, so it runs in
its own process.
"""

import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache

ADDRESSES = [f"127.0.17.{last}" for last in range(1, 250)]
"""The ports are fixed, so each test process takes its own address."""
PORTS = (30004, 29999, 30003)
CLIENT = "import os, sys, rtde_control; rtde_control.RTDEControlInterface(sys.argv[1]); os._exit(0)"
SIZES = {"INT32": 4, "UINT32": 4, "DOUBLE": 8, "VECTOR6D": 48}
DASHBOARD = {
    "polyscopeversion": "URSoftware 5.11.5.1010327 (Aug 02 2021)",
    "get serial number": "20215300001",
    "is in remote control": "true",
    "stop": "Stopped",
}


@cache
def control_script() -> str:
    """Return the script as it arrives on port 30003."""
    with _FakeController() as fake:
        subprocess.run([sys.executable, "-c", CLIENT, fake.address], timeout=60, check=True, capture_output=True)
        return fake.script.decode()


def _type_of(name: str) -> str:
    if "int_register" in name:
        return "INT32"
    if name == "external_force_torque":
        return "VECTOR6D"
    return "UINT32" if name.endswith("_bits") or name == "runtime_state" else "DOUBLE"


def _take(address: str) -> list[socket.socket]:
    """Return servers on all ports of an address, or none where another process has it."""
    servers: list[socket.socket] = []
    try:
        for port in PORTS:
            server = socket.create_server((address, port))
            servers.append(server)
    except OSError:
        for taken in servers:
            taken.close()
        return []
    return servers


def _package(kind: str, payload: bytes) -> bytes:
    return struct.pack(">HB", len(payload) + 3, ord(kind)) + payload


class _FakeController:
    def __init__(self) -> None:
        self.address = ""
        self.script = bytearray()
        self.playing = threading.Event()
        self.closing = threading.Event()
        self.sockets: list[socket.socket] = []
        self.threads: list[threading.Thread] = []

    def __enter__(self) -> "_FakeController":
        servers = next(taken for address in ADDRESSES if (taken := _take(address)))
        self.address = servers[0].getsockname()[0]
        self.sockets += servers
        for server, talk in zip(servers, (self._rtde, self._dashboard, self._script), strict=True):
            self._start(self._serve, server, talk)
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        for one in list(self.sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self.threads:
            thread.join(10.0)

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        def quiet() -> None:
            with suppress(OSError):  # the client went away
                work(*arguments)

        thread = threading.Thread(target=quiet, daemon=True)
        self.threads.append(thread)
        thread.start()

    def _serve(self, server: socket.socket, talk: Callable[[socket.socket], None]) -> None:
        while not self.closing.is_set():
            client, _ = server.accept()
            self.sockets.append(client)
            self._start(talk, client)

    def _dashboard(self, client: socket.socket) -> None:
        client.sendall(b"Connected: Universal Robots Dashboard Server\n")
        with client.makefile("r") as lines:
            for line in lines:
                client.sendall(DASHBOARD.get(line.strip().lower(), "ok").encode() + b"\n")

    def _script(self, client: socket.socket) -> None:
        while data := client.recv(65536):
            self.script += data
            if self.script.endswith(b"end\n"):
                self.playing.set()

    def _rtde(self, client: socket.socket) -> None:
        buffer, inputs, names = b"", 0, list[str]()
        while data := client.recv(65536):
            buffer += data
            while len(buffer) >= 3 and len(buffer) >= struct.unpack(">H", buffer[:2])[0]:
                size = struct.unpack(">H", buffer[:2])[0]
                kind, payload, buffer = chr(buffer[2]), buffer[3:size], buffer[size:]
                if kind == "v":
                    client.sendall(_package("v", struct.pack(">4I", 5, 11, 5, 1010327)))
                elif kind == "O":
                    names = [name for name in payload[8:].decode().split(",") if name]
                    client.sendall(_package("O", b"\x01" + ",".join(map(_type_of, names)).encode()))
                elif kind == "I":
                    inputs += 1
                    types = ",".join(_type_of(name) for name in payload.decode().split(",") if name)
                    client.sendall(_package("I", bytes([inputs]) + types.encode()))
                elif kind in "VSP":
                    client.sendall(_package(kind, b"\x01"))
                    if kind == "S":
                        self._start(self._stream, client, names)

    def _stream(self, client: socket.socket, names: list[str]) -> None:
        ticks = 0
        while not self.closing.wait(0.002):
            ticks += 1
            known = {
                "timestamp": struct.pack(">d", 0.002 * ticks),
                "runtime_state": struct.pack(">I", 2 if self.playing.is_set() else 1),
                "robot_status_bits": struct.pack(">I", 3),
                "safety_status_bits": struct.pack(">I", 1),
                "output_int_register_0": struct.pack(">i", 1),
            }
            values = (known.get(name, bytes(SIZES[_type_of(name)])) for name in names)
            client.sendall(_package("U", b"\x01" + b"".join(values)))
