"""How an IRB 120 looks: each link's body from dimensions, in the link's own frame (metres).

The outer dimensions follow the maker's drawing (height 700 mm, foot 180 mm square, axes at
290, 270, 70, 302 and 72 mm); widths that no drawing gives follow the published inertias.
"""

from openpendant.shapes import (
    Material,
    Mesh,
    Part,
    Solid,
    belt,
    bolt_circle,
    box,
    cone,
    cylinder,
    draped,
    extrude,
    joined,
    lathe,
    lettering,
    loft,
    part,
    plate,
    revolve,
    rounded,
    screw,
)

ORANGE = Material("#f2661b", roughness=0.42)
COVER = Material("#3b3e43", roughness=0.6)
SEAL = Material("#1d1f22", roughness=0.75)
STEEL = Material("#b9bdc2", roughness=0.32, metallic=0.85)
PLUG = Material("#8b9096", roughness=0.4, metallic=0.6)
ALUMINIUM = Material("#c9ccd0", roughness=0.38, metallic=0.55)
WHITE = Material("#f2f2f0", roughness=0.6)
RUBBER = Material("#26282b", roughness=0.95)


def build() -> dict[str, list[Part]]:
    """Return the parts of every link, gripper and fingers included."""
    finger = _finger()
    return {
        "base_link": _base(),
        "link_1": _turret(),
        "link_2": _lower_arm(),
        "link_3": _elbow(),
        "link_4": _forearm(),
        "link_5": _tilt(),
        "link_6": _flange(),
        "gripper": _gripper(),
        "gripper_finger_left": finger,
        "gripper_finger_right": [p.mirror("y") for p in finger],
    }


def _along_y(profile: list[tuple[float, float]], y: float, segments: int = 40) -> Mesh:
    """Return a turned cover standing on the side at y (outwards, on the sign of y)."""
    cap = lathe(profile, segments).turn("x", -90.0)
    return (cap if y > 0 else cap.mirror("y")).move(y=y)


def _covers(y: float, profile: list[tuple[float, float]], x: float = 0.0, z: float = 0.0) -> Mesh:
    return joined([_along_y(profile, y), _along_y(profile, -y)]).move(x, 0.0, z)


def _screws(y: float, radius: float, count: int) -> Mesh:
    """Return the screws of a pair of covers: on circles about y, at y and -y."""
    ring = bolt_circle(screw(0.0034, 0.0025, 10), count, radius, 30.0).turn("x", -90.0).move(y=y)
    return joined([ring, ring.mirror("y")])


def _sign(text: str, height: float, body: Solid, x: float, z: float) -> Mesh:
    """Return a name on both sides (-y and y) of a body, to be read from there."""
    there = lettering(text, height, raised=0.0008).turn("x", 90.0)
    right = draped(there.move(x, -0.2, z), body, (0.0, 1.0, 0.0))
    left = draped(there.turn("z", 180.0).move(x, 0.2, z), body, (0.0, -1.0, 0.0))
    return joined([right, left])


def _cap(radius: float, height: float) -> list[tuple[float, float]]:
    """Return the profile of a low cover with a rounded rim and a slightly domed face."""
    r, h = radius, height
    return [
        (r, -0.004), (r, 0.4 * h), (r - 0.1 * h, 0.65 * h), (r - 0.35 * h, 0.88 * h), (r - 0.8 * h, h),
        (0.6 * r, 1.08 * h), (0.0, 1.16 * h),
    ]  # fmt: skip


def _base() -> list[Part]:
    plan = rounded([(0.074, -0.072, 0.045), (0.074, 0.072, 0.045), (-0.165, 0.07, 0.02), (-0.165, -0.07, 0.02)])
    rear = extrude(plan, 0.003, 0.118, fillet=0.012)
    drum = revolve([(0.0, 0.012), (0.082, 0.012), (0.079, 0.1), (0.0745, 0.142), (0.0, 0.142)])
    foot = box((0.18, 0.18, 0.02), 0.005, centre=(0.0, 0.0, 0.01))
    body = rear.blend(drum, 0.03).blend(foot, 0.016)
    body = body.meet(box((0.5, 0.5, 0.283), centre=(0.0, 0.0, 0.0)), 0.006)
    # Pockets over the corners of the foot give room to the bolts.
    lug = cylinder((0.072, 0.072, 0.006), (0.072, 0.072, 0.052), 0.025).twin("x").twin("y")
    body = body.carve(lug - box((0.4, 0.4, 0.04)), 0.008)
    bolts = joined(screw(0.009, 0.009).move(x, y, 0.018) for x in (0.072, -0.072) for y in (0.072, -0.072))
    panel = box((0.006, 0.112, 0.082), 0.0028, centre=(-0.1655, 0.0, 0.066))
    sockets = [
        lathe([(r, 0.0), (r, 0.012), (r - 0.002, 0.014), (r - 0.004, 0.014), (r - 0.004, 0.004), (0, 0.004)], 24)
        .turn("y", -90.0)
        .move(-0.168, y, z)
        for r, y, z in (
            (0.016, 0.028, 0.082), (0.016, -0.026, 0.082),
            (0.0065, 0.04, 0.044), (0.0065, 0.02, 0.044), (0.0065, 0.0, 0.044), (0.0065, -0.02, 0.044),
        )
    ]  # fmt: skip
    seam = cylinder((0, 0, 0.13), (0, 0, 0.1458), 0.0715)
    return [
        part(body, ORANGE, cell=0.0035, triangles=3000),
        part(panel, COVER, cell=0.002, triangles=240),
        part(joined(sockets), PLUG),
        part(bolts, STEEL),
        part(seam, SEAL, triangles=200),
    ]


