"""What is around the brain of every virtual controller: mains, boot, faults, pace, control channel and pendant.

In: a maker's brain, services for its ports, and an `Operator`. Out: `VirtualHost.run`, which ticks in real time.
"""

from .control import ControlService
from .program_folder import ProgramFolder
from .virtual_host import Serial, VirtualHost

__all__ = ["ControlService", "ProgramFolder", "Serial", "VirtualHost"]
