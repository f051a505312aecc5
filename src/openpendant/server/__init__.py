"""The server: REST and websocket over the catalogue and its kinematics, and the built web client.

In: HTTP requests and JSON questions (`messages`) from this machine. Out: messages, URDF, glTF, the page.
"""

from .app import create_app
from .listening import DEFAULT_PORT, listen, run, serving

__all__ = ["DEFAULT_PORT", "create_app", "listen", "run", "serving"]
