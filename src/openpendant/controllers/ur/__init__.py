"""Universal Robots e-Series arms: a driver on ur_rtde, with supervision of its own.

    driver = UrDriver("192.168.1.10")
    driver.connect()
    driver.run(SampledPath("arm", Q))

In: an address. Out: a `Controller`. What ur_rtde does and what it does not is described in docs/controllers.md.
"""

from .calibration import Calibration, DenavitHartenberg
from .driver import UrDriver
from .probe import probe_ur

__all__ = ["Calibration", "DenavitHartenberg", "UrDriver", "probe_ur"]
