"""The kit passes what is right, finds what is wrong, and every controller of ours passes it."""

import os
import signal

import numpy as np
import pytest

from openpendant.controllers import Plant, PlantArm, SampledPath, VendorText
from openpendant.controllers.ur import UrDriver
from openpendant.errors import LinkError
from openpendant.testing import check_controller
from openpendant.virtual.launch import VirtualHandle, start_virtual

ADDRESS = "127.0.12.21"
ARM = PlantArm(np.zeros(3), np.full(3, -2.0), np.full(3, 2.0), np.full(3, 2.0))
PROGRAM = VendorText("urscript", "small", 'def small():\n  sleep(0.2)\n  textmsg("done")\nend\n')


def plant() -> Plant:
    return Plant({"arm": ARM}, {}, {"lamp": False})


class Freezer:
    """Stops the process of a virtual controller, and lets it go on."""

    def __init__(self, robot: VirtualHandle) -> None:
        self._pid = robot.process.pid

    def cut(self) -> None:
        os.kill(self._pid, signal.SIGSTOP)

    def mend(self) -> None:
        os.kill(self._pid, signal.SIGCONT)


def test_the_plant_passes():
    report = check_controller(plant)
    assert report.ok, str(report)
    assert len(report.checks) == 11
    assert "Plant: 9 of 9 checks good" in str(report)


def test_the_driver_of_universal_robots_passes():
    with start_virtual("ur3e", bind=ADDRESS, start_q=[0.0, -1.5, 1.0, -1.5, -1.5, 0.0]) as robot:
        outputs = {"lamp": "standard_out_0"}
        report = check_controller(lambda: UrDriver(ADDRESS, outputs=outputs), program=PROGRAM, breaker=Freezer(robot))
    assert report.ok, str(report)
    assert not any(check.left_out for check in report.checks)


class StopsLate(Plant):
    def stop(self, kind="path"):
        pass


class TakesAnything(Plant):
    def servo(self, arm, q):
        return np.asarray(q) if not np.isfinite(q).all() else super().servo(arm, q)


class SaysNothing(Plant):
    def events(self):
        return tuple(event for event in super().events() if event.kind != "job done")


class Unreachable(Plant):
    def connect(self):
        raise LinkError("nobody answers")


class ForgetsTheEnd(Plant):
    def run(self, job):
        super().run(SampledPath(job.arm, job.Q[: len(job.Q) // 2]) if isinstance(job, SampledPath) else job)


@pytest.mark.parametrize(
    ("kind", "check", "says"),
    [
        (StopsLate, "stops under control", "'stopped' did not come"),
        (TakesAnything, "refuses misuse and does not move", "no number was taken"),
        (SaysNothing, "runs a sampled path", "'job done' did not come"),
        (Unreachable, "connects", "nobody answers"),
        (ForgetsTheEnd, "runs a sampled path", "did not come within"),
    ],
)
def test_faults_are_found(kind: type[Plant], check: str, says: str):
    report = check_controller(lambda: kind({"arm": ARM}, {}, {"lamp": False}), patience_s=3.0)
    assert not report.ok
    found = {fault.name: fault.words for fault in report.faults}
    assert says in found[check], str(report)
