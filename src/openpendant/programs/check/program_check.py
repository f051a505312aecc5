"""check_program: one call, one answer: does it run, how long, how near, and if not, why not."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.programs.document import Call, Program, encode_program, find_call_fault, find_program_fault, find_step
from openpendant.programs.sequence import Resumption, place_fits
from openpendant.said import say
from openpendant.scene import Cell, CollisionWorld, Scene, encode_cell

from .explorer import Explorer, Options
from .report import Report

Array = NDArray[np.float64]


def check_program(
    cell: Cell,
    program: Program,
    *,
    programs: Mapping[str, Program] | None = None,
    folder: Path | str | None = None,
    start: Mapping[str, ArrayLike] | None = None,
    inputs: Mapping[str, bool] | None = None,
    collisions: bool = True,
    alternatives: bool = True,
    world: CollisionWorld | None = None,
    start_at: str | Resumption | None = None,
    scene: Scene | None = None,
    loop: bool = False,
    progress: Callable[[], None] | None = None,
) -> Report:
    """Return what would happen if a program ran: every step, its time, what it comes near to, and why one fails.

    Pure: the same arguments give the same report, and both cross between processes.

    Args:
        cell: Without fault.
        program: Of the cell.
        programs: Others by name, for calls.
        folder: The cell's folder, where mesh files are looked for.
        start: Joints (n,) by robot/arm, radians (metres where a joint slides); others start as the cell says.
        inputs: Values of inputs that times and lengths are computed with, by signal; None: their initial values.
            Whatever they are, both answers of every condition are checked.
        collisions: Whether collisions and clearances are checked.
        alternatives: Whether other motions are looked for where a step fails.
        world: Of the same cell, made before; saves laying it out again.
        start_at: The id of the step to begin with, as `Runner.start` does; steps before it are not reached, or only
            from the second round on. Or where a run was interrupted: then with the way back there.
        scene: Of the same cell: parts and fingers at the start; None: as the cell says. Not used with `world`.
        loop: Whether it begins again when it ends, as a `Runner` does: then every round is checked, also the way back
            to the first step.
        progress: Called at every step that is checked; None: not reported.

    Raises:
        UnknownNameError: No step has the id `start_at`, or the cell no arm that `start` names.
        InputError: The program has a fault, it was edited where it is to continue, or the start is beyond a limit;
            names place and value.
    """
    known = {**(programs or {}), program.name: program}
    fault = find_program_fault(program, cell, known) or find_call_fault(program, known)
    if fault is not None:
        raise InputError(say("check.fault", program=program.name, pointer=fault.pointer, why=fault.message))
    if isinstance(start_at, Resumption):
        if not place_fits(start_at.place, known):
            raise InputError(say("run.place_gone", program=program.name))
    elif start_at is not None:
        find_step(program, start_at)
    if world is not None:
        scene = world.scene
    elif scene is None:
        scene = Scene(cell, None if folder is None else Path(folder))
    q_start = {key: np.array(arm.q_start) for key, arm in scene.arms.items()}
    for key, q in (start or {}).items():
        placed = scene.arm(key)
        q_start[placed.key] = placed.kinematics.check_q(q)
    options = Options(dict(inputs or {}), alternatives, start_at, loop, progress)
    if collisions and world is None:
        world = CollisionWorld(scene)
    explorer = Explorer(scene, program, known, q_start, world if collisions else None, options)
    return explorer.report(fingerprint_of(cell, known, q_start, start_at=start_at, scene=scene, loop=loop))


def check_sequence(
    cell: Cell,
    sequence: Sequence[str],
    programs: Mapping[str, Program],
    *,
    folder: Path | str | None = None,
    start: Mapping[str, ArrayLike] | None = None,
    inputs: Mapping[str, bool] | None = None,
    world: CollisionWorld | None = None,
) -> Report:
    """Return what would happen if programs ran one after another, each on its own arm: the cycle time of a cell.

    Args:
        cell: Without fault.
        sequence: Names of programs, in order; one may come again.
        programs: By name.
        folder: As for `check_program`.
        start: As for `check_program`.
        inputs: As for `check_program`.
        world: As for `check_program`.

    Raises:
        InputError: An empty sequence, an unknown name, or a program with a fault.
    """
    if not sequence:
        raise InputError("a sequence needs at least one program")
    if sequence[0] not in programs:
        raise InputError(f"no program named {sequence[0]!r}; known: {', '.join(sorted(programs)) or 'none'}")
    steps = tuple(Call(id=f"call{number}", program=name) for number, name in enumerate(sequence, 1))
    whole = Program(name="sequence", robot=programs[sequence[0]].robot, steps=steps)
    return check_program(cell, whole, programs=programs, folder=folder, start=start, inputs=inputs, world=world)


def fingerprint_of(
    cell: Cell,
    programs: Mapping[str, Program],
    q_start: Mapping[str, Array],
    *,
    start_at: str | Resumption | None = None,
    scene: Scene | None = None,
    loop: bool = False,
) -> str:
    """Return a fingerprint of the cell, programs and start of a report.

    Args:
        cell: As checked.
        programs: By name.
        q_start: Joints by robot/arm.
        start_at: Where it begins.
        scene: Where parts and fingers are then; default: as the cell says.
        loop: Whether it begins again when it ends.
    """
    whole = hashlib.sha256(encode_cell(cell))
    for name in sorted(programs):
        whole.update(encode_program(programs[name]))
    whole.update(msgspec.json.encode({key: q.tolist() for key, q in q_start.items()}, order="deterministic"))
    if start_at is not None:
        whole.update(f"at {start_at}".encode())
    if loop:
        whole.update(b"round after round")
    if scene is not None:
        whole.update(_moved(scene))
    return whole.hexdigest()[:32]


def _moved(scene: Scene) -> bytes:
    """Return what differs from the cell in a scene, as bytes; nothing: none."""
    if not (scene.poses or scene.carried or scene.openings):
        return b""
    poses = {name: T.tolist() for name, T in scene.poses.items()}
    carried = {name: (held.arm, held.T_flange_part.tolist()) for name, held in scene.carried.items()}
    return msgspec.json.encode((poses, carried, dict(scene.openings)), order="deterministic")
