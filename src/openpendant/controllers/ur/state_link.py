"""StateLink: our own RTDE connection, for what supervision needs: one whole state in one package, and a heartbeat."""

import contextlib
import select
import socket
import time
from collections import deque
from collections.abc import Iterator
from typing import TypeVar

from openpendant.errors import ControllerError, LinkError
from openpendant.protocols.rtde import (
    ClientEvent,
    ClientSession,
    Closed,
    InputsAgreed,
    OutputsAgreed,
    ProtocolAnswered,
    Recipe,
    RecipeRefused,
    StartAnswered,
    StateReceived,
    TextReceived,
    VersionReceived,
)
from openpendant.said import say

T = TypeVar("T")

PORT = 30004
HEARTBEAT = "input_int_register_24"
"""Written many times a second. Whoever holds it owns the robot: the controller gives an input to one client only."""
OUTPUTS = (
    "timestamp",
    "actual_q",
    "actual_qd",
    "target_q",
    "robot_mode",
    "safety_mode",
    "runtime_state",
    "speed_scaling",
    "target_speed_fraction",
    "actual_digital_input_bits",
    "actual_digital_output_bits",
    "script_control_line",
    "output_int_register_24",
)
SIGNAL_INPUTS = (
    ("standard_digital_output_mask", "standard_digital_output"),
    ("configurable_digital_output_mask", "configurable_digital_output"),
    ("tool_digital_output_mask", "tool_digital_output"),
)
"""Eight outputs, eight more, and two at the tool: as the bits of actual_digital_output_bits are counted."""
CHUNK = 65536


