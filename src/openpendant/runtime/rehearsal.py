"""Rehearsal: let a loop move a kinematic robot once, so that all kernels are compiled before a real one ticks."""

import numpy as np

from openpendant.controllers import KinematicRobot
from openpendant.messages import JointIntent, TwistIntent, bus
from openpendant.motion import MoveJoint, Trajectory, plan

from .bus_codec import encode_trajectory
from .loop import RobotLoop

HOLDER = "rehearsal"
WAY_RAD = 0.05
TICKS = 150


def rehearse(loop: RobotLoop, plant: KinematicRobot) -> None:
    """Make a small path with a pause and a stop, a velocity law, and jogs, tick by tick in virtual time.

    Args:
        loop: Of a kinematic robot, like the one that will be used.
        plant: Its controller.
    """
    plant.connect()
    now = tick_ns = plant.capabilities.tick_ns

    def ticks(count: int) -> None:
        nonlocal now
        for _ in range(count):
            now += tick_ns
            loop.renew(bus.LeaseRenewal(holder=HOLDER, stamp_ns=now))
            loop.tick(now)
        loop.report(now)

    ticks(2)
    loop.command(bus.LeaseRequest(holder=HOLDER, name=HOLDER, hold_s=1.0), now)
    for name, drive in loop.drives.items():
        parts = drive.parts
        middle = np.clip(0.0, parts.limits.lower, parts.limits.upper)
        way = np.where(drive.q_rest < middle, WAY_RAD, -WAY_RAD)
        found = plan(parts.kinematics, parts.limits, drive.q_rest, [MoveJoint(drive.q_rest + way)])
        if isinstance(found, Trajectory):
            message = encode_trajectory(found)
            loop.command(bus.Follow(holder=HOLDER, job="path", arm=name, trajectory=message, stops=loop.stops), now)
            ticks(3)
            loop.command(bus.PauseMotion(holder=HOLDER), now)
            ticks(TICKS)
            loop.command(bus.ResumeMotion(holder=HOLDER, stops=loop.stops), now)
            ticks(10)
            loop.command(bus.Halt(who=HOLDER), now)
            ticks(TICKS)
        loop.command(
            bus.Approach(
                holder=HOLDER,
                job="approach",
                arm=name,
                q=tuple(drive.q_rest.tolist()),
                gain=1.0,
                exponent=0.6,
                tolerance_rad=0.01,
                stops=loop.stops,
            ),
            now,
        )
        ticks(5)
        loop.command(bus.Halt(who=HOLDER), now)
        ticks(TICKS)
        for frame in ("joints", "base", "tool"):
            loop.command(bus.EngageArm(holder=HOLDER, job="servo", arm=name, stops=loop.stops), now)
            if frame == "joints":
                speeds = tuple((2.0 * way).tolist())
                loop.intend(JointIntent(source=HOLDER, stamp_ns=now, arm=name, velocity=speeds), now)
            else:
                up = (0.0, 0.0, 0.01)
                loop.intend(TwistIntent(source=HOLDER, stamp_ns=now, arm=name, linear=up, frame=frame), now)
            ticks(3)
            loop.command(bus.Halt(who=HOLDER), now)
            ticks(TICKS)
    loop.gate.load_kernels()
