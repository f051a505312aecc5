"""ProgramStart: how programs come to run on a controller: stopped, loaded, given who leads them, started, connected."""

import ipaddress
import random
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from openpendant.controllers.dialler import Dialler
from openpendant.controllers.steps import Steps
from openpendant.errors import ControllerError, LinkError
from openpendant.protocols.rapid_server import PORT, ServerFlag
from openpendant.protocols.rws import NOT_MASTER, RwsCall, RwsFailure, RwsOperation
from openpendant.said import say

from .arm import AbbArm
from .modules import JOB_MODULE, MOTION, SERVER, SERVER_TASK, PreparedModule, motion_text
from .rws_link import RwsExchange, RwsLink
from .server_link import ServerLink

WAIT, GUIDE, JOB = 0, 1, 2
"""What a motion task is to do; see OpenPendant.mod."""
ARMS = 2
"""Most that the modules know."""
START_FIELDS = (
    ("regain", "continue"),
    ("execmode", "continue"),
    ("cycle", "once"),
    ("condition", "none"),
    ("stopatbp", "disabled"),
    ("alltaskbytsp", "false"),
)
CONNECTED_WITHIN_NS = 3_000_000_000
"""Within this time after a start the server hears the driver, and guided arms answer."""
DIAL_AGAIN_NS = 20_000_000
CHECK_AFTER_NS = 250_000_000
"""The server may be silent this long before the controller is asked whether it runs at all."""
STOP_NS = 3_000_000_000
HOME = "$HOME"
Fields = tuple[tuple[str, str], ...]


