"""ProgramUpload: the run of a vendor's program on the controller."""

import re
from typing import Literal

import numpy as np

from openpendant.controllers.jobs import Progress, VendorText
from openpendant.said import say

from .decoded_state import Reading
from .heartbeat import WithHeartbeat, with_heartbeat
from .state_names import PLAYING, STOPPED

UploadPhase = Literal["waiting", "starting", "running", "done", "failed"]

STILL_S = 2.0
"""What makes no progress for this time is given up, as every run."""
READ_BYTES_S = 50_000.0
"""A controller reads and compiles at least so much of a text in a second; it has this time before it must start."""
MOVE = re.compile(r"\s*move[cjlp]\(")
COMPLAINT_WITHIN_NS = 300_000_000
"""How long to wait after its end for the controller's messages about it."""


class ProgramUpload:
    """Follows one program by what the controller says."""

    def __init__(self, job: VendorText, run: int) -> None:
        """Get ready; raises InputError if it is not a URScript program."""
        self.name = job.name
        self.script: WithHeartbeat = with_heartbeat(job, run)
        self.phase: UploadPhase = "waiting"
        """'waiting': the robot is not free yet."""
        self.words: list[str] = []
        """What the controller said against it."""
        self.stopping = ""
        """Why it was stopped or given up."""
        self._complaints: list[tuple[int, str]] = []
        """What the program itself has shown as errors of late, and when."""
        self._run = run
        self._start_s = STILL_S + len(self.script.text) / READ_BYTES_S
        self._moves = frozenset(n for n, line in enumerate(job.text.splitlines(), 1) if MOVE.match(line))
        """Lines at which it is to move; at every other it may wait as long as it likes."""
        self._line = 0
        self._since_ns = self._moved_ns = self._given_up_ns = 0
        self._seen: tuple[int, bytes] = (0, b"")

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.phase in ("done", "failed")

    @property
    def reason(self) -> str:
        """Why it failed."""
        said = self.words or [words for _, words in self._complaints]
        return self.stopping or "; ".join(said) or "the controller stopped the program"

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

    def note(self, line: int, words: str) -> None:
        """Note what the controller says against the program; `line` 0: no line."""
        where = f"line {self.script.line_of(line)}: " if line > 0 else ""
        self.words.append(f"{where}{words}")

    def complain(self, words: str, now_ns: int) -> None:
        """Note an error that the program shows: the reason if it halts next, nothing if it continues."""
        self._complaints.append((now_ns, words))

    def wait(self, why: str, now_ns: int) -> str:
        """Note that the robot is not free for it because of `why`; return why it is to be given up, empty: not yet."""
        self._since_ns = self._since_ns or now_ns
        if now_ns - self._since_ns <= STILL_S * 1e9:
            return ""
        return say("run.job_no_progress_why", job=self.name, still_s=STILL_S, why=why)

    def give_up(self, why: str, now_ns: int) -> None:
        """End it as failed, once it is seen not to play."""
        self.stopping, self._given_up_ns = why, now_ns

    def outlasts(self, now_ns: int) -> bool:
        """Return whether the controller was to stop it long ago: it has failed, whatever the controller does."""
        return self._given_up_ns > 0 and now_ns - self._given_up_ns > STILL_S * 1e9

    def poll(self, reading: Reading, now_ns: int) -> str:
        """Use the newest state of the controller; return why the run failed, empty: it continues."""
        runtime, token = reading.runtime, reading.token
        if self.phase == "starting":
            if runtime == PLAYING:
                self.phase, self._moved_ns = "running", now_ns
            elif token == self._run:
                self.phase = "done"
            elif self.words:
                self.phase = "failed"
            elif now_ns - self._since_ns > self._start_s * 1e9:
                return say(
                    "run.job_no_progress_why",
                    job=self.name,
                    still_s=round(self._start_s, 1),
                    why=say("link.not_started"),
                )
        if self.phase == "running":
            self._line = self.script.line_of(reading.line) if reading.line > 0 else self._line
            if runtime not in STOPPED:
                self._since_ns = now_ns
                self._complaints = [one for one in self._complaints if now_ns - one[0] < COMPLAINT_WITHIN_NS]
            elif token == self._run:
                self.phase = "done"
            elif self.words or self.stopping or now_ns - self._since_ns > COMPLAINT_WITHIN_NS:
                self.phase = "failed"
            if not self._gets_on(reading, now_ns):
                return say("run.job_no_progress", job=self.name, still_s=STILL_S)
        return ""

    def _gets_on(self, reading: Reading, now_ns: int) -> bool:
        """Return whether it has not stood still in a move for too long; paused or elsewhere, it waits by its own means.

        A controller that tells no line is in no move (RTDE guide, `script_control_line`).
        """
        seen = (reading.line, np.asarray(reading.q_target).tobytes())
        moving = reading.runtime == PLAYING and reading.line > 0 and self._line in self._moves
        if not moving or seen != self._seen:
            self._seen, self._moved_ns = seen, now_ns
        return now_ns - self._moved_ns <= STILL_S * 1e9
