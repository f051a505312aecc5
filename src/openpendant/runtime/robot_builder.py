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
from openpendant.makers import DriverArm, DriverSetup, find_maker
from openpendant.motion import joint_limits
from openpendant.programs import make_kinematic_robots, robot_signals, tool_wiring
from openpendant.robots import load
from openpendant.said import say
from openpendant.scene import CellRobot, CollisionWorld, PlacedArm, Scene, decode_cell
from openpendant.servo import Servo, ServoSettings

from .arm_executor import ArmParts
from .loop import RobotLoop
from .rehearsal import rehearse
from .settings import RobotSettings
from .surroundings import RobotSurroundings

Array = NDArray[np.float64]

SERVO_SHARE = 0.9
"""Of reduced speed, a servo asks for so much."""


@dataclass(frozen=True, eq=False)
class BuiltRobot:
    """A robot that is ready to tick."""

    loop: RobotLoop
    nearby: RobotSurroundings


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
        raise InputError(say("robot.no_arms", robot=robot.name))
    controller = _controller(settings, robot, scene, arms)
    world = CollisionWorld(scene)
    nearby = RobotSurroundings(world, robot.name)
    fastest = math.inf if settings.tool_speed_m_s is None else settings.tool_speed_m_s
    tick_ns = controller.capabilities.tick_ns
    facts = {name: facts_in_cell(world, arm.key, tool_speed_m_s=fastest) for name, arm in arms.items()}
    gate = Gate(facts, tick_ns, surroundings=nearby.around if settings.collisions else None)
    gate.reduced = settings.reduced
    parts = [_parts(arm, gate, tick_ns, nearby if settings.collisions else None) for arm in arms.values()]
    if rehearsed:
        world.load_kernels()
        plant = make_kinematic_robots(scene, tick_ns=tick_ns)[robot.name]
        rehearse(RobotLoop(robot.name, plant, Gate(facts, tick_ns, surroundings=nearby.around), parts), plant)
    loop = RobotLoop(
        robot.name, controller, gate, parts, nearby.arrange, dead_man=settings.dead_man, stops=settings.stops
    )
    return BuiltRobot(loop, nearby)


def _parts(arm: PlacedArm, gate: Gate, tick_ns: int, nearby: RobotSurroundings | None) -> ArmParts:
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
        return make_kinematic_robots(scene, start=dict(start))[robot.name]
    model = load(robot.model)
    maker = find_maker(model)
    if maker is None:
        raise InputError(say("connect.no_driver_at", robot=robot.name, address=settings.address, model=robot.model))
    own = robot_signals(scene.cell, robot.name, wired=True)
    ins, outs = ({one.name: one.port for one in own if one.kind == kind} for kind in ("in", "out"))
    driven = tuple(DriverArm(arm.arm, joint_limits(arm.model, arm.arm), tool_wiring(arm)) for arm in arms.values())
    return maker.make_driver(DriverSetup(maker.parse_address(settings.address), model, driven, ins, outs))
