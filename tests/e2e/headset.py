"""Headset: an emulated headset with controllers or bare hands, in a studio's page; and what its wearer sees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from studio import WEB, Studio

__all__ = ["Headset", "turn_to"]

EMULATOR = WEB / "node_modules" / "iwer" / "build" / "iwer.min.js"
# It stands on the floor 1.6 m high, and sees with one eye: a second picture takes as long again.
PUT_ON = """(() => {
    const device = new IWER.XRDevice(IWER.metaQuest3);
    device.installRuntime({ forceInstall: true });
    device.stereoEnabled = false;
    device.position.set(0, 1.6, 0);
    globalThis.device = device;
})()"""
ROOM = "openpendant.headset"
REACH_M = 0.45
"""How far before a button a hand stays that points at it."""


def turn_to(way: ArrayLike) -> list[float]:
    """Return the rotation (x, y, z, w) that turns the front of a hand, its −z, into this direction."""
    x, y, z = np.asarray(way, dtype=float) / np.linalg.norm(way)
    # The shortest arc from (0, 0, −1): half way between both, as a quaternion.
    q = np.array([y, -x, 0.0, 1.0 - z])
    if np.linalg.norm(q) < 1e-9:
        q = np.array([0.0, 1.0, 0.0, 0.0])
    return list(q / np.linalg.norm(q))


class Headset:
    """A person with an emulated headset. Places are in the headset's space: Y up, metres, the floor at 0."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.page = studio.page
        studio.context.add_init_script(path=EMULATOR)
        studio.context.add_init_script(PUT_ON)

    def enter(self) -> None:
        """Press "Enter VR" and wait until the first pictures are there."""
        self.studio.find("enter-headset").click()
        self.studio.wait(f"{ROOM} !== null", "the headset")
        self.frames()

    def frames(self, count: int = 2) -> None:
        """Wait for pictures in the headset: what was done before is seen in the second one."""
        before = self.page.evaluate("openpendant.framesDrawn")
        self.studio.wait(f"openpendant.framesDrawn >= {before + count}", "pictures in the headset")

    def seen(self, what: str) -> Any:
        return self.page.evaluate(f"{ROOM}.{what}")

    def panel(self, name: str) -> dict[str, Any] | None:
        """Return a panel that is seen: its words and buttons; None: it is not."""
        return next((one for one in self.seen("panels") if one["name"] == name), None)

    def words(self, panel: str = "menu") -> str:
        found = self.panel(panel)
        return "" if found is None else "\n".join(found["words"])

    def button(self, button: str, panel: str = "menu") -> dict[str, Any]:
        """Return a button of a panel that is seen."""
        found = self.panel(panel)
        assert found is not None, f"{panel} is not seen: {self.seen('panels')}"
        match = [one for one in found["buttons"] if one["id"] == button]
        assert match, f"no {button} in {found}"
        return match[0]

    def place(self, side: str, at: ArrayLike, turn: ArrayLike = (0, 0, 0, 1)) -> None:
        """Bring a hand to a place, turned like this."""
        hand = "(device.primaryInputMode === 'hand' ? device.hands : device.controllers)"
        x, y, z = (float(one) for one in np.asarray(at))
        a, b, c, d = (float(one) for one in np.asarray(turn))
        self.page.evaluate(f"{hand}.{side}.position.set({x}, {y}, {z})")
        self.page.evaluate(f"{hand}.{side}.quaternion.set({a}, {b}, {c}, {d})")

    def point_at(self, at: ArrayLike, side: str = "right") -> None:
        """Point at a place from before it, as seen from the eyes."""
        place = np.asarray(at, dtype=float)
        eyes = np.array(self.page.evaluate("[device.position.x, device.position.y, device.position.z]"))
        # From a little below the eyes, so that the hand is not in the way.
        way = place - (eyes - [0.0, 0.25, 0.0])
        way /= np.linalg.norm(way)
        self.place(side, place - REACH_M * way, turn_to(way))
        self.frames()

    def aim(self, button: str, panel: str = "menu", side: str = "right") -> None:
        """Point at a button until it is lit."""
        for _ in range(4):
            self.point_at(self.button(button, panel)["at"], side)
            if self.button(button, panel)["look"] != "rest":
                return
        raise AssertionError(f"{button} is not lit: {self.seen('aims')} {self.button(button, panel)}")

    def trigger(self, value: int, side: str = "right") -> None:
        """Press the trigger, or close the bare hand; 0: let go."""
        if self.page.evaluate("device.primaryInputMode") == "hand":
            self.page.evaluate(f"device.hands.{side}.updatePinchValue({value})")
        else:
            self.page.evaluate(f"device.controllers.{side}.updateButtonValue('trigger', {value})")
        self.frames()

    def key(self, name: str, value: int, side: str = "right") -> None:
        """Press a button of a controller, as "squeeze" or "b-button"."""
        self.page.evaluate(f"device.controllers.{side}.updateButtonValue({name!r}, {value})")
        self.frames()

    def tap(self, name: str, side: str = "right") -> None:
        self.key(name, 1, side)
        self.key(name, 0, side)

    def stick(self, x: float, y: float, side: str = "right") -> None:
        self.page.evaluate(f"device.controllers.{side}.updateAxes('thumbstick', {x}, {y})")
        self.frames()

    def push(self, button: str, panel: str = "menu", side: str = "right") -> None:
        """Press a button of a panel: point at it, close the hand, open it."""
        blocked = self.button(button, panel)["blocked"]
        assert not blocked, f"{button} is blocked: {blocked}"
        self.aim(button, panel, side)
        self.trigger(1, side)
        self.trigger(0, side)

    def wait(self, condition: str, what: str) -> None:
        """Wait for a JavaScript condition on what is seen, which it calls `room`."""
        self.studio.wait(f"((room) => {condition})({ROOM})", what)

    def leave(self) -> None:
        """Take the headset off."""
        self.page.evaluate("device.activeSession?.end()")
        self.studio.wait(f"{ROOM} === null", "the page again")
