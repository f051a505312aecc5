"""How RoboMap looks: a friendly survey platform of our own design, in the frame of its body.

The frame lies on the floor between the driven wheels, x ahead. Sizes follow facts.toml: a body
of 600 × 450 × 350 mm, wheels of 150 mm, a mast that carries the camera 1.1 m above the floor.
"""

import numpy as np

from openpendant.shapes import (
    Material,
    Outline,
    Part,
    Solid,
    box,
    cylinder,
    extrude,
    lathe,
    lettering,
    loft,
    part,
    plate,
    rounded,
    sphere,
    tube,
)

_SHELL = Material("#e2e6e9", roughness=0.38)
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
_CLEARANCE = 0.022
_WHEEL = 0.075
_BAND = 0.236
"""Height of the light that runs round the body."""
_TRACK = 0.20
_CAMERA = (0.05, 1.10)
"""x and height of the camera's lens."""


def build() -> dict[str, list[Part]]:
    """Return the parts of the body; the carriages beneath it are invisible."""
    return {"body": [*_chassis(), *_wheels(), *_deck(), *_screen(), *_mast(), *_head()]}


def _shell() -> Solid:
    """The white cover: upright sides with a waist for the light, leaning in towards a soft upper edge."""
    levels = [(0.07, 0.010, 0.125), (0.15, 0.008, 0.125), (_BAND - 0.006, 0.0115, 0.120)]
    levels += [(_BAND + 0.006, 0.0115, 0.120), (0.285, 0.020, 0.112), (_HEIGHT, 0.045, 0.090)]
    return loft([(z, (0, 0), (_LENGTH - 2 * i, _WIDTH - 2 * i), r) for z, i, r in levels], fillet=0.022)


def _chassis() -> list[Part]:
    """Cover, light band, visor with headlamps, and the bumper that runs round the foot."""
    shell = _shell()
    well = _well()
    bumper = extrude(_tile(_LENGTH, _WIDTH, 0.14), _CLEARANCE, 0.112, fillet=0.020)
    visor = shell.grow(0.0016) & box((0.12, 0.25, 0.040), 0.019, centre=(0.27, 0, 0.182))
    lamps = shell.grow(0.0024) & (box((0.1, 0.046, 0.010), 0.005, centre=(0.27, 0.088, 0.182)).twin("y"))
    rear = shell.grow(0.0016) & box((0.1, 0.16, 0.014), 0.007, centre=(-0.27, 0, 0.182))
    arch = cylinder((0, 0.165, _WHEEL), (0, 0.2215, _WHEEL), _WHEEL + 0.022, 0.004)
    arch = arch.carve(cylinder((0, 0.171, _WHEEL), (0, 0.4, _WHEEL), _WHEEL + 0.010), 0.004)
    fenders = (arch & box((0.3, 1.0, 0.4), centre=(0, 0, 0.2 + _CLEARANCE + 0.004))).twin("y")
    name = lettering("ROBOMAP", 0.019, raised=0.0035, stroke=0.18)
    side = _WIDTH / 2 - 0.0115
    return [
        part(shell - well, _SHELL, cell=0.006, triangles=3400),
        part(bumper - well, _RUBBER, cell=0.005, triangles=2600),
        part(fenders, _RUBBER, cell=0.0035, triangles=1600),
        part(plate(_tile(_LENGTH - 0.0216, _WIDTH - 0.0216, 0.120), _BAND - 0.005, _BAND + 0.005, 0.0005), _GLOW),
        part(visor, _GLASS, cell=0.0035, triangles=700),
        part(lamps, _LAMP, cell=0.0025, triangles=500),
        part(rear, _REAR, cell=0.003, triangles=300),
        part(name.turn("x", 90).move(y=-side, z=0.199), _GRAPHITE),
        part(name.turn("x", 90).turn("z", 180).move(y=side, z=0.199), _GRAPHITE),
    ]


