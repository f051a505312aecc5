"""Instructions that only the machine itself can do: time, interrupts, error numbers, meetings of tasks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .error_numbers import FIRST_BOOKED
from .faults import RapidFailure
from .host import HostRoutine, HostWait, host_routine, host_table

if TYPE_CHECKING:
    from .machine import RapidMachine
    from .running_task import RunningTask

Given = Mapping[str, Any]


def machine_routines(machine: "RapidMachine") -> dict[str, HostRoutine]:
    """Return the instructions of a machine; those of its host go before them."""

    def wait_time(task: Any, given: Given) -> HostWait:
        if "InPos" in given:
            yield from machine.settle(task)
        until = machine.clock() + given["Time"]
        # An instruction with no time at all still gives back its step.
        yield
        while machine.clock() < until - 1e-9:
            yield

    def interrupt(task: "RunningTask", given: Given) -> int:
        value = given["Interrupt"]
        number = int(value.get() if hasattr(value, "get") else value)
        if number not in task.interrupts.traps:
            raise RapidFailure("ERR_UNKINO", f"interrupt {number} is connected to no trap")
        return number

    def delete(task: Any, given: Given) -> None:
        task.interrupts.forget(interrupt(task, given))

    def sleep(task: Any, given: Given) -> None:
        task.interrupts.sleeping.add(interrupt(task, given))

    def watch(task: Any, given: Given) -> None:
        task.interrupts.sleeping.discard(interrupt(task, given))

    def disable(task: Any, _given: Given) -> None:
        task.interrupts.disabled = True

    def enable(task: Any, _given: Given) -> None:
        task.interrupts.disabled = False

    def timer(task: Any, given: Given) -> None:
        again = None if "Single" in given or "SingleSafe" in given else max(given["Time"], 0.01)
        task.interrupts.at(interrupt(task, given), given["Time"], again)

    def persistent(task: Any, given: Given) -> None:
        task.interrupts.when_changed(interrupt(task, given), given["Name"])

    def book(_task: Any, given: Given) -> None:
        machine.booked += 1
        given["ErrorName"].set(float(FIRST_BOOKED + machine.booked))

    def reset_retries(task: Any, _given: Given) -> None:
        task.reset_retries()

    def sync(task: Any, given: Given) -> HostWait:
        if "InPos" in given:
            yield from machine.settle(task)
        names = [one[0] for one in given["TaskList"].get()]
        yield from machine.meet(task.name, names, str(given["SyncID"].get().held), given.get("TimeOut"))

    def clock_start(_task: Any, given: Given) -> None:
        slot = given["Clock"].get()
        total, since = slot.held or (0.0, None)
        slot.held = (total, machine.clock() if since is None else since)

    def clock_stop(_task: Any, given: Given) -> None:
        slot = given["Clock"].get()
        total, since = slot.held or (0.0, None)
        slot.held = (total if since is None else total + machine.clock() - since, None)

    def clock_reset(_task: Any, given: Given) -> None:
        given["Clock"].get().held = None

    def clock_read(_task: Any, given: Given) -> float:
        total, since = given["Clock"].get().held or (0.0, None)
        value = total if since is None else total + machine.clock() - since
        return value if "HighRes" in given else int(value * 100.0 + 1e-6) / 100.0

    def set_flag(_task: Any, given: Given) -> bool:
        reference = given["Object"]
        was = reference.get()
        reference.set(True)
        return not was

    def wait_test_and_set(_task: Any, given: Given) -> HostWait:
        while given["Object"].get():
            yield
        given["Object"].set(True)

    def task_name(task: Any, _given: Given) -> str:
        return task.name

    def nothing(_task: Any, _given: Given) -> None:
        """Do nothing: it changes only what a pendant shows."""

    return host_table(
        host_routine("WaitTime", wait_time, waits=True),
        host_routine("IDelete", delete),
        host_routine("ISleep", sleep),
        host_routine("IWatch", watch),
        host_routine("IDisable", disable),
        host_routine("IEnable", enable),
        host_routine("ITimer", timer),
        host_routine("IPers", persistent),
        host_routine("BookErrno", book),
        host_routine("ResetRetryCount", reset_retries),
        host_routine("SkipWarn", nothing),
        host_routine("WaitSyncTask", sync, waits=True),
        host_routine("SyncMoveOn", sync, waits=True),
        host_routine("ClkStart", clock_start),
        host_routine("ClkStop", clock_stop),
        host_routine("ClkReset", clock_reset),
        host_routine("ClkRead", clock_read),
        host_routine("TestAndSet", set_flag),
        host_routine("WaitTestAndSet", wait_test_and_set, waits=True),
        host_routine("GetTaskName", task_name),
    )
