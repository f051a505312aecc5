"""What the controller's event log calls the faults of programs: a class and a number."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event: its number in the log, and its title."""

    number: int
    title: str


SYNTAX = EventKind(40135, "Syntax error")
NAME = EventKind(40155, "Name error")
REFERENCE = EventKind(40166, "Reference error")
TYPE = EventKind(40203, "Type error")
ARGUMENT = EventKind(40003, "Argument error")
DECLARATION = EventKind(40015, "Data declaration error")
INSTRUCTION = EventKind(40196, "Instruction error")
LIMIT = EventKind(40119, "Limit error")
DIVISION = EventKind(40194, "Value error")
RETRIES = EventKind(40195, "Limit error")
EXECUTION = EventKind(40223, "Execution error")
UNHANDLED = EventKind(40229, "Unhandled error")
PROGRAM = EventKind(40160, "Errors in RAPID program")
