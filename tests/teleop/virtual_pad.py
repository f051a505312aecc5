"""VirtualPad: a gamepad that SDL itself emulates; what reads it cannot tell it from one of plastic."""

import ctypes
import importlib
import os
from pathlib import Path

GAMECONTROLLER = 1
"""SDL_JOYSTICK_TYPE_GAMECONTROLLER."""
AXES = ("left stick x", "left stick y", "right stick x", "right stick y", "left trigger", "right trigger")
BUTTONS = (
    *("a", "b", "x", "y", "back", "guide", "start", "left stick press", "right stick press"),
    *("left bumper", "right bumper", "dpad up", "dpad down", "dpad left", "dpad right"),
)
DOWN = ("left stick y", "right stick y")
"""SDL counts these down as positive."""


def _sdl() -> ctypes.CDLL:
    """Return the SDL that pygame has loaded: another copy of it would have other pads."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ["SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS"] = "1"
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    pygame = importlib.import_module("pygame")
    pygame.display.init()
    pygame.joystick.init()
    libraries = Path(pygame.__file__).parents[1] / "pygame_ce.libs"
    sdl = ctypes.CDLL(str(next(libraries.glob("libSDL2-2*"))))
    sdl.SDL_JoystickOpen.restype = ctypes.c_void_p
    sdl.SDL_JoystickClose.argtypes = [ctypes.c_void_p]
    sdl.SDL_JoystickSetVirtualAxis.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int16]
    sdl.SDL_JoystickSetVirtualButton.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint8]
    return sdl


class VirtualPad:
    """Plugged in from the beginning, until it is pulled."""

    def __init__(self) -> None:
        self._sdl = _sdl()
        self.index = self._sdl.SDL_JoystickAttachVirtual(GAMECONTROLLER, len(AXES), len(BUTTONS), 1)
        assert self.index >= 0
        self._handle = self._sdl.SDL_JoystickOpen(self.index)
        assert self._handle
        self.rest()

    def set(self, **controls: float) -> None:
        """Set controls by their place, with _ for blanks: sticks -1 to 1 (up is positive), the others 0 to 1."""
        for name, value in controls.items():
            place = name.replace("_", " ")
            if place not in AXES:
                self._sdl.SDL_JoystickSetVirtualButton(self._handle, BUTTONS.index(place), round(value))
                continue
            if place.endswith("trigger"):
                value = 2.0 * value - 1.0
            elif place in DOWN:
                value = -value
            self._sdl.SDL_JoystickSetVirtualAxis(self._handle, AXES.index(place), round(32767 * value))

    def rest(self) -> None:
        """Let go of everything."""
        self.set(**dict.fromkeys((name.replace(" ", "_") for name in (*AXES, *BUTTONS)), 0.0))

    def pull(self) -> None:
        """Unplug it."""
        if self.index >= 0:
            self._sdl.SDL_JoystickClose(self._handle)
            self._sdl.SDL_JoystickDetachVirtual(self.index)
            self.index = -1
