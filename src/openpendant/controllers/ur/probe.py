"""probe_ur: what is found at an address, one thing after the other, and what is wrong with it.

Nothing is switched, moved or kept: the controller is asked what it says about itself, and left alone again.
"""

import socket
from collections.abc import Callable

from openpendant.controllers.probed import Probed
from openpendant.controllers.socket_dialler import SocketDialler
from openpendant.errors import ControllerError, LinkError
from openpendant.protocols.dashboard import replies
from openpendant.said import say

from .links import LinkOpening
from .stop_calls import DASHBOARD_PORT

STATES, SCRIPTS = 30004, 30003
WITHIN_S = 2.0
LONGEST_LINE = 1024
FINE = ("found", "ready")
HOPELESS = ("unknown name", "no answer", "no way", "refused", "stranger", "other model", "another owner", "no states")
MAKER = "Universal Robots"


def probe_ur(address: str, model: str = "", within_s: float = WITHIN_S) -> tuple[Probed, ...]:
    """Look at what is at an address.

    Args:
        address: A name or number of the network, without a port.
        model: Which robot it should be, as the catalogue has it; empty: any.
        within_s: How long each question may take.
    """
    try:
        socket.getaddrinfo(address, DASHBOARD_PORT, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return (_probed("unknown name", address, say("probe.unknown_name", address=address)),)
    try:
        sock = socket.create_connection((address, DASHBOARD_PORT), timeout=within_s)
    except TimeoutError:
        why = say("probe.no_answer", address=address)
        return (_probed("no answer", address, why),)
    except ConnectionRefusedError:
        why = say("probe.refused", address=address)
        return (_probed("refused", str(DASHBOARD_PORT), why),)
    except OSError as error:
        why = say("probe.no_way", address=address, why=str(error.strerror or error))
        return (_probed("no way", address, why),)
    try:
        with sock, sock.makefile("rb") as lines:

            def read_line() -> str:
                return lines.readline(LONGEST_LINE).decode(errors="replace").strip()

            def query(command: str) -> str:
                sock.sendall(command.encode() + b"\n")
                return read_line()

            found = _read_dashboard(query, address, model) if read_line() == replies.GREETING else (_stranger(address),)
    except OSError:
        found = (_stranger(address),)
    if found[0].code == "stranger":
        return found
    found += _links(address, within_s)
    if all(one.fine for one in found):
        found += (_probed("ready", "", say("probe.ready")),)
    return found


def _probed(code: str, value: str, message: str) -> Probed:
    return Probed(code, value, message, fine=code in FINE, hopeless=code in HOPELESS)


def _stranger(address: str) -> Probed:
    return _probed("stranger", address, say("probe.stranger", address=address, maker=MAKER))


def _read_dashboard(query: Callable[[str], str], address: str, model: str) -> tuple[Probed, ...]:
    """Return what the dashboard says of the robot."""
    said = query("get robot model")
    version = query("PolyscopeVersion")
    found = [_probed("found", f"{said}, {version}", say("probe.found", address=address, model=said, version=version))]
    if model and said.lower().removesuffix("e") != model.lower().removesuffix("e"):
        why = say("probe.other_model", model=model, address=address, found=said)
        found.append(_probed("other model", said, why))
    if query("is in remote control").lower() == "false":
        found.append(_probed("local control", "", say("probe.local_control")))
    safety = query("safetystatus").removeprefix("Safetystatus: ").strip()
    if safety not in ("NORMAL", "REDUCED"):
        found.append(_probed("safety", safety, say("probe.safety", safety=safety)))
    mode = query("robotmode").removeprefix("Robotmode: ").strip()
    if mode in ("POWER_OFF", "BOOTING", "NO_CONTROLLER", "DISCONNECTED", "CONFIRM_SAFETY", "POWER_ON"):
        found.append(_probed("no power", mode, say("probe.no_power", mode=mode)))
    elif mode == "IDLE":
        found.append(_probed("brakes", mode, say("probe.brakes")))
    return tuple(found)


def _links(address: str, within_s: float) -> tuple[Probed, ...]:
    """Return what is wrong with the ports that states come from and paths go to."""
    try:
        LinkOpening(SocketDialler(), address, within_s).wait_for_states().close()
    except LinkError:
        return (_probed("no states", str(STATES), say("probe.no_states", port=STATES, service="RTDE")),)
    except ControllerError as error:
        return (_probed("another owner", "", error.said),)
    try:
        socket.create_connection((address, SCRIPTS), timeout=within_s).close()
    except OSError:
        why = say("probe.no_scripts", port=SCRIPTS, service="Real-Time Client Interface")
        return (_probed("no scripts", str(SCRIPTS), why),)
    return ()
