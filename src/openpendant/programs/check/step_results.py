"""StepResults: what a check writes down about each step, over all its turns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from openpendant.programs.document import APPROACH, Action, Call, Comment, PickPart, PlacePart, Program, slots_of
from openpendant.programs.sequence import StepTurn

from .chain_check import MoveFindings
from .report import Alternative, Finding, Near, StepReport, Verdict


@dataclass(eq=False)
class StepResult:
    """One step."""

    visits: int = 0
    duration_s: float = 0.0
    length_m: float = 0.0
    near: Near | None = None
    findings: dict[tuple[str, bool], Finding] = field(default_factory=dict[tuple[str, bool], Finding])
    alternatives: tuple[Alternative, ...] = ()


class StepResults:
    """All steps of a program and of those that it calls."""

    def __init__(
        self,
        program: Program,
        programs: Mapping[str, Program],
        plain: Callable[[str, PickPart | PlacePart], tuple[Action, ...]],
    ) -> None:
        """Open it, with nothing written.

        Args:
            program: That is checked.
            programs: It and those that it calls, by name.
            plain: Returns the plain steps of a pick or place of a program.
        """
        self.main = True
        """Whether the reported times and lengths are those of this execution."""
        self.entries: dict[tuple[str, str], StepResult] = {}
        self.nearest: Near | None = None
        self.first_failing: tuple[str, str] | None = None
        """Program and id of the step that failed first."""
        self.failing_round = 1
        """The round of the program in which it did."""
        self.round = 1
        """The round of the program that is checked."""
        self.length_m = 0.0
        self.busy_s: dict[str, float] = {}
        self._program, self._programs, self._plain = program, programs, plain

    def add(self, leaf: StepTurn, found: MoveFindings, arm: str = "") -> None:
        """Write down one turn of a step; `arm` is the one that it keeps busy."""
        key = (leaf.program, leaf.id)
        entry = self.entries.setdefault(key, StepResult())
        entry.visits += leaf.whole is None or leaf.step.id.endswith(APPROACH)
        if self.first_failing is None and any(finding.fails for finding in found.findings):
            self.first_failing, self.failing_round = key, self.round
        if self.main:
            entry.duration_s += found.duration_s
            entry.length_m += found.length_m
            self.length_m += found.length_m
            if arm and found.duration_s:
                self.busy_s[arm] = self.busy_s.get(arm, 0.0) + found.duration_s
        for finding in found.findings:
            entry.findings.setdefault((finding.kind, finding.fails), finding)
        if found.near is not None:
            if entry.near is None or found.near.distance_m < entry.near.distance_m:
                entry.near = found.near
            if self.nearest is None or found.near.distance_m < self.nearest.distance_m:
                self.nearest = found.near

    def program_fails(self, finding: Finding) -> None:
        """Write down that the program itself goes wrong: at its first step, since no other is to blame."""
        if self._program.steps:
            key = (self._program.name, self._program.steps[0].id)
            self.entries.setdefault(key, StepResult()).findings.setdefault((finding.kind, finding.fails), finding)
            self.first_failing = self.first_failing or key

    def steps(self) -> tuple[StepReport, ...]:
        """Return the report of every step that is switched on, in order; called programs follow."""
        out: list[StepReport] = []
        seen: set[str] = set()
        waiting = [self._program.name]
        while waiting:
            name = waiting.pop(0)
            if name in seen or name not in self._programs:
                continue
            seen.add(name)
            own = name == self._program.name
            for number, step in numbers_of(self._programs[name].steps):
                if isinstance(step, Call):
                    waiting.append(step.program)
                if not isinstance(step, Comment):
                    out.append(self._step(name, number if own else f"{name}:{number}", step))
        return tuple(out)

    def _step(self, program: str, number: str, step: Action) -> StepReport:
        entry = self.entries.get((program, step.id), StepResult())
        verdict: Verdict = "clear"
        if any(finding.fails for finding in entry.findings.values()):
            verdict = "fails"
        elif slots_of(step) or isinstance(step, Call):
            verdict = "clear"
        elif not entry.visits:
            verdict = "not reached"
        elif entry.findings:
            verdict = "remark"
        return StepReport(
            id=step.id,
            program=program,
            number=number,
            verdict=verdict,
            visits=entry.visits,
            duration_s=entry.duration_s,
            length_m=entry.length_m,
            clearance=entry.near,
            findings=tuple(entry.findings.values()),
            alternatives=entry.alternatives,
            plain=self._plain(program, step) if isinstance(step, PickPart | PlacePart) else (),
        )


def numbers_of(steps: tuple[Action, ...], prefix: str = "") -> list[tuple[str, Action]]:
    """Return the steps that are switched on, each with its number (3, 3.1)."""
    out: list[tuple[str, Action]] = []
    for index, step in enumerate(steps, 1):
        if not step.enabled:
            continue
        out.append((f"{prefix}{index}", step))
        for slot in slots_of(step):
            mark = "e" if slot == "otherwise" else ""
            out += numbers_of(getattr(step, slot), f"{prefix}{index}.{mark}")
    return out
