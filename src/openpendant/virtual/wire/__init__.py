"""The ports of a virtual controller: TCP, UDP and serial lines, HTTP and websockets, and the sockets of its programs.

In: services that take and send bytes, datagrams, requests or messages. Out: `PortServer`, polled once per tick, which
never blocks; faults strike here. Only the computer's own sockets are used: no thread, no event loop. In their place
`InProcessPorts` has clients in the same process.
"""

from .datagrams import DatagramPort, DatagramService, Peer
from .http_service import HttpClient, HttpService
from .http_session import MAX_BODY, MAX_HEAD, OWN_PAGES, Header, HttpSession, Request
from .in_process_datagrams import DatagramStation
from .in_process_ports import CableEnd, InProcessPorts
from .link import MAX_BACKLOG, Link, Service
from .port_server import PortServer
from .program_sockets import NetworkSockets
from .serial_line import SerialLine
from .sockets_port import ClosedSockets, ProgramSockets, SocketState
from .web_socket import WebSocketSession
from .wired_sockets import WiredSockets

__all__ = [
    "MAX_BACKLOG",
    "MAX_BODY",
    "MAX_HEAD",
    "OWN_PAGES",
    "CableEnd",
    "ClosedSockets",
    "DatagramPort",
    "DatagramService",
    "DatagramStation",
    "Header",
    "HttpClient",
    "HttpService",
    "HttpSession",
    "InProcessPorts",
    "Link",
    "NetworkSockets",
    "Peer",
    "PortServer",
    "ProgramSockets",
    "Request",
    "SerialLine",
    "Service",
    "SocketState",
    "WebSocketSession",
    "WiredSockets",
]
