"""What runs RAPID in tests: a host with signals, moves, an operator; its clock is stepped."""

from collections.abc import Iterator, Mapping
from typing import Any

from openpendant.dialects.rapid import (
    HostRoutine,
    HostWait,
    RapidFailure,
    RapidMachine,
    TaskCaller,
    host_routine,
    host_table,
    parse_module,
)

STEP_S = 0.004
NOWHERE = (0.0, 0.0, 0.0)
SILENT = (
    "ConfL ConfJ VelSet AccSet WaitRob TPErase StopMove StartMove StorePath RestoPath ErrWrite SingArea PulseDO "
    "SyncMoveOff"
)


class Bench:
    """A host that notes what programs ask for; a move takes three steps."""

    def __init__(self, *, ahead: int = 0, willing: bool = False) -> None:
        self.willing = willing
        """Whether every input is as a program waits for it."""
        self.steps = 0
        self.moves: list[tuple[str, Mapping[str, Any]]] = []
        self.riding: list[int] = []
        self.ahead = ahead
        self.outputs: dict[str, float] = {}
        self.inputs: dict[str, float] = {}
        self.said: list[str] = []

    def now(self) -> float:
        return self.steps * STEP_S

    def table(self) -> dict[str, HostRoutine]:
        quiet = [host_routine(name, self._nothing) for name in SILENT.split()]
        moves = [host_routine(name, self._move(name), waits=True) for name in ("MoveJ", "MoveL", "MoveC", "MoveAbsJ")]
        return host_table(
            *quiet,
            *moves,
            host_routine("SetDO", lambda _, given: self.outputs.update({given["Signal"]: given["Value"]})),
            host_routine("Set", lambda _, given: self.outputs.update({given["Signal"]: 1.0})),
            host_routine("Reset", lambda _, given: self.outputs.update({given["Signal"]: 0.0})),
            host_routine("DOutput", lambda _, given: self.outputs.get(given["Signal"], 0.0)),
            host_routine("DInput", lambda _, given: self.inputs.get(given["Signal"], 0.0)),
            host_routine("WaitDI", self._wait_input, waits=True),
            host_routine("TPWrite", lambda _, given: self.said.append(given["String"])),
            host_routine("TPReadFK", self._ask, waits=True),
            host_routine("CalcRobT", lambda _, given: (NOWHERE, (1.0, 0.0, 0.0, 0.0), (0.0,) * 4, (9e9,) * 6)),
        )

    def _nothing(self, task: TaskCaller, given: Mapping[str, Any]) -> None:
        pass

    def _move(self, name: str) -> Any:
        def move(task: TaskCaller, given: Mapping[str, Any]) -> HostWait:
            self.moves.append((name, given))
            begins = max([self.steps, *self.riding[-1:]])
            self.riding.append(begins + 3)
            stops = given["Zone"][0]
            # The program pointer runs ahead where the zone lets the motion flow.
            while self.riding[-1] > self.steps if stops else sum(at > self.steps for at in self.riding) > self.ahead:
                yield

        return move

    def _wait_input(self, task: TaskCaller, given: Mapping[str, Any]) -> HostWait:
        until = self.now() + given.get("MaxTime", 1e9)
        while not self.willing and self.inputs.get(given["Signal"], 0.0) != given["Value"]:
            if self.now() >= until:
                if "TimeFlag" not in given:
                    raise RapidFailure("ERR_WAIT_MAXTIME")
                given["TimeFlag"].set(True)
                return
            yield
        if "TimeFlag" in given:
            given["TimeFlag"].set(False)

    def _ask(self, task: TaskCaller, given: Mapping[str, Any]) -> HostWait:
        yield
        self.said.append(given["TPText"])
        given["TPAnswer"].set(1.0)

    def machine(self, *texts: str, tasks: Mapping[str, str] | None = None, **options: Any) -> RapidMachine:
        named = tasks or {"T_ROB1": ""}
        modules = {
            name: [parse_module(one) for one in (texts if tasks is None else [text])] for name, text in named.items()
        }
        return RapidMachine(modules, self.table(), clock=self.now, **options)

    def run(self, machine: RapidMachine, most: int = 2000) -> RapidMachine:
        for _ in self.stepping(machine, most):
            pass
        return machine

    def stepping(self, machine: RapidMachine, most: int) -> Iterator[int]:
        for step in range(most):
            if machine.state != "running":
                return
            machine.step()
            self.steps += 1
            yield step


def module(body: str, data: str = "", routines: str = "") -> str:
    """Return a module whose main routine has a body."""
    return f"MODULE bench\n{data}\nPROC main()\n{body}\nENDPROC\n{routines}\nENDMODULE"


def run_main(body: str, data: str = "", routines: str = "", **options: Any) -> RapidMachine:
    """Run a main routine to its end."""
    bench = Bench()
    return bench.run(bench.machine(module(body, data, routines), **options))
