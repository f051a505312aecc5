"""UrModel: what distinguishes one arm of the family from another, and one specimen from its drawing."""

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError, UnknownNameError

Array = NDArray[np.float64]
Six = tuple[float, float, float, float, float, float]

SPEED_MARGIN_RAD_S = 0.2
"""A new installation allows a joint of 180 °/s 3.3416 rad/s (`maxJointSpeed` in the safety file of a UR5e), which
PolyScope shows as 191 °/s with a tolerance of -11 °/s, and one of 360 °/s 371 °/s. Programs keep to the limit less the
tolerance; the safety system stops a joint that is faster than the limit (user manual UR5/CB3 3.4.5, 10.4 and 10.11)."""
ZEROS: Six = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ALPHA: Six = (math.pi / 2, 0.0, 0.0, math.pi / 2, -math.pi / 2, 0.0)
"""Twists of every arm of the family."""


@dataclass(frozen=True)
class SpecimenCalibration:
    """How a specimen differs from its drawing: additions to the DH parameters, metres and radians."""

    delta_a: Six = ZEROS
    delta_d: Six = ZEROS
    delta_alpha: Six = ZEROS
    delta_theta: Six = ZEROS

    def __post_init__(self) -> None:
        """Refuse what is not six finite numbers."""
        for name in ("delta_a", "delta_d", "delta_alpha", "delta_theta"):
            try:
                value = tuple(float(number) for number in getattr(self, name))
            except (TypeError, ValueError):
                raise InputError(f"{name} is {getattr(self, name)!r}; allowed: six finite numbers") from None
            if len(value) != 6 or not all(map(math.isfinite, value)):
                raise InputError(f"{name} is {list(value)}; allowed: six finite numbers")
            object.__setattr__(self, name, value)

    @property
    def checksum(self) -> int:
        """A number that differs where the parameters do; 32 bits."""
        value = 2166136261
        for group in (self.delta_a, self.delta_d, self.delta_alpha, self.delta_theta):
            for number in group:
                for byte in np.float64(number).tobytes():
                    value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
        return value

    @staticmethod
    def typical(seed: int, *, length_m: float = 0.0004, angle_rad: float = 0.0006) -> "SpecimenCalibration":
        """Return a calibration of the size that real arms have: a tool some tenths of a millimetre to millimetres off.

        Args:
            seed: Each seed is another specimen.
            length_m: Standard deviation of a and d.
            angle_rad: Standard deviation of alpha and theta.
        """
        spread = np.random.default_rng(seed).normal(size=(4, 6)).clip(-2.5, 2.5)
        a, d, alpha, theta = spread * np.array([[length_m], [length_m], [angle_rad], [angle_rad]])
        return SpecimenCalibration(_six(a), _six(d), _six(alpha), _six(theta))


def _six(values: Array) -> Six:
    a, b, c, d, e, f = (float(value) for value in values)
    return a, b, c, d, e, f


CALIBRATED_NOTHING = SpecimenCalibration()


@dataclass(frozen=True)
class UrModel:
    """An arm: geometry (DH), masses, limits. Metres, radians, kilograms."""

    name: str
    """As the catalogue of robots calls it, e.g. "ur3e"."""
    title: str
    """As the dashboard answers, e.g. "UR3"."""
    robot_type: int
    """In the configuration package: 1 UR5, 2 UR10, 3 UR3."""
    a: Six
    d: Six
    velocity: Six
    """Largest joint speeds, rad/s."""
    acceleration: Six
    """Largest joint accelerations of planned moves, rad/s²."""
    stop: Six
    """Joint decelerations of a stop, rad/s²: of a program, of its watchdog, protective and emergency stops, `stopj`."""
    lower: Six
    upper: Six
    link_mass: Six
    link_com: tuple[tuple[float, float, float], ...]
    """Centres of mass in the DH frame of each link."""
    max_payload: float
    torque_constant: Six
    """Nm per ampere: what turns moments into currents."""
    alpha: Six = ALPHA
    calibration: SpecimenCalibration = field(default=CALIBRATED_NOTHING)
    endless: tuple[bool, ...] = (False,) * 6
    """Joints without limits of position."""

    @property
    def supervised(self) -> Six:
        """Joint speeds that the safety system allows, rad/s; a faster command is a protective stop."""
        return _six(np.array(self.velocity) + SPEED_MARGIN_RAD_S)

    @property
    def hardest(self) -> Six:
        """No setpoint ever accelerates a joint more than this, rad/s²: stops and servoing included."""
        return _six(np.maximum(2.5 * np.array(self.acceleration), self.stop))

    def calibrated(self, calibration: SpecimenCalibration) -> "UrModel":
        """Return the same arm as another specimen."""
        return replace(self, calibration=calibration)

    def dh(self) -> Array:
        """Return the calibrated table (6, 4): a, d, alpha, offset of theta."""
        extra = self.calibration
        rows = np.array([self.a, self.d, self.alpha, ZEROS]) + np.array(
            [extra.delta_a, extra.delta_d, extra.delta_alpha, extra.delta_theta]
        )
        return np.ascontiguousarray(rows.T)

    def nominal_dh(self) -> Array:
        """Return the table of the drawing (6, 4)."""
        return np.ascontiguousarray(np.array([self.a, self.d, self.alpha, ZEROS]).T)


