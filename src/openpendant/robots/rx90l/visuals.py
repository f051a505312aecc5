"""How an RX90L looks: yellow castings on a dark foot, the arm beside the shoulder, a long slender forearm.

All numbers are metres in the frames of the links (facts.toml): the arm stands off to the
side (-y) of the plane in which shoulder, forearm and wrist lie. Kinematic lengths are those of
the facts, the castings are drawn after the looks of the RX family.
"""

import numpy as np

from openpendant.shapes import (
    Material,
    Part,
    bolt_circle,
    box,
    cylinder,
    extrude,
    lathe,
    lettering,
    loft,
    part,
    screw,
)

from ._torch import torch

_PAINT = Material("#e5b44c", roughness=0.42)
_BASE = Material("#4b4f54", roughness=0.5)
_DARK = Material("#2c2f32", roughness=0.7)
_STEEL = Material("#a6aaad", roughness=0.3, metallic=0.5)
_COVER = Material("#dcab45", roughness=0.45)

_SHOULDER = 0.42
_ARM, _FOREARM, _FLANGE = 0.45, 0.65, 0.085
_TURNTABLE = 0.205
"""Height of the seam between pedestal and shoulder."""
_INNER, _OUTER = -0.106, -0.205
"""The upper arm lies between these two planes, measured along y."""


def build() -> dict[str, list[Part]]:
    """Return the parts of each link, in the link's own frame."""
    return {
        "pedestal": _pedestal(),
        "link_1": _shoulder(),
        "link_2": _upper_arm(),
        "link_3": _elbow(),
        "link_4": _forearm(),
        "link_5": _wrist(),
        "link_6": _flange(),
        "torch": torch(),
    }


def _pedestal() -> list[Part]:
    """A foot that flares out of the column, with screws all round and the connectors at the back."""
    foot = cylinder((0, 0, 0), (0, 0, 0.022), 0.155, 0.004)
    foot = foot.blend(cylinder((0, 0, 0.01), (0, 0, 0.4), 0.112, radius_b=0.085), 0.09)
    panel = box((0.10, 0.13, 0.115), 0.014, centre=(-0.11, 0, 0.085))
    foot = foot.blend(panel, 0.025)
    for k in range(6):
        foot = foot.carve(cylinder((0.138, 0, 0.02), (0.138, 0, 0.12), 0.013).turn("z", 30 + 60 * k), 0.004)
    foot = foot.meet(box((0.6, 0.6, _TURNTABLE - 0.005), centre=(0, 0, (_TURNTABLE - 0.005) / 2)), 0.008)
    plug = lathe([(0.019, 0), *_rim(0.019, 0.009, 0.002), (0.013, 0.009), *_rim(0.013, 0.024, 0.004), (0, 0.024)], 28)
    plugs = [part(plug.turn("y", -90).move(-0.159, y, z), _DARK) for y, z in ((-0.034, 0.085), (0.034, 0.085))]
    return [
        part(foot, _BASE, cell=0.005, triangles=2600),
        part(bolt_circle(screw(0.009, 0.009, 12).move(z=0.019), 6, 0.138, 30), _STEEL),
        part(lathe([(0.093, _TURNTABLE - 0.006), (0.093, _TURNTABLE + 0.001)]), _DARK),
        *plugs,
    ]


def _shoulder() -> list[Part]:
    """The column turns into a drum across it, from the arm (-y) to the cover of its motor (+y)."""
    low = _TURNTABLE - _SHOULDER
    column = cylinder((0, 0, low - 0.05), (0, 0, 0), 0.096)
    drum = cylinder((0, -0.15, 0), (0, 0.15, 0), 0.112)
    back = 0.098
    room = box((0.6, back - _INNER - 0.004, 0.6), centre=(0, (back + _INNER + 0.004) / 2, low + 0.3))
    body = column.blend(drum, 0.06).meet(room, 0.014)
    return [
        part(body, _PAINT, cell=0.0045, triangles=2200),
        *[p.turn("x", -90).move(y=back) for p in _cover(0.084, 8)],
        part(lathe([(0.105, 0), (0.105, 0.008)], 44).turn("x", 90).move(y=_INNER + 0.004), _DARK),
    ]


def _upper_arm() -> list[Part]:
    """A casting between two heads, slender in the middle; covers on its outer side."""
    middle = (_INNER + _OUTER) / 2
    shoulder = cylinder((0, _OUTER - 0.02, 0), (0, _INNER + 0.03, 0), 0.116)
    elbow = cylinder((0, _OUTER - 0.02, _ARM), (0, _INNER + 0.03, _ARM), 0.086)
    shaft = loft(
        [
            (0.0, (0, middle), (0.180, 0.074), 0.03),
            (0.16, (0, middle), (0.128, 0.072), 0.033),
            (0.30, (0, middle), (0.106, 0.068), 0.032),
            (0.45, (0, middle), (0.124, 0.066), 0.03),
        ]
    )
    body = shaft.blend(shoulder, 0.06).blend(elbow, 0.05)
    body = body.meet(box((0.6, _INNER - _OUTER, 1.2), centre=(0, middle, 0.3)), 0.014)
    name = lettering("RX90L", 0.026, raised=0.0035, stroke=0.2).turn("z", 90)
    big, small = _cover(0.090, 8), _cover(0.064, 6)
    return [
        part(body, _PAINT, cell=0.0045, triangles=2800),
        *[p.turn("x", 90).move(y=_OUTER) for p in big],
        *[p.turn("x", 90).move(y=_OUTER, z=_ARM) for p in small],
        part(name.turn("x", 90).move(y=middle - 0.034, z=0.235), _DARK),
        part(lathe([(0.08, -0.002), (0.08, 0.008)], 44).turn("x", -90).move(y=_INNER, z=_ARM), _DARK),
    ]


