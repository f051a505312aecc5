"""ConformanceReport: what a conformance kit found out."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One check and its result."""

    name: str
    passed: bool
    words: str = ""
    """What was wrong; or, where it was left out, why."""
    left_out: bool = False

    def __str__(self) -> str:
        """Say it on one line."""
        mark = "left out" if self.left_out else "good" if self.passed else "BAD"
        return f"{mark:>8}  {self.name}" + (f": {self.words}" if self.words else "")


@dataclass(frozen=True)
class ConformanceReport:
    """All checks, in order."""

    about: str
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every check has passed."""
        return all(check.passed for check in self.checks)

    @property
    def faults(self) -> tuple[Check, ...]:
        """What is not as it should be."""
        return tuple(check for check in self.checks if not check.passed)

    def __str__(self) -> str:
        """Say it all, a line for each check."""
        good = sum(check.passed and not check.left_out for check in self.checks)
        looked = sum(not check.left_out for check in self.checks)
        return "\n".join([f"{self.about}: {good} of {looked} checks good", *(str(check) for check in self.checks)])
