"""How RoboMap looks: a friendly survey platform of our own design, in the frame of its body.

The frame lies on the floor between the driven wheels, x ahead. Sizes follow facts.toml: a body
of 600 × 450 × 350 mm, wheels of 150 mm, a mast that carries the camera 1.1 m above the floor.
"""

import numpy as np

from openpendant.shapes import (
    Material,
    Part,
    Solid,
    box,
    cylinder,
    extrude,
    lathe,
    loft,
    part,
    plate,
    rounded,
    sphere,
    tube,
)

__all__ = ["build"]

_SHELL = Material("#eef1f3", roughness=0.35)
_DECK = Material("#3b4148", roughness=0.6)
_RUBBER = Material("#1e2124", roughness=0.85)
_GRAPHITE = Material("#2a2f35", roughness=0.45)
_ACCENT = Material("#2f7df6", roughness=0.35)
_GLOW = Material("#7db4ff", roughness=0.2)
_ALUMINIUM = Material("#b4bac0", roughness=0.35, metallic=0.4)
_GLASS = Material("#0d1116", roughness=0.08)
_LAMP = Material("#dfeeff", roughness=0.2)
_REAR = Material("#b3202c", roughness=0.3)
_STOP, _WARN = Material("#d3232f", roughness=0.4), Material("#f2c230", roughness=0.5)

_LENGTH, _WIDTH, _HEIGHT = 0.60, 0.45, 0.35
_CLEARANCE = 0.045
_WHEEL = 0.075
_TRACK = 0.20
_CAMERA = (0.05, 1.10)
"""x and height of the camera's lens."""


def build() -> dict[str, list[Part]]:
    """Return the parts of the body; the carriages beneath it are invisible."""
    return {"body": [*_chassis(), *_wheels(), *_deck(), *_lidar(), *_mast(), *_head()]}


def _outline(grow: float = 0.0, corner: float = 0.14):
    x, y = _LENGTH / 2 + grow, _WIDTH / 2 + grow
    r = corner + grow
    return rounded([(-x, -y, r), (x, -y, r), (x, y, r), (-x, y, r)], 10)


def _shell() -> Solid:
    """The white cover: upright sides that lean in towards a soft upper edge."""
    return loft(
        [
            (0.070, (0, 0), (_LENGTH - 0.020, _WIDTH - 0.020), 0.125),
            (0.170, (0, 0), (_LENGTH - 0.016, _WIDTH - 0.016), 0.125),
            (0.270, (0, 0), (_LENGTH - 0.034, _WIDTH - 0.034), 0.115),
            (_HEIGHT, (0, 0), (_LENGTH - 0.090, _WIDTH - 0.090), 0.090),
        ],
        fillet=0.022,
    )


def _chassis() -> list[Part]:
    """Cover, light band, visor with headlamps, and the bumper that runs round the foot."""
    shell = _shell()
    arch = cylinder((0, 0, _WHEEL), (0, 0.4, _WHEEL), _WHEEL + 0.014).move(y=0.165).twin("y")
    bumper = extrude(_outline(), _CLEARANCE, 0.125, fillet=0.022) - extrude(_outline(-0.006), 0.084, 0.087)
    band = shell.grow(0.0012) & box((1, 1, 0.011), centre=(0, 0, 0.232))
    visor = shell.grow(0.0016) & box((0.12, 0.25, 0.040), 0.019, centre=(0.27, 0, 0.190))
    lamps = shell.grow(0.0024) & (box((0.1, 0.046, 0.010), 0.005, centre=(0.27, 0.088, 0.190)).twin("y"))
    rear = shell.grow(0.0016) & box((0.1, 0.16, 0.014), 0.007, centre=(-0.27, 0, 0.190))
    return [
        part(shell.carve(arch, 0.006), _SHELL, cell=0.006, triangles=3600),
        part(bumper.carve(arch, 0.006), _RUBBER, cell=0.005, triangles=3000),
        part(band, _GLOW, cell=0.004, triangles=900),
        part(visor, _GLASS, cell=0.0035, triangles=700),
        part(lamps, _LAMP, cell=0.0025, triangles=500),
        part(rear, _REAR, cell=0.003, triangles=300),
    ]


def _wheels() -> list[Part]:
    """Two driven wheels with their hubs, and a castor at each end."""
    w = 0.02
    tread = [(_WHEEL - 0.008, -w), (_WHEEL - 0.001, -w + 0.006), (_WHEEL, 0), (_WHEEL - 0.001, w - 0.006)]
    tyre = lathe([(0.045, -w), *tread, (_WHEEL - 0.008, w), (0.052, w), (0.050, w - 0.005)], 44)
    hub = lathe([(0.050, 0.015), (0.044, 0.011), (0.024, 0.013), (0.020, 0.019), (0.012, 0.0205), (0, 0.0205)], 36)
    parts: list[Part] = []
    for side in (1, -1):
        at = _TRACK + 0.001
        parts += [
            part(tyre.turn("x", -90 * side).move(y=at * side, z=_WHEEL), _RUBBER),
            part(hub.turn("x", -90 * side).move(y=at * side, z=_WHEEL), _ALUMINIUM),
        ]
    roll = lathe(
        [(0, -0.014), (0.026, -0.014), *_rim(0.030, 0.0, 0.006, -0.008), (0.030, 0.008), (0.026, 0.014), (0, 0.014)], 24
    )
    for x in (0.215, -0.215):
        fork = box((0.030, 0.044, 0.05), 0.008, centre=(0, 0, 0.055))
        parts += [
            part(roll.turn("x", 90).move(x=x, z=0.030), _RUBBER),
            part(fork, _GRAPHITE, cell=0.004, triangles=200).move(x=x),
        ]
    return parts


