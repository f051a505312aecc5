"""The health of the server, and problems with requests (REST, JSON)."""

from .said import SaidMessage, split_said
from .wire import Wire


class Health(Wire, frozen=True, kw_only=True):
    """Which version serves, and whether it is warm."""

    version: str
    ready: bool
    """False for the first seconds, while the kinematics are compiled; requests are served meanwhile."""


class Problem(Wire, frozen=True, kw_only=True):
    """The body of every answer with a status of 400 and above."""

    message: str
    """One sentence for the person: which value, and what is allowed."""
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")
