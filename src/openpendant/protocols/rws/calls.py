"""RwsCall: one request to a controller. The resources are those of the manual, table by table.

Application manual Robot Web Services (3HAC050973-001): "Controller", "Panel", "RAPID", "I/O", "Motion system", "Event
log", "File service", "Mastership", "Users", "DIPC", "Subscription".
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from urllib.parse import parse_qsl, quote, urlencode

from .failure import RwsFailure

Pair = tuple[str, str]
MOST_FIELDS = 1000


@dataclass(frozen=True, slots=True)
class RwsRoute:
    """Method, path and action of an operation.

    Attributes:
        method: Of HTTP.
        path: With "{}" for a name, and "{*}" at its end for a path of names.
        action: What the parameter `action` says; empty: it is not there.
        needs: Fields without which the request is refused.
        raw: Whether the body is data and no form.
    """

    method: str
    path: str
    action: str = ""
    needs: tuple[str, ...] = ()
    raw: bool = False


class RwsOperation(Enum):
    """What can be asked of a controller."""

    READ_ENVIRONMENT = RwsRoute("GET", "ctrl/{}")
    READ_SYSTEM = RwsRoute("GET", "rw/system")
    READ_EXECUTION = RwsRoute("GET", "rw/rapid/execution")
    START = RwsRoute("POST", "rw/rapid/execution", "start", ("cycle",))
    STOP = RwsRoute("POST", "rw/rapid/execution", "stop")
    RESET_POINTERS = RwsRoute("POST", "rw/rapid/execution", "resetpp")
    LIST_TASKS = RwsRoute("GET", "rw/rapid/tasks")
    READ_POINTER = RwsRoute("GET", "rw/rapid/tasks/{}/execution")
    ACTIVATE_TASK = RwsRoute("POST", "rw/rapid/tasks/{}", "activate")
    DEACTIVATE_TASK = RwsRoute("POST", "rw/rapid/tasks/{}", "deactivate")
    LOAD_MODULE = RwsRoute("POST", "rw/rapid/tasks/{}", "loadmod", ("modulepath",))
    UNLOAD_MODULE = RwsRoute("POST", "rw/rapid/tasks/{}", "unloadmod", ("module",))
    LIST_MODULES = RwsRoute("GET", "rw/rapid/modules", needs=("task",))
    READ_DATA = RwsRoute("GET", "rw/rapid/symbol/data/RAPID/{*}")
    WRITE_DATA = RwsRoute("POST", "rw/rapid/symbol/data/RAPID/{*}", "set", ("value",))
    SEARCH_SYMBOLS = RwsRoute("POST", "rw/rapid/symbols", "search-symbols", ("blockurl",))
    READ_CONTROLLER_STATE = RwsRoute("GET", "rw/panel/ctrlstate")
    SET_CONTROLLER_STATE = RwsRoute("POST", "rw/panel/ctrlstate", "setctrlstate", ("ctrl-state",))
    READ_OPERATION_MODE = RwsRoute("GET", "rw/panel/opmode")
    READ_SPEED_RATIO = RwsRoute("GET", "rw/panel/speedratio")
    SET_SPEED_RATIO = RwsRoute("POST", "rw/panel/speedratio", "setspeedratio", ("speed-ratio",))
    LIST_SIGNALS = RwsRoute("GET", "rw/iosystem/signals")
    READ_SIGNAL = RwsRoute("GET", "rw/iosystem/signals/{*}")
    WRITE_SIGNAL = RwsRoute("POST", "rw/iosystem/signals/{*}", "set", ("lvalue",))
    LIST_UNITS = RwsRoute("GET", "rw/motionsystem/mechunits")
    READ_JOINTS = RwsRoute("GET", "rw/motionsystem/mechunits/{}/jointtarget")
    READ_POSE = RwsRoute("GET", "rw/motionsystem/mechunits/{}/robtarget")
    LIST_LOG = RwsRoute("GET", "rw/elog/{}")
    READ_LOG_ENTRY = RwsRoute("GET", "rw/elog/{}/{}")
    REQUEST_MASTERSHIP = RwsRoute("POST", "rw/mastership", "request")
    RELEASE_MASTERSHIP = RwsRoute("POST", "rw/mastership", "release")
    READ_DOMAIN = RwsRoute("GET", "rw/mastership/{}")
    REQUEST_DOMAIN = RwsRoute("POST", "rw/mastership/{}", "request")
    RELEASE_DOMAIN = RwsRoute("POST", "rw/mastership/{}", "release")
    CREATE_QUEUE = RwsRoute("POST", "rw/dipc", "dipc-create", ("dipc-queue-name",))
    READ_QUEUE = RwsRoute("GET", "rw/dipc/{}", "dipc-read")
    SEND_TO_QUEUE = RwsRoute("POST", "rw/dipc/{}", "dipc-send", ("dipc-data",))
    READ_FILE = RwsRoute("GET", "fileservice/{*}")
    WRITE_FILE = RwsRoute("PUT", "fileservice/{*}", raw=True)
    DELETE_FILE = RwsRoute("DELETE", "fileservice/{*}")
    REQUEST_REMOTE = RwsRoute("POST", "users/rmmp", needs=("privilege",))
    POLL_REMOTE = RwsRoute("GET", "users/rmmp/poll")
    SUBSCRIBE = RwsRoute("POST", "subscription", needs=("resources",))
    POLL = RwsRoute("GET", "poll/{}")
    UNSUBSCRIBE = RwsRoute("DELETE", "subscription/{}")
    LOG_OUT = RwsRoute("GET", "logout")


@dataclass(frozen=True, slots=True)
class RwsCall:
    """One request.

    Attributes:
        operation: What is asked.
        names: What stands in the places of its path.
        fields: Of query and form, in their order; a name may come again.
        data: The body, where it is not a form.
        as_json: Whether the answer is to be JSON.
    """

    operation: RwsOperation
    names: tuple[str, ...] = ()
    fields: tuple[Pair, ...] = ()
    data: bytes = b""
    as_json: bool = True

    def get(self, name: str, default: str = "") -> str:
        """Return the first field of a name."""
        return next((value for key, value in self.fields if key == name), default)


def parse_call(method: str, path: str, query: Iterable[Pair], body: bytes) -> RwsCall:
    """Read a request.

    Args:
        method: Of HTTP.
        path: Without escapes and query.
        query: Names and values.
        body: Whole.

    Raises:
        RwsFailure: No such resource, method or action; or a field is missing.
    """
    asked = list(query)
    action = next((value for name, value in asked if name == "action"), "")
    as_json = any(name == "json" and value == "1" for name, value in asked)
    parts = tuple(part for part in path.split("/") if part)
    routes = [(one, names) for one in RwsOperation if (names := _names(one.value.path, parts)) is not None]
    if not routes:
        raise RwsFailure(HTTPStatus.NOT_FOUND, f"no resource is at {path[:200]}")
    routes = [(one, names) for one, names in routes if one.value.method == method]
    if not routes:
        raise RwsFailure(HTTPStatus.METHOD_NOT_ALLOWED, f"{method[:20]} is not allowed at {path[:200]}")
    # A path of names takes what a fixed path could take, too; the table has the fixed ones first.
    found = next((route for route in routes if route[0].value.action == action), None)
    if found is None:
        raise RwsFailure(HTTPStatus.BAD_REQUEST, f"action {action[:40]!r} is not allowed at {path[:200]}")
    operation, names = found
    fields = [(name, value) for name, value in asked if name not in ("action", "json")]
    route = operation.value
    if not route.raw:
        try:
            fields += parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
        except ValueError as error:
            raise RwsFailure(HTTPStatus.BAD_REQUEST, f"a form that cannot be read: {error}"[:200]) from None
    missing = [name for name in route.needs if all(name != key for key, _ in fields)]
    if missing:
        raise RwsFailure(HTTPStatus.BAD_REQUEST, f"{', '.join(missing)} is missing")
    return RwsCall(operation, names, tuple(fields), body if route.raw else b"", as_json)


def encode_call(call: RwsCall) -> tuple[str, str, bytes]:
    """Return method, target (path and query) and body; a body other than `data` is a form."""
    route = call.operation.value
    names = iter(call.names)
    parts: list[str] = []
    for part in route.path.split("/"):
        if part == "{*}":
            parts += names
        else:
            parts.append(next(names) if part == "{}" else part)
    path = "/" + "/".join(quote(part, safe="$;:@!") for part in parts)
    query: list[Pair] = [("action", route.action)] if route.action else []
    in_query = route.method != "POST"
    query += call.fields if in_query else ()
    query += [("json", "1")] if call.as_json else []
    body = call.data if route.raw else b"" if in_query else urlencode(call.fields).encode()
    return route.method, f"{path}?{urlencode(query)}" if query else path, body


def _names(pattern: str, parts: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return what stands in the places of a pattern; None: it is another path."""
    names: list[str] = []
    wanted = pattern.split("/")
    for place, want in enumerate(wanted):
        if want == "{*}":
            return (*names, *parts[place:]) if len(parts) > place else None
        if place >= len(parts) or (want != "{}" and want != parts[place]):
            return None
        if want == "{}":
            names.append(parts[place])
    return tuple(names) if len(parts) == len(wanted) else None
