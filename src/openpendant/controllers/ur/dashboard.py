"""One command to the dashboard server, in a thread of its own, since it answers when it likes."""

import contextlib
import threading

from openpendant.errors import LinkError

from .state_link import connect_socket

__all__ = ["tell_dashboard"]

PORT = 29999
TIMEOUT_S = 1.0


def tell_dashboard(address: str, command: str) -> threading.Thread:
    """Send a command and read its answer; whoever wants to know whether it worked looks at the robot's state."""
    thread = threading.Thread(target=_tell, args=(address, command), name=f"dashboard {address}", daemon=True)
    thread.start()
    return thread


def _tell(address: str, command: str) -> None:
    with contextlib.suppress(LinkError, OSError), connect_socket(address, PORT, TIMEOUT_S) as sock:
        lines = sock.makefile("rb")
        lines.readline()
        sock.sendall(command.encode() + b"\n")
        lines.readline()
        lines.close()
