"""ControllerLinks: the connections to Robot Web Services, and what the controller replies on them at first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from openpendant.controllers.dialler import Dialler
from openpendant.controllers.steps import Steps
from openpendant.errors import ControllerError, LinkError
from openpendant.protocols.rws import RwsCall, RwsOperation, RwsState
from openpendant.said import say

from .arm import AbbArm
from .controller_watch import ControllerWatch
from .modules import SERVER_TASK
from .program_start import ProgramStart
from .rws_events import RwsEvents
from .rws_link import RwsLink, RwsLogin

SOCKETS, TASKS, GUIDANCE = "616-1", "623-1", "689-1"
"""Options of RobotWare: PC Interface, Multitasking, Externally Guided Motion."""
OPTION_NAMES = {SOCKETS: "616-1 PC Interface", TASKS: "623-1 Multitasking", GUIDANCE: "689-1 Externally Guided Motion"}
REPLY_WITHIN_S = 2.0


@dataclass(frozen=True)
class Plan:
    """What a driver wants to talk to."""

    host: str
    port: int
    arms: tuple[AbbArm, ...]
    signals: Mapping[str, str]
    """Of the cell, by name: ports on the controller."""
    server_text: str
    user: str
    password: str


@dataclass(frozen=True)
class ControllerLinks:
    """One connection for what is watched and for stops, one for work that may take long."""

    watch: ControllerWatch
    work: RwsLink
    start: ProgramStart
    version: str
    missing: tuple[str, ...]
    """Numbers of options that the controller does not have."""
    unknown: tuple[str, ...]
    """Wired signals that the controller does not list."""

    def close(self) -> None:
        """End all."""
        self.start.drop_server()
        self.watch.close()
        self.work.close()


class ControllerOpening:
    """Both connections on their way; `poll` returns them when the controller has said how it is."""

    def __init__(self, dialler: Dialler, plan: Plan, mine: set[int], within_s: float) -> None:
        """Get ready; `within_s`: how long each answer may take."""
        self._dialler, self._plan, self._mine = dialler, plan, mine
        self._within_ns = round(within_s * 1e9)
        self._now_ns = 0
        self._open: list[RwsLink] = []
        self._steps = self._open_both()

    def poll(self, now_ns: int) -> ControllerLinks | None:
        """Return the connections where they are there; None: not yet.

        Raises:
            LinkError: No answer comes in time.
            ControllerError: The controller refuses, or lacks what is needed; says what.
        """
        self._now_ns = now_ns
        try:
            next(self._steps)
        except StopIteration as end:
            return cast(ControllerLinks, end.value)
        except BaseException:
            self.close()
            raise
        return None

    def close(self) -> None:
        """Give up."""
        for link in self._open:
            link.close()

    def _open_both(self) -> Steps[ControllerLinks]:
        plan = self._plan
        login = RwsLogin(plan.user, plan.password)
        link = self._dial(login)
        system = yield from self._request(link, RwsCall(RwsOperation.READ_SYSTEM))
        version = next((one.fields["rwversion"] for one in system if "rwversion" in one.fields), "")
        options = [one.fields["option"] for one in system if "option" in one.fields]
        missing = tuple(one for one in OPTION_NAMES if options and not any(name.startswith(one) for name in options))
        tasks = yield from self._request(link, RwsCall(RwsOperation.LIST_TASKS))
        self._check(missing, [one.fields.get("name", one.title) for one in tasks])
        listed: Sequence[RwsState] = ()
        if plan.signals:
            listed = yield from self._request(link, RwsCall(RwsOperation.LIST_SIGNALS))
        places = {one.fields.get("name", "").lower(): one.title for one in listed}
        wired = {port: places[port.lower()] for port in plan.signals.values() if port.lower() in places}
        unknown = tuple(port for port in plan.signals.values() if port.lower() not in places)
        watch = ControllerWatch(link, plan.arms, wired, partial(RwsEvents, self._dialler, plan.host, plan.port, login))
        work = self._dial(login)
        end_ns = self._now_ns + self._within_ns
        while not watch.known:
            if self._now_ns > end_ns:
                raise LinkError(say("link.late", address=link.address))
            watch.poll(self._now_ns, joints=True)
            yield
        guided = GUIDANCE not in missing
        start = ProgramStart(self._dialler, plan.host, plan.arms, plan.server_text, work, self._mine, guided=guided)
        return ControllerLinks(watch, work, start, version, missing, unknown)

    def _check(self, missing: Sequence[str], tasks: Sequence[str]) -> None:
        for option in (SOCKETS, TASKS):
            if option in missing:
                raise ControllerError(say("link.no_option", address=self._plan.host, option=OPTION_NAMES[option]))
        for task in (SERVER_TASK, *(arm.task for arm in self._plan.arms)):
            if task not in tasks:
                known = ", ".join(tasks)
                raise ControllerError(say("link.no_task", address=self._plan.host, task=task, known=known))

    def _dial(self, login: RwsLogin) -> RwsLink:
        link = RwsLink(self._dialler, self._plan.host, self._plan.port, login)
        self._open.append(link)
        return link

    def _request(self, link: RwsLink, call: RwsCall) -> Steps[tuple[RwsState, ...]]:
        exchange = link.request(call)
        end_ns = self._now_ns + self._within_ns
        while not exchange.over:
            if self._now_ns > end_ns:
                raise LinkError(say("link.late", address=link.address))
            link.poll(self._now_ns)
            if not exchange.over:
                yield
        return exchange.states
