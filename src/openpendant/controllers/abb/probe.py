"""probe_abb: what is found at an address, one thing after the other, and what is wrong with it.

Nothing is switched, moved or kept: the controller is asked by Robot Web Services what it says about itself, and the
session is ended again.
"""

import http.client
import secrets
import socket
from collections.abc import Iterator
from http import HTTPStatus
from types import TracebackType
from typing import Self

from openpendant.controllers.probed import Probed
from openpendant.protocols import ProtocolError
from openpendant.protocols.rws import (
    DigestChallenge,
    RwsCall,
    RwsFailure,
    RwsOperation,
    RwsState,
    decode_failure,
    decode_states,
    encode_call,
    parse_challenge,
)
from openpendant.said import say

from .modules import SERVER_TASK

RWS_PORT = 80
WITHIN_S = 2.0
MOST_BYTES = 1 << 20
USER, PASSWORD = "Default User", "robotics"
FINE = ("found", "ready")
HOPELESS = ("unknown name", "no answer", "no way", "refused", "stranger", "no login", "other model", "no task")
HOPELESS += ("no option 616-1", "no option 623-1")
MAKER = "ABB"
OPTIONS = {
    "616-1": "PC Interface",
    "623-1": "Multitasking",
    "689-1": "Externally Guided Motion",
    "604-1": "MultiMove Coordinated",
}
"""Options of RobotWare that the driver uses, the last one for two arms."""
UNITS = {1: ("ROB_1",), 2: ("ROB_L", "ROB_R")}
"""Mechanical units by the number of arms."""


class RwsReader:
    """A session with a controller, one question after the other; every call waits."""

    def __init__(self, host: str, port: int, within_s: float) -> None:
        """Connect at the first question."""
        self._http = http.client.HTTPConnection(host, port, timeout=within_s)
        self._challenge: DigestChallenge | None = None
        self._cookies: dict[str, str] = {}
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def connect(self) -> None:
        """Connect; raises OSError."""
        self._http.connect()

    def read(self, operation: RwsOperation, *names: str) -> tuple[RwsState, ...]:
        """Return what a resource is like.

        Raises:
            OSError, http.client.HTTPException, ProtocolError: It is not such a controller.
            RwsFailure: It refuses.
        """
        method, target, _ = encode_call(RwsCall(operation, names))
        status, body = self._send(method, target)
        if status == HTTPStatus.UNAUTHORIZED and self._challenge is not None:
            status, body = self._send(method, target)
        if status >= HTTPStatus.BAD_REQUEST:
            raise decode_failure(HTTPStatus(status), body)
        return decode_states(body) if body else ()

    def _send(self, method: str, target: str) -> tuple[int, bytes]:
        headers: dict[str, str] = {}
        if self._cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        if self._challenge is not None:
            self._count += 1
            headers["Authorization"] = self._challenge.authorization(
                USER, PASSWORD, method, target, count=self._count, token=secrets.token_hex(8)
            )
        self._http.request(method, target, headers=headers)
        reply = self._http.getresponse()
        for name, value in reply.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition(";")[0].partition("=")
                self._cookies[key.strip()] = rest.strip()
            elif name.lower() == "www-authenticate":
                self._challenge, self._count = parse_challenge(value), 0
        return reply.status, reply.read(MOST_BYTES)


def probe_abb(
    host: str, port: int = RWS_PORT, *, model: str = "", arms: int = 1, within_s: float = WITHIN_S
) -> tuple[Probed, ...]:
    """Look at what is at an address.

    Args:
        host: A name or number of the network.
        port: Of Robot Web Services.
        model: What people call the robot that should be there.
        arms: How many it has.
        within_s: How long each question may take.
    """
    try:
        socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return (_probed("unknown name", host, say("probe.unknown_name", address=host)),)
    with RwsReader(host, port, within_s) as reader:
        try:
            reader.connect()
        except ConnectionRefusedError:
            return (_probed("refused", str(port), say("probe.refused", address=host)),)
        except TimeoutError:
            return (_probed("no answer", host, say("probe.no_answer", address=host)),)
        except OSError as error:
            why = say("probe.no_way", address=host, why=str(error.strerror or error))
            return (_probed("no way", host, why),)
        try:
            return tuple(_probe(reader, host, model, arms))
        except RwsFailure as failure:
            if failure.status == HTTPStatus.UNAUTHORIZED:
                return (_probed("no login", USER, say("probe.no_login", address=host, user=USER)),)
        except (OSError, http.client.HTTPException, ProtocolError, ValueError):
            pass
        return (_probed("stranger", host, say("probe.stranger", address=host, maker=MAKER)),)