class StateLink:
    """States come in, a heartbeat and outputs go out. `open` waits; all else does not."""

    def __init__(self, address: str, sock: socket.socket, session: ClientSession) -> None:
        """Made by `open`."""
        self.address = address
        self.version = ""
        self.flat: tuple[float, ...] = ()
        """The newest state, laid flat in the order of OUTPUTS."""
        self.stamp_ns = 0
        """When it came."""
        self.texts: list[str] = []
        """Messages of the controller that nobody has read."""
        self._socket = sock
        self._session = session
        self._heart: Recipe | None = None
        self._signals: list[Recipe | None] = []
        self._outbox = b""
        self._beats = 0
        self._waiting: deque[ClientEvent] = deque()

    @classmethod
    def open(cls, address: str, timeout_s: float) -> "StateLink":
        """Connect and agree on what is sent.

        Raises:
            LinkError: Nobody answers in time.
            ControllerError: The controller refuses; says why.
        """
        sock = connect_socket(address, PORT, timeout_s)
        link = cls(address, sock, ClientSession())
        try:
            link._agree(time.monotonic() + timeout_s)
        except BaseException:
            link.close()
            raise
        return link

    @property
    def signals(self) -> tuple[bool, ...]:
        """Which groups of digital outputs this link may write: standard, configurable, tool."""
        return tuple(recipe is not None for recipe in self._signals)

    def poll(self, now_ns: int) -> bool:
        """Take in what has come; return whether it was a new state.

        Raises:
            LinkError: The connection is broken.
        """
        self._send()
        fresh = False
        for event in self._receive():
            match event:
                case StateReceived(flat=flat):
                    self.flat, self.stamp_ns, fresh = flat, now_ns, True
                case TextReceived(message=message):
                    self.texts.append(message.text)
                case Closed(reason=reason):
                    raise LinkError(say("link.fault", address=self.address, why=reason))
                case _:
                    pass
        return fresh

    def beat(self) -> None:
        """Write the heartbeat."""
        if self._heart is not None:
            self._beats = (self._beats + 1) % 1_000_000
            self._session.write(self._heart, (self._beats,))
            self._send()

    def set_output(self, bit: int, *, value: bool) -> bool:
        """Set a digital output (0-7 standard, 8-15 configurable, 16-17 tool); return whether this link may."""
        group, place = divmod(bit, 8)
        recipe = self._signals[group] if group < len(self._signals) else None
        if recipe is None:
            return False
        self._session.write(recipe, (1 << place, int(value) << place))
        self._send()
        return True

    def close(self) -> None:
        """End the connection."""
        with contextlib.suppress(OSError):
            self._socket.close()

    def _agree(self, end: float) -> None:
        self._session.ask_protocol(2)
        if not self._wait(ProtocolAnswered, end).accepted:
            raise ControllerError(say("link.no_rtde", address=self.address))
        self._session.ask_version()
        version = self._wait(VersionReceived, end).version
        self.version = f"{version.major}.{version.minor}.{version.bugfix}.{version.build}"
        heart = self._ask_inputs((HEARTBEAT,), end)
        if isinstance(heart, RecipeRefused):
            raise ControllerError(say("link.other_owner", address=self.address, faults=_faults(heart)))
        self._heart = heart
        for names in SIGNAL_INPUTS:
            answer = self._ask_inputs(names, end)
            self._signals.append(answer if isinstance(answer, Recipe) else None)
        self._session.set_up_outputs(OUTPUTS, 500.0)
        outputs = self._wait_either(OutputsAgreed, end)
        if isinstance(outputs, RecipeRefused):
            faults = _faults(outputs)
            raise ControllerError(say("link.refuses_states", address=self.address, version=self.version, faults=faults))
        self._session.start()
        if not self._wait(StartAnswered, end).accepted:
            raise ControllerError(say("link.no_states", address=self.address))
        self.flat = self._wait(StateReceived, end).flat
        self.stamp_ns = time.monotonic_ns()
        self._socket.settimeout(0.0)

    def _ask_inputs(self, names: tuple[str, ...], end: float) -> Recipe | RecipeRefused:
        self._session.set_up_inputs(names)
        answer = self._wait_either(InputsAgreed, end)
        return answer if isinstance(answer, RecipeRefused) else answer.recipe

    def _wait(self, kind: type[T], end: float) -> T:
        """Return the next event of a kind; others are left out."""
        answer = self._wait_either(kind, end)
        if isinstance(answer, RecipeRefused):
            raise ControllerError(say("link.refuses", address=self.address, faults=_faults(answer)))
        return answer

    def _wait_either(self, kind: type[T], end: float) -> T | RecipeRefused:
        """Return the next event of a kind, or a refusal; others are left out."""
        while True:
            if self._waiting:
                event = self._waiting.popleft()
                if isinstance(event, kind | RecipeRefused):
                    return event
                if isinstance(event, Closed):
                    raise LinkError(say("link.fault", address=self.address, why=event.reason))
                continue
            self._send()
            left = end - time.monotonic()
            if left <= 0.0 or not select.select([self._socket], [], [], left)[0]:
                raise LinkError(say("link.late", address=f"{self.address}:{PORT}"))
            self._waiting.extend(self._receive())

    def _receive(self) -> Iterator[ClientEvent]:
        while True:
            try:
                data = self._socket.recv(CHUNK)
            except (BlockingIOError, TimeoutError):
                return
            except OSError as error:
                raise LinkError(self._lost(error)) from None
            if not data:
                raise LinkError(say("link.closed_by", address=self.address))
            yield from self._session.feed(data)
            if len(data) < CHUNK:
                return

    def _send(self) -> None:
        self._outbox += self._session.take_outbox()
        if not self._outbox:
            return
        try:
            sent = self._socket.send(self._outbox)
        except (BlockingIOError, TimeoutError):
            sent = 0
        except OSError as error:
            raise LinkError(self._lost(error)) from None
        # A controller that does not read loses the older beats, not the loop its memory.
        self._outbox = self._outbox[sent:] if len(self._outbox) - sent < CHUNK else b""

    def _lost(self, error: OSError) -> str:
        return say("link.lost", address=self.address, why=str(error.strerror or error))


def connect_socket(address: str, port: int, timeout_s: float) -> socket.socket:
    """Return a connected socket; raises LinkError where nobody answers."""
    try:
        sock = socket.create_connection((address, port), timeout=timeout_s)
    except OSError as error:
        raise LinkError(say("link.no_reply", address=f"{address}:{port}", why=str(error.strerror or error))) from None
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def _faults(refused: RecipeRefused) -> str:
    return ", ".join(f"{name} is {fault}" for name, fault in refused.faults.items()) or ", ".join(refused.names)
