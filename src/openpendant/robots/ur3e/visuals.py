"""How a UR3e looks: six like joints, each a housing with a blue lid, joined by silver tubes.

A joint's motor sits in the link that carries its housing; its output turns the neighbour and
is marked by a dark flat ring. The lid lies opposite the output. All numbers are metres in the
frames of the links (facts.toml).
"""

import numpy as np

from openpendant.shapes import Material, Part, bolt_circle, box, cylinder, lathe, lettering, part, screw

_HOUSING = Material("#b9bdc1", roughness=0.45, metallic=0.15)
_TUBE = Material("#c8ccce", roughness=0.32, metallic=0.4)
_LID = Material("#77a5c6", roughness=0.5)
_LID_MARK = Material("#5a87a9", roughness=0.55)
_RUBBER = Material("#2b2e31", roughness=0.85)
_STEEL = Material("#8f9498", roughness=0.35, metallic=0.5)
_BLACK = Material("#1f2124", roughness=0.6)

_UPPER_ARM, _FOREARM = 0.24355, 0.2132
_SIDE, _BACK = 0.120, 0.093
"""The upper arm runs beside the shoulder, the forearm a step back towards the middle."""
_BIG, _MEDIUM, _SMALL = 0.0465, 0.0385, 0.0325
"""Radii of the housings: base and shoulder, elbow, wrist."""
_SEAL = 0.006
_BASE_TOP, _SHOULDER_OUT, _ELBOW_OUT = 0.0825, 0.055, 0.0635
"""Where the driven sides end: the base above the floor, shoulder and elbow along their axes."""
_WRIST = 0.045
"""From the middle of a wrist's motor to its output."""


def build() -> dict[str, list[Part]]:
    """Return the parts of each link, in the link's own frame."""
    return {
        "base_link_inertia": _base(),
        "shoulder_link": _shoulder(),
        "upper_arm_link": _upper_arm(),
        "forearm_link": _forearm(),
        "wrist_1_link": [p.turn("x", -90).turn("y", 90) for p in _wrist(0.13105 - (_SIDE - _BACK) - 0.049 - _SEAL)],
        "wrist_2_link": [p.turn("x", 90).turn("y", 90) for p in _wrist(0.08535 - _WRIST - _SEAL)],
        "wrist_3_link": _flange(),
    }


def _base() -> list[Part]:
    """The foot with its four screws and plug, and the fixed half of the first joint."""
    foot = cylinder((0, 0, 0), (0, 0, 0.010), 0.064, 0.002)
    foot = foot.blend(cylinder((0, 0, 0.002), (0, 0, 0.12), _BIG), 0.03)
    for k in range(4):
        pocket = cylinder((0.0555, 0, 0.009), (0.0555, 0, 0.06), 0.0085).turn("z", 45 + 90 * k)
        foot = foot.carve(pocket, 0.003)
    foot = foot.meet(box((0.2, 0.2, _BASE_TOP), centre=(0, 0, _BASE_TOP / 2)), 0.005)
    plug = lathe([(0.0165, 0.0), *_rim(0.0165, 0.008, 0.002), (0.0105, 0.008), *_rim(0.0105, 0.02, 0.003), (0, 0.02)])
    return [
        part(foot, _HOUSING, cell=0.0025, triangles=3000),
        part(bolt_circle(screw(0.005, 0.005).move(z=0.0085), 4, 0.0555, 45), _STEEL),
        part(plug.turn("y", 90).move(x=_BIG - 0.003, z=0.042), _BLACK),
    ]


def _shoulder() -> list[Part]:
    """The base motor stands upright, lid on top; its stub leads to the shoulder at the side (-y)."""
    low = _BASE_TOP + _SEAL - 0.15185
    return [p.turn("z", -90) for p in _joint(_BIG, low, 0.049, 0.0455, _SHOULDER_OUT, 2400)]


def _upper_arm() -> list[Part]:
    """The motors of shoulder and elbow side by side on a tube; both lids look outwards (+z)."""
    shoulder = _joint(_BIG, _SHOULDER_OUT + _SEAL - _SIDE, 0.046, 0.037, 0.076, 2200)
    elbow = _joint(_MEDIUM, _ELBOW_OUT + _SEAL - _SIDE, 0.040, 0.0345, 0.064, 2000)
    parts = [
        *[p.turn("z", 180) for p in shoulder],
        part(lettering("UR3e", 0.0125, stroke=0.18).turn("z", 180).move(z=0.0575), _LID_MARK),
        *_tube(0.0325, -0.076, 0.064 - _UPPER_ARM),
        *[p.move(x=-_UPPER_ARM) for p in elbow],
    ]
    return [p.move(z=_SIDE) for p in parts]


