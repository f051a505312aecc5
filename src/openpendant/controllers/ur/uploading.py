"""Upload: a vendor's program on its way through the controller."""

from typing import Literal

from openpendant.controllers.jobs import Progress, VendorText

from .heartbeat import WithHeartbeat, with_heartbeat
from .words import PLAYING, STOPPED

__all__ = ["Upload", "UploadPhase"]

UploadPhase = Literal["waiting", "starting", "running", "done", "failed"]

START_WITHIN_NS = 8_000_000_000
WORDS_WITHIN_NS = 300_000_000
"""So long after its end the controller's words about it are waited for."""


class Upload:
    """Follows one program by what the controller says."""

    def __init__(self, job: VendorText, run: int) -> None:
        """Get ready; raises InputError where it is no URScript program."""
        self.name = job.name
        self.script: WithHeartbeat = with_heartbeat(job, run)
        self.phase: UploadPhase = "waiting"
        """'waiting': the robot is not free yet."""
        self.words: list[str] = []
        """What the controller said against it."""
        self.stopping = ""
        """Why it was told to stop."""
        self._run = run
        self._line = 0
        self._since_ns = 0

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.phase in ("done", "failed")

    @property
    def reason(self) -> str:
        """Why it failed."""
        return self.stopping or "; ".join(self.words) or "the controller stopped the program"

    @property
    def progress(self) -> Progress:
        """The line it is at."""
        total = self.script.lines
        if self.phase == "done":
            return Progress(total, total)
        return Progress(min(self._line, total - 1), total, self.reason if self.phase == "failed" else "")

    def sent(self, now_ns: int) -> None:
        """Note that the text has gone to the controller."""
        self.phase, self._since_ns = "starting", now_ns

    def hear(self, line: int, words: str) -> None:
        """Note what the controller says against the program; `line` 0: no line."""
        where = f"line {self.script.line_of(line)}: " if line > 0 else ""
        self.words.append(f"{where}{words}")

    def look(self, runtime: int, line: int, token: int, now_ns: int) -> None:
        """Take in the newest state of the controller."""
        if self.phase == "starting":
            if runtime == PLAYING:
                self.phase = "running"
            elif token == self._run:
                self.phase = "done"
            elif self.words or now_ns - self._since_ns > START_WITHIN_NS:
                self.words = self.words or ["the controller did not start the program"]
                self.phase = "failed"
        if self.phase == "running":
            self._line = self.script.line_of(line) if line > 0 else self._line
            if runtime not in STOPPED:
                self._since_ns = now_ns
            elif token == self._run:
                self.phase = "done"
            elif self.words or self.stopping or now_ns - self._since_ns > WORDS_WITHIN_NS:
                self.phase = "failed"
