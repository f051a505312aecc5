"""Protocols: bytes in, events out, for what controllers speak on their sockets.

One codec serves both ends of a link: the virtual controller, a driver and the tests. Nothing here opens a
socket, reads a clock or knows what a value means; that is for the rooms above.

- `rtde`: Universal Robots' real-time data exchange (port 30004).
- `ur_primary`: primary, secondary and real-time interface (ports 30001 to 30003) and the script upload.
- `dashboard`: the dashboard server's command lines and answers (port 29999).
- `rws`: ABB's Robot Web Services (HTTP and websockets, port 80).
- `egm`: ABB's Externally Guided Motion (datagrams, port 6510 of the PC).
- `abb_text`, `yumi_packet`: what two earlier systems speak with programs on ABB controllers (ports 5000 and 55555).
"""

from .error import ProtocolError

__all__ = ["ProtocolError"]
