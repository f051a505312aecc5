"""socket_open and its like: programs as clients of other machines."""

import re
from collections.abc import Callable, Generator
from typing import Any

from openpendant.dialects.urscript import Builtin, ScriptFailure, Wait
from openpendant.virtual.ur.parts import Parts

from .arguments import boolean, count, function, number, text

CONNECT_TICKS = 1000
LONGEST_LINE = 1024
NAME = ("socket_name", "socket_0")
TIMEOUT = ("timeout", 2)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
MOST = 30
"""Numbers and bytes that one call reads at most, as on the controller."""


class _Networking:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts) -> None:
        self._sockets, self._clock = parts.sockets, parts.clock

    def open(self, address: Any, port: Any, name: Any) -> Wait:
        """socket_open: True once connected; waits up to two seconds."""
        who, where, door = text(name, "socket_name"), text(address, "address"), count(port, "port")
        if not 0 < door < 65536:
            raise ScriptFailure(f"Runtime error: socket_open with port {door}; allowed: 1 to 65535")
        self._sockets.open(where, door, who)
        for _ in range(CONNECT_TICKS):
            state = self._sockets.state(who)
            if state == "refused":
                raise ScriptFailure(
                    f"Runtime error: socket_open to {where}: this virtual controller connects to loopback addresses "
                    "only; start it with --network to allow others"
                )
            if state != "connecting":
                return state == "open"
            yield
        self._sockets.close(who)
        return False

    def close(self, name: Any) -> None:
        """socket_close."""
        self._sockets.close(text(name, "socket_name"))

    def send_string(self, value: Any, name: Any) -> bool:
        """socket_send_string."""
        return self._send(name, text(value, "str").encode())

    def send_line(self, value: Any, name: Any) -> bool:
        """socket_send_line."""
        return self._send(name, text(value, "str").encode() + b"\n")

    def send_byte(self, value: Any, name: Any) -> bool:
        """socket_send_byte."""
        return self._send(name, bytes((count(value, "value") & 0xFF,)))

    def send_int(self, value: Any, name: Any) -> bool:
        """socket_send_int: 32 bits, big-endian."""
        return self._send(name, (count(value, "value") & 0xFFFFFFFF).to_bytes(4, "big"))

    def _send(self, name: Any, payload: bytes) -> bool:
        return self._sockets.send(text(name, "socket_name"), payload)

    def read_line(self, name: Any, timeout: Any) -> Wait:
        """socket_read_line: without its end; empty after the time."""
        who = text(name, "socket_name")
        found = yield from self._until(who, timeout, _line_end)
        if found is None:
            return ""
        line = self._drop(who, found)
        return line.rstrip(b"\r\n").decode("utf-8", "replace")

    def read_string(self, name: Any, prefix: Any, suffix: Any, escape: Any, timeout: Any) -> Wait:
        """socket_read_string: what lies between prefix and suffix, or all there is."""
        who, before, after = text(name, "socket_name"), text(prefix, "prefix"), text(suffix, "suffix")
        if boolean(escape, "interpret_escape"):
            before, after = (one.encode().decode("unicode_escape") for one in (before, after))
        head, tail = before.encode(), after.encode()

        def whole(data: bytes) -> int | None:
            start = data.find(head) if head else 0
            if start < 0 or not data:
                return None
            if not tail:
                return len(data)
            end = data.find(tail, start + len(head))
            return None if end < 0 else end + len(tail)

        found = yield from self._until(who, timeout, whole)
        if found is None:
            return ""
        data = self._drop(who, found)
        start = data.find(head) + len(head) if head else 0
        return data[start : len(data) - len(tail)].decode("utf-8", "replace")

    def read_floats(self, amount: Any, name: Any, timeout: Any) -> Wait:
        """socket_read_ascii_float: a list that begins with how many numbers came; "(1.2, 3.4)"."""
        who, wanted = text(name, "socket_name"), _amount(amount)

        def whole(data: bytes) -> int | None:
            end = data.find(b")")
            return None if end < 0 else end + 1

        found = yield from self._until(who, timeout, whole)
        if found is None:
            return (0, *(float("nan"),) * wanted)
        data = self._drop(who, found).decode("ascii", "replace")
        numbers = [float(one) for one in NUMBER.findall(data[data.find("(") + 1 :])]
        if len(numbers) != wanted:
            return (0, *(float("nan"),) * wanted)
        return (wanted, *numbers)

    def read_integers(self, amount: Any, name: Any, timeout: Any) -> Wait:
        """socket_read_binary_integer: 32 bits each, big-endian."""
        who, wanted = text(name, "socket_name"), _amount(amount)
        found = yield from self._until(who, timeout, lambda data: 4 * wanted if len(data) >= 4 * wanted else None)
        if found is None:
            return (0, *(-1,) * wanted)
        data = self._drop(who, found)
        numbers = (int.from_bytes(data[4 * n : 4 * n + 4], "big", signed=True) for n in range(wanted))
        return (wanted, *numbers)

    def read_bytes(self, amount: Any, name: Any, timeout: Any) -> Wait:
        """socket_read_byte_list."""
        who, wanted = text(name, "socket_name"), _amount(amount)
        found = yield from self._until(who, timeout, lambda data: wanted if len(data) >= wanted else None)
        if found is None:
            return (0, *(-1,) * wanted)
        return (wanted, *self._drop(who, found))

    def get_var(self, name: Any, socket: Any) -> Wait:
        """socket_get_var: asks "GET name" and takes the number of "name number"."""
        who, variable = text(socket, "socket_name"), text(name, "name")
        if not self._send(who, f"GET {variable}\n".encode()):
            return 0
        found = yield from self._until(who, 2, _line_end)
        if found is None:
            return 0
        words = self._drop(who, found).decode("ascii", "replace").split()
        return int(words[1]) if len(words) == 2 and words[0] == variable and words[1].lstrip("-").isdigit() else 0

    def set_var(self, name: Any, value: Any, socket: Any) -> bool:
        """socket_set_var: sends "SET name number"."""
        return self._send(socket, f"SET {text(name, 'name')} {count(value, 'value')}\n".encode())

    def _drop(self, name: str, amount: int) -> bytes:
        data = bytes(self._sockets.peek(name)[:amount])
        self._sockets.drop(name, amount)
        return data

    def _until(
        self, name: str, timeout: Any, whole: Callable[[bytes], int | None]
    ) -> Generator[None, None, int | None]:
        """Wait until `whole` says how many bytes are complete; None after the time. Time-out 0 waits for ever."""
        seconds = number(timeout, "timeout")
        left = self._clock.ticks_in(seconds)
        while True:
            found = whole(self._sockets.peek(name))
            if found is not None:
                return found
            if self._sockets.state(name) == "closed" or (seconds > 0.0 and left <= 0):
                return None
            left -= 1
            yield


