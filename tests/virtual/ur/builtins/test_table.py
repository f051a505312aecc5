"""The functions of the virtual controller take what the catalogue of URScript says."""

import inspect
from collections.abc import Mapping

import pytest
from ur_brain import READY, failure, make_brain, run, words

from openpendant.dialects.urscript import Builtin, catalogue, check_script

UNDOCUMENTED = {"freedrive_mode_no_incorrect_payload_check"}
"""What ur_rtde calls and the manual does not list."""


@pytest.fixture(scope="module")
def functions() -> Mapping[str, Builtin]:
    return make_brain().functions


def test_every_function_is_documented(functions: Mapping[str, Builtin]):
    assert set(functions) - set(catalogue()) == UNDOCUMENTED


def test_parameters_are_those_of_the_catalogue(functions: Mapping[str, Builtin]):
    others = [one.name for one in functions.values() if one.name not in UNDOCUMENTED and differs(one)]
    assert others == []


def differs(builtin: Builtin) -> bool:
    """Return whether a function has other parameters than the catalogue says, or its call takes another number."""
    given, documented = builtin.parameters, catalogue()[builtin.name]
    inspect.signature(builtin.call).bind(*given)
    if [one.name for one in given] != [one.name for one in documented]:
        return True
    # None stands for a default that depends on the robot, which is the controller's to choose.
    pairs = zip(given, documented, strict=True)
    return any(wanted.default is not None and one.default != wanted.default for one, wanted in pairs)


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("enable_external_ft_sensor(True, sensor_mass=0.3, sensor_measuring_offset=[0, 0, 0.04])", "None"),
        ("ft_rtde_input_enable(True, sensor_cog=[0, 0, 0.02], sensor_mass=0.3)", "None"),
        ("get_inverse_kin_has_solution(pose=get_target_tcp_pose())", "True"),
        ("is_within_safety_limits(get_target_tcp_pose(), qnear=get_target_joint_positions())", "True"),
        (f"is_within_safety_limits(p[2, 0, 0, 0, 0, 0], {list(READY)})", "False"),
    ],
)
def test_arguments_by_their_documented_names(call: str, value: str):
    body = call if value == "None" else f"textmsg({call})"
    assert check_script(f"def program():\n  {body}\nend\n") == []
    assert words(run(make_brain(), body)) == ([] if value == "None" else [value])


def test_joints_near_a_pose_must_be_joints():
    assert "qnear" in failure(make_brain(), "is_within_safety_limits(get_target_tcp_pose(), [0, 1])")


def test_a_payload_without_inertia_has_none():
    told = run(
        make_brain(),
        """
        set_target_payload(1.0, [0, 0, 0.05], [0.01, 0.01, 0.01, 0, 0, 0])
        set_target_payload(0.5, [0, 0, 0.02])
        textmsg(get_target_payload_inertia())
        """,
    )
    assert [float(one) for one in words(told)[0].strip("[]").split(",")] == [0.0] * 6
