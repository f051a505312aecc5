"""AuditTrail: what one client of a project does, for the audit log: acts with their outcome, edits counted together."""

import asyncio
from dataclasses import replace

from openpendant.messages.operation import (
    Connect,
    Disconnect,
    GiveControl,
    Pause,
    Press,
    ResetParts,
    Resume,
    ResumeStopped,
    Run,
    SetReduced,
    SetTool,
    SingleStep,
    Stop,
    SwitchOutput,
    TakeControl,
)
from openpendant.messages.project import Done, Edit, FromClient, FromServer, HistoryNow, Redo, Refusal, Reload, Undo
from openpendant.server.access import AuditLog, Caller

EDITS_TOGETHER_S = 10.0
MOST_PENDING = 100

Act = tuple[str, dict[str, str | bool]]


class AuditTrail:
    """The acts of one client. Lives in the event loop alone."""

    def __init__(self, audit: AuditLog, caller: Caller, project: str) -> None:
        """Write to `audit`."""
        self._audit, self._caller, self._project = audit, caller, project
        self._pending: dict[int, Act] = {}
        self._edits = 0
        self._last = ""
        self._timer: asyncio.TimerHandle | None = None

    def introduce(self, name: str) -> None:
        """The client is known by another name from now on; what it did before keeps the old one."""
        if name == self._caller.name:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._write_edits()
        self._caller = replace(self._caller, name=name)

    def note_request(self, message: FromClient) -> None:
        """A client asks for something; it is written down with its answer, a stop at once."""
        if isinstance(message, Stop):
            self.note("stop")
            return
        act = act_of(message)
        number = getattr(message, "id", None)
        if act is not None and isinstance(number, int):
            self._pending[number] = act
            if len(self._pending) > MOST_PENDING:
                del self._pending[next(iter(self._pending))]

    def note_reply(self, message: FromServer) -> None:
        """A client is answered."""
        match message:
            case Done(id=number) if number in self._pending:
                what, details = self._pending.pop(number)
                if what == "edited":
                    self._count()
                else:
                    self.note(what, **details)
            case Refusal(id=number, message=reason) if number in self._pending:
                what, details = self._pending.pop(number)
                if what != "edited":
                    self.note(what, **details, refused=reason)
            case HistoryNow(undo=undo) if undo:
                self._last = undo[-1]
            case _:
                pass

    def note(self, what: str, **details: str | bool) -> None:
        """Write something down."""
        self._audit.note(what, self._caller, project=self._project, **details)

    def close(self) -> None:
        """The client has gone: write down what was not yet."""
        if self._timer is not None:
            self._timer.cancel()
            self._write_edits()

    def _count(self) -> None:
        self._edits += 1
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(EDITS_TOGETHER_S, self._write_edits)

    def _write_edits(self) -> None:
        self._audit.note("edited", self._caller, project=self._project, edits=self._edits, last=self._last)
        self._timer, self._edits = None, 0


def act_of(message: FromClient) -> Act | None:
    """Return what of a message is written down; None: nothing, it only looks or is one of very many."""
    match message:
        case Edit() | Undo() | Redo():
            return "edited", {}
        case Reload():
            return "reloaded", {}
        case Connect(addresses=addresses):
            return "robots started", {"addresses": ", ".join(f"{name}: {at}" for name, at in addresses.items())}
        case Disconnect():
            return "robots ended", {}
        case TakeControl(robot=robot, take_over=take_over):
            return "control taken over" if take_over else "control taken", {"robot": robot}
        case GiveControl(robot=robot):
            return "control given", {"robot": robot}
        case Run(program=program, mode=mode):
            return "run", {"program": program, "mode": mode or "as it can"}
        case ResumeStopped():
            return "stopped run resumed", {}
        case ResetParts():
            return "parts reset", {}
        case Pause():
            return "run paused", {}
        case Resume() | SingleStep():
            return "run resumed", {}
        case SwitchOutput(robot=robot, signal=signal, value=value):
            return "output switched", {"robot": robot, "signal": signal, "on": value}
        case SetTool(robot=robot, arm=arm):
            return "tool moved", {"robot": robot, "arm": arm}
        case SetReduced(robot=robot, reduced=reduced):
            return "speed limit set" if reduced else "speed limit lifted", {"robot": robot}
        case Press(robot=robot, button=button):
            return "button pressed", {"robot": robot, "button": button}
        case _:
            return None
