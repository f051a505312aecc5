"""RobotOrders: move joints, ask for joints, ask for the position; the same for every arm of the catalogue."""

import threading
from types import TracebackType
from typing import Self

from numpy.typing import ArrayLike

from openpendant.errors import ControllerError, InputError
from openpendant.makers import find_maker, usual_model
from openpendant.motion import Speed
from openpendant.robots import load
from openpendant.runtime import BusError, CellRuntime, LeaseError, Moved, RemoteRobot
from openpendant.scene import Cell, CellRobot

READY_S = 30.0


class RobotOrders:
    """One robot, alone in an empty cell. A context; or call `close` at the end.

    The robot runs in its own process, which keeps the link alive for as long as this object lives, also while
    nothing is asked of it. When this process ends, however it ends, the robot comes to rest.
    """

    def __init__(
        self,
        robot: str | None = None,
        address: str | None = None,
        *,
        virtual: str | None = None,
        speed: float = 1.0,
        law: bool = False,
        gain: float = 2.0,
        exponent: float = 0.6,
    ) -> None:
        """Connect; returns when the robot is ready for orders.

        Args:
            robot: Of the catalogue, with one arm: "ur3e", "irb120", …; None: the one that a virtual controller is of
                if none is given.
            address: Of its controller; None: a virtual controller (or, for robots that have none, a kinematic robot)
                is started.
            virtual: The loopback address for a virtual controller, for robots that have one; None: a free one.
            speed: Share of the joints' largest velocities, above 0 up to 1.
            law: True: joints go with the velocity gain · sign(d) · |d / π| ** exponent, d the distance that is left;
                False: all joints start and stop together, as fast as `speed` allows.
            gain: Of the law: velocity at a distance of half a turn, rad/s.
            exponent: Of the law.

        Raises:
            UnknownNameError: No such robot.
            InputError: The robot has more than one arm or none, or a number is not allowed.
            ControllerError: The robot does not become ready; says why.
        """
        robot = robot or usual_model()
        model = load(robot)
        if len(model.arms) != 1:
            raise InputError(f"{robot} has {len(model.arms)} arms; RobotOrders is for robots with one")
        if not (0.0 < gain < float("inf") and 0.1 <= exponent <= 2.0):
            raise InputError(f"gain is {gain} and exponent {exponent}; allowed: above 0, and 0.1 to 2")
        self.why = ""
        """Why the last order was not carried out; empty: it was."""
        self._speed = Speed(joint_fraction=speed)
        self._law, self._gain, self._exponent = law, gain, exponent
        self._one = threading.Lock()
        self._arm = model.arm()
        maker = find_maker(model)
        has_virtual = maker is not None and maker.virtual_model(model) != ""
        cell = Cell(name="robot_orders", robots=(CellRobot(name=robot, model=robot),))
        self.runtime = CellRuntime(
            cell,
            addresses=None if address is None else {robot: address},
            virtual=True if virtual is None or not has_virtual else {robot: virtual},
            name="RobotOrders",
        )
        """The cell that the robot is in, for everything that is not said here."""
        try:
            self.runtime.start()
            self.robot: RemoteRobot = self.runtime.robot(robot)
            self.robot.wait_ready(READY_S)
        except BaseException:
            self.runtime.close()
            raise

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Bring the robot to rest and end; again is allowed."""
        self.runtime.close()

    def moveJoints(self, angles: ArrayLike) -> int:
        """Go to joints, and return when it is over.

        Args:
            angles: One for each joint, radians.

        Returns:
            1 where *every* joint is within 0.01 rad of its angle, 0 otherwise; `why` says why.

        Raises:
            InputError: Not one finite number inside the limits for each joint.
        """
        q = self._arm.check_q(angles)
        with self._one:
            try:
                self.robot.wait_ready(READY_S)
                moved: Moved = (
                    self.robot.approach(q, gain=self._gain, exponent=self._exponent)
                    if self._law
                    else self.robot.move_joints(q, speed=self._speed)
                )
            except (ControllerError, BusError, LeaseError) as error:
                self.why = str(error)
                return 0
            self.why = moved.reason
            return int(moved.reached)

    def ask4RobotJoints(self) -> list[float]:
        """Return the measured joints, radians.

        Raises:
            ControllerError: Nothing fresh is known of the robot; says why.
        """
        report = self.robot.state
        if not report.connected:
            raise ControllerError(f"{self.robot.name}: {report.reason}")
        return self.robot.q().tolist()

    def ask4AbsPosition(self) -> list[float]:
        """Return the position of the arm's flange in the maker's frame `base`, metres. Raises as `ask4RobotJoints`."""
        # Where the catalogue knows no frame of that name, the arm's own base is the maker's.
        base = "base" if "base" in self._arm.bases else None
        T_base_flange = self._arm.fk(self.ask4RobotJoints(), base=base, check_limits=False)
        return T_base_flange[:3, 3].tolist()
