"""JogKeys: what the keys of `openpendant jog` mean. No terminal here: keys and times in, intents out."""

import math
from typing import Literal

from openpendant.messages import Intent, IntentFrame, JointIntent, TwistIntent

Mode = Literal["tool", "joints"]

HOLD_S = 0.15
"""A key counts as held for this time after it came last: terminals report repetition, but no release."""
SOURCE = "jog"
FRAMES: tuple[IntentFrame, ...] = ("base", "tool", "world")
SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
"""Shares of the full speed."""
FULL_M_S, FULL_RAD_S = 0.25, 0.8
LINEAR = {"w": (0, 1), "s": (0, -1), "a": (1, 1), "d": (1, -1), "r": (2, 1), "f": (2, -1)}
ANGULAR = {"u": (0, 1), "j": (0, -1), "i": (1, 1), "k": (1, -1), "o": (2, 1), "l": (2, -1)}
PLUS, MINUS = "1234567", "qwertyu"


class JogKeys:
    """The direction of a jog, from the keys that are pressed."""

    def __init__(self, dof: int, mode: Mode = "tool", *, source: str = SOURCE, arm: str = "") -> None:
        """Begin at a fifth of the full speed, in the axes of the base, with no key held.

        Args:
            dof: How many joints the arm has.
            mode: Whether keys move the tool or joints.
            source: Of the intents: the client that holds the lease.
            arm: That the intents are for; empty: the first.
        """
        self.dof = dof
        self._source, self._arm = source, arm
        self.mode: Mode = mode
        self.frame: IntentFrame = "base"
        self.quit = False
        self._speed = SPEEDS.index(0.2)
        self._key = ""
        self._heard_ns = 0
        self._stop = False

    @property
    def speed(self) -> float:
        """The share of the full speed."""
        return SPEEDS[self._speed]

    def press(self, key: str, now_ns: int) -> None:
        """Handle a key; one without a meaning releases the jog, as does every key that is not a direction."""
        self._key = ""
        match key:
            case "\t":
                self.mode = "joints" if self.mode == "tool" else "tool"
            case "m":
                self.frame = FRAMES[(FRAMES.index(self.frame) + 1) % len(FRAMES)]
            case "+" | "=":
                self._speed = min(self._speed + 1, len(SPEEDS) - 1)
            case "-":
                self._speed = max(self._speed - 1, 0)
            case " ":
                self._stop = True
            case "x" | "\x1b" | "\x03" | "\x04":
                self.quit = True
            case _ if self._direction(key):
                self._key, self._heard_ns = key, now_ns
            case _:
                pass

    def held(self, now_ns: int) -> bool:
        """Return whether a direction is held."""
        if self._key and now_ns - self._heard_ns > HOLD_S * 1e9:
            self._key = ""
        return bool(self._key)

    def stop_wanted(self) -> bool:
        """Return whether the stop key was pressed since the last call."""
        wanted, self._stop = self._stop, False
        return wanted

    def intent(self, now_ns: int, top_speeds: tuple[float, ...]) -> Intent:
        """Return what is wanted now; with no key held it lets go. A key that is held is the dead-man switch.

        Args:
            now_ns: Now.
            top_speeds: Of the joints, radians a second.
        """
        if not self.held(now_ns):
            return TwistIntent(
                source=self._source, stamp_ns=now_ns, arm=self._arm, linear=(0.0, 0.0, 0.0), clutch=False
            )
        if self.mode == "joints":
            index = (PLUS if self._key in PLUS else MINUS).index(self._key)
            sign = 1.0 if self._key in PLUS else -1.0
            velocity = [0.0] * self.dof
            velocity[index] = sign * self.speed * min(top_speeds[index], math.radians(90.0))
            return JointIntent(
                source=self._source, stamp_ns=now_ns, arm=self._arm, velocity=tuple(velocity), dead_man=True
            )
        linear, angular = [0.0] * 3, [0.0] * 3
        if self._key in LINEAR:
            axis, sign = LINEAR[self._key]
            linear[axis] = sign * self.speed * FULL_M_S
        else:
            axis, sign = ANGULAR[self._key]
            angular[axis] = sign * self.speed * FULL_RAD_S
        return TwistIntent(
            source=self._source,
            stamp_ns=now_ns,
            arm=self._arm,
            dead_man=True,
            linear=(linear[0], linear[1], linear[2]),
            angular=(angular[0], angular[1], angular[2]),
            frame=self.frame,
        )

    def help(self) -> str:
        """Return what the keys do now, in two lines."""
        ways = "w s  ±x    a d  ±y    r f  ±z    u j  ±rx    i k  ±ry    o l  ±rz"
        if self.mode == "joints":
            ways = "    ".join(f"{PLUS[k]} {MINUS[k]}  ±J{k + 1}" for k in range(self.dof))
        common = f"tab {'joints' if self.mode == 'tool' else 'tool'}    m frame    + - speed    space STOP    x quit"
        return f"{ways}\n{common}"

    def _direction(self, key: str) -> bool:
        if self.mode == "joints":
            return bool(key) and (key in PLUS[: self.dof] or key in MINUS[: self.dof])
        return key in LINEAR or key in ANGULAR
