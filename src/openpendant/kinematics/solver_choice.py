"""make_solver: choose the way of inverse kinematics from the geometry alone."""

from .chain import Chain
from .numeric import NumericSolver
from .parallel_axes import ParallelAxesSolver
from .refined import RefinedSolver
from .solver import Solver
from .spherical_wrist import SphericalWristSolver

NEARLY = 2e-3
"""How far (radians, metres) a real arm may be off the drawing that a closed form solves."""


def make_solver(chain: Chain) -> Solver:
    """Return a closed form where the geometry of `chain` has one, exactly or nearly, else the numeric solver.

    Nearly: descriptions of robots round right angles to 1.5708, and calibrated robots are a little off
    their drawing. The closed form of the drawing then gives the branches, and each is refined.
    """
    exact = SphericalWristSolver.fit(chain) or ParallelAxesSolver.fit(chain)
    if exact is not None:
        return exact
    near = SphericalWristSolver.fit(chain, NEARLY) or ParallelAxesSolver.fit(chain, NEARLY)
    return NumericSolver(chain) if near is None else RefinedSolver(chain, near)
