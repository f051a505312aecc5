"""RwsWatch: what one subscription has been sent, and what is new."""

from collections.abc import Callable, Iterator, Sequence

from openpendant.protocols.rws import RwsEvent, RwsInterest
from openpendant.virtual.abb.controller import AbbController
from openpendant.virtual.abb.refusal import ControllerRefusal, NotThere

DATA, SIGNALS, LOG = "/rw/rapid/symbol/data/RAPID/", "/rw/iosystem/signals/", "/rw/elog/0"
ReadValue = Callable[[], str]


class RwsWatch:
    """Compares what a client subscribes to with what was sent to it last."""

    def __init__(self, brain: AbbController, interests: Sequence[RwsInterest]) -> None:
        """Begin with nothing sent: the first `events` are all values, and what comes into the event log from now on.

        Raises:
            NotThere: Something does not exist, or cannot be subscribed to.
        """
        self._brain = brain
        self._log_from = brain.log.count if any(one.resource == LOG for one in interests) else -1
        self._values = [(one.resource, *self._watched_value(one.resource)) for one in interests if one.resource != LOG]
        self._sent: dict[str, str] = {}

    def events(self) -> tuple[RwsEvent, ...]:
        """Return what is new since the last call."""
        return (*self._changed(), *self._logged())

    def _changed(self) -> Iterator[RwsEvent]:
        for resource, kind, name, read in self._values:
            try:
                value = read()
            except ControllerRefusal:
                # Data of a module that has been unloaded.
                continue
            if self._sent.get(resource) != value:
                self._sent[resource] = value
                yield RwsEvent(kind, resource, {name: value}, name)

    def _logged(self) -> Iterator[RwsEvent]:
        if self._log_from < 0:
            return
        for one in self._brain.log.since(self._log_from):
            self._log_from = one.number
            yield RwsEvent("elog-message-ev", f"{LOG}/{one.number}", {"seqnum": str(one.number)})

    def _watched_value(self, resource: str) -> tuple[str, str, ReadValue]:
        """Return class, field and look of a resource."""
        brain = self._brain
        path, _, part = resource.partition(";")
        match path, part:
            case "/rw/panel/ctrlstate", _:
                return "pnl-ctrlstate-ev", "ctrlstate", lambda: brain.panel.state
            case "/rw/panel/opmode", _:
                return "pnl-opmode-ev", "opmode", lambda: brain.panel.mode
            case "/rw/panel/speedratio", _:
                return "pnl-speedratio-ev", "speedratio", lambda: f"{brain.panel.speed_percent:g}"
            case "/rw/rapid/execution", "ctrlexecstate":
                name = "ctrlexecstate"
                return "rap-ctrlexecstate-ev", name, lambda: "running" if brain.program.running else "stopped"
            case _, "value" if path.startswith(DATA):
                names = path.removeprefix(DATA).split("/")
                brain.program.read(names)
                return "rap-data", "value", lambda: brain.program.read(names)
            case _, "state" if path.startswith(SIGNALS):
                signal = brain.signals.setup(path.rpartition("/")[2]).name
                return "ios-signalstate-ev", "lvalue", lambda: f"{brain.signals.read(signal):g}"
            case _:
                raise NotThere(f"{resource[:80]} cannot be subscribed to")
