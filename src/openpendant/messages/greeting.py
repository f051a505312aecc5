"""Greeting: which protocol a server speaks; the first message of a connection."""

from .wire import Wire

PROTOCOL = 5
"""What this version speaks; raised whenever client and server of different versions would misunderstand each other."""


class Greeting(Wire, frozen=True, kw_only=True, tag="greeting"):
    """The first message of a server that is asked for nothing yet; a project's is `Whole`."""

    protocol: int
    """A page that speaks another one is to be loaded again."""
