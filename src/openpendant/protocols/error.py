"""What is raised when bytes from the other end of a link make no sense."""

from openpendant.errors import OpenPendantError


class ProtocolError(OpenPendantError):
    """The peer sent bytes that break the protocol. The message names what came and what is allowed.

    A stream that raised it is out of step permanently: drop the connection.
    """
