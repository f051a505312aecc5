"""Pictures of marked cells: the few calls of scipy and scikit-image that are needed, with types."""

from typing import Any, cast

import numpy as np
import scipy.ndimage
import skimage.measure
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
# Neither library has type annotations.
_ndimage = cast(Any, scipy.ndimage)
_measure = cast(Any, skimage.measure)
NEIGHBOURS = np.ones((3, 3), np.bool_)


def border_of(marked: Mask) -> Mask:
    """Return the marked cells that have an unmarked neighbour; beyond the picture all are marked."""
    inside: Mask = _ndimage.binary_erosion(marked, NEIGHBOURS, border_value=1)
    return marked & ~inside


def largest_region(marked: Mask) -> Mask:
    """Return the largest connected region, single gaps closed and holes filled."""
    closed: Mask = _ndimage.binary_closing(np.pad(marked, 2), NEIGHBOURS)[2:-2, 2:-2]
    labels = cast(NDArray[np.int32], _ndimage.label(closed)[0])
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    filled: Mask = _ndimage.binary_fill_holes(labels == int(np.argmax(sizes)))
    return filled


def outline_of(region: Mask, tolerance: float) -> Array:
    """Return the longest outline of a region as a closed polygon (N, 2) in cells, rounded off by less than a cell."""
    smooth: Array = _ndimage.gaussian_filter(region.astype(np.float64), 0.7)
    contours: list[Array] = _measure.find_contours(smooth, 0.5)
    outline: Array = _measure.approximate_polygon(max(contours, key=len), tolerance)
    return outline
