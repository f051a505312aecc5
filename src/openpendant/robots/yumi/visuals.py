"""How a YuMi looks: each link's body from dimensions, in the link's own frame (metres).

Both arms are built alike, so their links share one description. Of two neighbours at a
bending joint one ends in a tongue and the other in a fork round it; at a turning joint
both end in a round collar of the same radius.
"""

import numpy as np

from openpendant.shapes import (
    Material,
    Mesh,
    Part,
    Solid,
    box,
    cylinder,
    draped,
    extrude,
    joined,
    lathe,
    lettering,
    loft,
    part,
    rounded,
)

SHELL = Material("#dddfe1", roughness=0.5)
PAD = Material("#a9afb5", roughness=0.85)
JOINT = Material("#4b5056", roughness=0.6)
SEAM = Material("#24272a", roughness=0.8)
STEEL = Material("#b5b9be", roughness=0.35, metallic=0.8)
RED = Material("#e3061a", roughness=0.5)

SHOULDER = np.array([0.05355, 0.0725, 0.41492])
SHOULDER_AXIS = np.array([0.81406, 0.34197, 0.46945])
"""Axis 1 of the left arm in the body: where it starts and where it points."""


def build() -> dict[str, list[Part]]:
    """Return the parts of body, both arms, grippers and fingers."""
    arm = {1: _shoulder(), 2: _upper_arm(), 3: _elbow(), 4: _forearm(), 5: _wrist(), 6: _hand(), 7: _flange()}
    gripper, finger = _gripper(), _finger()
    links = {"yumi_body": _body()}
    for side in ("l", "r"):
        links |= {f"yumi_link_{k}_{side}": parts for k, parts in arm.items()}
        links[f"gripper_{side}"] = gripper
        links[f"gripper_{side}_finger_1"] = finger
        links[f"gripper_{side}_finger_2"] = [p.mirror("y") for p in finger]
    return links


def _body() -> list[Part]:
    foot = loft(
        [
            (0.0, (-0.045, 0.0), (0.33, 0.36), 0.07),
            (0.045, (-0.045, 0.0), (0.325, 0.35), 0.07),
            (0.085, (-0.05, 0.0), (0.27, 0.27), 0.07),
        ],
        0.012,
    )
    torso = loft(
        [
            (0.05, (-0.062, 0.0), (0.262, 0.262), 0.075),
            (0.18, (-0.064, 0.0), (0.238, 0.224), 0.078),
            (0.31, (-0.055, 0.0), (0.214, 0.204), 0.082),
            (0.42, (-0.050, 0.0), (0.204, 0.200), 0.088),
            (0.50, (-0.056, 0.0), (0.178, 0.168), 0.080),
            (0.571, (-0.058, 0.0), (0.112, 0.108), 0.054),
        ],
        0.045,
    )
    body = foot.blend(torso, 0.06)
    o, n = SHOULDER, SHOULDER_AXIS
    boss = cylinder(_at(o - 0.10 * n), _at(o - 0.002 * n), 0.078, fillet=0.006, radius_b=0.0575)
    body = body.blend(boss.twin("y"), 0.05)
    # The fillet must not climb up the arm.
    body = body.carve(cylinder(_at(o + 0.002 * n), _at(o + 0.2 * n), 0.063).twin("y"), 0.014)
    # The connector panel on the back, and the seam follow the body's own surface.
    skin_of = body.grow(0.0012)
    waist = skin_of & box((0.6, 0.6, 0.005), centre=(0.0, 0.0, 0.098))
    plan = rounded([(-0.075, 0.125, 0.015), (0.075, 0.125, 0.015), (0.065, 0.245, 0.015), (-0.065, 0.245, 0.015)])
    panel = skin_of & extrude(plan, 0.0, 0.3).turn("x", 90.0).turn("z", -90.0)
    name = lettering("ABB", 0.026, raised=0.0012).turn("x", 90.0).turn("z", 90.0).move(0.3, 0.0, 0.315)
    name = draped(name, body, (-1.0, 0.0, 0.0))
    places = ((0.015, -0.04, 0.20), (0.015, 0.0, 0.20), (0.009, 0.04, 0.20), (0.009, -0.02, 0.14), (0.009, 0.02, 0.14))
    sockets = joined(
        lathe([(r, 0.0), (r, 0.010), (r - 0.002, 0.012), (r - 0.004, 0.012), (r - 0.004, 0.003), (0, 0.003)], 24)
        .turn("y", -90.0)
        .move(-0.175 + 0.1 * (z - 0.17), y, z)
        for r, y, z in places
    )
    return [
        part(body, SHELL, cell=0.0045, triangles=4600),
        part(waist, SEAM, cell=0.003, triangles=700),
        part(panel, JOINT, cell=0.003, triangles=300),
        part(name, RED),
        part(sockets, STEEL),
    ]


def _shoulder() -> list[Part]:
    return [part(_shoulder_body(), SHELL, cell=0.003, triangles=1000), _band(0.0575, -0.008, 0.009)]


