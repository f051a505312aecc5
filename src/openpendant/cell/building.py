"""From a cell document to the parts of one robot's loop: controller, gate, servo."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import Controller
from openpendant.errors import InputError, UnknownNameError
from openpendant.gate import REDUCED_SETPOINTS_M_S, Gate, facts_in_cell
from openpendant.motion import joint_limits
from openpendant.programs import make_plants, robot_signals, tool_wiring
from openpendant.robots import is_built_in
from openpendant.scene import CellRobot, CollisionWorld, PlacedArm, Scene, decode_cell
from openpendant.teleop import Servo, ServoSettings

from .drive import ArmParts
from .loop import RobotLoop
from .nearby import Nearby
from .rehearsal import rehearse
from .settings import RobotSettings

__all__ = ["BuiltRobot", "build_robot", "has_virtual"]

Array = NDArray[np.float64]

UR_MODELS = ("ur3e", "ur5e")
"""Models of the catalogue with a driver and a virtual controller of their own."""


SERVO_SHARE = 0.9
"""Of reduced speed, a servo asks for so much."""


def has_virtual(robot: CellRobot) -> bool:
    """Return whether a robot of a cell has a driver and a virtual controller; the others are kinematic robots.

    An imported robot never has, whatever its name: its dimensions and limits are not those of the maker's arm.
    """
    return robot.model in UR_MODELS and is_built_in(robot.model)


@dataclass(frozen=True, eq=False)
class BuiltRobot:
    """A robot that is ready to tick."""

    loop: RobotLoop
    nearby: Nearby


def build_robot(settings: RobotSettings, *, rehearsed: bool = True) -> BuiltRobot:
    """Build one robot of a cell.

    Args:
        settings: Which, and where it is.
        rehearsed: Whether everything is compiled before it ticks, so that no tick is late for that.

    Raises:
        UnknownNameError: The cell has no such robot.
        InputError: It has no arms, or no driver speaks to its address.
    """
    cell = decode_cell(settings.document.encode())
    scene = Scene(cell, None if settings.folder is None else Path(settings.folder))
    robot = next((one for one in cell.robots if one.name == settings.robot), None)
    if robot is None:
        raise UnknownNameError("robot in this cell", settings.robot, (one.name for one in cell.robots))
    arms = {arm.arm: arm for arm in scene.arms.values() if arm.robot == robot.name}
    if not arms:
        raise InputError(f"{robot.name} has no arms; there is nothing to run")
    controller = _controller(settings, robot, scene, arms)
    world = CollisionWorld(scene)
    nearby = Nearby(world, robot.name)
    fastest = math.inf if settings.tool_speed_m_s is None else settings.tool_speed_m_s
    tick_ns = controller.capabilities.tick_ns
    facts = {name: facts_in_cell(world, arm.key, tool_speed_m_s=fastest) for name, arm in arms.items()}
    gate = Gate(facts, tick_ns, surroundings=nearby.around if settings.collisions else None)
    gate.reduced = settings.reduced
    parts = [_parts(arm, gate, tick_ns, nearby if settings.collisions else None) for arm in arms.values()]
    if rehearsed:
        world.rehearse()
        plant = make_plants(scene, tick_ns=tick_ns)[robot.name]
        rehearse(RobotLoop(robot.name, plant, Gate(facts, tick_ns, surroundings=nearby.around), parts), plant)
    loop = RobotLoop(
        robot.name, controller, gate, parts, nearby.arrange, dead_man=settings.dead_man, stops=settings.stops
    )
    return BuiltRobot(loop, nearby)


def _parts(arm: PlacedArm, gate: Gate, tick_ns: int, nearby: Nearby | None) -> ArmParts:
    limits = joint_limits(arm.model, arm.arm)

    def servo() -> Servo:
        # What asks for more than the gate lets pass runs ahead of the arm, and has to begin again and again.
        fastest = SERVO_SHARE * REDUCED_SETPOINTS_M_S if gate.reduced else ServoSettings().tool_speed
        return Servo(
            arm.kinematics,
            limits,
            tick_ns * 1e-9,
            T_flange_tool=arm.T_flange_tcp,
            T_world_base=arm.T_world_base,
            settings=ServoSettings(tool_speed=fastest),
        )

    obstacles = None if nearby is None else nearby.obstacles(arm.arm)
    return ArmParts(arm.arm, arm.kinematics, limits, servo, obstacles, arm.T_flange_tcp[:3, 3])


def _controller(settings: RobotSettings, robot: CellRobot, scene: Scene, arms: Mapping[str, PlacedArm]) -> Controller:
    if settings.address is None:
        start = {arms[name].key: q for name, q in settings.start.items() if name in arms}
        return make_plants(scene, start=dict(start))[robot.name]
    if has_virtual(robot):
        from openpendant.controllers.ur import UrDriver

        own = robot_signals(scene.cell, robot.name, wired=True)
        ins, outs = ({one.name: one.port for one in own if one.kind == kind} for kind in ("in", "out"))
        arm = next(iter(arms.values()))
        return UrDriver(
            settings.address,
            arm=arm.arm,
            inputs=ins,
            outputs=outs,
            tool=tool_wiring(arm),
            stop_deceleration=joint_limits(arm.model, arm.arm).stop.deceleration,
        )
    raise InputError(f"no driver speaks to a {robot.model} at {settings.address}; known: {', '.join(UR_MODELS)}")
