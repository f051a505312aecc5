"""What the cranes' maker calls things."""

from openpendant.robots.conventions import Plain, PortRules

BOOMS = ("near", "far")
"""Of cranes with two; a task that moves one is called like it."""
INPUTS, OUTPUTS = ("limit", "loaded"), ("magnet", "lamp")


class CraneConvention(Plain):
    """As plain robots, with ports of its own."""

    title = "Toy cranes"
    ports = PortRules(allowed={"in": "limit or loaded", "out": "magnet or lamp"}, names={"in": INPUTS, "out": OUTPUTS})


CONVENTION = CraneConvention()