class ProgramStart:
    """Talks over the link for work; nothing of it waits. One is made for every connection."""

    def __init__(
        self,
        dialler: Dialler,
        host: str,
        arms: Sequence[AbbArm],
        server: str,
        work: RwsLink,
        mine: set[int],
        *,
        guided: bool = True,
    ) -> None:
        """Begin with nothing loaded.

        Args:
            dialler: Opens the link to our server.
            host: Of the controller.
            arms: Of the controller.
            server: Text of the server's module, with the cell's signals.
            work: For requests that may take long.
            mine: Numbers of all sessions that this driver has started; the new ones are added.
            guided: Whether the controller has guided motion.
        """
        self.now_ns = 0
        self.server: ServerLink | None = None
        """Of the session that runs."""
        self.session = 0
        self.cut_off = False
        """Whether the session must not begin any more: its requests are ignored, so that nothing of it moves."""
        self._dialler, self._host, self._arms, self._work, self._mine = dialler, host, tuple(arms), work, mine
        self._own = {SERVER_TASK: ((SERVER, server),)}
        self._own |= {arm.task: ((MOTION, motion_text(guided=guided)),) for arm in arms}
        self._loaded = False
        self._jobs: list[str] = []
        """Tasks with a program that is loaded beside ours."""

    def begin(self, orders: Sequence[int], jobs: Mapping[str, PreparedModule]) -> Steps[ServerLink]:
        """Stop what runs of ours, load, start; return the server when it hears us.

        Args:
            orders: For each arm.
            jobs: Programs by task.
        """
        self.drop_server()
        yield from self.stop_programs()
        yield from self._load(jobs)
        self.session = self._new_session()
        yield from self._do(RwsOperation.RESET_POINTERS)
        for name, value in self._shared_data(orders):
            yield from self.write(name, value)
        yield from self._do(RwsOperation.START, fields=START_FIELDS)
        server = yield from self._reach_server()
        self.server = server
        return server

    def stop_programs(self) -> Steps[None]:
        """Stop what runs, where it is ours, and see it stopped.

        Raises:
            ControllerError: Another program runs, or another driver leads this one.
        """
        if not (yield from self._runs()):
            return
        yield from self._check_owner()
        end_ns = self.now_ns + STOP_NS
        while True:
            yield from self._do(RwsOperation.STOP, fields=(("stopmode", "stop"),))
            if not (yield from self._runs()):
                return
            if self.now_ns > end_ns:
                raise ControllerError(say("link.still_stopping"))

    def write(self, name: str, value: str) -> Steps[None]:
        """Write data that the tasks share."""
        yield from self._do(RwsOperation.WRITE_DATA, (SERVER_TASK, SERVER, name), (("value", value),))

    def drop_server(self) -> None:
        """Let go of the server."""
        server, self.server = self.server, None
        if server is not None:
            server.close()

    def _runs(self) -> Steps[bool]:
        exchange = yield from self._do(RwsOperation.READ_EXECUTION)
        return any(one.fields.get("ctrlexecstate") == "running" for one in exchange.states)

    def _check_owner(self) -> Steps[None]:
        """Refuse to stop what others run: programs that are none of ours, or that another driver leads."""
        values: list[str] = []
        for name in ("op_session", "op_heard"):
            exchange = self._work.request(RwsCall(RwsOperation.READ_DATA, (SERVER_TASK, SERVER, name)))
            while not exchange.over:
                yield
            values.append(next((one.fields.get("value", "0") for one in exchange.states), "0"))
        session, heard = values
        if session.isdecimal() and int(session) in self._mine:
            return
        if session == "0":
            raise ControllerError(say("link.other_plays"))
        if heard != "0":
            raise ControllerError(say("link.other_driver", address=self._host))

    def _load(self, jobs: Mapping[str, PreparedModule]) -> Steps[None]:
        if self._jobs or not self._loaded:
            # A stop may have come between request and answer: the controller knows what is loaded.
            self._jobs = yield from self._left_behind()
        for task in tuple(self._jobs):
            yield from self._do(RwsOperation.UNLOAD_MODULE, (task,), (("module", JOB_MODULE),))
            self._jobs.remove(task)
        if not self._loaded:
            for task, modules in self._own.items():
                for name, text in modules:
                    yield from self._load_module(task, name, text)
            self._loaded = True
        for task, job in jobs.items():
            self._jobs.append(task)
            try:
                yield from self._load_module(task, JOB_MODULE, job.text)
            except ControllerError:
                self._jobs.remove(task)
                raise

    def _left_behind(self) -> Steps[list[str]]:
        """Return the tasks in which somebody has left a program of ours."""
        found: list[str] = []
        for arm in self._arms:
            exchange = yield from self._do(RwsOperation.LIST_MODULES, fields=(("task", arm.task),))
            if any(one.fields.get("name") == JOB_MODULE for one in exchange.states):
                found.append(arm.task)
        return found

    def _load_module(self, task: str, name: str, text: str) -> Steps[None]:
        path = f"{HOME}/openpendant/{task}_{name}.mod"
        yield from self._do(RwsOperation.WRITE_FILE, tuple(path.split("/")), data=text.encode("latin-1", "replace"))
        fields = (("modulepath", path), ("replace", "true"))
        yield from self._do(RwsOperation.LOAD_MODULE, (task,), fields)

    def _shared_data(self, orders: Sequence[int]) -> Fields:
        none = ("",) * (ARMS - len(self._arms))
        tasks = ",".join(f'"{task}"' for task in (*(arm.task for arm in self._arms), *none))
        codes = ",".join(str(order) for order in (*orders, *(WAIT,) * (ARMS - len(orders))))
        fastest = max(arm.fastest_deg_s for arm in self._arms)
        return (
            ("op_tasks", f"[{tasks}]"),
            ("op_order", f"[{codes}]"),
            ("op_done", "[0,0]"),
            ("op_speed", f"{2.0 * fastest:.0f}"),
            ("op_address", f'"{_own_address(self._host)}"'),
            ("op_session", str(self.session)),
        )

    def _reach_server(self) -> Steps[ServerLink]:
        """Dial our server until it answers, and beat until it says that it hears us."""
        end_ns = self.now_ns + CONNECTED_WITHIN_NS
        place = f"{self._host}:{PORT}"
        while True:
            server = ServerLink(self._dialler.dial(self._host, PORT), place, self.session)
            try:
                check_ns = self.now_ns + CHECK_AFTER_NS
                while self.now_ns < end_ns and not self.cut_off:
                    if self.now_ns >= check_ns:
                        if not (yield from self._runs()):
                            break
                        check_ns = self.now_ns + CHECK_AFTER_NS
                    server.poll(self.now_ns, beats=True)
                    if server.newest is not None and ServerFlag.HEARD in server.newest.flags:
                        return server
                    yield
                why = say("link.late", address=place)
                if self.now_ns < end_ns:
                    why = say("link.ended_early")
                    end_ns = self.now_ns
            except LinkError as error:
                why = error.said
            except GeneratorExit:
                server.close()
                raise
            server.close()
            if self.now_ns >= end_ns or self.cut_off:
                raise ControllerError(say("link.no_server", address=self._host, why=why))
            again_ns = self.now_ns + DIAL_AGAIN_NS
            while self.now_ns < again_ns:
                yield

    def _do(
        self, operation: RwsOperation, names: tuple[str, ...] = (), fields: Fields = (), data: bytes = b""
    ) -> Steps[RwsExchange]:
        exchange = self._work.request(RwsCall(operation, names, fields, data))
        while not exchange.over:
            yield
        if exchange.refusal is not None:
            raise ControllerError(refusal_message(exchange.refusal))
        return exchange

    def _new_session(self) -> int:
        number = random.randrange(1, 1_000_000)  # noqa: S311 - a number, not a secret
        self._mine.add(number)
        return number


def refusal_message(failure: RwsFailure) -> str:
    """Return why a controller refuses something, for people."""
    if failure.return_code == NOT_MASTER:
        return say("link.no_mastership", why=str(failure))
    if failure.status == HTTPStatus.FORBIDDEN:
        return say("link.refused", why=str(failure))
    return say("link.refused", why=f"{failure} ({int(failure.status)})")


def _own_address(host: str) -> str:
    """Return the address at which the server is to listen; empty: the controller finds its own."""
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        return ""