def _shoulder_body() -> Solid:
    """Link 1: collar about z; tongue round axis 2, which runs along y through (0.03, 0, 0.1)."""
    neck = loft(
        [
            (0.002, (0.0, 0.0), (0.115, 0.115), 0.0575),
            (0.030, (0.002, 0.0), (0.112, 0.108), 0.052),
            (0.062, (0.010, 0.0), (0.104, 0.078), 0.030),
            (0.100, (0.022, 0.0), (0.092, 0.056), 0.018),
        ],
        0.006,
    )
    drum = cylinder((0.03, -0.0275, 0.1), (0.03, 0.0275, 0.1), 0.046, fillet=0.006)
    body = neck.blend(drum, 0.025)
    free = cylinder((0.03, 0.0275, 0.1), (0.03, 0.12, 0.1), 0.055).twin("y")
    return body.carve(free, 0.006)


def _upper_arm() -> list[Part]:
    """Link 2: fork round axis 2 (z); the arm runs along y, offset to x = -0.03, to the collar of axis 7."""
    arm = loft(
        [
            (-0.005, (-0.004, 0.0), (0.080, 0.100), 0.036),
            (0.050, (-0.020, 0.0), (0.088, 0.104), 0.038),
            (0.100, (-0.030, 0.0), (0.086, 0.098), 0.040),
            (0.171, (-0.030, 0.0), (0.090, 0.090), 0.045),
        ],
        0.007,
    ).turn("x", -90.0)
    drum = cylinder((0, 0, -0.054), (0, 0, 0.054), 0.0475, fillet=0.014)
    body = arm.blend(drum, 0.02)
    slot = cylinder((0, 0, -0.0285), (0, 0, 0.0285), 0.056, fillet=0.004)
    slot = slot | box((0.12, 0.07, 0.057), 0.004, centre=(0.03, -0.035, 0.0))
    body = body.carve(slot, 0.007)
    # At both ends of axis 2's range the arm has a hollow where it would meet its neighbour.
    for deg in (-143.5, 43.5):
        met = _shoulder_body().move(-0.03, 0.0, -0.1).turn("x", -90.0).turn("z", -deg)
        body = body.carve(met.grow(0.0006), 0.002)
    caps = _caps(0.034, 0.0562)
    return [
        part(body, SHELL, cell=0.003, triangles=1500),
        part(caps, JOINT),
        _pad(body, box((0.3, 0.05, 0.3), centre=(0.0, 0.105, 0.0)), 520),
    ]


def _elbow() -> list[Part]:
    return [part(_elbow_body(), SHELL, cell=0.0028, triangles=900), _band(0.045, -0.009, 0.009)]


def _elbow_body() -> Solid:
    """Link 3: collar about z; tongue round axis 3, which runs along y through (-0.042, 0, 0.079)."""
    neck = loft(
        [
            (0.0015, (0.0, 0.0), (0.090, 0.090), 0.045),
            (0.022, (-0.004, 0.0), (0.089, 0.086), 0.042),
            (0.048, (-0.018, 0.0), (0.088, 0.066), 0.026),
            (0.079, (-0.034, 0.0), (0.080, 0.054), 0.018),
        ],
        0.006,
    )
    drum = cylinder((-0.04188, -0.0265, 0.07873), (-0.04188, 0.0265, 0.07873), 0.041, fillet=0.006)
    free = cylinder((-0.04188, 0.0265, 0.07873), (-0.04188, 0.12, 0.07873), 0.0485).twin("y")
    return neck.blend(drum, 0.02).carve(free, 0.006)


def _forearm() -> list[Part]:
    """Link 4: fork round axis 3 (z); the arm runs along y, offset to x = 0.0405, to the collar of axis 4."""
    arm = loft(
        [
            (-0.004, (0.004, 0.0), (0.072, 0.094), 0.032),
            (0.045, (0.024, 0.0), (0.080, 0.096), 0.034),
            (0.095, (0.0405, 0.0), (0.076, 0.086), 0.036),
            (0.163, (0.0405, 0.0), (0.075, 0.075), 0.0375),
        ],
        0.006,
    ).turn("x", -90.0)
    drum = cylinder((0, 0, -0.05), (0, 0, 0.05), 0.0425, fillet=0.013)
    slot = cylinder((0, 0, -0.0275), (0, 0, 0.0275), 0.0495, fillet=0.004)
    slot = slot | box((0.12, 0.07, 0.055), 0.004, centre=(-0.02, -0.035, 0.0))
    body = arm.blend(drum, 0.02).carve(slot, 0.006)
    for deg in (-123.5, 80.0):
        met = _elbow_body().move(0.04188, 0.0, -0.07873).turn("y", 90.0).turn("x", -90.0).turn("z", -deg)
        body = body.carve(met.grow(0.0006), 0.002)
    return [
        part(body, SHELL, cell=0.003, triangles=1400),
        part(_caps(0.030, 0.0522), JOINT),
        _pad(body, box((0.3, 0.048, 0.3), centre=(0.0, 0.098, 0.0)), 460),
    ]