def _line_end(data: bytes) -> int | None:
    end = data.find(b"\n")
    if end >= 0:
        return end + 1
    return LONGEST_LINE if len(data) >= LONGEST_LINE else None


def _amount(value: Any) -> int:
    wanted = count(value, "number")
    if not 0 < wanted <= MOST:
        raise ScriptFailure(f"Runtime error: {wanted} values cannot be read at once; allowed: 1 to {MOST}")
    return wanted


def socket_functions(parts: Parts) -> tuple[Builtin, ...]:
    """Return the functions of sockets."""
    own = _Networking(parts)
    return (
        function("socket_open", own.open, "address", "port", NAME, waits=True),
        function("socket_close", own.close, NAME),
        function("socket_send_string", own.send_string, "str", NAME),
        function("socket_send_line", own.send_line, "str", NAME),
        function("socket_send_byte", own.send_byte, "value", NAME),
        function("socket_send_int", own.send_int, "value", NAME),
        function("socket_read_line", own.read_line, NAME, TIMEOUT, waits=True),
        function(
            "socket_read_string",
            own.read_string,
            NAME,
            ("prefix", ""),
            ("suffix", ""),
            ("interpret_escape", False),
            TIMEOUT,
            waits=True,
        ),
        function("socket_read_ascii_float", own.read_floats, "number", NAME, TIMEOUT, waits=True),
        function("socket_read_binary_integer", own.read_integers, "number", NAME, TIMEOUT, waits=True),
        function("socket_read_byte_list", own.read_bytes, "number", NAME, TIMEOUT, waits=True),
        function("socket_get_var", own.get_var, "name", NAME, waits=True),
        function("socket_set_var", own.set_var, "name", "value", NAME),
    )
