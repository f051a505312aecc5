"""What the page shows, compared with what Python works out."""

import math

import numpy as np
import pytest
from pendant import Pendant
from playwright.sync_api import expect

from openpendant import robots
from openpendant.spatial import matrix_from_quaternion, quaternion_from_matrix


def expect_same_turn(a: np.ndarray, b: np.ndarray) -> None:
    """Assert that two quaternions are the same rotation; q and −q are."""
    assert abs(float(a @ b)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", ["irb120", "rx90l", "ur3e"])
def test_sliders_and_pose_agree_with_python(pendant: Pendant, name: str) -> None:
    arm = robots.load(name).arm()
    pendant.open(name)
    rng = np.random.default_rng(7)
    for i in range(arm.dof):
        lower, upper = max(-2.5, arm.limits_lower[i]), min(2.5, arm.limits_upper[i])
        pendant.slide(f"joint-{i + 1}-slider", rng.uniform(0.9 * lower, 0.9 * upper))
    q = pendant.q
    for frame, base in ((pendant.state("frame"), "base_link"), ("tool0", "base" if name == "ur3e" else "base_link")):
        pendant.find("frame").select_option(frame)
        pendant.find("base").select_option(base)
        pendant.settle()
        T = arm.fk(q, frame=frame, base=base)
        np.testing.assert_allclose(pendant.position, T[:3, 3], atol=1e-9)
        expect_same_turn(pendant.quaternion, quaternion_from_matrix(T[:3, :3]))
        shown = [pendant.number(f"pose-{axis}") for axis in "xyz"]
        np.testing.assert_allclose(shown, T[:3, 3] * 1000, atol=0.00501)
    for i in range(arm.dof):
        assert pendant.number(f"joint-{i + 1}-value") == pytest.approx(math.degrees(q[i]), abs=0.00501)
    assert pendant.find("manipulability").inner_text() == f"{arm.manipulability(q):.4f}"
    expect(pendant.find("configuration")).to_have_text(arm.describe(q))


def test_units_are_changed_and_remembered(pendant: Pendant) -> None:
    pendant.open("irb120")
    pendant.type("joint-2-value", "-33")
    degrees, millimetres = pendant.number("joint-2-value"), pendant.number("pose-z")
    pendant.find("project-menu").click()
    pendant.find("angle").locator('[data-value="rad"]').click()
    pendant.find("length").locator('[data-value="in"]').click()
    pendant.page.keyboard.press("Escape")
    assert degrees == -33
    assert pendant.number("joint-2-value") == pytest.approx(math.radians(-33), abs=1e-4)
    assert pendant.number("pose-z") == pytest.approx(millimetres / 25.4, abs=1e-3)
    pendant.page.reload()
    pendant.wait_for_robot("irb120")
    assert pendant.number("joint-2-value") == pytest.approx(pendant.q[1], abs=1e-4)
    assert pendant.number("pose-z") == pytest.approx(pendant.position[2] / 0.0254, abs=1e-3)
    pendant.find("project-menu").click()
    for unit, chosen in (("angle", "rad"), ("length", "in")):
        expect(pendant.find(unit).locator(f'[data-value="{chosen}"]')).to_be_checked()


def test_every_way_to_write_the_rotation_can_be_edited(pendant: Pendant) -> None:
    arm = robots.load("ur3e").arm()
    pendant.open("ur3e")
    for style, numbers in (("quaternion", 4), ("vector", 3), ("zyz", 3), ("rpy", 3)):
        pendant.find("teach-style").select_option(style)
        before = [pendant.number(f"turn-{i}") for i in range(numbers)]
        wanted = before[1] - (0.05 if style == "quaternion" else 4)
        pendant.type("turn-1", f"{wanted:.4f}")
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = matrix_from_quaternion(pendant.quaternion), pendant.position
        np.testing.assert_allclose(arm.fk(pendant.q), T, atol=1e-9)
        if style != "vector":
            assert pendant.number("turn-1") == pytest.approx(wanted, abs=0.006)


def test_a_number_can_be_a_sum_stepped_and_taken_back(pendant: Pendant) -> None:
    pendant.open("irb120")
    field = pendant.find("joint-1-value")
    pendant.type("joint-1-value", "25.4*3")
    assert pendant.q[0] == pytest.approx(math.radians(76.2), abs=1e-12)
    for key, step in (("ArrowUp", 1), ("Shift+ArrowUp", 10), ("Alt+ArrowDown", -0.1)):
        before = pendant.q[0]
        field.press(key)
        assert math.degrees(pendant.q[0] - before) == pytest.approx(step, abs=1e-9)
    field.fill("12")
    field.press("Escape")
    assert pendant.number("joint-1-value") == pytest.approx(87.1)
    pendant.find("joint-4-value").scroll_into_view_if_needed()
    box = pendant.find("joint-4-value").bounding_box()
    assert box is not None
    pendant.page.mouse.move(box["x"] + 20, box["y"] + 10)
    pendant.page.mouse.down()
    pendant.page.mouse.move(box["x"] + 60, box["y"] + 10, steps=4)
    pendant.page.mouse.up()
    pendant.settle()
    assert math.degrees(pendant.q[3]) == pytest.approx(20, abs=1e-9)
    pendant.page.keyboard.press("Control+z")
    pendant.settle()
    assert pendant.q[3] == pytest.approx(0)


def test_a_wrong_text_is_refused_and_stays_to_be_corrected(pendant: Pendant) -> None:
    pendant.open("irb120")
    before, field = pendant.q, pendant.find("joint-1-value")
    for text, says in (
        ("abc", "“abc” is not a number"),
        ("", "Enter a number"),
        ("NaN", "“NaN” is not a number"),
        ("999", "goes from −165.00° to 165.00°; 999.00° is outside"),
        ("1e999", "no finite value"),
    ):
        pendant.type("joint-1-value", text)
        expect(pendant.find("field-problem")).to_contain_text(says)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_value(text)
        np.testing.assert_array_equal(pendant.q, before)
    field.press("Escape")
    expect(field).to_have_value("0.00")
    expect(pendant.find("field-problem")).to_have_count(0)
    pendant.type("joint-1-value", "−5°")
    expect(pendant.find("field-problem")).to_have_count(0)
    # An edit is taken back from the field in which it was made: nothing is being typed there now.
    assert pendant.q[0] == pytest.approx(math.radians(-5))
    field.press("Control+z")
    pendant.settle()
    assert pendant.q[0] == pytest.approx(0)
    pendant.type("joint-1-value", "-0.08726646 rad")
    assert pendant.q[0] == pytest.approx(math.radians(-5))


def test_joints_warn_near_their_limits(pendant: Pendant) -> None:
    pendant.open("irb120")
    row = pendant.find("joint-1")
    for degrees, state in ((159, "free"), (162, "near"), (165, "at")):
        pendant.type("joint-1-value", str(degrees))
        expect(row).to_have_attribute("data-nearness", state)


def test_poses_add_up_however_quickly_they_are_typed(pendant: Pendant) -> None:
    pendant.open("ur3e")
    x, y, z = pendant.position
    field = pendant.find("pose-x")
    field.focus()
    for _ in range(5):
        field.press("ArrowUp")
    pendant.find("pose-y").fill(str(1000 * y + 40))
    pendant.find("pose-y").press("Enter")
    pendant.settle()
    # The field showed two decimals of a millimetre when its number was typed.
    np.testing.assert_allclose(pendant.position, [x + 0.005, y + 0.04, z], atol=1e-9)


def test_enter_does_not_take_the_focus_back_from_who_has_gone_on(pendant: Pendant) -> None:
    pendant.open("irb120")
    focused = pendant.page.evaluate(
        """async () => {
            const field = (name) => document.querySelector(`[data-testid="${name}"]`);
            field("joint-1-value").focus();
            field("joint-1-value").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
            field("joint-3-value").focus();
            for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
            return document.activeElement.dataset.testid;
        }"""
    )
    assert focused == "joint-3-value"
