"""The welding torch of the RX90L, in the frame of the flange; its dimensions are in facts.toml."""

import numpy as np

from openpendant.shapes import Material, Mesh, Part, bolt_circle, box, cylinder, lathe, part, screw, tube

_BLACK = Material("#25282b", roughness=0.6)
_ALUMINIUM = Material("#a9aeb2", roughness=0.4, metallic=0.35)
_BRASS = Material("#a07f4d", roughness=0.3, metallic=0.5)
_COPPER = Material("#b27350", roughness=0.32, metallic=0.5)
_HOSE = Material("#1b1d20", roughness=0.8)
_MARK = Material("#c8202f", roughness=0.5)

_BEND_DEG, _BEND_RADIUS, _NECK_START = 30.0, 0.120, 0.140


def torch() -> list[Part]:
    """Return plate, clamp, body with its hose, swan neck, nozzle and wire."""
    turn = np.deg2rad(np.linspace(0.0, _BEND_DEG, 5))
    arc = [(_BEND_RADIUS * (1 - float(np.cos(a))), 0.0, _NECK_START + _BEND_RADIUS * float(np.sin(a))) for a in turn]
    end, along = arc[-1], (float(np.sin(turn[-1])), 0.0, float(np.cos(turn[-1])))
    straight = tuple(p + 0.032 * d for p, d in zip(end, along, strict=True))
    neck = tube([(0, 0, 0.125), *arc, (straight[0], straight[1], straight[2])], 0.008)
    clamp = box((0.050, 0.044, 0.040), 0.005, centre=(0, 0, 0.030)) - box((0.0022, 0.05, 0.1), centre=(0, -0.025, 0.03))
    return [
        part(lathe([(0, 0), (0.0315, 0), (0.0315, 0.009), (0.0305, 0.010), (0, 0.010)]), _ALUMINIUM),
        part(bolt_circle(screw(0.0042, 0.004, 12).move(z=0.010), 4, 0.0265, 0), _BLACK),
        part(clamp, _ALUMINIUM, cell=0.0018, triangles=700),
        part(_body(), _BLACK),
        part(lathe([(0.0166, 0.112), (0.0166, 0.118)], 28), _MARK),
        part(neck, _BRASS, cell=0.0018, triangles=600),
        *[p.turn("y", _BEND_DEG).move(*end) for p in _nozzle()],
        *_hose(),
    ]


def _body() -> Mesh:
    """The insulated tube that the clamp holds, ribbed before the neck."""
    ribs: list[tuple[float, float]] = []
    for k in range(4):
        z = 0.066 + 0.011 * k
        ribs += [(0.016, z), (0.0145, z + 0.001), (0.0145, z + 0.0035), (0.016, z + 0.0045)]
    shoulder = [(0.016, 0.130), (0.0145, 0.1375), (0.0105, 0.140), (0.0105, 0.146), (0.008, 0.147)]
    return lathe([(0, 0.010), (0.016, 0.010), *ribs, *shoulder], 26)


def _nozzle() -> list[Part]:
    """Along z from the end of the bend: insulator, gas nozzle, contact tip and the wire that ends at the TCP."""
    outside = [(0.0, 0.028), (0.0095, 0.028), (0.011, 0.031), (0.011, 0.060), (0.009, 0.088)]
    bore = [(0.0072, 0.088), (0.0072, 0.07), (0.0, 0.07)]
    return [
        part(lathe([(0.008, 0.018), (0.0098, 0.020), (0.0098, 0.028), (0.0, 0.028)], 28), _BLACK),
        part(lathe(outside + bore, 32), _COPPER),
        part(lathe([(0.004, 0.06), (0.004, 0.084), (0.0025, 0.087), (0.0, 0.087)], 20), _BRASS),
        part(lathe([(0.0006, 0.08), (0.0006, 0.0996), (0.0, 0.1)], 10), _COPPER),
    ]


def _hose() -> list[Part]:
    """The stub of the hose package: out to the side and back, short of the forearm at every angle of J5."""
    path = [(-0.012, 0, 0.050), (-0.036, 0, 0.057), (-0.056, 0, 0.049), (-0.063, 0, 0.026)]
    ring = lathe([(0.0128, 0), (0.0128, 0.010), (0.0115, 0.012), (0, 0.012)], 24)
    return [
        part(tube(path, 0.0105), _HOSE, cell=0.0025, triangles=900),
        part(cylinder((-0.014, 0, 0.051), (-0.031, 0, 0.0555), 0.0135, 0.003), _BLACK, cell=0.002, triangles=300),
        part(ring.turn("y", 172).move(-0.062, 0, 0.028), _BLACK),
    ]
