"""The server: REST and websocket over the catalogue and its kinematics, and the built web client.

In: HTTP requests and JSON questions (`messages`) from this machine, and from the network where that is asked for.
Out: messages, URDF, glTF, the page.
"""

from .access import AUDIT_FILE, CERTIFICATES, Access, Lan, read_audit
from .access_routes import offer_pairing
from .app import create_app
from .listener import DEFAULT_LAN_PORT, DEFAULT_PORT, listen, listen_lan, run, serving

__all__ = [
    "AUDIT_FILE",
    "CERTIFICATES",
    "DEFAULT_LAN_PORT",
    "DEFAULT_PORT",
    "Access",
    "Lan",
    "create_app",
    "listen",
    "listen_lan",
    "offer_pairing",
    "read_audit",
    "run",
    "serving",
]
