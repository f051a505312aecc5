"""ProgramSlot: the one program that a controller runs for us, from its text to its end, whoever ends it."""

from collections.abc import Callable

from openpendant.controllers.dialler import Dialler
from openpendant.controllers.jobs import Progress, VendorText
from openpendant.controllers.states import EventKind, StopKind
from openpendant.said import say

from .decoded_state import Reading
from .message_link import MessageLink
from .program_stop import ProgramStop
from .state_names import PLAYING
from .stop_calls import StopCalls
from .upload import ProgramUpload


class ProgramSlot:
    """Sends a program, follows it, and stops it until it is seen not to play. No call waits."""

    def __init__(self, dialler: Dialler, address: str, first_run: int, emit: Callable[[EventKind, str], None]) -> None:
        """Begin empty.

        Args:
            dialler: Opens separate connections for stops.
            address: Of the controller.
            first_run: Runs are numbered from here; the controller keeps the last number for the next owner.
            emit: Receives an event: its kind and message.
        """
        self.progress = Progress(0, 0)
        """Of the present or last program."""
        self.upload: ProgramUpload | None = None
        """The program that is followed."""
        self._calls = StopCalls(dialler, address)
        self._run = first_run
        self._emit = emit
        self._stop: ProgramStop | None = None
        self._sent_on: MessageLink | None = None

    @property
    def free(self) -> bool:
        """Whether no program of ours runs, or could still start."""
        return self.upload is None and self._stop is None

    @property
    def beats(self) -> bool:
        """Whether the heartbeat is due: a program is watched and was not stopped."""
        return self.upload is not None and self._stop is None and self.upload.phase in ("starting", "running")

    @property
    def name(self) -> str:
        """Of the program, for people."""
        return "" if self.upload is None else self.upload.name

    def make(self, job: VendorText) -> ProgramUpload:
        """Return a program that can begin; raises InputError if it is not URScript."""
        self._run += 1
        return ProgramUpload(job, self._run)

    def begin(self, upload: ProgramUpload) -> None:
        """Begin a program; one that runs is stopped first."""
        if self.upload is not None:
            self._begin_stop("replaced by another program", "path")
        self.upload = upload
        self.progress = upload.progress
        self._emit("job started", upload.name)

    def stop(self, kind: StopKind) -> None:
        """Stop the program; each further call tries again."""
        if self._stop is not None:
            self._stop.again(kind)
        if self.upload is not None and not self.upload.stopping:
            self.upload.stopping = "stopped"
            self._begin_stop("stopped", kind)

    def lose(self) -> None:
        """The links are lost: the job has failed, and is stopped over the remaining channels."""
        upload = self.upload
        if upload is not None:
            if upload.phase != "waiting":
                self._begin_stop("link lost", "path")
            self.upload = None
            self.progress = Progress(upload.progress.done, upload.progress.total, "link lost")
            self._emit("job failed", "link lost")
        self._sent_on = None
        if self._stop is not None:
            self._stop.lose()

    def note(self, line: int, words: str) -> None:
        """Note what the controller says against the program; `line` 0: no line."""
        if self.upload is not None:
            self.upload.note(line, words)

    def complain(self, words: str, now_ns: int) -> None:
        """Note an error that the program itself shows."""
        if self.upload is not None:
            self.upload.complain(words, now_ns)

    def call(self, now_ns: int) -> None:
        """Go on with what a stop asks over connections of its own; at every tick, with a link or without."""
        self._calls.poll(now_ns)

    def push(self, link: MessageLink, reading: Reading, now_ns: int, *, released: bool) -> None:
        """Send what is due; at every tick.

        Args:
            link: Where scripts go.
            reading: The newest state.
            now_ns: Now.
            released: Whether the control program has left the robot.

        Raises:
            LinkError: The connection is broken.
        """
        if self._stop is not None:
            self._stop.push(link, now_ns, in_order=link is self._sent_on)
        elif self.upload is not None and self.upload.phase == "waiting" and released and reading.runtime != PLAYING:
            self._sent_on = link
            self.upload.sent(now_ns)
            link.send_script(self.upload.script.text)
        if self.upload is not None and self.upload.phase == "waiting":
            other = say("link.not_released") if not released else say("link.other_plays")
            why = say("link.still_stopping") if self._stop is not None else other
            self._watch(self.upload, self.upload.wait(why, now_ns), now_ns)

    def update(self, reading: Reading, now_ns: int) -> None:
        """Take in a new state of the controller."""
        stop, upload = self._stop, self.upload
        if stop is not None:
            stop.update(reading.runtime, reading.token, now_ns)
            if not stop.done:
                if upload is not None and upload.outlasts(now_ns):
                    upload.phase, self.progress = "failed", upload.progress
                return
            self._stop = None
            if upload is not None and upload.stopping:
                upload.phase = "failed"
                self._leave(upload)
            self._emit("stopped", f"{stop.reason} ({stop.how})")
        elif upload is not None and upload.phase != "waiting":
            stuck = upload.poll(reading, now_ns)
            self.progress = upload.progress
            if upload.over:
                self._leave(upload)
                self._emit(*("job done", upload.name) if upload.phase == "done" else ("job failed", upload.reason))
            else:
                self._watch(upload, stuck, now_ns)

    def close(self) -> None:
        """Let go; nothing more is sent."""
        self._calls.end()
        self.upload = self._stop = None

    def _begin_stop(self, reason: str, kind: StopKind) -> None:
        """Stop what may play; a program that was never sent is just forgotten."""
        upload = self.upload
        if upload is None:
            return
        if upload.phase == "waiting":
            upload.phase = "failed"
            self._leave(upload)
            self._emit("stopped", reason)
        elif self._stop is None:
            self._run += 1
            self._stop = ProgramStop(reason, self._run, kind, self._calls, started=upload.phase == "running")

    def _watch(self, upload: ProgramUpload, stuck: str, now_ns: int) -> None:
        """Give up a stuck program: drop it unsent, or stop it as STOP does, so that it cannot continue later."""
        if not stuck:
            return
        upload.give_up(stuck, now_ns)
        self._emit("job failed", stuck)
        if upload.phase == "waiting":
            upload.phase = "failed"
            self._leave(upload)
        else:
            self._begin_stop(stuck, "path")

    def _leave(self, upload: ProgramUpload) -> None:
        self.progress, self.upload = upload.progress, None
