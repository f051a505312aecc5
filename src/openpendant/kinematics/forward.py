"""Forward kinematics and Jacobian of a chain. Plain functions without checks of limits; `Arm` has the checked calls."""

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError

from .chain import Chain
from .kernels import forward as kernels
from .pack import pack

Array = NDArray[np.float64]

_packed: "WeakKeyDictionary[Chain, Array]" = WeakKeyDictionary()


def packed_chain(chain: Chain) -> Array:
    """Return the packed form of `chain`, made once."""
    packed = _packed.get(chain)
    if packed is None:
        packed = _packed[chain] = pack(chain)
    return packed


def forward(chain: Chain, q: ArrayLike) -> Array:
    """Return the flange in the base.

    Args:
        chain: The arm.
        q: (n,) or (N, n), radians (metres where a joint slides), in the vendor's counting of axes.

    Returns:
        (4, 4), or (N, 4, 4).

    Raises:
        InputError: q has another length, or is not made of finite numbers.
    """
    joints = _as_joints(chain, q)
    if joints.ndim == 1:
        out = np.empty((4, 4))
        kernels.forward(packed_chain(chain), joints, out)
        return out
    out = np.empty((joints.shape[0], 4, 4))
    kernels.forward_batch(packed_chain(chain), joints, out)
    return out


def forward_all(chain: Chain, q: ArrayLike) -> Array:
    """Return (n + 1, 4, 4) in the base: the frame of each turned joint in the chain's order, then the flange."""
    joints = _as_joints(chain, q, batch=False)
    out = np.empty((chain.dof + 1, 4, 4))
    kernels.forward_frames(packed_chain(chain), joints, out)
    return out


def jacobian(chain: Chain, q: ArrayLike) -> Array:
    """Return the (6, n) geometric Jacobian at the flange origin: base axes, linear rows first, columns as in q."""
    joints = _as_joints(chain, q, batch=False)
    out = np.empty((6, chain.dof))
    kernels.jacobian(packed_chain(chain), joints, np.empty((4, 4)), out)
    return out


def _as_joints(chain: Chain, q: ArrayLike, *, batch: bool = True) -> Array:
    # A copy: one memory layout, one compiled kernel.
    try:
        joints = np.array(q, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise InputError(f"q is not an array of numbers: {error}") from None
    if joints.shape[-1:] != (chain.dof,) or joints.ndim not in ((1, 2) if batch else (1,)):
        allowed = f"({chain.dof},) or (N, {chain.dof})" if batch else f"({chain.dof},)"
        raise InputError(f"q has shape {joints.shape}; this chain needs {allowed}")
    if not np.isfinite(joints).all():
        raise InputError(f"q contains {joints[~np.isfinite(joints)][0]}; joints must be finite numbers")
    return joints
