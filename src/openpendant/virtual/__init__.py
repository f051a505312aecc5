"""Virtual controllers: real servers without hardware. Each speaks its vendor's protocols and runs its language.

In: a model and an address. Out: a process that behaves like a controller to its clients, and a handle to operate its
pendant and to break its wires. `virtual.ur` is the controller of a Universal Robots arm: its brain (`UrController`)
has neither sockets nor a clock, one `tick()` is 2 ms; the servers around it pace the ticks and carry the bytes.
"""

from .faults import Fault
from .launch import VirtualControl, VirtualHandle, start_virtual

__all__ = ["Fault", "VirtualControl", "VirtualHandle", "start_virtual"]
