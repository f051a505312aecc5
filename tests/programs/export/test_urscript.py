"""URScript: closed blocks, poses in the base of the controller, blends that never overlap."""

import re

import numpy as np
import pytest
from exported import GOLDEN

from openpendant.programs import (
    read_programs,
)
from openpendant.programs.export import export_urscript
from openpendant.robots import load
from openpendant.scene import load_demo
from openpendant.scene.demo_cells import FOLDER as DEMOS
from openpendant.spatial import transform_from_ur

NUMBER = r"-?\d+(?:\.\d+)?(?:E\+\d+)?"


@pytest.mark.parametrize("name", sorted(str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*.script")))
def test_urscript_blocks_are_closed(name: str):
    depth = 0
    for line in (GOLDEN / name).read_text().splitlines():
        words = line.strip()
        if re.match(r"(def|while|if) .*:$", words) or re.match(r"def \w+\(\):$", words):
            depth += 1
        elif words == "end":
            depth -= 1
        assert depth >= 0
    assert depth == 0


def test_urscript_poses_are_in_the_controllers_base_and_blends_never_overlap():
    cell = load_demo("bench").cell
    programs = read_programs(DEMOS / "bench", cell)
    (text,) = export_urscript(cell, programs["fill_bin"])
    poses = {
        name: transform_from_ur([float(value) for value in re.findall(NUMBER, numbers)])
        for name, numbers in re.findall(r"(\w+) = p\[([^\]]*)\]", text.text)
    }
    arm = load("ur3e").arm()
    joints = dict(re.findall(r"(\w+)_q = \[([^\]]*)\]", text.text))
    tcp = transform_from_ur([0, 0, 0.1, 0, 0, 0])
    q = np.array([float(value) for value in re.findall(NUMBER, joints["start"])])
    assert arm.fk(q, base="base") @ tcp == pytest.approx(poses["bench"] @ poses["start"], abs=1e-5)
    places: list[np.ndarray] = []
    radii: list[float] = []
    targets = dict(re.findall(r"(q_target\w*) = (.*)", text.text))
    for line in re.findall(r"move[jl]\(.*\)", text.text):
        line = re.sub(r"^movej\((q_target\w*)", lambda found: f"movej({targets[found[1]]}", line)
        name = next(one for one in poses if re.search(rf"\b{one}\)", line) and one != "bench")
        moved = re.search(r"pose_trans\(p\[([^\]]*)\]", line)
        T = poses[name]
        if moved is not None:
            T = transform_from_ur([float(value) for value in re.findall(NUMBER, moved[1])]) @ T
        places.append(T[:3, 3])
        radius = re.search(r"r=([\d.]+)", line)
        radii.append(float(radius[1]) if radius else 0.0)
    ways = np.linalg.norm(np.diff(np.array(places), axis=0), axis=1)
    assert len(ways) > 10
    assert max(radii) > 0.01
    for way, before, after in zip(ways, radii[:-1], radii[1:], strict=True):
        assert before + after < way + 1e-9