def _elbow() -> list[Part]:
    """The block that carries the forearm back to the middle, and its motor behind."""
    drum = cylinder((0, -0.15, 0), (0, 0.12, 0), 0.084)
    neck = cylinder((0, 0, -0.02), (0, 0, 0.2), 0.064)
    back = 0.069
    room = box((0.4, back - _INNER - 0.004, 0.4), centre=(0, (back + _INNER + 0.004) / 2, 0.120 - 0.2))
    body = drum.blend(neck, 0.05).meet(room, 0.012)
    return [
        part(body, _PAINT, cell=0.004, triangles=1700),
        *[p.turn("x", -90).move(y=back) for p in _cover(0.060, 6)],
        part(lathe([(0.0605, 0.119), (0.0605, 0.127)]), _DARK),
    ]


def _forearm() -> list[Part]:
    """A long tube, bell-shaped at the elbow, that flattens into the two cheeks of the wrist."""
    body = loft(
        [
            (0.126, (0, 0), (0.128, 0.128), 0.064),
            (0.16, (0, 0), (0.124, 0.124), 0.062),
            (0.28, (0, 0), (0.098, 0.098), 0.049),
            (0.50, (0, 0), (0.082, 0.084), 0.041),
            (0.59, (0, 0), (0.076, 0.096), 0.036),
            (0.65, (0, 0), (0.072, 0.100), 0.030),
        ],
        fillet=0.005,
    )
    cheeks = cylinder((0, -0.07, _FOREARM), (0, 0.07, _FOREARM), 0.041)
    room = box((0.2, 0.104, 0.4), centre=(0, 0, _FOREARM)) | box((0.2, 0.2, 0.6), centre=(0, 0, 0.2))
    body = body.blend(cheeks, 0.03).meet(room, 0.008)
    slot = np.array([(0.0, -0.043), (0.09, -0.095), (0.09, 0.06), (-0.09, 0.06), (-0.09, -0.095)])
    body = body.carve(extrude(slot, -0.0325, 0.0325).turn("x", 90).move(z=_FOREARM), 0.004)
    pin = lathe([(0.026, 0), *_rim(0.026, 0.004, 0.002), (0, 0.004)], 32)
    return [
        part(body, _PAINT, cell=0.0035, triangles=3000),
        part(pin.turn("x", 90).move(y=-0.052, z=_FOREARM), _DARK),
        part(pin.turn("x", -90).move(y=0.052, z=_FOREARM), _DARK),
    ]


def _wrist() -> list[Part]:
    """The knuckle between the cheeks."""
    ball = cylinder((0, -0.031, 0), (0, 0.031, 0), 0.036, 0.006)
    body = ball.blend(cylinder((0, 0, 0), (0, 0, 0.1), 0.0295), 0.014) & box((0.2, 0.0620, 0.2), centre=(0, 0, -0.034))
    return [
        part(body, _PAINT, cell=0.0022, triangles=1300),
        part(lathe([(0.027, 0.066), (0.027, 0.069)]), _DARK),
    ]


def _flange() -> list[Part]:
    """The steel mounting face, bored and threaded."""
    face = lathe(
        [
            (0.0, 0.069),
            (0.0315, 0.069),
            (0.0315, _FLANGE - 0.001),
            (0.0305, _FLANGE),
            (0.0155, _FLANGE),
            (0.0155, _FLANGE - 0.006),
            (0, _FLANGE - 0.006),
        ]
    )
    return [part(face, _STEEL)]


def _cover(radius: float, screws: int) -> list[Part]:
    """Return a round cover on z = 0 with a dark joint round it and its screws."""
    lid = lathe([(radius - 0.003, 0.0), *_rim(radius, 0.008, 0.004, 0.002), (0, 0.008)], 44)
    return [
        part(lathe([(radius + 0.0015, -0.002), (radius + 0.0015, 0.0008), (radius - 0.004, 0.0008)], 44), _DARK),
        part(lid, _COVER),
        part(bolt_circle(screw(0.0045, 0.003, 10).move(z=0.0075), screws, radius - 0.012), _STEEL),
    ]


def _rim(radius: float, z: float, fillet: float, start: float | None = None) -> list[tuple[float, float]]:
    """Return the profile of an outer edge: up the side from `start`, then a quarter turn inwards at height z."""
    angle = np.linspace(0, np.pi / 2, 5)
    arc = [(radius - fillet + fillet * float(np.cos(a)), z - fillet + fillet * float(np.sin(a))) for a in angle]
    return arc if start is None else [(radius, start), *arc]
