"""A virtual controller without sockets, ticked by hand; what the tests of its brain share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.virtual.ur import (
    RuntimeException,
    RuntimeState,
    SpecimenCalibration,
    Text,
    Tracking,
    UrController,
    UrMessage,
    UrOptions,
    ur_model,
)

Array = NDArray[np.float64]
READY = tuple(np.radians([0.0, -80.0, 100.0, -110.0, -90.0, 0.0]).tolist())
QUIET = Tracking(noise=0.0)


def make_brain(
    *,
    model: str = "ur3e",
    power: bool = True,
    start_q: Any = READY,
    calibration: SpecimenCalibration | None = None,
    programs: Path | None = None,
    sockets: Any = None,
    cell: Any = None,
    seed: int = 0,
    **options: Any,
) -> UrController:
    options.setdefault("tracking", QUIET)
    return UrController(
        ur_model(model, calibration),
        start_q=start_q,
        options=UrOptions(power=power, **options),
        programs=programs,
        sockets=sockets,
        cell=cell,
        seed=seed,
    )


def tick(brain: UrController, ticks: int) -> None:
    for _ in range(ticks):
        brain.tick()


def until(brain: UrController, condition: Callable[[], bool], most: int = 20_000) -> int:
    """Tick until it holds; return how many ticks that took."""
    for count in range(most):
        if condition():
            return count
        brain.tick()
    raise AssertionError(f"not within {most} ticks")


def run(brain: UrController, body: str, most: int = 20_000) -> list[UrMessage]:
    """Run a program to its end and return the messages; its error fails the test."""
    brain.messages()
    start(brain, body)
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED, most)
    told = list(brain.messages())
    errors = [message for message in told if isinstance(message, RuntimeException)]
    assert not errors, errors
    return told


def start(brain: UrController, body: str) -> None:
    lines = "\n".join(f"  {line}" for line in body.strip().splitlines())
    brain.run_script(f"def program():\n{lines}\nend\n")


def words(messages: list[UrMessage]) -> list[str]:
    return [message.text for message in messages if isinstance(message, Text)]


def failure(brain: UrController, body: str, most: int = 5_000) -> str:
    """Run a program that fails; return the controller's words."""
    brain.messages()
    start(brain, body)
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED, most)
    errors = [message for message in brain.messages() if isinstance(message, RuntimeException)]
    assert len(errors) == 1, errors
    return errors[0].text


class Tracer:
    """Follows the target joints of a brain from tick to tick."""

    def __init__(self, brain: UrController) -> None:
        self.brain = brain
        self.read = brain.compile_reader(["target_q", "target_TCP_pose", "actual_q", "actual_TCP_pose"])
        self.rows: list[tuple[float, ...]] = []

    def tick(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.brain.tick()
            self.rows.append(self.read())

    def until(self, condition: Callable[[], bool], most: int = 20_000) -> int:
        for count in range(most):
            if condition():
                return count
            self.tick()
        raise AssertionError(f"not within {most} ticks")

    def until_stopped(self) -> int:
        return self.until(lambda: self.brain.read("runtime_state") == RuntimeState.STOPPED)

    @property
    def q(self) -> Array:
        return np.array(self.rows)[:, 0:6]

    @property
    def xyz(self) -> Array:
        return np.array(self.rows)[:, 6:9]

    @property
    def tool_speed(self) -> Array:
        return np.linalg.norm(np.diff(self.xyz, axis=0), axis=1) / 0.002

    def derivatives(self) -> tuple[Array, Array, Array]:
        """Largest velocity, acceleration and jerk of each joint's target."""
        velocity = np.diff(self.q, axis=0) / 0.002
        acceleration = np.diff(velocity, axis=0) / 0.002
        jerk = np.diff(acceleration, axis=0) / 0.002
        return tuple(np.abs(one).max(axis=0) for one in (velocity, acceleration, jerk))  # type: ignore[return-value]


def dh_product(dh: Array, q: Array) -> Array:
    """FK from a table of a, d, alpha, theta offset, written out link by link."""
    T = np.eye(4)
    for (a, d, alpha, offset), angle in zip(dh, q, strict=True):
        theta = angle + offset
        about_z = np.array(
            [[np.cos(theta), -np.sin(theta), 0, 0], [np.sin(theta), np.cos(theta), 0, 0], [0, 0, 1, d], [0, 0, 0, 1]]
        )
        about_x = np.array(
            [[1, 0, 0, a], [0, np.cos(alpha), -np.sin(alpha), 0], [0, np.sin(alpha), np.cos(alpha), 0], [0, 0, 0, 1]]
        )
        T = T @ about_z @ about_x
    return T


TOP = np.array(ur_model("ur3e").velocity)
HARDEST = np.array(ur_model("ur3e").hardest)
JERK = 2.0 * HARDEST / (8 * 0.002)
"""Accelerations change by means over 8 ticks: never faster than this."""


def in_limits(trace: Tracer) -> None:
    velocity, acceleration, jerk = trace.derivatives()
    assert (velocity <= TOP * (1 + 1e-6)).all(), velocity
    assert (acceleration <= HARDEST * (1 + 1e-6)).all(), acceleration
    assert (jerk <= JERK * (1 + 1e-6)).all(), jerk
