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
    loft,
    part,
    screw,
)

from ._torch import torch

__all__ = ["build"]

_PAINT = Material("#e2ab34", roughness=0.42)
_BASE = Material("#4b4f54", roughness=0.5)
_DARK = Material("#2c2f32", roughness=0.7)
_STEEL = Material("#a6aaad", roughness=0.3, metallic=0.5)
_COVER = Material("#d39d2c", roughness=0.45)

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
    foot = foot & box((0.5, 0.5, _TURNTABLE - 0.004), centre=(0, 0, (_TURNTABLE - 0.004) / 2))
    plug = lathe([(0.019, 0), *_rim(0.019, 0.009, 0.002), (0.013, 0.009), *_rim(0.013, 0.024, 0.004), (0, 0.024)], 28)
    plugs = [part(plug.turn("y", -90).move(-0.159, y, z), _DARK) for y, z in ((-0.034, 0.085), (0.034, 0.085))]
    return [
        part(foot, _BASE, cell=0.005, triangles=3200),
        part(bolt_circle(screw(0.009, 0.009).move(z=0.019), 6, 0.138, 30), _STEEL),
        part(lathe([(0.094, _TURNTABLE - 0.004), (0.094, _TURNTABLE)]), _DARK),
        *plugs,
    ]


def _shoulder() -> list[Part]:
    """The column turns into a drum across it, from the arm (-y) to the cover of its motor (+y)."""
    low = _TURNTABLE - _SHOULDER
    column = cylinder((0, 0, low - 0.05), (0, 0, 0), 0.0985)
    drum = cylinder((0, _INNER + 0.004, 0), (0, 0.072, 0), 0.112, 0.016)
    body = column.blend(drum, 0.07) & box((0.6, 0.6, 0.6), centre=(0, _INNER + 0.304, low + 0.3))
    cover = lathe([(0.086, -0.01), (0.086, 0.012), *_rim(0.082, 0.034, 0.02), (0, 0.034)], 48)
    return [
        part(body, _PAINT, cell=0.0045, triangles=3000),
        part(cover.turn("x", -90).move(y=0.072), _COVER),
        part(lathe([(0.105, 0), (0.105, 0.008)], 48).turn("x", 90).move(y=_INNER + 0.004), _DARK),
    ]


def _upper_arm() -> list[Part]:
    """A casting between two heads, slender in the middle; covers on its outer side."""
    middle = (_INNER + _OUTER) / 2
    shoulder = cylinder((0, _OUTER + 0.01, 0), (0, _INNER, 0), 0.118, 0.018)
    elbow = cylinder((0, _OUTER + 0.018, _ARM), (0, _INNER, _ARM), 0.088, 0.016)
    shaft = loft(
        [
            (0.0, (0, middle), (0.19, 0.095), 0.03),
            (0.16, (0, middle), (0.132, 0.088), 0.036),
            (0.30, (0, middle), (0.112, 0.080), 0.036),
            (0.45, (0, middle), (0.132, 0.080), 0.03),
        ]
    )
    body = shaft.blend(shoulder, 0.06).blend(elbow, 0.05)
    body = body & box((0.6, 0.2, 1.2), centre=(0, _INNER - 0.1, 0.3))
    big = lathe([(0.092, -0.02), (0.092, 0.0), *_rim(0.092, 0.010, 0.005), (0, 0.010)], 48)
    small = lathe([(0.066, -0.02), *_rim(0.066, 0.009, 0.005, 0.0), (0, 0.009)], 48)
    return [
        part(body, _PAINT, cell=0.0045, triangles=3600),
        part(big.turn("x", 90).move(y=_OUTER + 0.01), _COVER),
        part(small.turn("x", 90).move(y=_OUTER + 0.018, z=_ARM), _COVER),
        part(lathe([(0.08, -0.002), (0.08, 0.008)], 48).turn("x", -90).move(y=_INNER, z=_ARM), _DARK),
    ]


def _elbow() -> list[Part]:
    """The block that carries the forearm back to the middle, and its motor behind."""
    drum = cylinder((0, _INNER + 0.004, 0), (0, 0.068, 0), 0.085, 0.02)
    neck = cylinder((0, 0, -0.02), (0, 0, 0.2), 0.069)
    body = drum.blend(neck, 0.05) & box((0.4, 0.4, 0.4), centre=(0, _INNER + 0.204, 0.120 - 0.2))
    return [
        part(body, _PAINT, cell=0.004, triangles=2400),
        part(lathe([(0.064, 0.120), (0.064, 0.125)]), _DARK),
    ]


def _forearm() -> list[Part]:
    """A long tube, bell-shaped at the elbow, that flattens into the two cheeks of the wrist."""
    body = loft(
        [
            (0.125, (0, 0), (0.138, 0.138), 0.069),
            (0.17, (0, 0), (0.130, 0.130), 0.065),
            (0.30, (0, 0), (0.104, 0.104), 0.052),
            (0.50, (0, 0), (0.088, 0.090), 0.044),
            (0.59, (0, 0), (0.080, 0.098), 0.036),
            (0.65, (0, 0), (0.076, 0.102), 0.030),
        ],
        fillet=0.002,
    )
    cheeks = cylinder((0, -0.052, _FOREARM), (0, 0.052, _FOREARM), 0.041, 0.006)
    body = body.blend(cheeks, 0.03)
    slot = np.array([(0.0, -0.043), (0.09, -0.095), (0.09, 0.06), (-0.09, 0.06), (-0.09, -0.095)])
    body = body.carve(extrude(slot, -0.0325, 0.0325).turn("x", 90).move(z=_FOREARM), 0.004)
    pin = lathe([(0.026, 0), *_rim(0.026, 0.004, 0.002), (0, 0.004)], 32)
    return [
        part(body, _PAINT, cell=0.0035, triangles=4200),
        part(pin.turn("x", 90).move(y=-0.052, z=_FOREARM), _DARK),
        part(pin.turn("x", -90).move(y=0.052, z=_FOREARM), _DARK),
    ]


def _wrist() -> list[Part]:
    """The knuckle between the cheeks."""
    ball = cylinder((0, -0.031, 0), (0, 0.031, 0), 0.036, 0.006)
    body = ball.blend(cylinder((0, 0, 0), (0, 0, 0.1), 0.0295), 0.014) & box((0.2, 0.0620, 0.2), centre=(0, 0, -0.034))
    return [
        part(body, _PAINT, cell=0.0022, triangles=1800),
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


def _rim(radius: float, z: float, fillet: float, start: float | None = None) -> list[tuple[float, float]]:
    """Return the profile of an outer edge: up the side from `start`, then a quarter turn inwards at height z."""
    angle = np.linspace(0, np.pi / 2, 6)
    arc = [(radius - fillet + fillet * float(np.cos(a)), z - fillet + fillet * float(np.sin(a))) for a in angle]
    return arc if start is None else [(radius, start), *arc]