def _deck() -> list[Part]:
    """The dark deck: mounting holes, handles at the sides, a stop button and an aerial at the back."""
    x, y = _LENGTH / 2 - 0.085, _WIDTH / 2 - 0.085
    top = plate(
        rounded([(-x, -y, 0.05), (x, -y, 0.05), (x, y, 0.05), (-x, y, 0.05)], 8),
        _HEIGHT - 0.002,
        _HEIGHT + 0.006,
        0.002,
    )
    half = [(0.012, 0, 0.030), (0.052, 0, 0.030), (0.068, 0, 0.024), (0.074, 0, 0.008), (0.074, 0, -0.01)]
    handle = tube([*[(-x, y, z) for x, y, z in half[::-1]], *half], 0.0075)
    ring = lathe([(0.024, 0), *_rim(0.024, 0.010, 0.002), (0, 0.010)], 32)
    button = lathe([(0.009, 0), (0.009, 0.010), (0.0165, 0.011), *_rim(0.0175, 0.022, 0.006), (0, 0.023)], 32)
    aerial = lathe([(0.007, 0), (0.007, 0.012), (0.0045, 0.016), *_rim(0.0035, 0.13, 0.003), (0, 0.13)], 16)
    z = _HEIGHT + 0.006
    bar = part(handle, _ALUMINIUM, cell=0.0035, triangles=700)
    return [
        part(top, _DECK),
        bar.move(y=0.115, z=z),
        bar.move(y=-0.115, z=z),
        part(ring.move(-0.17, 0.07, z), _WARN),
        part(button.move(-0.17, 0.07, z + 0.010), _STOP),
        part(aerial.move(-0.175, -0.085, z), _GRAPHITE),
    ]


def _lidar() -> list[Part]:
    """The turning laser scanner ahead of the mast."""
    z = _HEIGHT + 0.006
    foot = lathe([(0.052, 0), (0.052, 0.006), (0.044, 0.012), (0.044, 0.026), (0.041, 0.028)], 44)
    window = lathe([(0.041, 0.027), (0.041, 0.058)], 44)
    cap = lathe([(0.041, 0.057), (0.044, 0.058), *_rim(0.044, 0.074, 0.008, 0.058), (0, 0.075)], 44)
    return [part(m.move(0.155, 0, z), k) for m, k in ((foot, _GRAPHITE), (window, _GLASS), (cap, _GRAPHITE))]


def _mast() -> list[Part]:
    """A slim tube on a flared foot; a cable runs down its back."""
    foot = lathe([(0.062, 0), *_rim(0.062, 0.010, 0.004), *_flare(0.045, 0.023, 0.010, 0.075), (0.020, 0.078)], 40)
    rod = lathe([(0.020, 0.07), (0.020, 0.675)], 32)
    clip = lathe([(0.0205, 0), (0.0225, 0.002), (0.0225, 0.012), (0.0205, 0.014)], 32)
    cable = lathe([(0.0045, 0.02), (0.0045, 0.70)], 12)
    return [
        part(foot.move(z=_HEIGHT + 0.006), _GRAPHITE),
        part(rod.move(z=_HEIGHT), _ALUMINIUM),
        part(cable.move(x=-0.022, z=_HEIGHT), _RUBBER),
        *[part(clip.move(z=z), _GRAPHITE) for z in (0.55, 0.80)],
    ]


def _head() -> list[Part]:
    """The camera head: a soft housing, a dark face with two lenses looking ahead, the blue lamp on top."""
    x, z = _CAMERA
    back = x - 0.088
    housing = box((0.084, 0.170, 0.084), 0.034, centre=((x + back) / 2 - 0.002, 0, z))
    neck = cylinder((0, 0, z - 0.09), (0, 0, z), 0.026, 0.002)
    body = housing.blend(neck, 0.03)
    face = housing.grow(0.0012) & box((0.030, 0.140, 0.056), 0.026, centre=(x - 0.008, 0, z))
    lens = lathe([(0.0165, 0), *_rim(0.0165, 0.005, 0.0015), (0.012, 0.005), (0.010, 0.002), (0, 0.0045)], 28)
    ring = lathe([(0.028, 0), *_rim(0.028, 0.010, 0.003), (0, 0.010)], 36)
    return [
        part(body, _SHELL, cell=0.0035, triangles=2200),
        part(face, _GLASS, cell=0.0028, triangles=700),
        *[part(lens.turn("y", 90).move(x - 0.004, y, z), _GRAPHITE) for y in (-0.042, 0.042)],
        part(ring.move(0, 0, z + 0.038), _GRAPHITE),
        part(sphere(0.031, (0, 0, z + 0.066)), _ACCENT, cell=0.004, triangles=900),
    ]


def _flare(r0: float, r1: float, z0: float, z1: float) -> list[tuple[float, float]]:
    """Return a profile that sweeps from radius r0 in to r1, hollow like the foot of a lamp."""
    t = np.linspace(0.0, 1.0, 9)
    return [(r1 + (r0 - r1) * float((1 - v) ** 2.5), z0 + (z1 - z0) * float(v)) for v in t]


def _rim(radius: float, z: float, fillet: float, start: float | None = None) -> list[tuple[float, float]]:
    """Return the profile of an outer edge: up the side from `start`, then a quarter turn inwards at height z."""
    angle = np.linspace(0, np.pi / 2, 6)
    arc = [(radius - fillet + fillet * float(np.cos(a)), z - fillet + fillet * float(np.sin(a))) for a in angle]
    return arc if start is None else [(radius, start), *arc]
