"""All of these are of virtual controllers, most of them in real time."""

from pathlib import Path

from live_folder import mark_folder

BRAINS = {path.stem for path in Path(__file__).parent.glob("test_ur_brain_*.py")}
"""A brain is ticked by hand; one of them gets a script from ur_rtde first, which talks in real time."""
VIRTUAL_TIME = BRAINS - {"test_ur_brain_control_script"} | {
    "test_abb_exports",
    "test_abb_files",
    "test_abb_guidance",
    "test_abb_interrupts",
    "test_abb_motion",
    "test_abb_operator",
    "test_abb_path_correction",
    "test_abb_persistents",
    "test_abb_programs",
    "test_abb_steps",
    "test_abb_targets",
    "test_abb_tasks",
    "test_abb_two_units",
    "test_abb_yumi",
    "test_arm_group",
    "test_arm_plant",
    "test_faults",
    "test_rapid_cobot_learn",
    "test_rapid_motion_program",
    "test_rapid_of_earlier_systems",
    "test_rapid_vr_arm",
    "test_pacing",
    "test_pendant_state",
    "test_ur_export_speed",
    "test_virtual_arm",
}

pytest_collection_modifyitems = mark_folder(__file__, VIRTUAL_TIME)
