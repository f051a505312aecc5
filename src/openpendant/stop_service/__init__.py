"""The stop service: a small separate process that stops robots, whatever the server is busy with.

Pages and scripts request stops over a websocket or by POST; the process of each robot keeps a line to it. It shares
no event loop, lock, queue or interpreter with the server, nor the bus. The server starts it, sends it who may use it,
and restarts it when it ends; it ends when the server does.

    python -m openpendant.stop_service        with its settings as the first line of its input
"""

from openpendant.messages.stop_service import (
    LineAddress,
    LineHalt,
    ListenerSettings,
    ServiceSettings,
    ServiceState,
    StopNotice,
)

from .line import StopLine

__all__ = ["LineAddress", "LineHalt", "ListenerSettings", "ServiceSettings", "ServiceState", "StopLine", "StopNotice"]
