"""named_tcps: the TCPs that a program names beside that of the tool which its arm carries."""

from collections.abc import Mapping

from openpendant.programs.document import Call, GoTo, Program
from openpendant.scene import Scene

from .ports import active_steps
from .program_arm import find_program_arm

TcpPoint = tuple[float, float, float]


def named_tcps(scene: Scene, program: Program, programs: Mapping[str, Program]) -> dict[str, tuple[TcpPoint, ...]]:
    """Return points on the flange by robot/arm, metres: of tools that moves name, in the program or in what it calls.

    Check, gate and upload hold all of them to speed and spaces, whichever move is being made.

    Args:
        scene: With the arms.
        program: Without fault.
        programs: Others by name, for calls.

    Raises:
        InputError: The cell has no such arm or tool.
    """
    found: dict[str, dict[str, TcpPoint]] = {}
    waiting, seen = [program], {program.name}
    while waiting:
        one = waiting.pop()
        setting = find_program_arm(scene, one)
        for step in active_steps(one.steps):
            if isinstance(step, GoTo) and step.tool:
                x, y, z = (float(value) for value in setting.T_flange_tool(step.tool)[:3, 3])
                found.setdefault(setting.key, {})[step.tool] = (x, y, z)
            elif isinstance(step, Call) and step.program in programs and step.program not in seen:
                seen.add(step.program)
                waiting.append(programs[step.program])
    return {key: tuple(points.values()) for key, points in found.items()}
