"""ProgramControl: what runs on the controller for us: guidance of its arms, or a job; and how it is stopped."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from openpendant.controllers.jobs import Progress
from openpendant.controllers.states import EventKind, StopKind
from openpendant.controllers.steps import Steps
from openpendant.errors import ControllerError, LinkError
from openpendant.protocols.rapid_server import ServerReply
from openpendant.said import say

from .controller_watch import LoggedEvent
from .guided_arm import GuidedArm
from .job_watch import COMPLAINT_WITHIN_NS, JobWatch
from .links import ControllerLinks
from .program_start import CONNECTED_WITHIN_NS, GUIDE, JOB, WAIT
from .task_stop import TaskStop

ProgramPhase = Literal["none", "begins guidance", "guides", "begins job", "runs job", "stops"]
BEATING: tuple[ProgramPhase, ...] = ("begins guidance", "guides", "begins job", "runs job")
"""The programs may continue in these phases alone."""
AGAIN_NS = (50_000_000, 200_000_000, 500_000_000, 1_000_000_000, 3_000_000_000)
"""Pauses before guidance is tried again, where it did not begin."""
SILENT_NS = 350_000_000
"""Our server is lost after this long without a reply."""
UNGUIDED_NS = 1_500_000_000
"""Guidance that is away for this long is begun again."""
SEVEN = 7


class ProgramControl:
    """Begins guidance where nothing else is to run, and runs one job at a time. No call waits."""

    def __init__(self, arms: Sequence[GuidedArm], report_event: Callable[[EventKind, str, str], None]) -> None:
        """Begin without a connection.

        Args:
            arms: Of the controller.
            report_event: Takes an event: its kind, what it is about, words.
        """
        self.guides = True
        """Whether the controller has guided motion."""
        self.phase: ProgramPhase = "none"
        self.job: JobWatch | None = None
        self.why = ""
        """Why nothing of ours runs; empty: no reason is known."""
        self.bits = (0, 0)
        """Inputs and outputs, as the server said last."""
        self.bits_ns = 0
        self.clock_s = 0.0
        self._arms, self._report_event = tuple(arms), report_event
        self._links: ControllerLinks | None = None
        self._steps: Steps[None] | None = None
        self._stop: TaskStop | None = None
        self._now_ns = self._due_ns = self._guided_ns = self._began_ns = 0
        self._tries = 0
        self._last = Progress(0, 0)

    @property
    def free(self) -> bool:
        """Whether no job runs, or could still start, and nothing is being stopped."""
        return self.job is None and self._stop is None

    @property
    def progress(self) -> Progress:
        """Of the present or last job."""
        return self._last if self.job is None else self.job.progress

    @property
    def in_control(self) -> bool:
        """Whether setpoints are taken; where there is no guided motion, whether programs are."""
        if self._links is None or self._stop is not None:
            return False
        if self.job is not None:
            return True
        if not self.guides:
            return self._links.watch.panel.able and not self._foreign
        return self.phase == "guides" and all(arm.guided(self._now_ns) for arm in self._arms)

    @property
    def settled(self) -> bool:
        """Whether it has control, or has failed to get it."""
        return self.in_control or self._tries > 0

    @property
    def _foreign(self) -> bool:
        """Whether programs run that we have not started."""
        return self._links is not None and self.phase == "none" and self._links.watch.panel.execution == "running"

    def attach(self, links: ControllerLinks, now_ns: int) -> None:
        """Take up new connections; a stop under way continues over them."""
        self._links, self._due_ns, self._tries, self._now_ns = links, now_ns, 0, now_ns
        links.start.now_ns = now_ns
        if self._stop is not None:
            self._stop.renew(now_ns)

    def detach(self) -> None:
        """Forget connections that are gone: what was under way has failed, and is stopped by what is left."""
        self._cancel()
        self._links = None
        if self.job is not None:
            begun = self.phase == "runs job" or self._began_ns > 0
            self._end_job("link lost")
            self._report_event("job failed", self._arms[0].facts.name, "link lost")
            if begun and self._stop is None:
                self._stop = TaskStop("link lost", "path", self._now_ns)
        self.phase = "none" if self._stop is None else "stops"

    def run(self, job: JobWatch) -> None:
        """Begin a job; what runs is stopped first."""
        if self.job is not None:
            self._end_job("replaced by another program")
            self._report_event("stopped", self._arms[0].facts.name, "replaced by another program")
        self._cancel()
        self._lead_no_more()
        if self._links is not None:
            # Its server goes with the programs that run now; what it says is none of this job's business.
            self._links.start.drop_server()
        self.job, self.phase = job, "begins job"
        job.begin(self._now_ns)
        self._steps = self._begin_job(job)
        self._report_event("job started", job.name, "")

    def stop(self, kind: StopKind) -> None:
        """Stop a job, or guidance as hard as the controller can; each further call tries again."""
        if self._stop is not None:
            self._stop.again(kind)
        elif self.job is not None or self.phase in BEATING:
            self._begin_stop("stopped", kind)

    def end(self) -> None:
        """Stop what runs, to leave the controller."""
        if self._links is not None and self._stop is None and self.phase in BEATING:
            self._begin_stop("closed", "now", report_event=False)

    def note(self, entry: LoggedEvent) -> None:
        """Note an entry of the event log."""
        if self.job is not None:
            self.job.note(entry)

    def poll(self, now_ns: int) -> None:
        """Do what is due; at every tick.

        Raises:
            LinkError: A connection is broken.
            ControllerError: The login is refused.
        """
        self._now_ns = now_ns
        links = self._links
        if links is None:
            return
        links.start.now_ns = now_ns
        links.work.poll(now_ns)
        self._poll_server(links, now_ns)
        self._go_on(now_ns)
        if self._stop is not None:
            self._watch_stop(links, self._stop, now_ns)
        elif self.job is not None:
            self._watch_job(links, self.job, now_ns)
        elif self.phase == "guides":
            self._watch_guidance(links, now_ns)
        elif self.phase == "none" and self.guides and links.watch.panel.able and now_ns >= self._due_ns:
            self.phase, self._steps = "begins guidance", self._begin_guidance()

    def close(self) -> None:
        """Let go."""
        self._cancel()
        self._links = self._stop = None
        self.job, self.phase = None, "none"

    # Beginning

    def _begin_guidance(self) -> Steps[None]:
        assert self._links is not None  # noqa: S101 - polled with links only
        start = self._links.start
        yield from start.begin([GUIDE] * len(self._arms), {})
        end_ns = self._now_ns + CONNECTED_WITHIN_NS
        while not all(arm.guided(self._now_ns) for arm in self._arms):
            if self._now_ns > end_ns:
                silent = ", ".join(arm.facts.name for arm in self._arms if not arm.guided(self._now_ns))
                raise ControllerError(say("link.no_guidance", arms=silent))
            yield

    def _begin_job(self, job: JobWatch) -> Steps[None]:
        assert self._links is not None  # noqa: S101 - polled with links only
        orders = [JOB if order else WAIT for order in job.orders]
        self._began_ns = self._now_ns
        try:
            yield from self._links.start.begin(orders, job.modules)
        except LinkError:
            raise
        except ControllerError:
            # Why it is refused stands in the event log, a moment later.
            end_ns = self._now_ns + COMPLAINT_WITHIN_NS
            while not job.complaints and self._now_ns < end_ns:
                yield
            raise

    def _go_on(self, now_ns: int) -> None:
        """Make a step of what begins."""
        steps = self._steps
        if steps is None:
            return
        try:
            next(steps)
        except StopIteration:
            self._steps, self._tries, self.why = None, 0, ""
            if self.job is not None:
                self.phase = "runs job"
                self.job.start(now_ns)
            else:
                self.phase, self._guided_ns = "guides", now_ns
                self._began_ns = now_ns
        except LinkError:
            raise
        except ControllerError as error:
            self._steps = None
            self._fail(error.said)

    def _fail(self, why: str) -> None:
        """What was to begin has not."""
        if self.job is not None:
            self.job.end(self.job.complaints or why)
            self._finish_job(self.job)
            self._begin_stop(why, "path", report_event=False)
            return
        if why != self.why:
            self._report_event("warning", self._arms[0].facts.name, why)
        self.why, self.phase = why, "none"
        self._due_ns = self._now_ns + AGAIN_NS[min(self._tries, len(AGAIN_NS) - 1)]
        self._tries += 1
        if self._links is not None:
            self._links.start.drop_server()

    # Watching

    def _poll_server(self, links: ControllerLinks, now_ns: int) -> None:
        server = links.start.server
        if server is None:
            return
        try:
            fresh = server.poll(now_ns, beats=self._stop is None and self.phase in BEATING)
            silent_ns = now_ns - server.stamp_ns
            if silent_ns > SILENT_NS:
                raise LinkError(say("link.silent", address=links.work.address, silent_s=silent_ns / 1e9))
        except LinkError as error:
            self._lose_server(links, error.said)
            return
        if fresh and server.newest is not None:
            self._receive(server.newest, now_ns)

    def _receive(self, reply: ServerReply, now_ns: int) -> None:
        self.bits, self.bits_ns, self.clock_s = (reply.inputs, reply.outputs), now_ns, reply.clock_s
        for place, arm in enumerate(self._arms):
            degrees = reply.values[SEVEN * place :][: arm.facts.dof]
            arm.see(np.radians(np.array(degrees)), now_ns)
        if self.job is not None:
            self.job.see(reply.flags)

    def _lose_server(self, links: ControllerLinks, why: str) -> None:
        """No beats go to the programs any more: they stop by themselves, and are stopped."""
        links.start.drop_server()
        if self._stop is not None:
            return
        if self.job is not None:
            if self.job.done:
                return
            self.job.end("link lost")
            self._finish_job(self.job)
            self._begin_stop("link lost", "path")
        elif self.phase == "guides":
            self._lose_guidance(why)

    def _watch_guidance(self, links: ControllerLinks, now_ns: int) -> None:
        panel = links.watch.panel
        if panel.execution == "stopped" and panel.execution_ns > self._began_ns:
            self._lose_guidance(say("link.program_stopped", why=panel.state))
        elif all(arm.guided(now_ns) for arm in self._arms):
            self._guided_ns = now_ns
        elif now_ns - self._guided_ns > UNGUIDED_NS:
            self._lose_guidance(say("link.no_guidance", arms=", ".join(arm.facts.name for arm in self._arms)))

    def _lose_guidance(self, why: str) -> None:
        self._cancel()
        self._lead_no_more(why)
        self._fail(why)

    def _watch_job(self, links: ControllerLinks, job: JobWatch, now_ns: int) -> None:
        links.watch.watched = tuple(job.modules) if job.started else ()
        stuck = job.overdue(now_ns)
        if job.started and not job.over:
            q: Mapping[str, np.ndarray] = {arm.facts.name: arm.q for arm in self._arms}
            stuck = job.poll(links.watch.panel, q, now_ns)
        if stuck:
            job.end(stuck)
        if job.over:
            self._finish_job(job)
            self._begin_stop(job.ended or "done", "path", report_event=bool(stuck))

    def _finish_job(self, job: JobWatch) -> None:
        self._end_job(job.ended)
        if job.done:
            self._report_event("job done", job.name, "")
        else:
            self._report_event("job failed", job.name, job.ended)

    def _end_job(self, why: str) -> None:
        job, self.job = self.job, None
        if job is not None:
            job.end(why)
            self._last = job.progress
        if self._links is not None:
            self._links.watch.watched = ()

    # Stopping

    def _begin_stop(self, reason: str, kind: StopKind, *, report_event: bool = True) -> None:
        """Stop what runs, and see it stopped; `report_event`: whether that is an event."""
        self._cancel()
        self._end_job(reason)
        self._stop, self.phase = TaskStop(reason, kind, self._now_ns, is_event=report_event), "stops"

    def _watch_stop(self, links: ControllerLinks, stop: TaskStop, now_ns: int) -> None:
        stop.push(links, now_ns)
        if not stop.see(links, now_ns, resting=all(arm.resting for arm in self._arms)):
            return
        self._stop, self.phase, self._due_ns, self._began_ns = None, "none", now_ns, 0
        links.start.drop_server()
        self._lead_no_more()
        if stop.is_event:
            self._report_event("stopped", self._arms[0].facts.name, f"{stop.reason} ({stop.how})")

    def _lead_no_more(self, why: str = "") -> None:
        for arm in self._arms:
            if arm.stream is not None:
                arm.end_stream(why or "stopped")
            arm.lead_no_more()

    def _cancel(self) -> None:
        """What has begun is not to continue; requests that are under way are answered, the others never sent."""
        steps, self._steps = self._steps, None
        if steps is not None:
            steps.close()
            if self._links is not None:
                self._links.work.forget()
