"""CSV: the timed path that was checked."""

import csv
import io

import numpy as np
import pytest
from small_cells import BENCH, HOME_Q, PICK

from openpendant.motion import joint_limits
from openpendant.programs import (
    check_program,
)
from openpendant.programs.export import export_csv
from openpendant.robots import load
from openpendant.scene import transform_of


def test_the_csv_is_the_timed_path_that_was_checked():
    (file,) = export_csv(BENCH, PICK, dt_s=0.002)
    rows = list(csv.DictReader(io.StringIO(file.text)))
    report = check_program(BENCH, PICK, collisions=False)
    assert float(rows[-1]["t_s"]) == pytest.approx(report.duration_s, abs=1e-4)
    Q = np.array([[float(row[f"q{axis}"]) for axis in range(1, 7)] for row in rows])
    t = np.array([float(row["t_s"]) for row in rows])
    limits = joint_limits(load("irb120"))
    steps = np.diff(t) > 1e-5
    speeds = np.abs(np.diff(Q, axis=0))[steps] / np.diff(t)[steps, None]
    assert (speeds <= limits.velocity * 1.001).all()
    assert Q[-1] == pytest.approx(HOME_Q, abs=1e-6)
    arm = load("irb120").arm()
    T = transform_of(BENCH.robots[0].pose) @ arm.fk(Q[40], frame="tcp")
    assert [float(rows[40][name]) for name in ("x_m", "y_m", "z_m")] == pytest.approx(T[:3, 3], abs=1e-6)