def _turret() -> list[Part]:
    return [part(_turret_body(), ORANGE, cell=0.003, triangles=2800)]


def _turret_body() -> Solid:
    skirt = revolve([(0.0, 0.147), (0.074, 0.147), (0.074, 0.174), (0.071, 0.192), (0.0, 0.192)], fillet=0.002)
    hub = cylinder((0, -0.048, 0.29), (0, 0.048, 0.29), 0.066, fillet=0.004)
    neck = loft(
        [
            (0.155, (0.0, 0.0), (0.148, 0.148), 0.074),
            (0.20, (0.0, 0.0), (0.142, 0.128), 0.05),
            (0.25, (0.0, 0.0), (0.134, 0.097), 0.02),
            (0.30, (0.0, 0.0), (0.126, 0.094), 0.014),
        ],
        0.006,
    )
    body = skirt.blend(neck, 0.02).blend(hub, 0.016)
    # Room for the cheeks of the lower arm, which swing round the hub.
    cheek = cylinder((0, 0.0475, 0.29), (0, 0.14, 0.29), 0.0745)
    return body.carve(cheek.twin("y"), 0.006)


def _lower_arm() -> list[Part]:
    outline = belt([(0.0, 0.0, 0.068), (0.0, -0.27, 0.053)], 56)

    # The outline is in x and -z, so that the turn lays its height along z and its thickness along y.
    cheek = extrude(outline, 0.049, 0.089, 0.012).turn("x", -90.0)
    shoulder = cylinder((0, 0.049, 0), (0, 0.098, 0), 0.066, fillet=0.009)
    elbow = cylinder((0, 0.049, 0.27), (0, 0.086, 0.27), 0.051, fillet=0.008)
    side = cheek.blend(shoulder, 0.016).blend(elbow, 0.012)
    waist = box((0.084, 0.16, 0.086), 0.022, centre=(0.0, 0.0, 0.112))
    body = side.twin("y").blend(waist, 0.03)
    # The arm narrows between shoulder and elbow, and the two forks are free for their neighbours.
    hollow = cylinder((0.0, 0.148, 0.05), (0.0, 0.148, 0.23), 0.066, fillet=0.03).twin("y")
    body = body.carve(hollow, 0.03)
    body = body.carve(cylinder((0, -0.0488, 0), (0, 0.0488, 0), 0.0765, fillet=0.004), 0.006)
    body = body.carve(cylinder((0, -0.0488, 0.27), (0, 0.0488, 0.27), 0.062, fillet=0.004), 0.006)
    # At both ends of axis 2's range the arm would meet the turret: a hollow gives way.
    for deg in (-110.0, 110.0):
        body = body.carve(_turret_body().move(z=-0.29).turn("y", -deg).grow(0.0006), 0.002)
    return [
        part(body, ORANGE, cell=0.003, triangles=3600),
        part(_covers(0.098, _cap(0.05, 0.007)), COVER),
        part(_screws(0.104, 0.041, 6), STEEL),
        part(_covers(0.086, _cap(0.039, 0.006), z=0.27), COVER),
    ]


def _elbow() -> list[Part]:
    hub = cylinder((0, -0.048, 0), (0, 0.048, 0), 0.052, fillet=0.004)
    # Housing along x at the height of axis 4; made along z, then laid down.
    housing = (
        loft(
            [
                (-0.078, (0.0, 0.0), (0.088, 0.076), 0.034),
                (-0.052, (0.0, 0.0), (0.116, 0.091), 0.036),
                (0.010, (0.0, 0.0), (0.134, 0.096), 0.036),
                (0.070, (0.0, 0.0), (0.114, 0.096), 0.046),
                (0.124, (0.0, 0.0), (0.092, 0.092), 0.046),
            ],
            0.010,
        )
        .turn("y", 90.0)
        .move(z=0.07)
    )
    body = hub.blend(housing, 0.03)
    # Room for the cheeks of the lower arm.
    body = body.carve(cylinder((0, 0.0484, 0), (0, 0.12, 0), 0.0575).twin("y"), 0.005)
    rear = lathe([(0.031, 0.0), (0.031, 0.004), (0.028, 0.007), (0.02, 0.0085), (0.0, 0.0095)], 36)
    seam = cylinder((0.11, 0, 0.07), (0.1285, 0, 0.07), 0.0405)
    return [
        part(body, ORANGE, cell=0.003, triangles=2400),
        part(rear.turn("y", -90.0).move(-0.0775, 0.0, 0.07), COVER),
        part(seam, SEAL, triangles=160),
        part(_sign("IRB 120", 0.014, body, 0.016, 0.080), WHITE),
    ]


