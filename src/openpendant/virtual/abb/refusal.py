"""ControllerRefusal: what a controller does not do now, and why."""

from openpendant.errors import OpenPendantError


class ControllerRefusal(OpenPendantError):  # noqa: N818 - an answer, not a fault of ours
    """An order is refused; the message says what would have to be otherwise."""


class NotThere(ControllerRefusal):
    """What an order names does not exist."""