def _wrist() -> list[Part]:
    """Link 5: collar about z; fork round axis 5, which runs along y through (-0.027, 0, 0.1)."""
    arm = loft(
        [
            (0.0015, (0.0, 0.0), (0.075, 0.075), 0.0375),
            (0.030, (-0.003, 0.0), (0.074, 0.080), 0.034),
            (0.065, (-0.018, 0.0), (0.066, 0.086), 0.028),
            (0.100, (-0.027, 0.0), (0.058, 0.086), 0.024),
        ],
        0.006,
    )
    fork = cylinder((-0.027, -0.043, 0.10039), (-0.027, 0.043, 0.10039), 0.030, fillet=0.010)
    slot = cylinder((-0.027, -0.0252, 0.10039), (-0.027, 0.0252, 0.10039), 0.053, fillet=0.003)
    slot = slot | box((0.12, 0.0504, 0.07), 0.003, centre=(-0.027, 0.0, 0.136))
    body = arm.blend(fork, 0.014).carve(slot, 0.005)
    caps = _caps(0.020, 0.0440).turn("x", 90.0).move(-0.027, 0.0, 0.10039)
    return [part(body, SHELL, cell=0.0025, triangles=1200), part(caps, JOINT), _band(0.0375, -0.008, 0.008)]


def _hand() -> list[Part]:
    """Link 6: tongue round axis 5 (z); the flange's axis runs along y at x = 0.027."""
    drum = cylinder((0, 0, -0.0245), (0, 0, 0.0245), 0.0335, fillet=0.006)
    barrel = cylinder((0.027, -0.008, 0), (0.027, 0.019, 0), 0.025, fillet=0.005)
    free = cylinder((0, 0, 0.0247), (0, 0, 0.1), 0.0325).twin("z")
    seat = cylinder((0.027, 0.0183, 0), (0.027, 0.1, 0), 0.0258)
    return [part(drum.blend(barrel, 0.010).carve(free, 0.003) - seat, PAD, cell=0.0022, triangles=800)]


def _flange() -> list[Part]:
    disc = lathe([(0.0, -0.0105), (0.0225, -0.0105), (0.0242, -0.009), (0.0242, -0.001), (0.0232, 0.0), (0.0, 0.0)], 40)
    return [part(disc, STEEL)]


def _gripper() -> list[Part]:
    collar = lathe([(0.0, 0.0), (0.022, 0.0), (0.023, 0.001), (0.023, 0.007), (0.0, 0.007)], 40)
    body = loft(
        [
            (0.006, (0.0, 0.0), (0.042, 0.048), 0.020),
            (0.026, (0.0, 0.0), (0.048, 0.062), 0.019),
            (0.060, (0.0, 0.0), (0.048, 0.064), 0.016),
            (0.0765, (0.0, 0.0), (0.044, 0.062), 0.014),
        ],
        0.006,
    )
    rail = box((0.022, 0.060, 0.008), 0.001, centre=(0.0, 0.0, 0.0735))
    eye = lathe([(0.009, 0.0), (0.009, 0.002), (0.007, 0.003), (0.006, 0.0015), (0.0, 0.0015)], 24).turn("y", 90.0)
    return [
        part(collar, JOINT),
        part(body, SHELL, cell=0.0022, triangles=700),
        part(rail, JOINT, cell=0.0015, triangles=160),
        part(eye.move(0.0232, 0.0, 0.045), SEAM),
    ]


def _finger() -> list[Part]:
    jaw = box((0.020, 0.014, 0.013), 0.0015, centre=(0.0, 0.007, 0.0055))
    blade = loft(
        [
            (0.008, (0.0, 0.006), (0.016, 0.012), 0.002),
            (0.022, (0.0, 0.0035), (0.012, 0.007), 0.0015),
            (0.045, (0.0, 0.0030), (0.011, 0.006), 0.0012),
            (0.068, (0.0, 0.0020), (0.008, 0.004), 0.001),
        ],
        0.0008,
    )
    return [part(jaw.blend(blade, 0.003), STEEL, cell=0.0011, triangles=300)]


def _band(radius: float, z0: float, z1: float) -> Part:
    """Return the dark band over a turning joint: a ring slightly proud of both collars, about z."""
    r = radius
    return part(lathe([(r, z0 - 0.001), (r + 0.0012, z0), (r + 0.0012, z1), (r, z1 + 0.001)], 44), JOINT)


def _caps(radius: float, z: float) -> Mesh:
    """Return the two round lids on the sides of a fork round the z axis."""
    r, h = radius, 0.003
    lid = lathe([(r, -0.009), (r, 0.5 * h), (r - 0.0012, 0.9 * h), (0.8 * r, 1.2 * h), (0.0, 1.6 * h)], 36).move(z=z)
    return joined([lid, lid.mirror("z")])


def _pad(body: Solid, where: Solid, triangles: int) -> Part:
    """Return a soft pad: the body's skin, a little proud, where the other solid is."""
    return part(body.grow(0.0022).meet(where, 0.006), PAD, cell=0.003, triangles=triangles)


def _at(v: np.ndarray) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
