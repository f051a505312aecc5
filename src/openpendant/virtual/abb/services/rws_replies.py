"""RwsReplies: what a controller does on each request of Robot Web Services."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from openpendant.protocols.rws import QUEUE_EXISTS, RwsCall, RwsFailure, RwsOperation, RwsState
from openpendant.virtual.abb.controller import AbbController
from openpendant.virtual.abb.queues import QueuedMessage

from .mastership import DOMAINS, Domain, Mastership
from .rws_reads import RwsReads, single

Change = Callable[[RwsCall], None]


@dataclass(frozen=True, slots=True)
class RwsFile:
    """A file as an answer."""

    data: bytes


RwsReply = tuple[RwsState, ...] | RwsFile | HTTPStatus
"""States, a file, or a status without a body."""


class RwsReplies:
    """Asks a controller, for one client at a time."""

    def __init__(self, brain: AbbController, mastership: Mastership) -> None:
        """Answer for a controller."""
        self._brain, self._mastership = brain, mastership
        self._reads = RwsReads(brain)
        program, panel, signals = brain.program, brain.panel, brain.signals
        self._changes: Mapping[RwsOperation, tuple[Domain | None, Change]] = {
            RwsOperation.START: (
                "rapid",
                lambda call: brain.start(call.get("cycle"), call.get("execmode", "continue")),
            ),
            RwsOperation.STOP: (None, lambda _: program.stop()),
            RwsOperation.RESET_POINTERS: ("rapid", lambda _: brain.reset_pointers()),
            RwsOperation.ACTIVATE_TASK: ("rapid", lambda call: program.activate(call.names[0], active=True)),
            RwsOperation.DEACTIVATE_TASK: ("rapid", lambda call: program.activate(call.names[0], active=False)),
            RwsOperation.LOAD_MODULE: ("rapid", self._load),
            RwsOperation.UNLOAD_MODULE: ("rapid", lambda call: program.unload(call.names[0], call.get("module"))),
            RwsOperation.WRITE_DATA: ("rapid", lambda call: program.write(call.names, call.get("value"))),
            RwsOperation.SET_CONTROLLER_STATE: ("motion", self._set_state),
            RwsOperation.SET_SPEED_RATIO: ("motion", lambda call: panel.set_speed(_number(call.get("speed-ratio")))),
            RwsOperation.WRITE_SIGNAL: (
                None,
                lambda call: signals.write(call.names[-1], _number(call.get("lvalue"))),
            ),
            RwsOperation.SEND_TO_QUEUE: (None, self._send),
        }

    def reply_to(self, call: RwsCall, session: str) -> RwsReply:
        """Answer a call of a session.

        Raises:
            RwsFailure: What is asked cannot be done by anybody.
            ControllerRefusal: It is not done now, or does not exist.
        """
        states = self._reads.read(call)
        if states is not None:
            return states
        change = self._changes.get(call.operation)
        if change is None:
            return self._of_session(call, session)
        domain, act = change
        if domain is not None:
            self._mastership.require(session, domain)
        act(call)
        return HTTPStatus.NO_CONTENT

    def _of_session(self, call: RwsCall, session: str) -> RwsReply:
        master, files = self._mastership, self._brain.files
        path = "/".join(call.names)
        match call.operation:
            case RwsOperation.REQUEST_MASTERSHIP:
                master.request(session, *DOMAINS)
            case RwsOperation.RELEASE_MASTERSHIP:
                master.release(session, *DOMAINS)
            case RwsOperation.REQUEST_DOMAIN:
                master.request(session, path)
            case RwsOperation.RELEASE_DOMAIN:
                master.release(session, path)
            case RwsOperation.READ_DOMAIN:
                holder = master.holder(path)
                fields = {"uid": holder, "mastership": "remote" if holder else "nomaster"}
                return (RwsState("msh-resource", path, fields),)
            case RwsOperation.REQUEST_REMOTE:
                master.ask(session)
                return HTTPStatus.ACCEPTED
            case RwsOperation.POLL_REMOTE:
                return (single("user-rmmp-poll", "status", master.status(session)),)
            case RwsOperation.CREATE_QUEUE:
                return self._create_queue(call.get("dipc-queue-name"))
            case RwsOperation.READ_FILE:
                return self._file(path)
            case RwsOperation.WRITE_FILE:
                return HTTPStatus.CREATED if files.write(path, call.data) else HTTPStatus.OK
            case RwsOperation.DELETE_FILE:
                files.delete(path)
            case _:
                raise RwsFailure(HTTPStatus.NOT_IMPLEMENTED, f"{call.operation.name} is not implemented")
        return HTTPStatus.NO_CONTENT

    def _create_queue(self, name: str) -> RwsReply:
        if not self._brain.queues.create(name):
            raise RwsFailure(HTTPStatus.BAD_REQUEST, f"queue {name[:40]} exists", QUEUE_EXISTS)
        return HTTPStatus.CREATED

    def _file(self, path: str) -> RwsReply:
        listed = self._brain.files.list(path)
        if listed is None:
            return RwsFile(self._brain.files.read(path))
        return tuple(RwsState("fs-dir" if one.is_dir() else "fs-file", one.name) for one in listed)

    def _set_state(self, call: RwsCall) -> None:
        wanted = call.get("ctrl-state")
        if wanted not in ("motoron", "motoroff"):
            raise RwsFailure(HTTPStatus.BAD_REQUEST, f"state {wanted[:40]!r}; motoron and motoroff are allowed")
        self._brain.panel.set_motors(on=wanted == "motoron")

    def _load(self, call: RwsCall) -> None:
        path = call.get("modulepath")
        text = self._brain.files.read(path).decode("latin-1")
        replace = call.get("replace", "false").lower() == "true"
        self._brain.program.load(call.names[0], text, path.rpartition("/")[2], replace=replace)

    def _send(self, call: RwsCall) -> None:
        names = ("dipc-data", "dipc-userdef", "dipc-msgtype", "dipc-cmd", "dipc-src-queue-name")
        data, user, kind, command, sender = map(call.get, names)
        self._brain.queues.send(call.names[0], QueuedMessage(data, user, kind, command, sender))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RwsFailure(HTTPStatus.BAD_REQUEST, f"{text[:40]!r} is not a number") from None
