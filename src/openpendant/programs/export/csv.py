"""CSV: the timed joint path, for spreadsheets and plots."""

import csv
import io
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from openpendant.controllers import VendorText
from openpendant.errors import InputError
from openpendant.programs.check import trace_program
from openpendant.programs.document import Program
from openpendant.scene import Cell
from openpendant.spatial import quaternion_from_matrix

DT_S = 0.01


def export_csv(
    cell: Cell,
    program: Program,
    *,
    programs: Mapping[str, Program] | None = None,
    folder: Path | str | None = None,
    start: Mapping[str, ArrayLike] | None = None,
    dt_s: float = DT_S,
) -> tuple[VendorText, ...]:
    """Return the timed joint path: one row for each sample of the arm that moves, from rest to rest.

    Columns: `t_s`, `arm` (robot/arm), `step` (id), joints `q1` … (radians; metres where one slides), and the TCP in the
    world `x_m y_m z_m qw qx qy qz`. Between two moves the arm rests; those times are left out.

    Args:
        cell: Without fault.
        program: Of the cell.
        programs: Others by name, for calls.
        folder: The cell's folder.
        start: Joints by robot/arm; arms that are not named start as the cell says.
        dt_s: Between two samples; the ends of each chain of moves are always there.

    Raises:
        InputError: A move cannot be executed, or dt is not positive.
    """
    if not dt_s > 0.0:
        raise InputError(f"dt_s is {dt_s}; it must be a positive number of seconds")
    visits = trace_program(cell, program, programs=programs, folder=folder, start=start)
    dof = max((stretch.trajectory.dof for stretch in visits.stretches), default=6)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    joints = [f"q{number}" for number in range(1, dof + 1)]
    writer.writerow(["t_s", "arm", "step", *joints, "x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"])
    for stretch in visits.stretches:
        setting, trajectory = stretch.chain.setting, stretch.trajectory
        samples = trajectory.sample(dt_s)
        T = setting.placed.T_world_base @ setting.placed.kinematics.fk(samples.q, check_limits=False)
        T = T @ setting.T_flange_tool(stretch.chain.tool)
        for t, q, pose in zip(samples.t, samples.q, T, strict=True):
            step = stretch.chain.legs[trajectory.move_at(float(t))].leaf.step.id
            row = [_fixed(stretch.start_s + float(t), 6), setting.key, step]
            row += [_fixed(float(value), 9) for value in q] + [""] * (dof - len(q))
            row += [_fixed(float(value), 7) for value in pose[:3, 3]]
            row += [_fixed(float(value), 8) for value in quaternion_from_matrix(np.asarray(pose[:3, :3]))]
            writer.writerow(row)
    return (VendorText("csv", f"{program.name}.csv", out.getvalue()),)


def _fixed(value: float, digits: int) -> str:
    return re.sub(r"^-(0\.0+)$", r"\1", f"{value:.{digits}f}")
