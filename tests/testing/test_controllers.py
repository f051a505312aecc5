"""The kit passes what is right, finds what is wrong, and every controller of ours passes it."""

import os
import signal

import numpy as np
import pytest

from openpendant.controllers import KinematicArm, KinematicRobot, SampledPath, VendorText
from openpendant.controllers.ur import UrDriver
from openpendant.errors import InputError, LinkError
from openpendant.testing import NullModem, VirtualTime, check_controller
from openpendant.virtual.faults import Fault
from openpendant.virtual.host import VirtualHost
from openpendant.virtual.launch import VirtualHandle, start_virtual
from openpendant.virtual.ur import UrController, UrOptions, ur_model
from openpendant.virtual.ur.host import UrHost

ADDRESS = "127.0.12.21"
ARM = KinematicArm(np.zeros(3), np.full(3, -2.0), np.full(3, 2.0), np.full(3, 2.0))
PROGRAM = VendorText("urscript", "small", 'def small():\n  sleep(0.2)\n  textmsg("done")\nend\n')


def plant() -> KinematicRobot:
    return KinematicRobot({"arm": ARM}, {}, {"lamp": False})


class Freezer:
    """Stops the process of a virtual controller, and lets it go on."""

    def __init__(self, robot: VirtualHandle) -> None:
        self._pid = robot.process.pid

    def cut(self) -> None:
        os.kill(self._pid, signal.SIGSTOP)

    def mend(self) -> None:
        os.kill(self._pid, signal.SIGCONT)


def test_the_plant_passes():
    report = check_controller(plant, clock=VirtualTime())
    assert report.ok, str(report)
    assert len(report.checks) == 12
    assert "KinematicRobot: 10 of 10 checks good" in str(report)


class Cable:
    """Cuts and mends what lies between a driver and a controller in this process."""

    def __init__(self, host: UrHost) -> None:
        self._host = host

    def cut(self) -> None:
        self._host.cause(Fault("silence", seconds=60.0))

    def mend(self) -> None:
        self._host.cause(Fault("clear"))


@pytest.mark.virtual_time
def test_the_links_of_the_driver_of_universal_robots_pass_in_virtual_time():
    options = UrOptions(power=True)
    make = lambda sockets: UrController(ur_model("ur3e"), options=options, sockets=sockets)  # noqa: E731
    host = UrHost("robot", make, in_process=True)
    clock = VirtualTime()
    driver = UrDriver("robot", outputs={"lamp": "standard_out_0"}, control=(), dialler=NullModem(host, clock))
    report = check_controller(lambda: driver, program=PROGRAM, breaker=Cable(host), clock=clock)
    host.close()
    assert report.ok, str(report)
    left_out = {check.name for check in report.checks if check.left_out}
    assert left_out == {"follows setpoints", "runs a sampled path", "stops under control", "stops at once"}


def test_a_null_modem_needs_a_controller_in_this_process():
    with pytest.raises(InputError, match="in_process=True"):
        NullModem(Sockets("127.0.12.22", tick_ns=2_000_000), VirtualTime())


class Sockets(VirtualHost):
    work = lose_power = boot = lambda self: None


@pytest.mark.live
def test_the_driver_of_universal_robots_passes():
    with start_virtual("ur3e", bind=ADDRESS, start_q=[0.0, -1.5, 1.0, -1.5, -1.5, 0.0]) as robot:
        outputs = {"lamp": "standard_out_0"}
        report = check_controller(lambda: UrDriver(ADDRESS, outputs=outputs), program=PROGRAM, breaker=Freezer(robot))
    assert report.ok, str(report)
    assert not any(check.left_out for check in report.checks)


class StopsLate(KinematicRobot):
    def stop(self, kind="path"):
        pass


class TakesAnything(KinematicRobot):
    def servo(self, arm, q):
        return np.asarray(q) if not np.isfinite(q).all() else super().servo(arm, q)


class SaysNothing(KinematicRobot):
    def events(self):
        return tuple(event for event in super().events() if event.kind != "job done")


class Unreachable(KinematicRobot):
    def connect(self):
        raise LinkError("nobody answers")


class ForgetsTheEnd(KinematicRobot):
    def run(self, job):
        super().run(SampledPath(job.arm, job.Q[: len(job.Q) // 2]) if isinstance(job, SampledPath) else job)


@pytest.mark.parametrize(
    ("kind", "check", "says"),
    [
        (StopsLate, "stops under control", "'stopped' did not come"),
        (TakesAnything, "refuses misuse and does not move", "no number was accepted"),
        (SaysNothing, "runs a sampled path", "'job done' did not come"),
        (Unreachable, "connects", "nobody answers"),
        (ForgetsTheEnd, "runs a sampled path", "did not come within"),
    ],
)
def test_faults_are_found(kind: type[KinematicRobot], check: str, says: str):
    report = check_controller(lambda: kind({"arm": ARM}, {}, {"lamp": False}), patience_s=3.0, clock=VirtualTime())
    assert not report.ok
    found = {fault.name: fault.words for fault in report.faults}
    assert says in found[check], str(report)
