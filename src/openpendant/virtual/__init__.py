"""Virtual controllers: real servers without hardware. Each speaks its vendor's protocols and runs its language.

`virtual.ur` is the controller of a Universal Robots arm. The brain (`UrController`) has neither sockets nor a
clock: one `tick()` is 2 ms. The servers around it pace the ticks and carry the bytes.
"""

from . import ur

__all__ = ["ur"]
