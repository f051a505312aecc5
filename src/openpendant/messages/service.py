"""What the server tells about itself, and about a request that it cannot serve (REST, JSON)."""

from .wire import Wire

__all__ = ["Health", "Problem"]


class Health(Wire, frozen=True, kw_only=True):
    """Which version serves, and whether it is warm."""

    version: str
    ready: bool
    """False for the first seconds, while the kinematics are compiled; questions are answered all the same."""


class Problem(Wire, frozen=True, kw_only=True):
    """The body of every answer with a status of 400 and above."""

    message: str
    """One sentence for the person: which value, and what is allowed."""