def _forearm() -> list[Part]:
    barrel = loft(
        [
            (0.128, (0.0, 0.0), (0.092, 0.092), 0.046),
            (0.165, (0.0, 0.0), (0.088, 0.090), 0.043),
            (0.215, (0.0, 0.0), (0.080, 0.096), 0.034),
            (0.255, (0.0, 0.0), (0.078, 0.108), 0.026),
            (0.302, (0.0, 0.0), (0.076, 0.112), 0.022),
        ],
        0.006,
    ).turn("y", 90.0)
    tip = cylinder((0.302, -0.056, 0), (0.302, 0.056, 0), 0.038, fillet=0.009)
    body = barrel.blend(tip, 0.014)
    slot = cylinder((0.302, -0.0335, 0), (0.302, 0.0335, 0), 0.060, fillet=0.006)
    slot = slot | box((0.09, 0.067, 0.12), 0.006, centre=(0.347, 0, 0))
    body = body.carve(slot, 0.006)
    return [
        part(body, ORANGE, cell=0.0025, triangles=2400),
        part(_sign("ABB", 0.02, body, 0.19, 0.0), WHITE),
        part(_covers(0.0555, _cap(0.027, 0.005), x=0.302), COVER),
    ]


def _tilt() -> list[Part]:
    hub = cylinder((0, -0.0325, 0), (0, 0.0325, 0), 0.037, fillet=0.006)
    nose = cone((0.0, 0, 0), (0.03, 0, 0), 0.033, 0.028).meet(box((0.2, 0.064, 0.2)), 0.004)
    barrel = cylinder((0.0, 0, 0), (0.0575, 0, 0), 0.029, fillet=0.004)
    body = hub.blend(nose, 0.01).blend(barrel, 0.012)
    ring = lathe([(0.0, 0.054), (0.0225, 0.054), (0.0225, 0.0595), (0.0, 0.0595)], 40).turn("y", 90.0)
    return [part(body, ORANGE, cell=0.0022, triangles=1500), part(ring, SEAL)]


def _flange() -> list[Part]:
    disc = lathe(
        [(0.0, -0.0135), (0.0235, -0.0135), (0.025, -0.012), (0.025, -0.0015), (0.0235, 0.0), (0.0105, 0.0),
         (0.0105, -0.004), (0.0, -0.004)], 48,
    )  # fmt: skip
    bolts = bolt_circle(screw(0.0042, 0.0012, 12), 4, 0.01575, 45.0).move(z=-0.0006)
    return [part(disc.turn("y", 90.0), STEEL), part(bolts.turn("y", 90.0), SEAL)]


def _gripper() -> list[Part]:
    neck = lathe([(0.0, 0.0), (0.024, 0.0), (0.025, 0.001), (0.025, 0.007), (0.024, 0.008), (0.0, 0.008)], 40)
    body = loft(
        [
            (0.008, (0.0, 0.0), (0.050, 0.056), 0.018),
            (0.030, (0.0, 0.0), (0.056, 0.080), 0.014),
            (0.064, (0.0, 0.0), (0.056, 0.084), 0.009),
        ],
        0.003,
    )
    rail = box((0.056, 0.084, 0.016), 0.003, centre=(0.0, 0.0, 0.07))
    groove = box((0.030, 0.2, 0.02), 0.001, centre=(0.0, 0.0, 0.0825))
    plug = lathe([(0.007, 0.0), (0.007, 0.008), (0.0055, 0.011), (0.0, 0.011)], 20).turn("y", -90.0)
    return [
        part(neck, STEEL),
        part(body, COVER, cell=0.0022, triangles=900),
        part(rail - groove, ALUMINIUM, cell=0.002, triangles=500),
        part(plug.move(-0.026, 0.0, 0.036), PLUG),
    ]


def _finger() -> list[Part]:
    jaw = box((0.026, 0.018, 0.0165), 0.0015, centre=(0.0, 0.009, 0.00575))
    blade = loft(
        [
            (0.010, (0.0, 0.0085), (0.020, 0.015), 0.002),
            (0.026, (0.0, 0.0065), (0.016, 0.009), 0.0015),
            (0.057, (0.0, 0.0065), (0.016, 0.009), 0.0015),
        ],
        0.001,
    )
    pad = plate(
        rounded([(-0.008, 0, 0.001), (0.008, 0, 0.001), (0.008, 0.0022, 0), (-0.008, 0.0022, 0)], 2), 0.037, 0.057
    )
    return [
        part(jaw.blend(blade, 0.004), ALUMINIUM, cell=0.0013, triangles=520),
        part(pad, RUBBER),
    ]
