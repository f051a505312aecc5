"""The driver of ABB arms with an IRC5 and RobotWare 6: IRB 120 and others of six axes, YuMi with both its arms.

In: the address of a controller, its arms, the signals of the cell. Out: `AbbDriver`, a `Controller`. `rapid/` has the
RAPID that it loads on the controller.
"""

from .arm import AbbArm
from .driver import AbbDriver
from .modules import SERVER_TASK

__all__ = ["SERVER_TASK", "AbbArm", "AbbDriver"]