def _well() -> Solid:
    """Return the room round both driven wheels; the fenders hide its rim."""
    return cylinder((0, 0.166, _WHEEL), (0, 0.4, _WHEEL), _WHEEL + 0.017).twin("y")


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
    """The dark deck: handles at the sides, a stop button at the back."""
    top = plate(_tile(_LENGTH - 0.17, _WIDTH - 0.17, 0.05), _HEIGHT - 0.002, _HEIGHT + 0.006, 0.002)
    half = [(0.012, 0, 0.013), (0.052, 0, 0.013), (0.066, 0, 0.010), (0.074, 0, 0.001), (0.078, 0, -0.012)]
    handle = tube([*[(-x, y, z) for x, y, z in half[::-1]], *half], 0.0075)
    ring = lathe([(0.024, 0), *_rim(0.024, 0.005, 0.002), (0, 0.005)], 32)
    button = lathe([(0.009, 0), (0.009, 0.005), (0.0165, 0.006), *_rim(0.0175, 0.015, 0.005), (0, 0.016)], 32)
    z = _HEIGHT + 0.006
    bar = part(handle, _ALUMINIUM, cell=0.0035, triangles=700)
    return [
        part(top, _DECK),
        bar.move(y=0.115, z=z),
        bar.move(y=-0.115, z=z),
        part(ring.move(-0.17, 0.085, z), _WARN),
        part(button.move(-0.17, 0.085, z + 0.005), _STOP),
    ]


def _screen() -> list[Part]:
    """The flat screen on the deck ahead of the mast, and rails for a payload behind it."""
    z = _HEIGHT + 0.006
    frame, glass = _tile(0.10, 0.16, 0.014), _tile(0.088, 0.148, 0.010)
    rail = _tile(0.16, 0.012, 0.003)
    return [
        part(plate(frame, z, z + 0.007, 0.002).move(x=0.145), _GRAPHITE),
        part(plate(glass, z, z + 0.0074).move(x=0.145), _GLASS),
        part(plate(_tile(0.004, 0.09, 0.002), z, z + 0.0078).move(x=0.118), _GLOW),
        *[part(plate(rail, z, z + 0.005, 0.001).move(x=-0.125, y=y), _ALUMINIUM) for y in (0.025, -0.025)],
    ]


def _mast() -> list[Part]:
    """A ring scanner at its foot, then a slim tube with a cable down its back."""
    z = _HEIGHT + 0.006
    foot = lathe([(0.064, 0), *_rim(0.064, 0.010, 0.004), (0.056, 0.012), (0.056, 0.020), (0.053, 0.022)], 44)
    window = lathe([(0.053, 0.021), (0.053, 0.054)], 44)
    slope = _flare(0.054, 0.024, 0.063, 0.086)
    cap = lathe([(0.053, 0.052), (0.056, 0.053), (0.056, 0.060), *slope, (0.020, 0.088)], 44)
    rod = lathe([(0.020, 0.07), (0.020, 0.68)], 32)
    clip = lathe([(0.0205, 0), (0.0225, 0.002), (0.0225, 0.012), (0.0205, 0.014)], 32)
    cable = lathe([(0.0045, 0.08), (0.0045, 0.70)], 12)
    return [
        *[part(m.move(z=z), k) for m, k in ((foot, _GRAPHITE), (window, _GLASS), (cap, _GRAPHITE))],
        part(rod.move(z=_HEIGHT), _ALUMINIUM),
        part(cable.move(x=-0.022, z=_HEIGHT), _RUBBER),
        *[part(clip.move(z=h), _GRAPHITE) for h in (0.58, 0.82)],
    ]


def _head() -> list[Part]:
    """The camera head: a soft housing, a dark face with two lenses looking ahead, the blue lamp on top."""
    x, z = _CAMERA
    back = x - 0.088
    housing = box((0.084, 0.170, 0.084), 0.034, centre=((x + back) / 2 - 0.002, 0, z))
    neck = cylinder((-0.003, 0, z - 0.085), (-0.003, 0, z), 0.0245, 0.004)
    body = housing.blend(neck, 0.02)
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


def _tile(length: float, width: float, corner: float) -> Outline:
    """Return a rounded rectangle, `length` along x and `width` along y."""
    x, y = length / 2, width / 2
    return rounded([(-x, -y, corner), (x, -y, corner), (x, y, corner), (-x, y, corner)], 9)


def _flare(r0: float, r1: float, z0: float, z1: float) -> list[tuple[float, float]]:
    """Return a profile that sweeps from radius r0 in to r1, hollow like the foot of a lamp."""
    t = np.linspace(0.0, 1.0, 9)
    return [(r1 + (r0 - r1) * float((1 - v) ** 2.5), z0 + (z1 - z0) * float(v)) for v in t]


def _rim(radius: float, z: float, fillet: float, start: float | None = None) -> list[tuple[float, float]]:
    """Return the profile of an outer edge: up the side from `start`, then a quarter turn inwards at height z."""
    angle = np.linspace(0, np.pi / 2, 6)
    arc = [(radius - fillet + fillet * float(np.cos(a)), z - fillet + fillet * float(np.sin(a))) for a in angle]
    return arc if start is None else [(radius, start), *arc]