def _probe(reader: RwsReader, host: str, model: str, arms: int) -> Iterator[Probed]:
    """Yield what Robot Web Services say of the controller."""
    found = list(_controller(reader, host, model, arms))
    found += _panel(reader)
    holders = [
        domain
        for domain in ("rapid", "motion")
        if any(
            one.fields.get("mastership", "nomaster") != "nomaster"
            for one in reader.read(RwsOperation.READ_DOMAIN, domain)
        )
    ]
    if holders:
        found.append(_probed("another owner", ", ".join(holders), say("probe.mastership", domains=", ".join(holders))))
    if any(one.fields.get("ctrlexecstate") == "running" for one in reader.read(RwsOperation.READ_EXECUTION)):
        found.append(_probed("running", "", say("probe.programs_run")))
    reader.read(RwsOperation.LOG_OUT)
    yield from found
    if all(one.fine for one in found):
        yield _probed("ready", "", say("probe.ready"))


def _controller(reader: RwsReader, host: str, model: str, arms: int) -> Iterator[Probed]:
    """Yield which controller it is, and which of its options are missing."""
    system = reader.read(RwsOperation.READ_SYSTEM)
    version = next((one.fields["rwversion"] for one in system if "rwversion" in one.fields), "")
    if not version:
        raise ValueError("it names no version of RobotWare")
    name = next((one.fields["name"] for one in system if "name" in one.fields), "")
    tasks = [one.fields.get("name", one.title) for one in reader.read(RwsOperation.LIST_TASKS)]
    yield _probed("found", f"{name}, {version}", say("probe.controller", address=host, name=name, version=version))
    units = {one.title for one in reader.read(RwsOperation.LIST_UNITS)}
    missing = [unit for unit in UNITS.get(arms, ()) if unit not in units]
    if missing:
        known = ", ".join(sorted(units)) or "-"
        why = say("probe.other_units", model=model, missing=", ".join(missing), address=host, found=known)
        yield _probed("other model", known, why)
    if SERVER_TASK not in tasks:
        known = ", ".join(tasks)
        yield _probed("no task", known, say("link.no_task", address=host, task=SERVER_TASK, known=known))
    numbers = {one.fields["option"].partition(" ")[0] for one in system if "option" in one.fields}
    for number, title in OPTIONS.items():
        if numbers and number not in numbers and (arms > 1 or number != "604-1"):
            yield _probed(f"no option {number}", number, _lacking(number, f"{number} {title}"))


def _lacking(number: str, option: str) -> str:
    match number:
        case "616-1":
            return say("probe.no_interface", option=option)
        case "623-1":
            return say("probe.no_multitasking", option=option)
        case "689-1":
            return say("probe.no_guidance", option=option)
        case _:
            return say("probe.no_multimove", option=option)


def _panel(reader: RwsReader) -> Iterator[Probed]:
    """Yield what is wrong with key switch, motors and safety chain."""
    mode = _value(reader.read(RwsOperation.READ_OPERATION_MODE), "opmode")
    if mode != "AUTO":
        yield _probed("manual", mode, say("probe.manual", mode=mode))
    state = _value(reader.read(RwsOperation.READ_CONTROLLER_STATE), "ctrlstate")
    if state in ("motoroff", "init"):
        yield _probed("motors off", state, say("probe.motors_off"))
    elif state != "motoron":
        yield _probed("safety", state, say("probe.stop_active", state=state))


def _value(states: tuple[RwsState, ...], name: str) -> str:
    return next((one.fields[name] for one in states if name in one.fields), "")


def _probed(code: str, value: str, message: str) -> Probed:
    return Probed(code, value, message, fine=code in FINE, hopeless=code in HOPELESS)
