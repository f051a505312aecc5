"""Arm: the checked calls people make, with named frames and bases."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError, UnknownNameError
from openpendant.spatial import check_transform, inverse

from .attachment import Attachment
from .chain import Chain
from .inverse import Inverse
from .joints import JointCheck
from .kernels import forward as kernels
from .pack import pack
from .result import Followed, IkResult, SingularDistance, Unreachable
from .solver_choice import make_solver

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Arm:
    """One arm of a robot. Joints in the vendor's counting of axes, radians; poses (4, 4), metres.

    Every call checks what it is given and raises `InputError` with the value and what is allowed,
    or `UnknownNameError` for frames and bases. An unreachable pose is an answer, not an error.
    """

    def __init__(
        self,
        name: str,
        chain: Chain,
        *,
        base: str,
        flange: str,
        frames: Mapping[str, Attachment] | None = None,
        bases: Mapping[str, Array] | None = None,
        joint_titles: tuple[str, ...] | None = None,
        describe: Callable[[Array], str] | None = None,
        redundancy: int | None = None,
    ) -> None:
        """Describe an arm.

        Args:
            name: What it is called.
            chain: Its geometry.
            base: Name of the chain's base frame, where poses are given in unless another base is asked for.
            flange: Name of the chain's end frame.
            frames: Further frames that move with it, by name.
            bases: Further frames that stand still, by name: each as `T_base_other`.
            joint_titles: What the vendor calls the joints on the pendant.
            describe: Names the configuration of q in the vendor's words.
            redundancy: For arms of more than six joints, the index in q of the joint that serves as parameter.
        """
        self.name = name
        self.chain = chain
        self.base = base
        self.flange = flange
        self.dof = chain.dof
        self.joint_titles = chain.names if joint_titles is None else tuple(joint_titles)
        self.redundancy = redundancy
        self.solver = make_solver(chain)
        self.limits_lower = chain.lower
        self.limits_upper = chain.upper
        self.describe = _never_refuses if describe is None else describe
        if len(self.joint_titles) != chain.dof:
            raise InputError(f"arm {name} has {chain.dof} joints but {len(self.joint_titles)} joint titles")
        if redundancy is not None and not 0 <= redundancy < chain.dof:
            raise InputError(f"redundancy {redundancy} of arm {name}; allowed: 0 … {chain.dof - 1}")
        self.frames: Mapping[str, Attachment] = {
            **(frames or {}),
            flange: Attachment(chain.dof - 1, chain.T_last_flange),
        }
        self.bases: Mapping[str, Array] = {base: np.eye(4)} | {
            other: check_transform(T, f"base {other}") for other, T in (bases or {}).items()
        }
        for frame, attachment in self.frames.items():
            if attachment.joint >= chain.dof:
                raise InputError(f"frame {frame} is fixed to joint {attachment.joint}; the last one is {chain.dof - 1}")
        self._check = JointCheck(chain, self.joint_titles)
        self._inverse = Inverse(chain, self.solver, self._check, self.describe, redundancy)
        self.packed = pack(chain)
        self._packed: dict[tuple[str | None, str | None], Array] = {(None, None): self.packed}

    def __reduce__(self) -> tuple[Callable[..., "Arm"], tuple[object, ...]]:
        """Pickle by construction: kernels stay what the other process has compiled. `describe` must be picklable."""
        frames = {name: frame for name, frame in self.frames.items() if name != self.flange}
        bases = {name: T for name, T in self.bases.items() if name != self.base}
        titles, describe = self.joint_titles, self.describe
        return _rebuild, (
            (self.name, self.chain),
            {
                "base": self.base,
                "flange": self.flange,
                "frames": frames,
                "bases": bases,
                "joint_titles": titles,
                "describe": describe,
                "redundancy": self.redundancy,
            },
        )

    def check_q(self, q: ArrayLike) -> Array:
        """Return q as a fresh (n,) array.

        Args:
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).

        Raises:
            InputError: Wrong length, not finite, or beyond a limit by more than 1e-9; names the joint and its limits.
        """
        joints = self._check.shape(q)
        self._check.limits(joints)
        return joints

    def fk(
        self, q: ArrayLike, frame: str | None = None, base: str | None = None, *, check_limits: bool = True
    ) -> Array:
        """Return where `frame` is in `base`.

        Args:
            q: (n,) or (N, n): joints in the vendor's counting, radians (metres where a joint slides).
            frame: One of `frames`; None: the flange.
            base: One of `bases`; None: the arm's base.
            check_limits: Whether joints beyond their limits are an error.

        Returns:
            T_base_frame, (4, 4) or (N, 4, 4), metres.

        Raises:
            UnknownNameError: The arm has no such frame or base.
            InputError: Wrong shape, not finite, or beyond a limit; names the joint and its limits.
        """
        packed = self._packed.get((frame, base))
        if packed is None:
            packed = self._pack(frame, base)
        if check_limits and packed.size == self.packed.size:
            try:
                joints = np.array(q, dtype=np.float64, order="C")
            except (TypeError, ValueError):
                joints = self._check.shape(q, batch=True)
            if joints.shape == (self.dof,):
                out = np.empty((4, 4))
                if kernels.forward_checked(packed, joints, out):
                    return out
        joints = self._check.shape(q, batch=True)
        if check_limits:
            self._check.limits(joints)
        rows = np.atleast_2d(joints)
        out = np.empty((len(rows), 4, 4))
        kernels.forward_batch(packed, rows, out)
        return out[0] if joints.ndim == 1 else out

    def fk_all(self, q: ArrayLike, base: str | None = None, *, check_limits: bool = True) -> dict[str, Array]:
        """Return where every frame is in `base`.

        Args:
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).
            base: One of `bases`; None: the arm's base.
            check_limits: Whether joints beyond their limits are an error.

        Returns:
            T_base_frame, (4, 4) in metres, by name of the frame.

        Raises:
            UnknownNameError: The arm has no such base.
            InputError: Wrong shape, not finite, or beyond a limit; names the joint and its limits.
        """
        joints = self._check.shape(q)
        if check_limits:
            self._check.limits(joints)
        T_now = np.empty((self.dof + 2, 4, 4))
        kernels.forward_frames(self.packed, joints, T_now[1:])
        T_now[0] = np.eye(4)
        T_other_base = self._T_other_base(base)
        return {
            name: T_other_base @ T_now[attachment.joint + 1] @ attachment.T_joint_frame
            for name, attachment in self.frames.items()
            if name != self.flange
        } | {self.flange: T_other_base @ T_now[-1]}

    def jacobian(
        self, q: ArrayLike, frame: str | None = None, base: str | None = None, *, check_limits: bool = True
    ) -> Array:
        """Return the geometric Jacobian at the origin of `frame`, in the axes of `base`.

        Args:
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).
            frame: One of `frames`; None: the flange.
            base: One of `bases`; None: the arm's base.
            check_limits: Whether joints beyond their limits are an error.

        Returns:
            (6, n): linear rows first; m/rad and rad/rad, m/m and 0 where a joint slides.

        Raises:
            UnknownNameError: The arm has no such frame or base.
            InputError: Wrong shape, not finite, or beyond a limit; names the joint and its limits.
        """
        packed = self._packed.get((frame, base))
        if packed is None:
            packed = self._pack(frame, base)
        joints = self._check.shape(q)
        if check_limits:
            self._check.limits(joints)
        J = np.zeros((6, self.dof))
        kernels.jacobian(packed, joints, np.empty((4, 4)), J)
        return J

    def manipulability(self, q: ArrayLike) -> float:
        """Return Yoshikawa's measure sqrt(det(J Jᵀ)) at the flange; 0 is singular.

        For arms of fewer than six joints it is sqrt(det(Jᵀ J)).

        Args:
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).

        Raises:
            InputError: Wrong shape, not finite, or beyond a limit; names the joint and its limits.
        """
        J = self.jacobian(q)
        gram = J @ J.T if self.dof >= 6 else J.T @ J
        return math.sqrt(max(0.0, float(np.linalg.det(gram))))

    def singularities(self, q: ArrayLike) -> tuple[SingularDistance, ...]:
        """Return how far the arm is from each kind of singular posture.

        Args:
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).

        Raises:
            InputError: Wrong shape, not finite, or beyond a limit; names the joint and its limits.
        """
        return self.solver.singular_distances(self.check_q(q))

    def ik_array(self, T: ArrayLike, seed: ArrayLike | None = None) -> tuple[Array, Mask]:
        """Return all branches for the flange in the arm's base, as arrays: the fast form.

        Args:
            T: (4, 4) or (N, 4, 4): T_base_flange, metres.
            seed: (n,), or (N, n) for as many poses, radians; None: zero, or nearest to it inside the limits.

        Returns:
            Q (B, n) and mask (B,), or (N, B, n) and (N, B). Rows under a false mask are NaN where the branch
            does not exist and hold numbers where it is beyond a limit.

        Raises:
            InputError: T is not a transform, or the seed has another shape or is not finite.
        """
        return self.solver.solve(T, seed)

    def ik(
        self,
        T: ArrayLike,
        *,
        seed: ArrayLike | None = None,
        frame: str | None = None,
        base: str | None = None,
        variants: bool = False,
        redundancy: float | None = None,
        arm_angle: float | None = None,
    ) -> IkResult:
        """Return every solution that brings `frame` to the pose T in `base`, nearest to the seed first.

        Without `redundancy` and `arm_angle`, an arm of more than six joints answers with the solution nearest to the
        seed, the one farthest from its limits, and others spread over the self-motions that were found.

        Args:
            T: (4, 4): T_base_frame, metres.
            seed: (n,): where the arm is now, radians (metres where a joint slides); None: zero, or nearest to it inside
                the limits. Decides what is nearest, and what free joints do.
            frame: One of `frames` that moves with the flange; None: the flange.
            base: One of `bases`; None: the arm's base.
            variants: Also those that differ by whole turns, inside the limits; for joints without limits
                those within one turn of the seed.
            redundancy: For arms of more than six joints: hold the redundancy joint at this value, radians.
            arm_angle: For arms of seven joints, instead: the angle of the elbow, radians, see `arm_angle`.

        Returns:
            The solutions; or none, with why the pose is unreachable and the nearest joints.

        Raises:
            UnknownNameError: The arm has no such frame or base.
            InputError: T is not a transform, the seed has another shape or is not finite, the frame does not move with
                the flange, or the arm has no such redundancy parameter.
        """
        start = None if seed is None else self._check.shape(seed, "seed")
        solutions, missed = self._inverse.solve(
            self._flange_pose(T, frame, base), start, variants=variants, redundancy=redundancy, arm_angle=arm_angle
        )
        if missed is None:
            return IkResult(solutions, None)
        why, q = missed
        T_nearest = self.fk(q, frame, base, check_limits=False)
        q.setflags(write=False)
        T_nearest.setflags(write=False)
        return IkResult((), Unreachable(why.reason, why.kind, why.joint, why.excess, q, T_nearest))

    def follow(self, T: ArrayLike, seed: ArrayLike, *, frame: str | None = None, base: str | None = None) -> Followed:
        """Return where the arm goes from `seed` when `frame` is dragged to the pose T in `base`.

        Unlike `ik` it never jumps to another posture: where the present one ends, it stays at the nearest
        pose and says why. Meant for a hand on a gizmo, with the last answer as the next seed.

        Args:
            T: (4, 4): T_base_frame, metres.
            seed: (n,): where the arm is now, radians (metres where a joint slides).
            frame: One of `frames` that moves with the flange; None: the flange.
            base: One of `bases`; None: the arm's base.

        Raises:
            UnknownNameError: The arm has no such frame or base.
            InputError: T is not a transform, the seed has another shape or is not finite, or the frame does not move
                with the flange.
        """
        q, reason = self._inverse.follow(self._flange_pose(T, frame, base), self._check.shape(seed, "seed"))
        T_now = self.fk(q, frame, base, check_limits=False)
        q.setflags(write=False)
        T_now.setflags(write=False)
        return Followed(q, T_now, reason is None, reason)

    def ik_batch(
        self,
        T: ArrayLike,
        *,
        seed: ArrayLike | None = None,
        frame: str | None = None,
        base: str | None = None,
        variants: bool = False,
        redundancy: float | None = None,
        arm_angle: float | None = None,
    ) -> list[IkResult]:
        """Return `ik` of each pose.

        Args:
            T: (N, 4, 4): T_base_frame, metres.
            seed: (n,) for all or (N, n) one for each, radians; None: zero, or nearest to it inside the limits.
            frame: One of `frames` that moves with the flange; None: the flange.
            base: One of `bases`; None: the arm's base.
            variants: Also those that differ by whole turns, inside the limits; for joints without limits
                those within one turn of the seed.
            redundancy: For arms of more than six joints: hold the redundancy joint at this value, radians.
            arm_angle: For arms of seven joints, instead: the angle of the elbow, radians, see `arm_angle`.

        Returns:
            N results, in the order of T.

        Raises:
            UnknownNameError: The arm has no such frame or base.
            InputError: T is not (N, 4, 4) transforms, or there is another number of seeds; and as `ik`.
        """
        poses = check_transform(T, batch=True)
        if poses.ndim != 3:
            raise InputError(f"T has shape {poses.shape}; a batch is (N, 4, 4)")
        seeds = self._seeds(seed, len(poses))
        return [
            self.ik(
                pose,
                seed=start,
                frame=frame,
                base=base,
                variants=variants,
                redundancy=redundancy,
                arm_angle=arm_angle,
            )
            for pose, start in zip(poses, seeds, strict=True)
        ]

    def _seeds(self, seed: ArrayLike | None, count: int) -> Iterable[Array | None]:
        if seed is None:
            return [None] * count
        start = self._check.shape(seed, "seed", batch=True)
        if start.ndim == 2 and len(start) != count:
            raise InputError(f"{len(start)} seeds for {count} poses; allowed: one for all or one for each")
        return np.broadcast_to(start, (count, self.dof))

    def _flange_pose(self, pose: ArrayLike, frame: str | None, base: str | None) -> Array:
        """Return where the flange must be in the arm's base so that `frame` is at `pose` in `base`."""
        try:
            T = np.array(pose, dtype=np.float64, order="C")
        except (TypeError, ValueError):
            T = check_transform(pose)
        if T.shape != (4, 4) or frame is not None or base is not None:
            # Without frame and base the solver checks it, at no cost.
            check_transform(T)
        if base is not None:
            T = self._base(base) @ T
        if frame is None or frame == self.flange:
            return T
        attachment = self._frame(frame)
        if attachment.joint != self.dof - 1:
            raise InputError(f"frame {frame} does not move with the flange of arm {self.name}; ik needs one that does")
        return T @ inverse(attachment.T_joint_frame) @ self.chain.T_last_flange

    def _frame(self, frame: str) -> Attachment:
        try:
            return self.frames[frame]
        except KeyError:
            raise UnknownNameError("frame", frame, self.frames) from None

    def _base(self, base: str) -> Array:
        try:
            return self.bases[base]
        except KeyError:
            raise UnknownNameError("base", base, self.bases) from None

    def _T_other_base(self, base: str | None) -> Array:
        return np.eye(4) if base is None else inverse(self._base(base))

    def _pack(self, frame: str | None, base: str | None) -> Array:
        attachment = self._frame(self.flange if frame is None else frame)
        packed = pack(
            self.chain,
            T_new_base=self._T_other_base(base),
            joint=attachment.joint,
            T_joint=attachment.T_joint_frame,
        )
        self._packed[frame, base] = packed
        return packed


def _rebuild(given: tuple[str, Chain], named: dict[str, Any]) -> Arm:
    return Arm(*given, **named)


def _never_refuses(q: Array) -> str:  # noqa: ARG001
    return ""
