"""The calendar in programs: CDate, CTime, GetTime."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from openpendant.dialects.rapid import HostRoutine, RapidFailure, TaskCaller, host_routine

Given = Mapping[str, Any]


def calendar_routines(now: Callable[[], datetime]) -> tuple[HostRoutine, ...]:
    """Return the routines around the controller's local time."""

    def part(_task: TaskCaller, given: Given) -> float:
        time = now()
        parts = {"WDay": time.isoweekday(), "Hour": time.hour, "Min": time.minute, "Sec": time.second}
        for name, value in parts.items():
            if name in given:
                return float(value)
        raise RapidFailure("", r"GetTime needs \WDay, \Hour, \Min or \Sec")

    return (
        host_routine("CDate", lambda _task, _given: f"{now():%Y-%m-%d}"),
        host_routine("CTime", lambda _task, _given: f"{now():%H:%M:%S}"),
        host_routine("GetTime", part),
    )
