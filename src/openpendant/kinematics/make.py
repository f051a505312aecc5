"""make_solver: choose the way of inverse kinematics from the geometry alone."""

from .chain import Chain
from .numeric import NumericSolver
from .parallel_axes import ParallelAxesSolver
from .solver import Solver
from .spherical_wrist import SphericalWristSolver

__all__ = ["make_solver"]


def make_solver(chain: Chain) -> Solver:
    """Return a closed form where the geometry of `chain` has one, else the numeric solver."""
    return SphericalWristSolver.fit(chain) or ParallelAxesSolver.fit(chain) or NumericSolver(chain)
