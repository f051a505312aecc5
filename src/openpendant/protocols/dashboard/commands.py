"""The commands of the e-Series dashboard server.

One line of text each (Dashboard Server e-Series guide). Some take an argument: the rest of the line.
"""

from dataclasses import dataclass
from enum import StrEnum


class Verb(StrEnum):
    """What can be asked of the dashboard server, spelt as on the wire. UNKNOWN: none of them."""

    LOAD = "load"
    LOAD_INSTALLATION = "load installation"
    PLAY = "play"
    STOP = "stop"
    PAUSE = "pause"
    QUIT = "quit"
    SHUTDOWN = "shutdown"
    RUNNING = "running"
    ROBOT_MODE = "robotmode"
    GET_LOADED_PROGRAM = "get loaded program"
    POPUP = "popup"
    CLOSE_POPUP = "close popup"
    ADD_TO_LOG = "addToLog"
    IS_PROGRAM_SAVED = "isProgramSaved"
    PROGRAM_STATE = "programState"
    POLYSCOPE_VERSION = "PolyscopeVersion"
    VERSION = "version"
    SET_OPERATIONAL_MODE = "set operational mode"
    GET_OPERATIONAL_MODE = "get operational mode"
    CLEAR_OPERATIONAL_MODE = "clear operational mode"
    POWER_ON = "power on"
    POWER_OFF = "power off"
    BRAKE_RELEASE = "brake release"
    SAFETY_MODE = "safetymode"
    SAFETY_STATUS = "safetystatus"
    UNLOCK_PROTECTIVE_STOP = "unlock protective stop"
    CLOSE_SAFETY_POPUP = "close safety popup"
    RESTART_SAFETY = "restart safety"
    GET_SERIAL_NUMBER = "get serial number"
    GET_ROBOT_MODEL = "get robot model"
    GENERATE_FLIGHT_REPORT = "generate flight report"
    GENERATE_SUPPORT_FILE = "generate support file"
    IS_IN_REMOTE_CONTROL = "is in remote control"
    SAVE_LOG = "saveLog"
    UNKNOWN = ""


_WITH_ARGUMENT = frozenset(
    {
        Verb.LOAD,
        Verb.LOAD_INSTALLATION,
        Verb.POPUP,
        Verb.ADD_TO_LOG,
        Verb.SET_OPERATIONAL_MODE,
        Verb.GENERATE_FLIGHT_REPORT,
        Verb.GENERATE_SUPPORT_FILE,
    }
)

_BARE = {verb.value.lower(): verb for verb in Verb if verb is not Verb.UNKNOWN}
# Longest first, so that `load installation x` is not a `load` of "installation x".
_PREFIXES = tuple(sorted((v.value.lower() for v in _WITH_ARGUMENT), key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class Command:
    """One line to the dashboard server.

    Attributes:
        verb: What is asked.
        argument: The rest of the line, with its own spelling; empty if there is none.
        line: The whole line as it came, without its end.
    """

    verb: Verb
    argument: str
    line: str

    def encode(self) -> bytes:
        """Return the line as it goes out."""
        return self.line.encode() + b"\n"

    @classmethod
    def of(cls, verb: Verb, argument: str = "") -> "Command":
        """Make a command. Line ends in the argument would start another command; they become spaces."""
        argument = " ".join(argument.splitlines())
        return cls(verb, argument, f"{verb} {argument}".strip())


def parse_command(line: str) -> Command:
    """Read one line. Commands are distinguished without regard to case or doubled spaces; arguments keep both."""
    line = line.strip()
    words = " ".join(line.lower().split())
    if words in _BARE:
        return Command(_BARE[words], "", line)
    for prefix in _PREFIXES:
        if words.startswith(prefix + " "):
            rest = line
            for _ in prefix.split():
                rest = rest.split(None, 1)[1]
            return Command(_BARE[prefix], rest, line)
    return Command(Verb.UNKNOWN, "", line)
