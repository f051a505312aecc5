"""Facts that do not hang together are told with their place."""

from pathlib import Path

import pytest

from openpendant.errors import RobotFileError
from openpendant.robots import load
from openpendant.robots.facts_file import encode_facts, read_facts

SOUND = encode_facts(load("irb120").facts)


def fault(tmp_path: Path, text: str, folder: str = "irb120") -> str:
    path = tmp_path / folder / "facts.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RobotFileError) as caught:
        read_facts(path)
    assert caught.value.path == path
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    return message


def test_the_sound_one_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "irb120" / "facts.toml"
    path.parent.mkdir()
    path.write_text(SOUND, encoding="utf-8")
    assert read_facts(path) == load("irb120").facts


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "irb120"', 'name = "../irb120"', "name '../irb120' must be"),
        ("format = 1", "format = 2", "$.format"),
        ("format = 1", "format = 1\ncolour = 3", "colour"),
        ('root = "base_link"', 'root = "floor"', "root 'floor' is not a link"),
        ('parent = "link_3"', 'parent = "link_9"', "joint 'joint_4': parent 'link_9' is not a link"),
        ('child = "link_3"', 'child = "link_2"', "link 'link_2' already hangs on joint 'joint_2'"),
        ('parent = "base_link"\nchild = "link_1"', 'parent = "link_6"\nchild = "link_1"', "form a loop"),
        ('name = "joint_2"', 'name = "joint_1"', "joint 'joint_1': a joint has the same name"),
        ('name = "flange"', 'name = "link_2"', "frame 'link_2': a link has the same name"),
        ('name = "link_4"', 'name = "link/4"', "link 'link/4': use letters"),
        ('parent = "flange"', 'parent = "tool0"', "frame 'tool0': its parents form a loop"),
        ('parent = "flange"', 'parent = "flanch"', "frame 'tool0': parent 'flanch' is neither"),
        ("    -165.0,\n    165.0,", "    165.0,\n    -165.0,", "joint 'joint_1': lower limit 165 is not below"),
        ("limits_deg = [\n    -165.0,\n    165.0,\n]", "", "joint 'joint_1': a revolute joint needs limits_deg"),
        ("velocity_deg_s = 420.0", "velocity_deg_s = -1.0", "joint 'joint_6': velocity_deg_s is -1"),
        ("velocity_deg_s = 420.0", "velocity_deg_s = nan", "joint 'joint_6': velocity_deg_s is nan"),
        ("mass_kg = 3.067", "mass_kg = -3.0", "link 'link_1': mass and inertia"),
        ('flange = "tool0"', 'flange = "tool1"', "arm 'arm': flange 'tool1' is neither"),
        (
            'tool = "gripper"',
            'tool = "gripper"\ncontroller_flange = "link_5"',
            "controller_flange 'link_5' is not a link or frame that moves with the flange",
        ),
        ('    "joint_6",\n', "", "arm 'arm': joints are joint_1"),
        ('tool = "gripper"', 'tool = "hammer"', "arm 'arm': no tool is named 'hammer'"),
        ("travel_m = 0.025", "travel_m = 0.0", "finger 'gripper_finger_left'"),
        ("    10.0,\n    20.0,\n", "    10.0,\n    200.0,\n", "joint_3 at 200 is outside -110..70"),
        ("    10.0,\n    20.0,\n", "    10.0,\n", "posture 'ready': 5 values for 6 joints"),
        ('[[links]]\nname = "base_link"', "[[links]\nname =", "line"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SOUND
    assert said in fault(tmp_path, SOUND.replace(old, new, 1))


def test_the_folder_has_the_robots_name(tmp_path: Path) -> None:
    assert "its folder is 'other'" in fault(tmp_path, SOUND, "other")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(RobotFileError, match="cannot be read"):
        read_facts(tmp_path / "facts.toml")
