"""Caller: who asks, as far as the server knows; carried along with every request."""

from dataclasses import dataclass

from starlette.types import Scope

from openpendant.messages import Role

KEY = "openpendant.caller"


@dataclass(frozen=True)
class Caller:
    """Who asks."""

    name: str
    role: Role | None
    """None: not paired."""
    session: str
    """The id of the session; empty: on this machine, or not paired."""
    address: str
    local: bool
    """Whether it came in by the door of this machine, where no sign-in is needed."""


def set_caller(scope: Scope, caller: Caller) -> None:
    """Say who makes a request."""
    scope[KEY] = caller


def caller_of(scope: Scope) -> Caller:
    """Return who makes a request; raises KeyError if it was not authorised, so that nothing slips through."""
    return scope[KEY]
