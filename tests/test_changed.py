"""A change selects the tests that can see it, and no others."""

from pathlib import Path

import pytest

from changed import ROOT, Changed, named, with_helpers

TESTS = ROOT / "tests"


def seen(*paths: str) -> set[str]:
    plugin = Changed(list(paths))
    return {path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py") if plugin.sees(path)}


@pytest.mark.parametrize(
    ("changed", "sees", "does_not"),
    [
        (
            "src/openpendant/dialects/urscript/machine.py",
            "dialects/urscript/test_machine.py",
            "spatial/test_rotation_vector.py",
        ),
        ("src/openpendant/spatial/se3.py", "motion/test_plan.py", "protocols/rtde/test_packages.py"),
        ("src/openpendant/runtime/loop.py", "e2e/test_studio_held.py", "motion/test_plan.py"),
        ("src/openpendant/runtime/loop.py", "runtime/test_loop.py", "shapes/test_solid.py"),
        ("src/openpendant/robots/ur3e/facts.toml", "robots/test_vendor_facts.py", "protocols/rtde/test_packages.py"),
        ("tests/runtime/running_cells.py", "runtime/test_chaos.py", "runtime/test_loop.py"),
        ("tests/e2e/operating.py", "e2e/test_studio_held.py", "e2e/test_numbers.py"),
        ("web/src/ui/app.svelte", "e2e/test_page.py", "runtime/test_chaos.py"),
        ("tests/programs/golden/some.txt", "programs/export/test_forms.py", "motion/test_plan.py"),
        ("docs/gate.md", "docs/test_docs.py", "gate/test_arm_gate.py"),
        ("src/openpendant/client/studio.py", "server/test_handover.py", "motion/test_plan.py"),
    ],
)
def test_a_change_is_seen_by_what_depends_on_it(changed: str, sees: str, does_not: str):
    found = seen(changed)
    assert sees in found
    assert does_not not in found


@pytest.mark.parametrize("changed", ["Makefile", "pyproject.toml", "requirements.lock", "tests/conftest.py"])
def test_what_everything_depends_on_selects_everything(changed: str):
    assert len(seen(changed)) == len(list(TESTS.rglob("test_*.py")))


def test_nothing_changed_selects_nothing():
    assert seen() == set()


def test_helpers_and_processes_are_followed():
    files = with_helpers(TESTS / "e2e" / "test_studio_held.py")
    assert {TESTS / "e2e" / "serving.py", TESTS / "e2e" / "conftest.py", TESTS / "conftest.py"} <= files
    assert "openpendant.cli" in named(TESTS / "e2e" / "serving.py")


def test_only_files_with_tests_are_left_out():
    plugin = Changed([])
    assert plugin.pytest_ignore_collect(TESTS / "test_rooms.py") is True
    assert plugin.pytest_ignore_collect(Path(TESTS / "docs")) is None
    assert Changed(["Makefile"]).pytest_ignore_collect(TESTS / "test_rooms.py") is None
