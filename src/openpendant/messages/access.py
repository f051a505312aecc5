"""Who may do what over the network: pairing, sessions, roles (REST, JSON)."""

from typing import Literal

from .wire import Wire

Role = Literal["viewer", "operator", "engineer"]
"""A viewer watches; an operator also runs programs and moves robots; an engineer also edits. Each may stop."""


class Me(Wire, frozen=True, kw_only=True):
    """Who the server takes the asker for."""

    name: str
    role: Role | None
    """None: not paired yet."""
    local: bool
    """Whether the asker is on the server's own machine, where no sign-in is needed."""
    lan: bool
    """Whether the server also listens to the network."""


class NewPairing(Wire, frozen=True, kw_only=True):
    """A code that is wanted, for somebody to come in with."""

    role: Role
    name: str = ""
    """Who it is for; empty: they say so themselves."""


class Pairing(Wire, frozen=True, kw_only=True):
    """A code that lets somebody in, once."""

    code: str
    """Six digits, to be typed."""
    role: Role
    expires_s: float
    """How long it is good for, seconds from now."""
    links: list[str]
    """Addresses that pair by being opened, the likeliest first."""
    qr: str
    """The first link as a picture (SVG)."""


class NewSession(Wire, frozen=True, kw_only=True):
    """Somebody wants to come in."""

    code: str
    """The six digits, or the secret of a link."""
    name: str = ""
    """The person or device, as others shall see it."""
    token: bool = False
    """For programs: answer with the token, instead of a cookie that scripts in a page cannot read."""


class SignedIn(Wire, frozen=True, kw_only=True):
    """Somebody has come in."""

    name: str
    role: Role
    token: str = ""
    """To be sent as `Authorization: Bearer …`; empty: there is a cookie."""


class SessionInfo(Wire, frozen=True, kw_only=True):
    """Somebody who is paired."""

    id: str
    name: str
    role: Role
    since_s: float
    """When it was paired, seconds since 1970."""
    seen_s: float
    """When it was last here, to the minute."""
    address: str
    """Where it was last."""
    connected: bool
    you: bool
