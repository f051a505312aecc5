"""PrimaryService: ports 30001 (states and messages) and 30002 (states); both take scripts."""

from openpendant.protocols.ur_primary import (
    ErrorCodeMessage,
    KeyMessage,
    MessageSource,
    PopupMessage,
    ProgramLabelMessage,
    ProgramTextMessage,
    ReportLevel,
    RequestType,
    RobotMessage,
    RuntimeExceptionMessage,
    SafetyModeMessage,
    VersionMessage,
    encode_robot_state,
)
from openpendant.virtual.ur.messages import (
    ErrorCode,
    Key,
    Note,
    Popup,
    ProgramLabel,
    RuntimeException,
    SafetyModeChange,
    Text,
    UrMessage,
)
from openpendant.virtual.wire import Link

from .host_port import ControllerHost
from .scripts import ScriptIntakes

STATE_EVERY = 50
"""Ticks from state to state: 10 Hz."""
ClientMessage = Text | ErrorCode | Key | RuntimeException | Popup | SafetyModeChange | ProgramLabel
LEVELS = (ReportLevel.INFO, ReportLevel.WARNING, ReportLevel.VIOLATION, ReportLevel.FAULT)


class PrimaryService:
    """Sends every client the version, then states ten times a second; on the primary port also messages."""

    def __init__(self, box: ControllerHost, *, primary: bool) -> None:
        """Serve the brain of `box`."""
        self._box = box
        self._primary = primary
        self._clients: dict[Link, None] = {}
        self._scripts = ScriptIntakes(box)

    def opened(self, link: Link) -> None:
        """Send the version, and every state once."""
        self._clients[link] = None
        self._scripts.opened(link)
        brain = self._box.brain
        version = brain.version
        link.send(
            VersionMessage(
                brain.ticks * 2000,
                MessageSource.ROBOT_INTERFACE,
                "URControl",
                version.major,
                version.minor,
                version.bugfix,
                version.build,
                brain.build_date,
            ).encode()
        )
        link.send(encode_robot_state(brain.primary_state(complete=True)))

    def received(self, link: Link, data: bytes) -> None:
        """Run scripts that are complete."""
        self._scripts.received(link, data)

    def closed(self, link: Link) -> None:
        """The client is gone; what it started continues."""
        self._clients.pop(link, None)
        self._scripts.closed(link)

    def run_scripts(self) -> None:
        """Run scripts that have become ready."""
        self._scripts.poll()

    def close(self) -> None:
        """Forget scripts that have not been run."""
        self._scripts.close()

    def send_due(self) -> None:
        """Send the state where it is time."""
        brain = self._box.brain
        if self._clients and brain.ticks % STATE_EVERY == 0:
            self._send(encode_robot_state(brain.primary_state(complete=False)))

    def send_messages(self, messages: tuple[UrMessage, ...]) -> None:
        """Send messages; on the primary port alone."""
        if self._clients and self._primary:
            self._send(b"".join(encode(one).encode() for one in messages if not isinstance(one, Note)))

    def _send(self, data: bytes) -> None:
        for link in list(self._clients):
            link.offer(data)


def encode(message: ClientMessage) -> RobotMessage:
    """Return a message of the controller as it goes to clients."""
    us = message.tick * 2000
    controller = MessageSource.CONTROLLER
    match message:
        case Text(text=text):
            return ProgramTextMessage(us, MessageSource.REAL_TIME_MACHINE, text)
        case ProgramLabel(program=program, text=text):
            return ProgramLabelMessage(us, MessageSource.REAL_TIME_MACHINE, program, text)
        case Popup():
            return PopupMessage(
                us,
                MessageSource.REAL_TIME_MACHINE,
                message.request,
                RequestType.NONE,
                message.warning,
                message.error,
                message.blocking,
                message.title,
                message.text,
            )
        case SafetyModeChange(code=code, argument=argument, safety_mode=mode):
            return SafetyModeMessage(us, MessageSource.SAFETY, code, argument, mode)
        case ErrorCode(code=code, argument=argument, level=level, text=text):
            return ErrorCodeMessage(us, controller, code, argument, LEVELS[min(max(level, 0), 3)], text=text)
        case Key(code=code, argument=argument, title=title, text=text):
            return KeyMessage(us, MessageSource.REAL_TIME_MACHINE, code, argument, title, text)
        case RuntimeException(line=line, column=column, text=text, key=key):
            return RuntimeExceptionMessage(us, MessageSource.REAL_TIME_MACHINE, line, column, key or text)
