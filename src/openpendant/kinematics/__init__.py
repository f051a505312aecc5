"""Serial arms without brands: forward kinematics, Jacobian, all branches of inverse kinematics, singularities.

In: a `Chain` and joints in the vendor's own counting of axes, radians (metres where a joint slides).
Out: (4, 4) poses `T_base_flange` in metres, and every joint solution inside the limits. `Arm` has the
checked calls with named frames; the functions on a `Chain` are the plain ones below it.
"""

from .arm import Arm
from .attachment import Attachment
from .chain import Chain
from .compile_ahead import compile_kernels
from .forward import forward, forward_all, jacobian
from .redundancy import arm_angle
from .result import Followed, Gap, IkResult, IkSolution, SingularDistance, Unreachable
from .solver import Solver
from .solver_choice import make_solver

__all__ = [
    "Arm",
    "Attachment",
    "Chain",
    "Followed",
    "Gap",
    "IkResult",
    "IkSolution",
    "SingularDistance",
    "Solver",
    "Unreachable",
    "arm_angle",
    "compile_kernels",
    "forward",
    "forward_all",
    "jacobian",
    "make_solver",
]
