"""Program: the content of a file in `programs/`."""

import msgspec

from .actions import Action

FORMAT = 1
"""The format that this version writes."""


class Program(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one arm does, step by step."""

    format: int = msgspec.field(default_factory=lambda: FORMAT)
    """The form of this file; older ones are brought up to date when they are read."""
    name: str
    """Also the name of its file, without the ending."""
    title: str = ""
    notes: str = ""
    robot: str
    """The robot of the cell that it is for."""
    arm: str = ""
    """The arm of that robot; empty: the first."""
    variables: dict[str, float] = {}
    """The program's numbers and what they are at its start."""
    steps: tuple[Action, ...] = ()
