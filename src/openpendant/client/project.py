"""ClientProject: a project that is open on a server; this copy follows every change of everybody."""

import itertools
import ssl
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self, TypeVar

import msgspec

from openpendant.errors import InputError, LinkError
from openpendant.messages import PROTOCOL
from openpendant.messages.operation import (
    Events,
    Operating,
    Ping,
    Pong,
    Present,
    RobotSamples,
    RobotStop,
    Stop,
    Stopped,
)
from openpendant.messages.project import (
    Checked,
    Done,
    Edit,
    FromClient,
    FromServer,
    Hello,
    HistoryNow,
    Look,
    Patched,
    People,
    Person,
    Redo,
    Refusal,
    Reload,
    Resync,
    Save,
    SaveState,
    Simulated,
    SimulationRequest,
    Undo,
    Watch,
    Whole,
)
from openpendant.programs import Program, Report
from openpendant.projects import ProjectEdit
from openpendant.projects.stop_reports import merge_stops, not_reached
from openpendant.said import say
from openpendant.scene import Cell

from .joints import Joints
from .presence import PresenceThread
from .project_copy import ProjectCopy, other_protocol
from .project_edits import ProjectEdits, describe_project
from .robots import ClientRobots
from .socket import ClientSocket
from .stop_socket import StopSocket

REPLY_WITHIN_S = 60.0
SERVER_STOPS_S = 4.0
"""How long a stop waits for the server itself, if the stop service was asked too."""
SERVICE_STOPS_S, SERVICE_REPLIES_S = 5.0, 1.0
"""How long it waits for the service: if the server is silent, and if the server has not reached a robot."""
UNANSWERED = f"neither the server nor its stop service has answered within {SERVICE_STOPS_S:g} s"
T = TypeVar("T")


decoder: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer)
encoder = msgspec.json.Encoder()


