"""Devices and mappings: what `check_device` holds them to, and what comes of samples that no device should give."""

import math

import numpy as np
import pytest
from virtual_pad import VirtualPad

from openpendant.errors import InputError
from openpendant.messages import Pose, PoseIntent, TwistIntent
from openpendant.teleop import (
    PAD,
    AxisBinding,
    DeviceSample,
    HandMapping,
    HandSettings,
    StickCurve,
    TwistMapping,
    TwistSettings,
    open_gamepad,
)
from openpendant.testing import check_device

HELD = {"right trigger": 1.0}


class Pad:
    """A pad of numbers: what it says is what a test wants."""

    title = "Pad"
    controls = ("right trigger", "left stick y", "y")

    def __init__(self) -> None:
        self.values: dict[str, float] = {}
        self.present = True

    def read(self, now_ns: int) -> DeviceSample:
        return DeviceSample(now_ns, self.present, dict(self.values) if self.present else {})

    def close(self) -> None:
        self.present = False

    # Who holds it.

    def hold(self) -> None:
        self.values = {"right trigger": 1.0, "left stick y": 1.0}

    def let_go(self) -> None:
        self.values = {}

    def lose(self) -> None:
        self.present = False

    def find(self) -> None:
        self.present = True


class Hands:
    """Who holds a pad that SDL emulates."""

    def __init__(self, pad: VirtualPad) -> None:
        self.pad = pad

    def hold(self) -> None:
        self.pad.set(right_trigger=1.0, left_stick_y=1.0, a=1)

    def let_go(self) -> None:
        self.pad.rest()

    def lose(self) -> None:
        self.pad.pull()

    def find(self) -> None:
        raise AssertionError("a pad that was pulled is another one when it comes back")


def test_a_device_that_does_as_it_should_passes() -> None:
    pad = Pad()
    report = check_device(pad, lambda: TwistMapping(PAD), pad)
    assert report.ok, str(report)


def test_a_pad_of_sdl_passes_and_says_what_it_is() -> None:
    virtual = VirtualPad()
    pad = open_gamepad(virtual.index)
    try:
        virtual.set(left_stick_x=-0.5, dpad_up=1, left_trigger=1.0)
        values = pad.read(7).values
        assert values["left stick x"] == pytest.approx(-0.5, abs=1e-3)
        assert (values["dpad up"], values["left trigger"], values["left stick y"]) == (1.0, 1.0, 0.0)
        report = check_device(pad, lambda: TwistMapping(PAD), Hands(virtual), found_again=False)
        assert report.ok, str(report)
        with pytest.raises(InputError, match=r"no gamepad 0; plugged in: none"):
            open_gamepad()
    finally:
        virtual.pull()


class Trusting(TwistMapping):
    """Takes what it hears for true, whenever it was said."""

    def take(self, sample: DeviceSample):
        self._guard.__init__()
        self._dead_man.take(0.0)
        return super().take(sample)


class Old(Pad):
    def read(self, now_ns: int) -> DeviceSample:
        return DeviceSample(now_ns - 1, present=True, values={"trigger": 2.0})


@pytest.mark.parametrize(
    ("pad", "mapping", "faults"),
    [
        (Pad(), Trusting, {"holds only what was pressed while somebody looked", "comes back released"}),
        (Old(), TwistMapping, {"stamps its samples", "gives values within bounds", "is gone where it was taken away"}),
    ],
)
def test_the_check_finds_what_is_wrong(pad: Pad, mapping: type[TwistMapping], faults: set[str]) -> None:
    report = check_device(pad, lambda: mapping(PAD), pad)
    assert faults <= {check.name for check in report.faults}, str(report)


def twist(**values: float) -> TwistIntent | None:
    named = {name.replace("_", " "): value for name, value in values.items()}
    wish = TwistMapping(PAD).take(DeviceSample(1, present=True, values=named))
    assert wish is not None
    assert wish.intent is None or isinstance(wish.intent, TwistIntent)
    return wish.intent


