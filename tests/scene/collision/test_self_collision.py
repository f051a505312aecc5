"""Pairs of links are sampled once for what they depend on: shapes, limits and code."""

from pathlib import Path

import pytest

from openpendant.robots import import_urdf
from openpendant.scene import Cell, CellRobot, Scene, link_pairs
from openpendant.scene.collision import self_collision
from openpendant.user_folders import user_robots_folder

URDF = """<robot name="folding">
  <link name="foot"><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual></link>
  <link name="arm"><visual><origin xyz="0 0 0.2"/><geometry><box size="0.04 0.04 0.2"/></geometry></visual></link>
  <link name="hand"><visual><origin xyz="0 0 0.15"/><geometry><box size="0.04 0.04 0.2"/></geometry></visual></link>
  <joint name="turn" type="revolute">
    <parent link="foot"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/>
  </joint>
  <joint name="fold" type="revolute">
    <parent link="arm"/><child link="hand"/><axis xyz="0 1 0"/><origin xyz="0 0 0.3"/>
    <limit lower="-0.5" upper="0.5" velocity="1" effort="1"/>
  </joint>
</robot>
"""


@pytest.fixture
def sampled(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where pairs are kept, with an arm in the catalogue that can fold onto its foot."""
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(self_collision, "_known", {})
    (tmp_path / "folding.urdf").write_text(URDF)
    import_urdf(tmp_path / "folding.urdf")
    return own_cache / "link-pairs"


def foot_and_hand() -> str:
    scene = Scene(Cell(name="c", robots=(CellRobot(name="r", model="folding"),)))
    pairs = {frozenset((pair.a, pair.b)): pair.why for pair in link_pairs(scene, "r")}
    return pairs[frozenset(("r/foot", "r/hand"))]


def test_an_edited_limit_is_sampled_again(sampled: Path) -> None:
    facts = user_robots_folder() / "folding" / "facts.toml"
    text = facts.read_text()
    assert foot_and_hand() == "never"
    assert foot_and_hand() == "never"
    assert len(list(sampled.iterdir())) == 1
    # 0.5 rad in degrees, at both ends.
    assert text.count("28.6") == 2
    facts.write_text(text.replace("28.6", "179.6"))
    assert foot_and_hand() == "sometimes"
    assert len(list(sampled.iterdir())) == 2


def test_other_code_samples_again(sampled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foot_and_hand()
    monkeypatch.setattr(self_collision, "_code", lambda: "another way to sample")
    foot_and_hand()
    assert len(list(sampled.iterdir())) == 2
