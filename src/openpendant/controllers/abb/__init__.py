"""The driver of ABB arms with an IRC5 and RobotWare 6: IRB 120 and others of six axes, YuMi with both its arms.

In: the address of a controller, its arms, the signals of the cell. Out: `AbbDriver`, a `Controller`; what is found at
an address, as `Probed`. `rapid/` has the RAPID that the driver loads on the controller.
"""

from .arm import AbbArm
from .driver import AbbDriver
from .modules import SERVER_TASK
from .probe import probe_abb

__all__ = ["SERVER_TASK", "AbbArm", "AbbDriver", "probe_abb"]
