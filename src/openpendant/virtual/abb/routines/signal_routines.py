"""Signals in programs: SetDO, PulseDO, WaitDI and their kin."""

from collections.abc import Callable, Mapping
from typing import Any

from openpendant.dialects.rapid import HostRoutine, HostWait, RapidFailure, TaskCaller, host_routine
from openpendant.virtual.abb.refusal import ControllerRefusal, NotThere
from openpendant.virtual.abb.signals import SignalTable

Given = Mapping[str, Any]
EDGE = 2.0
"""edge: whatever a signal becomes."""
PULSE_S = 0.2
"""Of PulseDO without a length."""


class SignalRoutines:
    """Programs and the table of signals. Pulses and delays end by `tick`."""

    def __init__(self, table: SignalTable, clock: Callable[[], float]) -> None:
        """Begin with nothing due."""
        self._table, self._clock = table, clock
        self._due: list[tuple[float, str, float]] = []

    def tick(self) -> None:
        """Change what is due now."""
        now = self._clock()
        for due in [one for one in self._due if one[0] <= now + 1e-9]:
            self._due.remove(due)
            self._table.write(due[1], due[2])

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        writes = [host_routine(name, self._set) for name in ("SetDO", "SetGO", "SetAO")]
        reads = [
            host_routine(name, lambda _, given: self.read(given["Signal"]))
            for name in ("DInput", "DOutput", "AInput", "AOutput", "GInput", "GOutput")
        ]
        waits = [host_routine(name, self._wait, waits=True) for name in ("WaitDI", "WaitDO")]
        return (
            *writes,
            *reads,
            *waits,
            host_routine("Set", lambda _, given: self.write(given["Signal"], 1.0)),
            host_routine("Reset", lambda _, given: self.write(given["Signal"], 0.0)),
            host_routine("InvertDO", lambda _, given: self.write(given["Signal"], 1.0 - self.read(given["Signal"]))),
            host_routine("TestDI", lambda _, given: self.read(given["Signal"]) == 1.0),
            host_routine("PulseDO", self._pulse),
            host_routine("ISignalDI", self._interrupt),
            host_routine("ISignalDO", self._interrupt),
        )

    def read(self, name: str) -> float:
        """Return the value of a signal.

        Raises:
            RapidFailure: ERR_NO_ALIASIO_DEF: there is none of that name.
        """
        try:
            return self._table.read(name)
        except NotThere as error:
            raise RapidFailure("ERR_NO_ALIASIO_DEF", str(error)) from None

    def check(self, name: str, value: float) -> None:
        """See that a signal can have a value.

        Raises:
            RapidFailure: ERR_NO_ALIASIO_DEF: there is none of that name; ERR_ARGVALERR: it cannot have that value.
        """
        try:
            self._table.check(name, value)
        except NotThere as error:
            raise RapidFailure("ERR_NO_ALIASIO_DEF", str(error)) from None
        except ControllerRefusal as error:
            raise RapidFailure("ERR_ARGVALERR", str(error)) from None

    def write(self, name: str, value: float, delay_s: float = 0.0) -> None:
        """Change a signal, now or later; raises as `check`."""
        self.check(name, value)
        if delay_s > 0.0:
            self._due.append((self._clock() + delay_s, name, value))
        else:
            self._table.write(name, value)

    def _set(self, _task: TaskCaller, given: Given) -> None:
        value = given["Dvalue"] if "Dvalue" in given else given["Value"]
        self.write(given["Signal"], value, given.get("SDelay", 0.0))

    def _pulse(self, _task: TaskCaller, given: Given) -> None:
        name = given["Signal"]
        before = 0.0 if "High" in given else self.read(name)
        self.write(name, 1.0 - before)
        self._due.append((self._clock() + given.get("PLength", PULSE_S), name, before))

    def _interrupt(self, task: TaskCaller, given: Given) -> None:
        reference = given["Interrupt"]
        number = int(reference.get())
        wanted, single = given["TriggValue"], "Single" in given or "SingleSafe" in given

        def changed(value: float) -> None:
            if wanted in (value, EDGE):
                if single:
                    end()
                task.interrupt(number)

        try:
            end = self._table.watch(given["Signal"], changed)
        except NotThere as error:
            raise RapidFailure("ERR_NO_ALIASIO_DEF", str(error)) from None
        task.interrupt_until(number, end)

    def _wait(self, _task: TaskCaller, given: Given) -> HostWait:
        until = self._clock() + given["MaxTime"] if "MaxTime" in given else None
        flag = given.get("TimeFlag")
        while self.read(given["Signal"]) != given["Value"]:
            if until is not None and self._clock() >= until - 1e-9:
                if flag is None:
                    raise RapidFailure(
                        "ERR_WAIT_MAXTIME", f"{given['Signal']} did not become {given['Value']:g} in time"
                    )
                flag.set(True)
                return
            yield
        if flag is not None:
            flag.set(False)
