"""ClientProject: a project that is open on a server; this copy follows every change of everybody."""

import itertools
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self, TypeVar

import msgspec

from openpendant.errors import InputError, LinkError
from openpendant.programs import Program, ProgramCommand, Report
from openpendant.projects import AddProgram, EditCell, EditProgram, ProjectEdit, RemoveProgram, apply_patch
from openpendant.projects.operate import Events, Operating, Ping, Pong, Present, RobotStop, Stop, Stopped
from openpendant.projects.talk import (
    AskRecording,
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
    Recorded,
    Redo,
    Refusal,
    Reload,
    Resync,
    Save,
    SaveState,
    Undo,
    Watch,
    Whole,
)
from openpendant.scene import Cell, Command

from .presence import PresenceThread
from .robots import ClientRobots
from .socket import ClientSocket
from .stop_socket import StopSocket

__all__ = ["ClientProject"]

ANSWER_S = 60.0
PROTOCOL = 3
"""What this client speaks: it answers pings, says that it is there, and stamps what it wants."""
SERVER_STOPS_S = 4.0
"""So long a stop waits for the server itself, where the stop service was asked too."""
T = TypeVar("T")
decoder: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer)
encoder = msgspec.json.Encoder()


class ClientProject:
    """An open project. Calls may come from any thread; a thread of its own reads what the server sends."""

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
        self._answers: dict[int, Done | Refusal | Recorded] = {}
        self._waiting: set[int] = set()
        self._checked: dict[str, Checked] = {}
        self._watched: tuple[str, ...] = ()
        self._whole: Whole | None = None
        self._ended = ""
        self.robots = ClientRobots(self, client)
        """The robots that run."""
        self._socket = ClientSocket(
            address, self._read, self._end, headers=headers, ssl_context=ssl_context, within_s=ANSWER_S
        )
        self._presence = PresenceThread(lambda: self.robots.moves, self._say_present)
        self._stop_socket: StopSocket | None = None
        try:
            self.send(Hello(client=client, name=name, protocol=PROTOCOL))
            whole = self.wait(lambda: self._whole)
            if whole.stop_url:
                self._stop_socket = StopSocket(whole.stop_url, headers, ssl_context)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        return self

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
        """What can be undone and redone from here, in words."""
        return self._now.history

    @property
    def saved(self) -> SaveState:
        """Whether the files hold everything."""
        return self._now.saved

    @property
    def stop_url(self) -> str:
        """Where the stop service of the server stops the robots of this project; empty: there is none."""
        return self._now.stop_url

    def apply(self, edit: ProjectEdit) -> int:
        """Make an edit; return the number of its patch.

        Raises:
            InputError: It does not fit; the message is the server's.
            LinkError: The server does not answer.
        """
        return self.done(lambda number: Edit(id=number, edit=edit))

    def edit_cell(self, command: Command) -> int:
        """Apply a command to the cell."""
        return self.apply(EditCell(command=command))

    def edit_program(self, program: str, command: ProgramCommand) -> int:
        """Apply a command to a program."""
        return self.apply(EditProgram(program=program, command=command))

    def add_program(self, program: Program) -> int:
        """Add a program."""
        return self.apply(AddProgram(program=program))

    def remove_program(self, name: str) -> int:
        """Take a program out."""
        return self.apply(RemoveProgram(name=name))

    def undo(self) -> int:
        """Take back the last edit made from here; raises InputError with the reason where that is refused."""
        return self.done(lambda number: Undo(id=number))

    def redo(self) -> int:
        """Do again what was undone last from here; raises InputError with the reason where that is refused."""
        return self.done(lambda number: Redo(id=number))

    def save(self, *, overwrite: bool = False) -> None:
        """Have the files written now; raises InputError with the reason where that is refused."""
        self.done(lambda number: Save(id=number, overwrite=overwrite))

    def reload(self) -> None:
        """Take the files as they are now, for everybody; raises InputError with the reason where that is refused."""
        self.done(lambda number: Reload(id=number))

    def select(self, *names: str, mode: str = "", program: str = "") -> None:
        """Show others what you look at."""
        self.send(Look(mode=mode, selected=names, program=program))

    def check(self, program: str) -> Report:
        """Return what the server's check finds of a program as it is now.

        Raises:
            InputError: There is no such program, or it cannot be checked.
            LinkError: The server does not answer.
        """
        seq = self.seq
        if program not in self.programs:
            raise InputError(f"there is no program named {program!r}; known: {', '.join(self.programs)}")
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

    def record(self, program: str, dt_s: float = 0.02) -> Recorded:
        """Return a program as it runs, sampled; raises InputError where it cannot be."""
        answer = self._ask(lambda number: AskRecording(id=number, program=program, dt_s=dt_s))
        if not isinstance(answer, Recorded):
            raise LinkError(f"a recording was asked for; the server answered {type(answer).__name__}")
        return answer

    def close(self) -> None:
        """Leave the project; it stays open for others."""
        self._presence.close()
        if self._stop_socket is not None:
            self._stop_socket.close()
        self._socket.close()

    @property
    def _now(self) -> Whole:
        with self._changed:
            if self._whole is None:
                raise LinkError(self._ended or "the server has not answered yet")
            return self._whole

    def done(self, make: Callable[[int], FromClient], within_s: float = ANSWER_S) -> int:
        """Ask for something by number, wait until it is done and here; return the number of the newest patch then."""
        answer = self._ask(make, within_s)
        if not isinstance(answer, Done):
            raise LinkError(f"the server answered {type(answer).__name__}")
        # What was done is also here before the caller goes on.
        self.wait(lambda: self._whole if self._whole is not None and self._whole.seq >= answer.seq else None)
        return answer.seq

    def stop(self) -> tuple[RobotStop, ...]:
        """Stop every robot, over this connection and the stop service at once; whichever is quicker counts.

        Returns:
            What it did to each robot, once they rest.

        Raises:
            InputError: A robot was not reached; says which.
            LinkError: Neither has answered.
        """
        service = self._stop_socket
        asked = None if service is None else service.stop()
        with self._changed:
            number = next(self._numbers)
            self._waiting.add(number)
        try:
            self.send(Stop(id=number))
            within_s = ANSWER_S if asked is None else SERVER_STOPS_S
            answer = self.wait(lambda: self._answers.pop(number, None), within_s)
        except LinkError:
            # The server hangs or has gone; robots hear the stop service all the same.
            if service is None or asked is None:
                raise
            return service.check(asked)
        if isinstance(answer, Refusal):
            raise InputError(answer.message)
        done = self.robots.stopped
        return () if done is None else done.robots

    def _ask(self, make: Callable[[int], FromClient], within_s: float = ANSWER_S) -> Done | Recorded:
        with self._changed:
            number = next(self._numbers)
            self._waiting.add(number)
        self.send(make(number))
        answer = self.wait(lambda: self._answers.pop(number, None), within_s)
        if isinstance(answer, Refusal):
            raise InputError(answer.message)
        return answer

    def send(self, message: FromClient) -> None:
        """Say something; raises LinkError where the server has gone."""
        self._socket.send(encoder.encode(message).decode())

    def _say_present(self) -> None:
        self.send(Present(stamp_ns=time.monotonic_ns()))

    def wait(self, look: Callable[[], T | None], within_s: float = ANSWER_S) -> T:
        """Wait until something is found; raises LinkError after the time, or where the server has gone."""
        deadline = time.monotonic() + within_s
        with self._changed:
            while True:
                found = look()
                if found is not None:
                    return found
                if self._ended:
                    raise LinkError(self._ended)
                if not self._changed.wait(deadline - time.monotonic()):
                    raise LinkError(f"the server has not answered within {within_s:g} s")

    def _read(self, text: str | bytes) -> None:
        if isinstance(text, bytes):
            with self._changed:
                self.robots.take_frame(text)
                self._changed.notify_all()
            return
        try:
            message = decoder.decode(text)
            if isinstance(message, Ping):
                # At once, and from here: the server learns from it how late this connection is.
                self.send(Pong(number=message.number, stamp_ns=time.monotonic_ns()))
            self._take(message)
        except (msgspec.DecodeError, KeyError) as error:
            self._end(f"the server sends what this version does not understand: {error}")

    def _end(self, reason: str) -> None:
        with self._changed:
            self._ended = self._ended or reason
            self._changed.notify_all()

    def _take(self, message: FromServer) -> None:
        with self._changed:
            match message:
                case Whole():
                    self._whole = message
                case Patched():
                    self._follow(message)
                case People(people=people):
                    self._replace(people=people)
                case HistoryNow():
                    self._replace(history=message)
                case SaveState():
                    self._replace(saved=message)
                case Done(id=number) | Recorded(id=number):
                    self._answers[number] = message
                case Refusal(id=number):
                    if number in self._waiting:
                        self._answers[number] = message
                case Checked(program=program):
                    self._checked[program] = message
                case Operating() | Events() | Stopped():
                    self.robots.take_in(message)
                case _:
                    pass
            self._changed.notify_all()

    def _follow(self, message: Patched) -> None:
        whole, patch = self._whole, message.patch
        if whole is None or patch.seq <= whole.seq:
            return
        if patch.seq != whole.seq + 1:
            self.send(Resync())
            return
        cell, programs = apply_patch(whole.cell, whole.programs, patch)
        self._whole = msgspec.structs.replace(whole, seq=patch.seq, cell=cell, programs=programs)

    def _replace(self, **changes: object) -> None:
        if self._whole is not None:
            self._whole = msgspec.structs.replace(self._whole, **changes)