@pytest.mark.parametrize(
    ("values", "linear", "angular"),
    [
        ({"left_stick_y": 1.0}, (0.25, 0, 0), (0, 0, 0)),
        ({"left_stick_x": 1.0}, (0, -0.25, 0), (0, 0, 0)),
        ({"dpad_up": 1.0}, (0, 0, 0.25), (0, 0, 0)),
        ({"dpad_down": 1.0}, (0, 0, -0.25), (0, 0, 0)),
        ({"b": 1.0}, (0, 0, 0), (30, 0, 0)),
        ({"a": 1.0}, (0, 0, 0), (0, 30, 0)),
        ({"x": 1.0, "left_bumper": 1.0}, (0, 0, 0), (0, 0, -30)),
    ],
)
def test_controls_move_the_tool_by_their_place(values, linear, angular) -> None:
    intent = twist(**values)
    assert intent is not None
    assert intent.linear == pytest.approx(linear)
    assert np.degrees(intent.angular) == pytest.approx(angular)
    assert intent.stamp_ns == 1


def test_a_stick_that_rests_beside_its_middle_asks_for_nothing() -> None:
    assert twist(left_stick_x=0.1, left_stick_y=-0.1) is None


def test_samples_of_every_kind_give_finite_speeds_and_hold_only_what_is_pressed() -> None:
    rng = np.random.default_rng(15)
    odd = (math.nan, math.inf, -math.inf, 1e300, -1e300, 5.0, -5.0)
    mapping, stamp, newest, holds = TwistMapping(PAD), 10**9, 10**9, 0
    names = ("right trigger", *(binding.control for binding in PAD.axes), "?")
    for _ in range(20_000):
        # Ten thousand samples a second, and a clock that now and then is another one.
        stamp += int(rng.integers(-(10**9), 10**9)) if rng.random() < 0.01 else 100_000
        values = {name: 3.0 * rng.random() - 1.0 for name in names}
        if rng.random() < 0.01:
            values[names[rng.integers(len(names))]] = odd[rng.integers(len(odd))]
        present = bool(rng.random() > 0.005)
        wish = mapping.take(DeviceSample(stamp, present, values))
        sound = present and all(math.isfinite(value) for value in values.values())
        if wish is None:
            assert sound
            assert stamp <= newest
            continue
        newest = stamp if wish.held else max(newest, stamp)
        holds += wish.held
        if wish.held:
            assert sound
            assert values["right trigger"] > 0.4
        if isinstance(wish.intent, TwistIntent):
            assert math.hypot(*wish.intent.linear) <= 0.25 + 1e-12
            assert max(map(abs, wish.intent.angular)) <= math.radians(30.0)
    assert holds > 100


def test_a_hand_is_followed_while_its_clutch_is_closed() -> None:
    pose = Pose(xyz=(1.0, 2.0, 3.0), wxyz=(1.0, 0.0, 0.0, 0.0))
    mapping = HandMapping(HandSettings(clutch=("grip",), scale=0.5, locked=("rx",)))

    def at(stamp_ns: int, grip: float, pose: Pose = pose):
        return mapping.take(DeviceSample(stamp_ns, present=True, values={"grip": grip}, pose=pose))

    assert at(1, 0.0).intent is None
    intent = at(2, 1.0).intent
    assert intent == PoseIntent(source="", stamp_ns=2, pose=pose, frame="world", scale=0.5, locked=("rx",))
    bent = Pose(xyz=(0.0, 0.0, 0.0), wxyz=(2.0, 0.0, 0.0, 0.0))
    assert not at(3, 1.0, bent).held
    assert not at(4, 1.0).held


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: StickCurve(dead=0.95), r"dead zone is 0.95; allowed: 0 to 0.9"),
        (lambda: StickCurve(power=9.0), r"power of the curve is 9.0; allowed: 0.5 to 4"),
        (lambda: AxisBinding("a", "rw"), r"'rw' is not an axis; allowed: x, y, z, rx, ry, rz"),
        (lambda: AxisBinding("a", "x", math.nan), r"gain of 'a' is nan; allowed: -1 to 1"),
        (lambda: TwistSettings(dead_man=(), axes=()), r"no control is the dead-man switch"),
        (lambda: TwistSettings(dead_man=("a",), axes=(), linear_m_s=0.3), r"speed is 0.3; allowed: .* at most 0.25"),
        (lambda: HandSettings(clutch=()), r"no control is the clutch"),
        (lambda: HandSettings(clutch=("grip",), scale=0.0), r"scale is 0.0; allowed: more than 0 and at most 1"),
    ],
)
def test_what_cannot_be_is_refused(make, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()
