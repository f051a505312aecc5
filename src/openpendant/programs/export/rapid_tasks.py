"""TaskCalls: programs of several tasks that call each other, in RAPID: one task at a time runs, the others wait.

Whoever calls a program of another arm asks that arm's task for it by number, and waits until it is done. While it
waits it does what others ask of it, so that programs may call each other to any depth.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openpendant.programs.document import called_by

from .source import Lines, Source

TASKS = {"left": "T_ROB_L", "right": "T_ROB_R"}
"""By arm: the motion tasks of a controller with two of them."""
WORDS = (
    "ask_left ask_right done_left done_right all_tasks begun asked servecalls speedoverride syncident tasks taskid "
    "waitsynctask waituntil"
)
"""Names that all modules of such a job need for this."""
OVERRIDE = "speedOverride"


@dataclass(frozen=True, eq=False)
class TaskCalls:
    """The calls from and to one task."""

    sources: tuple[Source, ...]
    """Of every arm; the first is that of the main program."""
    source: Source
    """Of this task."""
    overrides: bool
    """Whether any of the programs slows all that follow down."""

    @property
    def leads(self) -> bool:
        """Whether this task has the main program."""
        return self.source is self.sources[0]

    @property
    def title(self) -> str:
        """What the module is called."""
        main = self.sources[0].program.name
        return main if self.leads else f"{main}_{self._arm(self.source)}"

    @property
    def served(self) -> Mapping[str, int]:
        """The numbers by which other tasks ask for the programs of this one."""
        return self._numbers(self.source)

    def declare(self, out: Lines) -> None:
        """Write the data that the tasks share."""
        out.add(
            "! Calls between tasks: which program an arm is asked for (0: none, -1: no more), and whether it is done."
        )
        for one in self.sources:
            if self._numbers(one):
                arm = self._arm(one)
                out.add(f"PERS num ask_{arm} := 0;")
                out.add(f"PERS bool done_{arm} := FALSE;")
        names = ",".join(f'["{TASKS[self._arm(one)]}"]' for one in self.sources)
        out.add(f"PERS tasks all_tasks{{{len(self.sources)}}} := [{names}];")
        out.add("VAR syncident begun;")

    def begin(self, out: Lines) -> None:
        """Write what every main procedure begins with: nothing is asked when all tasks have come here."""
        if self.served:
            arm = self._arm(self.source)
            out.add(f"ask_{arm} := 0;")
            out.add(f"done_{arm} := FALSE;")
        out.add("WaitSyncTask begun, all_tasks;")

    def end(self, out: Lines) -> None:
        """Write what the main program ends with: the other tasks end, too."""
        for one in self.sources[1:]:
            out.add(f"ask_{self._arm(one)} := -1;")
            out.add(f"WaitUntil ask_{self._arm(one)} = 0;")

    def write(self, out: Lines, name_of: Callable[[str], str]) -> None:
        """Write the procedures that ask other tasks, and the one that does what this task is asked for."""
        for one in self.sources:
            if one is not self.source:
                for program, number in self._numbers(one).items():
                    if program in _called(self.source):
                        out.add()
                        self._ask(out, name_of(program), self._arm(one), number)
        if self.served:
            out.add()
            self._serve(out, name_of)
        if not self.leads:
            out.add()
            self._wait(out)

    def _ask(self, out: Lines, name: str, arm: str, number: int) -> None:
        out.add(f"PROC {name}()")
        inside = out.inside()
        inside.add(f"done_{arm} := FALSE;")
        inside.add(f"ask_{arm} := {number};")
        if self.served:
            inside.add(f"WHILE NOT done_{arm} DO")
            inside.inside().add(f"WaitUntil done_{arm} OR ask_{self._arm(self.source)} > 0;")
            inside.inside().add("ServeCalls;")
            inside.add("ENDWHILE")
        else:
            inside.add(f"WaitUntil done_{arm};")
        inside.add(f"done_{arm} := FALSE;")
        self._slow_down(inside)
        out.add("ENDPROC")

    def _serve(self, out: Lines, name_of: Callable[[str], str]) -> None:
        arm = self._arm(self.source)
        out.add("PROC ServeCalls()")
        inside = out.inside()
        inside.add("VAR num asked;")
        inside.add(f"asked := ask_{arm};")
        inside.add("IF asked <= 0 RETURN;")
        inside.add(f"ask_{arm} := 0;")
        self._slow_down(inside)
        inside.add("TEST asked")
        for program, number in self.served.items():
            inside.add(f"CASE {number}:")
            inside.inside().add(f"{name_of(program)};")
        inside.add("ENDTEST")
        inside.add(f"done_{arm} := TRUE;")
        out.add("ENDPROC")

    def _wait(self, out: Lines) -> None:
        arm = self._arm(self.source)
        out.add("PROC main()")
        inside = out.inside()
        self.begin(inside)
        inside.add(f"WHILE ask_{arm} >= 0 DO")
        inside.inside().add(f"WaitUntil ask_{arm} <> 0;")
        inside.inside().add("ServeCalls;")
        inside.add("ENDWHILE")
        inside.add(f"ask_{arm} := 0;")
        out.add("ENDPROC")

    def _slow_down(self, out: Lines) -> None:
        """VelSet is of each task: take over what another one has set."""
        if self.overrides:
            out.add(f"VelSet {OVERRIDE}, 5000;")

    def _numbers(self, source: Source) -> dict[str, int]:
        """Return the programs of a task that programs of others call, numbered."""
        called = {name for one in self.sources if one is not source for name in _called(one)}
        names = [one.name for one in source.all if one.name in called]
        return {name: number for number, name in enumerate(names, 1)}

    def _arm(self, source: Source) -> str:
        return source.setting.placed.arm


def _called(source: Source) -> set[str]:
    return {name for one in source.all for name in called_by(one)}
