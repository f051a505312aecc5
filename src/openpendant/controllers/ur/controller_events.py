"""Events of a controller: what a change of its state, or a message of it, says to the log."""

from openpendant.controllers.states import EventKind
from openpendant.protocols.ur_primary import (
    ErrorCodeMessage,
    PopupMessage,
    ProgramTextMessage,
    RobotMessage,
    RuntimeExceptionMessage,
    UnknownRobotMessage,
)
from openpendant.said import mode_word, safety_word, say

from .decoded_state import Reading

Event = tuple[EventKind, str]
"""Its kind, and its text for people."""


def state_events(before: Reading, now: Reading) -> list[Event]:
    """Return what has changed between two states of the controller."""
    events: list[Event] = []
    if now.mode != before.mode:
        events.append(("mode", mode_word(now.mode)))
    if now.safety != before.safety:
        kind: EventKind = "safety"
        if now.safety in ("protective stop", "emergency stop"):
            kind = "protective stop" if now.safety == "protective stop" else "emergency stop"
        events.append((kind, safety_word(now.safety)))
    return events


def message_event(message: RobotMessage | UnknownRobotMessage) -> Event | None:
    """Return the event of a message of the primary interface; None: it says nothing to people."""
    match message:
        case RuntimeExceptionMessage(line=line, text=text):
            return "message", f"line {line}: {text}"
        case ErrorCodeMessage(code=code, argument=argument, text=text) if text or code:
            return "message", f"C{code}A{argument}" + (f": {text}" if text else "")
        case PopupMessage(title=title, text=text):
            return "popup", f"{title}: {text}" if title else text
        case ProgramTextMessage(text=text):
            return "message", text
        case _:
            return None


def tool_event(unconfirmed: tuple[str, ...]) -> Event:
    """Return the event of a finished stroke of the tool, by the inputs that have not confirmed it."""
    if unconfirmed:
        return "warning", say("link.tool_unconfirmed", signals=", ".join(unconfirmed))
    return "tool", "done"
