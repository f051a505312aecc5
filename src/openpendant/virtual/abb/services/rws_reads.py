"""RwsReads: the state of a controller as Robot Web Services shows it."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from openpendant.dialects.rapid import RapidFailure
from openpendant.protocols.rws import RwsArgument, RwsCall, RwsOperation, RwsState
from openpendant.virtual.abb.controller import ROBOTWARE, AbbController
from openpendant.virtual.abb.controller_log import LogEntry
from openpendant.virtual.abb.files import HOME, RAMDISK
from openpendant.virtual.abb.refusal import ControllerRefusal, NotThere
from openpendant.virtual.abb.signals import NETWORK, UNIT, SignalSetup
from openpendant.virtual.abb.unit import TOOL0, WOBJ0, MechanicalUnit

EXTERNAL = "abcdef"
States = tuple[RwsState, ...]


class RwsReads:
    """Reads what a controller is like; changes nothing but queues, whose messages are read once."""

    def __init__(self, brain: AbbController) -> None:
        """Read a controller."""
        self._brain = brain
        panel, signals = brain.panel, brain.signals
        self._by_operation: Mapping[RwsOperation, Callable[[RwsCall], States]] = {
            RwsOperation.READ_ENVIRONMENT: self._environment,
            RwsOperation.READ_SYSTEM: self._system,
            RwsOperation.READ_EXECUTION: self._execution,
            RwsOperation.LIST_TASKS: self._tasks,
            RwsOperation.READ_POINTER: self._pointer,
            RwsOperation.LIST_MODULES: self._modules,
            RwsOperation.READ_DATA: self._data,
            RwsOperation.SEARCH_SYMBOLS: self._symbols,
            RwsOperation.READ_CONTROLLER_STATE: lambda _: (single("pnl-ctrlstate", "ctrlstate", panel.state),),
            RwsOperation.READ_OPERATION_MODE: lambda _: (single("pnl-opmode", "opmode", panel.mode),),
            RwsOperation.READ_SPEED_RATIO: self._speed,
            RwsOperation.LIST_SIGNALS: lambda _: tuple(self._signal(one) for one in signals.all),
            RwsOperation.READ_SIGNAL: lambda call: (self._signal(signals.setup(call.names[-1])),),
            RwsOperation.LIST_UNITS: self._units,
            RwsOperation.READ_JOINTS: self._joints,
            RwsOperation.READ_POSE: self._pose,
            RwsOperation.LIST_LOG: lambda _: tuple(self._entry(one) for one in brain.log.newest_first()),
            RwsOperation.READ_LOG_ENTRY: self._one_entry,
            RwsOperation.READ_QUEUE: self._queued,
        }

    def read(self, call: RwsCall) -> States | None:
        """Return what a call asks for; None: it asks for something else.

        Raises:
            ControllerRefusal: What it names does not exist, or is not of the kind that it has to be.
        """
        found = self._by_operation.get(call.operation)
        return None if found is None else found(call)

    def _environment(self, call: RwsCall) -> States:
        name = call.names[0].lstrip("$").upper()
        if name not in (HOME, RAMDISK):
            raise NotThere(f"no environment variable {call.names[0][:40]!r}")
        return (RwsState("ctrl-env", call.names[0], {"_value": f"{name}:"}),)

    def _system(self, _: RwsCall) -> States:
        setup = self._brain.setup
        options = (RwsState("sys-option", str(place), {"option": one}) for place, one in enumerate(setup.options))
        return (RwsState("sys-system", "system", {"name": setup.model, "rwversion": ROBOTWARE}), *options)

    def _execution(self, _: RwsCall) -> States:
        program = self._brain.program
        running = "running" if program.running else "stopped"
        return (RwsState("rap-execution", "execution", {"ctrlexecstate": running, "cycle": program.cycle}),)

    def _tasks(self, _: RwsCall) -> States:
        program = self._brain.program
        state = "ready" if program.at_main else "stopped"
        return tuple(
            RwsState(
                "rap-task-li",
                task.name,
                {
                    "name": task.name,
                    "type": "norm",
                    "taskstate": "linked" if program.linked else "loaded",
                    "excstate": "started" if program.started(task.name) else state if task.active else "stopped",
                    "active": "On" if task.active else "Off",
                    "motiontask": "TRUE" if task.motion else "FALSE",
                },
            )
            for task in program.tasks.values()
        )

    def _pointer(self, call: RwsCall) -> States:
        module, routine, line = self._brain.program.place(call.names[0])
        return (RwsState("rap-pcp", "pcp", {"module": module, "routine": routine, "startline": str(line)}),)

    def _modules(self, call: RwsCall) -> States:
        task = self._brain.program.tasks.get(call.get("task"))
        if task is None:
            raise NotThere(f"no task {call.get('task')[:40]!r}")
        names = [one.name for one in task.modules.values()]
        return tuple(RwsState("rap-module-info-li", name, {"name": name, "type": "ProgMod"}) for name in names)

    def _data(self, call: RwsCall) -> States:
        return (single("rap-data", "value", self._brain.program.read(call.names), "/".join(("RAPID", *call.names))),)

    def _symbols(self, call: RwsCall) -> States:
        _, _, task = call.get("blockurl").partition("/")
        return tuple(
            RwsState("rap-sympropper-li", url, {"symburl": url, "name": name, "symtyp": "per", "dattyp": kind})
            for one in ([task] if task else self._brain.program.tasks)
            for module, name, kind in self._brain.program.persistents(one)
            for url in (f"RAPID/{one}/{module}/{name}",)
        )

    def _speed(self, _: RwsCall) -> States:
        return (single("pnl-speedratio", "speedratio", f"{self._brain.panel.speed_percent:g}"),)

    def _signal(self, one: SignalSetup) -> RwsState:
        value = f"{self._brain.signals.read(one.name):g}"
        fields = {"name": one.name, "type": one.kind, "lvalue": value, "lstate": "not simulated"}
        return RwsState("ios-signal", f"{NETWORK}/{UNIT}/{one.name}", fields)

    def _units(self, _: RwsCall) -> States:
        return tuple(RwsState("ms-mechunit-li", name, {"mode": "Activated"}) for name in self._brain.units)

    def _unit(self, name: str) -> MechanicalUnit:
        found = self._brain.units.get(name)
        if found is None:
            raise NotThere(f"no mechanical unit {name[:40]!r}; known: {', '.join(self._brain.units)}")
        return found

    def _joints(self, call: RwsCall) -> States:
        robot, external = self._unit(call.names[0]).jointtarget
        fields = {f"rax_{axis}": f"{value:.6g}" for axis, value in enumerate(robot, 1)}
        fields |= {f"eax_{letter}": f"{value:.6g}" for letter, value in zip(EXTERNAL, external, strict=True)}
        return (RwsState("ms-jointtarget", call.names[0], fields),)

    def _pose(self, call: RwsCall) -> States:
        unit = self._unit(call.names[0])
        tool = self._frame(unit, call.get("tool", "tool0"), TOOL0)
        wobj = self._frame(unit, call.get("wobj", "wobj0"), WOBJ0)
        try:
            place, turn, configuration, external = unit.robtarget(tool, wobj)
        except RapidFailure as failure:
            raise ControllerRefusal(str(failure)) from None
        fields = {name: f"{value:.6g}" for name, value in zip("xyz", place, strict=True)}
        fields |= {f"q{number}": f"{value:.6g}" for number, value in enumerate(turn, 1)}
        fields |= {name: f"{value:g}" for name, value in zip(("cf1", "cf4", "cf6", "cfx"), configuration, strict=True)}
        fields |= {f"eax{letter}": f"{value:.6g}" for letter, value in zip(EXTERNAL, external, strict=True)}
        return (RwsState("ms-robtargets", call.names[0], fields),)

    def _frame(self, unit: MechanicalUnit, name: str, usual: Any) -> Any:
        """Return tooldata or wobjdata of a program by its name."""
        if name in ("tool0", "wobj0"):
            return usual
        if self._brain.program.type_of((unit.task, name)) not in ("tooldata", "wobjdata"):
            raise ControllerRefusal(f"{name[:40]} is neither tool nor work object")
        return self._brain.program.value((unit.task, name))

    def _entry(self, one: LogEntry) -> RwsState:
        at = self._brain.came_up + timedelta(seconds=one.time_s)
        fields = {
            "msgtype": str(one.level),
            "code": str(one.code),
            "tstamp": f"{at:%Y-%m-%d} T  {at:%H:%M:%S}",
            "title": one.title,
            "desc": one.text or one.title,
            "conseqs": "",
            "causes": "",
            "actions": "",
            "argc": str(len(one.arguments)),
        }
        arguments = tuple(RwsArgument("string", value) for value in one.arguments)
        return RwsState("elog-message-li", f"/rw/elog/0/{one.number}", fields, arguments)

    def _one_entry(self, call: RwsCall) -> States:
        found = next((one for one in self._brain.log.newest_first() if str(one.number) == call.names[1]), None)
        if found is None:
            raise NotThere(f"no entry {call.names[1][:20]} in the event log")
        return (self._entry(found),)

    def _queued(self, call: RwsCall) -> States:
        found = self._brain.queues.pop(call.names[0])
        if found is None:
            return ()
        fields = {
            "dipc-data": found.data,
            "dipc-userdef": found.user,
            "dipc-msgtype": found.kind,
            "dipc-cmd": found.command,
            "queue-name": found.sender,
        }
        return (RwsState("dipc-read-li", call.names[0], fields),)


def single(kind: str, name: str, value: str, title: str = "") -> RwsState:
    """Return a state of one field."""
    return RwsState(kind, title or name, {name: value})
