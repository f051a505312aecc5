"""ProgramData: the data of programs, as clients and services read and write it."""

from collections.abc import Sequence
from typing import Any

from openpendant.dialects.rapid import RapidError, RapidFailure, RapidMachine, parse_data, value_like, write_value

from .program_modules import ProgramModules
from .refusal import ControllerRefusal, NotThere


class ProgramData(ProgramModules):
    """The data of what is linked, by task, module and name."""

    def value(self, path: Sequence[str]) -> Any:
        """Return the value of data, by task, perhaps module, and name.

        Raises:
            NotThere: There is none.
        """
        machine, task, module, name = self._data(path)
        try:
            return machine.read(task, name, module)
        except RapidFailure as failure:
            found = None if module else self._installed(task, name)
            if found is not None:
                return found[1]
            raise NotThere(str(failure)) from None

    def read(self, path: Sequence[str]) -> str:
        """Return the value of data as RAPID writes it.

        Raises:
            NotThere: There is none.
        """
        return write_value(self.value(path))

    def write(self, path: Sequence[str], text: str) -> None:
        """Change data.

        Raises:
            NotThere: There is none.
            ControllerRefusal: It is a constant, or the text no value of its type.
        """
        before = self.value(path)
        machine, task, module, name = self._data(path)
        try:
            value = value_like(parse_data(text), before)
            if value is None:
                raise ControllerRefusal(f"{text[:40]!r} is not a value of the type of {name}")
            machine.write(task, name, value, module)
        except (RapidError, RapidFailure) as failure:
            raise ControllerRefusal(str(failure)) from None

    def type_of(self, path: Sequence[str]) -> str:
        """Return the name of the type of a task's persistent or installed data; empty: there is none of that name."""
        task, name = path[0], path[-1].lower()
        installed = self._installed(task, name)
        usual = "" if installed is None else installed[0]
        return next((kind for _, own, kind in self.persistents(task) if own.lower() == name), usual)

    def persistents(self, task: str) -> tuple[tuple[str, str, str], ...]:
        """Return module, name and type of a task's persistent data.

        Raises:
            NotThere: There is no such task.
        """
        self._task(task)
        running = None if self._machine is None else self._machine.tasks.get(task)
        if running is None:
            return ()
        symbols = running.checked.symbols
        return tuple(
            (symbols.modules[one.module].module.name if one.module in symbols.modules else "", one.name, one.type.name)
            for one in symbols.data
            if one.kind == "PERS"
        )

    def _installed(self, task: str, name: str) -> tuple[str, Any] | None:
        """Return type and value of data of the configuration."""
        if task not in self.installed:
            return None
        return next((one for own, one in self.installed[task].data.items() if own.lower() == name.lower()), None)

    def _data(self, path: Sequence[str]) -> tuple[RapidMachine, str, str, str]:
        if not 2 <= len(path) <= 3:
            raise NotThere(f"{'/'.join(path)[:80]!r}; use task/name or task/module/name")
        task, module, name = (path[0], "", path[1]) if len(path) == 2 else (path[0], path[1], path[2])
        self._task(task)
        machine = self._machine
        if machine is None or task not in machine.tasks:
            raise NotThere(f"no program is linked in {task}")
        return machine, task, module, name