def _forearm() -> list[Part]:
    """A bracket on the elbow's output, a tube, and the motor of wrist 1 with its lid at the back (-z)."""
    top = _ELBOW_OUT - (_SIDE - _BACK)
    bend = cylinder((0, 0, -0.036), (0, 0, 0.06), 0.0375, 0.016).blend(
        cylinder((0, 0, 0), (-0.062, 0, 0), 0.0305), 0.03
    )
    bend = bend.meet(box((0.3, 0.2, 0.1 + top), centre=(0, 0, (top - 0.1) / 2)), 0.005)
    wrist = _joint(_SMALL, -0.049, 0.041, 0.029, 0.05, 1900)
    parts = [
        part(bend, _HOUSING, cell=0.0025, triangles=1800),
        *_tube(0.0265, -0.062, 0.05 - _FOREARM),
        *[p.turn("x", 180).move(x=-_FOREARM) for p in wrist],
    ]
    return [p.move(z=_SIDE - _BACK) for p in parts]


def _wrist(stub: float) -> list[Part]:
    """A wrist motor whose stub, this long, is turned by the joint before it."""
    return _joint(_SMALL, -_WRIST, 0.041, 0.0315, stub, 1900)


def _flange() -> list[Part]:
    """The tool flange (ISO 9409-1-50-4-M6) and the connector at its side."""
    r, back = 0.0315, _WRIST + _SEAL - 0.0921
    sleeve = lathe([(0.025, back), (r - 0.002, back), (r, back + 0.002), (r, -0.0135), (r - 0.0012, -0.0125)])
    seam = lathe([(r - 0.0015, -0.0135), (r - 0.0015, -0.0105)])
    disc = lathe([(r - 0.002, -0.0115), *_rim(r, 0.0, 0.001, -0.0105), (0.01575, 0), (0.01575, -0.006), (0, -0.006)])
    hole = lathe([(0.003, -0.001), (0.003, 0.0002), (0, 0.0002)], 16)
    boss = lathe([(0.0085, -0.004), *_rim(0.0085, 0.004, 0.001), (0.0062, 0.004), (0.0062, 0.0025), (0, 0.0025)], 24)
    pins = bolt_circle(lathe([(0.0008, 0.002), (0.0008, 0.0036), (0, 0.0036)], 8), 8, 0.0038)
    side = (-90.0, r, -0.026)
    return [
        part(sleeve, _HOUSING),
        part(seam, _RUBBER),
        part(disc, _STEEL),
        part(bolt_circle(hole, 4, 0.025, 45) + hole.move(x=0.025), _BLACK),
        part(boss.turn("x", side[0]).move(y=side[1], z=side[2]), _BLACK),
        part(pins.turn("x", side[0]).move(y=side[1], z=side[2]), _STEEL),
    ]


def _joint(radius: float, low: float, high: float, stub: float, length: float, triangles: int) -> list[Part]:
    """Return a joint about z: output and its seal at the low end, lid on the high end, a stub along +x."""
    body = cylinder((0, 0, low - 0.02), (0, 0, high + 0.02), radius)
    body = body.blend(cylinder((0, 0, 0), (length, 0, 0), stub, 0.0025), 0.024)
    body = body.meet(box((1.0, 1.0, high - low), centre=(0, 0, (high + low) / 2)), 0.005)
    seal = lathe([(radius - 0.0022, low - _SEAL), (radius - 0.0022, low)])
    groove = lathe([(radius - 0.0035, high - 0.002), (radius - 0.0035, high + 0.002)])
    lid = lathe([(radius - 0.004, 0.0015), *_rim(radius - 0.0006, 0.0115, 0.005, 0.0015), (0, 0.0115)])
    mark = lathe([(0.76 * radius, 0.0116), (0.73 * radius, 0.0116)])
    return [
        part(body, _HOUSING, cell=0.0025, triangles=triangles),
        part(seal + groove, _RUBBER),
        part(lid.move(z=high), _LID),
        part(mark.move(z=high), _LID_MARK),
    ]


def _tube(radius: float, start: float, end: float) -> list[Part]:
    """Return a tube along x between two stubs, with a dark seam at either end."""
    low, high = min(start, end), max(start, end)
    tube = lathe([(radius, low), (radius, high)])
    seam = lathe([(radius + 0.0011, low - 0.0005), (radius + 0.0011, low + 0.0014), (radius, low + 0.0016)])
    other = lathe([(radius, high - 0.0016), (radius + 0.0011, high - 0.0014), (radius + 0.0011, high + 0.0005)])
    return [part(tube.turn("y", 90), _TUBE), part((seam + other).turn("y", 90), _RUBBER)]


def _rim(radius: float, z: float, fillet: float, start: float | None = None) -> list[tuple[float, float]]:
    """Return the profile of an outer edge: up the side from `start`, then a quarter turn inwards at height z."""
    angle = np.linspace(0, np.pi / 2, 6)
    arc = [(radius - fillet + fillet * float(np.cos(a)), z - fillet + fillet * float(np.sin(a))) for a in angle]
    return arc if start is None else [(radius, start), *arc]
