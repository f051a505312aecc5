"""compile_kernels: load or compile every kernel before a tick could have to wait for it."""

from collections.abc import Iterable

from openpendant.virtual.arm import compile_arm_kernels

from .unit import NO_AXIS, TOOL0, WOBJ0, MechanicalUnit

_warm: set[str] = set()


def compile_kernels(units: Iterable[MechanicalUnit]) -> None:
    """Move an arm of no consequence for each kind of solver, once in a process; nothing of the units changes.

    Takes a quarter of a second from numba's cache, and half a minute the first time on a machine.
    """
    for unit in units:
        arm = unit.arm.model.arm
        if arm.solver.title in _warm:
            continue
        _warm.add(arm.solver.title)
        q = unit.arm.plant.q
        compile_arm_kernels(unit.arm.model, q, rise_s=unit.arm.rise_s)
        place, turn, configuration, external = unit.robtarget(TOOL0, WOBJ0)
        free = (place, turn, configuration, (NO_AXIS, *external[1:]))
        unit.solve(free, TOOL0, WOBJ0, configuration=False, near=q)
