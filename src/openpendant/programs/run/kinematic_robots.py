"""make_kinematic_robots: a kinematic robot for each robot of a cell."""

import numpy as np
from numpy.typing import ArrayLike

from openpendant.controllers import TICK_NS, Fingers, KinematicArm, KinematicRobot
from openpendant.errors import UnknownNameError
from openpendant.motion import joint_limits
from openpendant.programs.sequence import robot_signals, tool_wiring
from openpendant.scene import PlacedArm, Scene


def make_kinematic_robots(
    scene: Scene,
    *,
    start: dict[str, ArrayLike] | None = None,
    inputs: dict[str, bool] | None = None,
    tick_ns: int = TICK_NS,
) -> dict[str, KinematicRobot]:
    """Return a kinematic robot for each robot with arms, by name; each has its signals and those without a robot.

    Args:
        scene: Of the cell.
        start: Joints by robot/arm; arms that are not named start as the cell says.
        inputs: Values of inputs that differ from their initial ones.
        tick_ns: Of the plants' clocks.

    Raises:
        UnknownNameError: The cell has no such arm or input.
    """
    given = {scene.arm(key).key: np.array(q, dtype=np.float64) for key, q in (start or {}).items()}
    ins = {signal.name: signal.initial for signal in scene.cell.signals if signal.kind == "in"}
    for name in inputs or {}:
        if name not in ins:
            raise UnknownNameError("input in this cell", name, ins)
    ins |= inputs or {}
    plants: dict[str, KinematicRobot] = {}
    for robot in scene.cell.robots:
        arms = {arm.arm: _arm(arm, given) for arm in scene.arms.values() if arm.robot == robot.name}
        if arms:
            own = robot_signals(scene.cell, robot.name)
            inputs_of = {signal.name: ins[signal.name] for signal in own if signal.kind == "in"}
            outputs_of = {signal.name: signal.initial for signal in own if signal.kind == "out"}
            plants[robot.name] = KinematicRobot(arms, inputs_of, outputs_of, tick_ns)
    return plants


def _arm(placed: PlacedArm, given: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]) -> KinematicArm:
    limits = joint_limits(placed.model, placed.arm)
    stop = limits.stop
    q = placed.kinematics.check_q(given.get(placed.key, placed.q_start))
    fingers, wiring = None, tool_wiring(placed)
    if placed.fingers:
        fingers = Fingers(placed.travel_m, min(finger.velocity_m_s for finger in placed.fingers))
    return KinematicArm(q, limits.lower, limits.upper, limits.velocity, fingers, stop.deceleration, stop.jerk, wiring)
