"""GamepadDevice: a gamepad by SDL, without a browser. Needs the extra `openpendant[gamepad]`."""

import importlib
import os
from collections.abc import Callable
from typing import Any, Protocol

from openpendant.errors import InputError

from .devices import DeviceSample

AXES = (
    # SDL counts sticks down as positive.
    ("left stick x", "CONTROLLER_AXIS_LEFTX", 1.0),
    ("left stick y", "CONTROLLER_AXIS_LEFTY", -1.0),
    ("right stick x", "CONTROLLER_AXIS_RIGHTX", 1.0),
    ("right stick y", "CONTROLLER_AXIS_RIGHTY", -1.0),
    ("left trigger", "CONTROLLER_AXIS_TRIGGERLEFT", 1.0),
    ("right trigger", "CONTROLLER_AXIS_TRIGGERRIGHT", 1.0),
)
BUTTONS = (
    ("a", "CONTROLLER_BUTTON_A"),
    ("b", "CONTROLLER_BUTTON_B"),
    ("x", "CONTROLLER_BUTTON_X"),
    ("y", "CONTROLLER_BUTTON_Y"),
    ("left bumper", "CONTROLLER_BUTTON_LEFTSHOULDER"),
    ("right bumper", "CONTROLLER_BUTTON_RIGHTSHOULDER"),
    ("back", "CONTROLLER_BUTTON_BACK"),
    ("start", "CONTROLLER_BUTTON_START"),
    ("left stick press", "CONTROLLER_BUTTON_LEFTSTICK"),
    ("right stick press", "CONTROLLER_BUTTON_RIGHTSTICK"),
    ("dpad up", "CONTROLLER_BUTTON_DPAD_UP"),
    ("dpad down", "CONTROLLER_BUTTON_DPAD_DOWN"),
    ("dpad left", "CONTROLLER_BUTTON_DPAD_LEFT"),
    ("dpad right", "CONTROLLER_BUTTON_DPAD_RIGHT"),
    ("guide", "CONTROLLER_BUTTON_GUIDE"),
)
FULL = 32767.0
"""SDL's full deflection."""


class PadHandle(Protocol):
    """The part of pygame's `Controller` that is used."""

    def get_axis(self, axis: int) -> int:
        """Return a deflection, -32768 to 32767."""
        ...

    def get_button(self, button: int) -> bool:
        """Return whether a button is down."""
        ...

    def attached(self) -> bool:
        """Return whether it is plugged in."""
        ...

    def rumble(self, low: float, high: float, duration: int) -> bool:
        """Shake it; return whether it can."""
        ...

    def quit(self) -> None:
        """Close it."""
        ...


class GamepadDevice:
    """One pad, its controls by their place, as SDL's table of pads knows them."""

    def __init__(self, pad: PadHandle, title: str, constants: Any, pump: Callable[[], object]) -> None:
        """Read an open pad.

        Args:
            pad: As pygame opened it.
            title: As its maker calls it.
            constants: pygame: numbers of axes and buttons by name.
            pump: Has SDL read its devices.
        """
        self._pad, self._title, self._pump = pad, title, pump
        self._axes = tuple((name, int(getattr(constants, at)), sign) for name, at, sign in AXES)
        self._buttons = tuple((name, int(getattr(constants, at))) for name, at in BUTTONS)

    @property
    def title(self) -> str:
        """As its maker calls it."""
        return self._title

    @property
    def controls(self) -> tuple[str, ...]:
        """Every control that it may name, by its place."""
        return tuple(name for name, *_ in (*self._axes, *self._buttons))

    def read(self, now_ns: int) -> DeviceSample:
        """Return what it does now; absent where it was pulled.

        Args:
            now_ns: The stamp of the sample.
        """
        self._pump()
        if not self._pad.attached():
            return DeviceSample(now_ns, present=False)
        values = {name: max(-1.0, min(1.0, sign * self._pad.get_axis(axis) / FULL)) for name, axis, sign in self._axes}
        values |= {name: float(self._pad.get_button(button)) for name, button in self._buttons}
        return DeviceSample(now_ns, present=True, values=values)

    def pulse(self, strength: float, seconds: float) -> None:
        """Shake it, if it can.

        Args:
            strength: 0 to 1.
            seconds: How long.
        """
        self._pad.rumble(strength, strength, round(1000.0 * seconds))

    def close(self) -> None:
        """Read it no more."""
        self._pad.quit()


def open_gamepad(index: int = 0) -> GamepadDevice:
    """Return a pad that is plugged in.

    Args:
        index: Among those that SDL knows, from 0.

    Raises:
        InputError: pygame-ce is not installed, or no such pad is plugged in; says which are.
    """
    # Pads are read without a window, and whatever window is in front.
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        pygame: Any = importlib.import_module("pygame")
        controller: Any = importlib.import_module("pygame._sdl2.controller")
    except ImportError:
        raise InputError("a gamepad needs pygame-ce: pip install 'openpendant[gamepad]'") from None
    # Not `pygame.init`, which opens the loudspeaker as well.
    pygame.display.init()
    controller.init()
    pygame.event.pump()
    known = [i for i in range(int(controller.get_count())) if controller.is_controller(i)]
    pads = {i: controller.Controller(i) for i in known}
    if index not in pads:
        there = ", ".join(f"{i} ({pad.name})" for i, pad in pads.items()) or "none"
        raise InputError(f"no gamepad {index}; plugged in: {there}")
    return GamepadDevice(pads[index], str(pads[index].name), pygame, pygame.event.pump)