def _all(value: float) -> Six:
    return value, value, value, value, value, value


PI, TURN = math.pi, math.tau
# Sources: Universal Robots, "DH parameters for calculations of kinematics and dynamics" (geometry, masses, centres
# of mass), technical sheets of UR3e and UR5e (speeds, ranges, payload). Accelerations and torque constants: assumed.
# Stops of base, shoulder and elbow: manuals of UR3/CB3 3.10 and UR5/CB3 3.4.5, appendix A.1, stopping distances of
# category 0 at 183 °/s, full reach and load (UR3: 0.18, 0.20, 0.15 rad; UR5: 0.31, 0.70, 0.22 rad), less the 7 ms by
# which smoothing delays it here; never below the acceleration of moves. Wrists: twice that acceleration, assumed.
MODELS: dict[str, UrModel] = {
    "ur3e": UrModel(
        name="ur3e",
        title="UR3",
        robot_type=3,
        a=(0.0, -0.24355, -0.2132, 0.0, 0.0, 0.0),
        d=(0.15185, 0.0, 0.0, 0.13105, 0.08535, 0.0921),
        velocity=(PI, PI, PI, TURN, TURN, TURN),
        acceleration=(4.0 * PI, 4.0 * PI, 4.0 * PI, 8.0 * PI, 8.0 * PI, 8.0 * PI),
        stop=(32.0, 28.5, 39.5, 16.0 * PI, 16.0 * PI, 16.0 * PI),
        lower=_all(-TURN),
        upper=_all(TURN),
        endless=(False,) * 5 + (True,),
        link_mass=(1.98, 3.4445, 1.437, 0.871, 0.805, 0.261),
        link_com=(
            (0.0, -0.02, 0.0),
            (0.13, 0.0, 0.1157),
            (0.05, 0.0, 0.0238),
            (0.0, 0.0, 0.01),
            (0.0, 0.0, 0.01),
            (0.0, 0.0, -0.02),
        ),
        max_payload=3.0,
        torque_constant=(10.0, 10.0, 8.0, 5.0, 5.0, 5.0),
    ),
    "ur5e": UrModel(
        name="ur5e",
        title="UR5",
        robot_type=1,
        a=(0.0, -0.425, -0.3922, 0.0, 0.0, 0.0),
        d=(0.1625, 0.0, 0.0, 0.1333, 0.0997, 0.0996),
        velocity=_all(PI),
        acceleration=_all(4.0 * PI),
        stop=(17.5, 4.0 * PI, 25.5, 8.0 * PI, 8.0 * PI, 8.0 * PI),
        lower=_all(-TURN),
        upper=_all(TURN),
        link_mass=(3.761, 8.058, 2.846, 1.37, 1.3, 0.365),
        link_com=(
            (0.0, -0.02561, 0.00193),
            (0.2125, 0.0, 0.11336),
            (0.15, 0.0, 0.0265),
            (0.0, -0.0018, 0.01634),
            (0.0, 0.0018, 0.01634),
            (0.0, 0.0, -0.001159),
        ),
        max_payload=5.0,
        torque_constant=(12.0, 12.0, 12.0, 8.0, 8.0, 8.0),
    ),
}


def ur_model(name: str, calibration: SpecimenCalibration | None = None) -> UrModel:
    """Return the arm called `name`, as drawn or as a calibrated specimen.

    Raises:
        UnknownNameError: There is no such arm.
    """
    if name not in MODELS:
        raise UnknownNameError("Universal Robots arm", name, MODELS)
    model = MODELS[name]
    return model if calibration is None else model.calibrated(calibration)