class ClientProject(ProjectEdits):
    """An open project. Calls may come from any thread; its own thread reads what the server sends."""

    def __init__(
        self,
        address: str,
        client: str,
        name: str,
        *,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """Open the project behind a websocket address.

        Raises:
            LinkError: The server does not answer, or refuses.
        """
        self._changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._replies: dict[int, Done | Refusal | Simulated] = {}
        self._waiting: set[int] = set()
        self._checked: dict[str, Checked] = {}
        self._watched: tuple[str, ...] = ()
        self._copy = ProjectCopy()
        self._ended = ""
        self.robots = ClientRobots(self, client)
        """The robots that run."""
        self._socket = ClientSocket(
            address, self._read, self._end, headers=headers, ssl_context=ssl_context, within_s=REPLY_WITHIN_S
        )
        self._presence = PresenceThread(lambda: self.robots.moves, self._send_presence)
        self._stop_socket: StopSocket | None = None
        try:
            self.send(Hello(client=client, name=name, protocol=PROTOCOL))
            whole = self.wait(lambda: self._copy.whole)
            if whole.stop_url:
                self._stop_socket = StopSocket(whole.stop_url, headers, ssl_context)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        return self

    def __repr__(self) -> str:
        """What is in it, in a line."""
        return describe_project(self.id, self.cell, self.programs)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it at the end of the block."""
        self.close()

    @property
    def id(self) -> str:
        """The name of the project in the library."""
        return self._now.project

    @property
    def seq(self) -> int:
        """The number of the newest patch that has come here."""
        return self._now.seq

    @property
    def cell(self) -> Cell:
        """The cell as it is now."""
        return self._now.cell

    @property
    def programs(self) -> dict[str, Program]:
        """The programs as they are now, by name."""
        return dict(self._now.programs)

    @property
    def people(self) -> tuple[Person, ...]:
        """Who has the project open."""
        return self._now.people

    @property
    def history(self) -> HistoryNow:
        """What can be undone and redone from here, as text."""
        return self._now.history

    @property
    def saved(self) -> SaveState:
        """Whether the files hold everything."""
        return self._now.saved

    @property
    def stop_url(self) -> str:
        """Where the stop service of the server stops the robots of this project; empty: there is none."""
        return self._now.stop_url

    def measured_joints(self) -> Joints:
        """Return where all arms of running robots are."""
        return self.robots.joints()

    def apply(self, edit: ProjectEdit) -> int:
        """Make an edit, and wait until it is here.

        Args:
            edit: Of the cell or of a program.

        Returns:
            The number of its patch.

        Raises:
            InputError: It does not fit; the message is the server's.
            LinkError: The server does not answer.
        """
        return self.done(lambda number: Edit(id=number, edit=edit))

    def undo(self) -> int:
        """Take back the last edit made from here; raises InputError with the reason where that is refused."""
        return self.done(lambda number: Undo(id=number))

    def redo(self) -> int:
        """Do again what was undone last from here; raises InputError with the reason where that is refused."""
        return self.done(lambda number: Redo(id=number))

    def save(self, *, overwrite: bool = False) -> None:
        """Have the files written now.

        Args:
            overwrite: Whether to write also over what was changed outside.

        Raises:
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        self.done(lambda number: Save(id=number, overwrite=overwrite))

    def reload(self) -> None:
        """Take the files as they are now, for everybody; raises InputError with the reason where that is refused."""
        self.done(lambda number: Reload(id=number))

    def select(self, *names: str, mode: str = "", program: str = "") -> None:
        """Show others what you look at.

        Args:
            names: What is selected.
            mode: Mode of the page; empty: none.
            program: Name of the open program; empty: none.

        Raises:
            LinkError: The connection is closed, or the server does not take it in time.
        """
        self.send(Look(mode=mode, selected=names, program=program))

    def check(self, program: str) -> Report:
        """Return what the server's check finds of a program as it is now.

        Args:
            program: Name of the program.

        Raises:
            InputError: There is no such program, or it cannot be checked.
            LinkError: The server does not answer.
        """
        seq = self.seq
        if program not in self.programs:
            known = f"known: {', '.join(self.programs)}" if self.programs else "the project has no programs yet"
            raise InputError(f"there is no program named {program!r}; {known}")
        before = self._checked.get(program)
        if before is None or program not in self._watched:
            self._watched = tuple(dict.fromkeys((*self._watched, program)))
            self.send(Watch(programs=self._watched))

        def found() -> Checked | None:
            one = self._checked.get(program)
            return one if one is not None and one.seq >= seq else None

        checked = self.wait(found)
        if checked.report is None:
            raise InputError(checked.summary)
        return checked.report

    def record(self, program: str, dt_s: float = 0.02) -> Simulated:
        """Return a program as it runs, sampled.

        Args:
            program: Name of the program.
            dt_s: Between two samples, 0.004 to 1 s.

        Raises:
            InputError: There is no such program, it cannot be simulated, or `dt_s` is out of range.
            LinkError: The server does not answer.
        """
        reply = self._request(lambda number: SimulationRequest(id=number, program=program, dt_s=dt_s))
        if not isinstance(reply, Simulated):
            raise LinkError(f"expected a recording; the server replied {type(reply).__name__}")
        return reply

    def close(self) -> None:
        """Leave the project; it stays open for others."""
        self._presence.close()
        if self._stop_socket is not None:
            self._stop_socket.close()
        self._socket.close()

    @property
    def _now(self) -> Whole:
        with self._changed:
            if self._copy.whole is None:
                raise LinkError(self._ended or "the server has not replied yet")
            return self._copy.whole

    def done(self, make: Callable[[int], FromClient], within_s: float = REPLY_WITHIN_S) -> int:
        """Send a numbered request, and wait until it is done and its patch is here.

        Args:
            make: Returns the request with the number that it is given.
            within_s: How long to wait for the reply, seconds.

        Returns:
            The number of the newest patch then.

        Raises:
            InputError: The server refuses; the message is its own.
            LinkError: The server did not reply in time, or with something else.
        """
        reply = self._request(make, within_s)
        if not isinstance(reply, Done):
            raise LinkError(f"the server replied {type(reply).__name__}")
        # What was done is also here before the caller continues.
        self.wait(lambda: self._copy.at(reply.seq))
        return reply.seq

    def stop(self) -> tuple[RobotStop, ...]:
        """Stop every robot, over this connection and the stop service at once: neither waits for the other.

        Returns:
            What it did to each robot, once they rest. Whom one of the two has reached is reached.

        Raises:
            InputError: A robot was not reached; says which.
            LinkError: Neither has answered.
        """
        service, began = self._stop_socket, time.monotonic()
        press = uuid.uuid4().hex
        asked = None if service is None else service.stop(press)
        number, reply = self._request_stop(press, REPLY_WITHIN_S if service is None else SERVER_STOPS_S)
        by_server = self.robots.stopped
        if service is not None and asked is not None and isinstance(reply, Done):
            service.withdraw(asked)
        if isinstance(reply, Done):
            return () if by_server is None else by_server.robots
        by_server = by_server if by_server is not None and by_server.id == number else None
        if isinstance(reply, Refusal) and by_server is None:
            raise InputError(reply.message)
        # The server hangs, has gone or does not reach a robot; the stop service still reaches the robots.
        patience_s = SERVICE_STOPS_S if isinstance(reply, LinkError) else SERVICE_REPLIES_S
        by_service = None
        if service is not None and asked is not None:
            by_service = service.wait_settled(asked, began + patience_s)
        best = by_service if by_server is None else by_server
        if best is None:
            raise reply if isinstance(reply, LinkError) and asked is None else LinkError(UNANSWERED)
        best = msgspec.structs.replace(best, robots=merge_stops(by_server, by_service))
        with self._changed:
            self.robots.receive(best)
        if why := not_reached(best.robots):
            raise InputError(why)
        return best.robots

    def _request_stop(self, press: str, within_s: float) -> "tuple[int, Done | Refusal | LinkError]":
        """Ask the server for a stop; return the number of the question, and the answer or why there is none."""
        with self._changed:
            number = next(self._numbers)
            self._waiting.add(number)
        try:
            self._socket.post(encoder.encode(Stop(id=number, press=press)).decode())
            reply = self.wait(lambda: self._replies.pop(number, None), within_s)
        except LinkError as error:
            return number, error
        if isinstance(reply, Simulated):
            return number, LinkError("a stop was asked for; the server answered Recorded")
        return number, reply

    def _request(self, make: Callable[[int], FromClient], within_s: float = REPLY_WITHIN_S) -> Done | Simulated:
        with self._changed:
            number = next(self._numbers)
            self._waiting.add(number)
        self.send(make(number))
        reply = self.wait(lambda: self._replies.pop(number, None), within_s)
        if isinstance(reply, Refusal):
            raise InputError(reply.message)
        return reply

    def send(self, message: FromClient) -> None:
        """Send a message that is not answered.

        Args:
            message: What is sent.

        Raises:
            LinkError: The connection is closed, or the server does not take it in time.
        """
        self._socket.send(encoder.encode(message).decode())

    def _send_presence(self) -> None:
        self.send(Present(stamp_ns=time.monotonic_ns()))

    def wait(self, find: Callable[[], T | None], within_s: float = REPLY_WITHIN_S) -> T:
        """Wait until something is found, and return it.

        Args:
            find: Returns what is waited for; None: not yet. Called whenever something comes from the server.
            within_s: How long to wait, seconds.

        Raises:
            LinkError: It is not found in time, or the server has gone.
        """
        deadline = time.monotonic() + within_s
        with self._changed:
            while True:
                found = find()
                if found is not None:
                    return found
                if self._ended:
                    raise LinkError(self._ended)
                if not self._changed.wait(deadline - time.monotonic()):
                    raise LinkError(f"the server did not reply within {within_s:g} s")

    def _read(self, text: str | bytes) -> None:
        if isinstance(text, bytes):
            with self._changed:
                self.robots.receive_frame(text)
                self._changed.notify_all()
            return
        try:
            message = decoder.decode(text)
            if isinstance(message, Ping):
                # At once, and from here: the server learns from it how late this connection is.
                self.send(Pong(number=message.number, stamp_ns=time.monotonic_ns()))
            self._handle(message)
        except (msgspec.DecodeError, KeyError) as error:
            self._end(other_protocol(text) or f"the server sends what this version does not understand: {error}")

    def _end(self, reason: str) -> None:
        with self._changed:
            self._ended = self._ended or reason
            self._changed.notify_all()

    def _handle(self, message: FromServer) -> None:
        with self._changed:
            match message:
                case Whole(protocol=protocol) if protocol != PROTOCOL:
                    self._end(say("server.client_protocol", client=PROTOCOL, server=protocol))
                case Whole() | Patched() | People() | HistoryNow() | SaveState():
                    if not self._copy.apply(message):
                        self.send(Resync())
                case Done(id=number) | Simulated(id=number):
                    self._replies[number] = message
                case Refusal(id=number):
                    if number in self._waiting:
                        self._replies[number] = message
                case Checked(program=program):
                    self._checked[program] = message
                case Operating() | Events() | RobotSamples() | Stopped():
                    self.robots.receive(message)
                case _:
                    pass
            self._changed.notify_all()
