"""What the pendant of a virtual controller shows, for whoever operates it from elsewhere: buttons and windows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True)
class PendantButton:
    """A button of the controller."""

    name: str
    """As the control channel calls it."""
    title: str
    """For people; from `openpendant.said.say` where it has translations."""
    why: str = ""
    """Why it cannot be pressed now; empty: it can."""


@dataclass(frozen=True)
class PendantWindow:
    """A window that the controller has open."""

    title: str
    text: str
    buttons: tuple[PendantButton, ...] = ()
    """That answer it."""


def buttons_of_state(state: Mapping[str, Any], moving: bool) -> tuple[PendantButton, ...]:  # noqa: ARG001
    """Return all buttons of a pendant, called as the control channel calls them."""
    told = cast("Mapping[str, str | None]", state.get("buttons") or {})
    return tuple(PendantButton(name, name.replace("_", " "), why or "") for name, why in told.items())


def window_of_state(state: Mapping[str, Any]) -> PendantWindow | None:
    """Return the window that a pendant has open, without buttons of its own."""
    window = cast("Mapping[str, Any] | None", state.get("popup"))
    return None if window is None else PendantWindow(str(window.get("title", "")), str(window.get("text", "")))
