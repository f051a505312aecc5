"""Letters as raised strokes, for the names that makers put on their machines."""

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

from .mesh import Mesh, joined

Points = NDArray[np.float64]

_WIDE, _HIGH, _GAP = 4.0, 6.0, 2.2
"""Width and height of a letter, and the space to the next, in steps of the grid below."""

_STROKES = {
    "A": "00 04 26 44 40, 02 42",
    "B": "03 33 44 45 36 06 00 30 41 42 33",
    "C": "45 36 16 05 01 10 30 41",
    "D": "00 06 26 44 42 20 00",
    "E": "46 06 00 40, 03 33",
    "F": "46 06 00, 03 33",
    "G": "45 36 16 05 01 10 30 41 43 23",
    "H": "00 06, 40 46, 03 43",
    "I": "20 26",
    "J": "36 31 20 10 01",
    "K": "00 06, 46 03 40",
    "L": "06 00 40",
    "M": "00 06 22 46 40",
    "N": "00 06 40 46",
    "O": "10 30 41 45 36 16 05 01 10",
    "P": "00 06 36 45 44 33 03",
    "Q": "10 30 41 45 36 16 05 01 10, 22 40",
    "R": "00 06 36 45 44 33 03, 23 40",
    "S": "45 36 16 05 04 13 33 42 41 30 10 01",
    "T": "06 46, 26 20",
    "U": "06 01 10 30 41 46",
    "V": "06 20 46",
    "W": "06 10 24 30 46",
    "X": "00 46, 06 40",
    "Y": "06 23 46, 23 20",
    "Z": "06 46 00 40",
    "e": "02 42 43 34 14 03 01 10 30 41",
    "0": "10 30 41 45 36 16 05 01 10",
    "1": "14 26 20",
    "2": "05 16 36 45 44 00 40",
    "3": "05 16 36 45 44 33 13, 33 42 41 30 10 01",
    "4": "30 36 02 42",
    "5": "46 06 03 33 42 41 30 10 01",
    "6": "36 16 05 01 10 30 41 42 33 13 02",
    "7": "06 46 10",
    "8": "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33",
    "9": "10 30 41 45 36 16 05 04 13 33 44",
    "-": "13 33",
    " ": "",
}
"""The strokes of each sign: points x, y on a grid of 4 × 6 steps; a comma lifts the pen."""


def lettering(text: str, height: float, raised: float = 0.0005, stroke: float = 0.16) -> Mesh:
    """Return a line of text to be read from +z, running along +x and centred at the origin.

    Args:
        text: Capitals, digits, 'e', hyphen and space.
        height: Of a capital, between the middles of its strokes, metres.
        raised: How far the strokes stand above z = 0, metres.
        stroke: Their thickness as a share of the height.

    Raises:
        InputError: A sign has no strokes here; names it and what there is.
    """
    step = height / _HIGH
    length = len(text) * (_WIDE + _GAP) - _GAP
    bands: list[Mesh] = []
    for place, sign in enumerate(text):
        if sign not in _STROKES:
            raise InputError(f"no letter {sign!r} in {text!r}; known: {''.join(_STROKES)}")
        shift = np.array([place * (_WIDE + _GAP) - length / 2, -_HIGH / 2])
        for line in filter(None, _STROKES[sign].split(", ")):
            points = np.array([(float(p[0]), float(p[1])) for p in line.split()])
            bands.append(_band((points + shift) * step, stroke * height / 2, raised))
    return joined(bands)


def _band(points: Points, half: float, raised: float) -> Mesh:
    """Return a stroke along points with mitred bends and blunt ends."""
    ahead = np.diff(points, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    closed = bool(np.allclose(points[0], points[-1]))
    before = np.vstack([ahead[-1:] if closed else ahead[:1], ahead])
    after = np.vstack([ahead, ahead[:1] if closed else ahead[-1:]])
    across = np.column_stack([-(before + after)[:, 1], (before + after)[:, 0]])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    # A sharp bend would grow a long spike: keep its mitre short.
    lean = np.maximum((across * np.column_stack([-before[:, 1], before[:, 0]])).sum(axis=1), 0.75)
    offset = across * (half / lean)[:, None]
    n = len(points)
    left, right = points + offset, points - offset
    pieces = [_strip(left, right, np.full(n, raised), np.full(n, raised))]
    for edge, other in ((left[::-1], left[::-1]), (right, right)):
        pieces.append(_strip(edge, other, np.full(n, raised), np.zeros(n)))
    if not closed:
        for a, b in ((left[0], right[0]), (right[-1], left[-1])):
            end = np.stack([a, b])
            pieces.append(_strip(end, end, np.full(2, raised), np.zeros(2)))
    return joined(pieces)


def _strip(upper: Points, lower: Points, z_upper: Points, z_lower: Points) -> Mesh:
    """Return the flat-shaded quads between two lines; `upper` is on the left when looking along from outside."""
    a = np.column_stack([upper, z_upper])
    b = np.column_stack([lower, z_lower])
    corners = np.concatenate([np.stack([b[k], b[k + 1], a[k + 1], a[k]]) for k in range(len(a) - 1)])
    quad = np.array([[0, 1, 2], [0, 2, 3]])
    faces = (4 * np.arange(len(a) - 1)[:, None, None] + quad).reshape(-1, 3).astype(np.int32)
    normal = np.cross(corners[1::4] - corners[0::4], corners[3::4] - corners[0::4])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return Mesh(corners, faces, np.repeat(normal, 4, axis=0))
