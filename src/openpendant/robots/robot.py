"""Robot: one entry of the catalogue, ready to use."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError, UnknownNameError
from openpendant.kinematics import Arm
from openpendant.said import say
from openpendant.shapes import CollisionShape
from openpendant.spatial import inverse

from .arms import build_arm, presented_name
from .bodies import find_collision, find_visuals
from .conventions import Convention, PrintedPose, find_convention
from .facts import ArmFacts, PostureFacts, RobotFacts, ToolFacts
from .tree import Tree, grow_tree
from .urdf_export import encode_urdf

Array = NDArray[np.float64]


class Robot:
    """A robot: its facts, its arms, its bodies. Loaded robots are shared and never change."""

    def __init__(self, facts: RobotFacts, folder: Path, *, imported: bool) -> None:
        """Build the arms from checked facts.

        Args:
            facts: What is known of the robot.
            folder: Where its facts, visuals and meshes are.
            imported: True for a robot that the user brought in.
        """
        self.facts = facts
        self.folder = folder
        self.imported = imported
        self.tree: Tree = grow_tree(facts)
        self.convention: Convention = find_convention(facts.convention)
        self.arms: Mapping[str, Arm] = MappingProxyType(
            {arm.name: build_arm(arm, self.tree, self.convention) for arm in facts.arms}
        )
        self._printers = {arm.name: self.convention.printer(arm.chain) for arm in self.arms.values()}

    def __reduce__(self) -> tuple[Callable[..., "Robot"], tuple[object, ...]]:
        """Pickle the facts alone; everything else is built from them."""
        return _rebuild, (self.facts, self.folder, self.imported)

    def __repr__(self) -> str:
        """Name it and its arms."""
        return f"Robot({self.name!r}, arms={list(self.arms)})"

    @property
    def name(self) -> str:
        """Its name in the catalogue."""
        return self.facts.name

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.facts.title

    def arm(self, name: str | None = None) -> Arm:
        """Return an arm.

        Args:
            name: Name of the arm; None: the first.

        Raises:
            InputError: The robot has no arms.
            UnknownNameError: It has none of that name.
        """
        if not self.arms:
            code = "robot.platform_no_arm" if self.facts.platform else "robot.still_no_arm"
            raise InputError(say(code, robot=self.name))
        if name is None:
            return next(iter(self.arms.values()))
        if name not in self.arms:
            raise UnknownNameError("arm", name, self.arms)
        return self.arms[name]

    def arm_facts(self, name: str | None = None) -> ArmFacts:
        """Return the facts of an arm.

        Args:
            name: Name of the arm; None: the first.

        Raises:
            InputError: The robot has no arms.
            UnknownNameError: It has none of that name.
        """
        arm = self.arm(name)
        return next(facts for facts in self.facts.arms if facts.name == arm.name)

    def tool(self, arm: str | None = None) -> ToolFacts | None:
        """Return the tool that an arm carries, or None.

        Args:
            arm: Name of the arm; None: the first.

        Raises:
            InputError: The robot has no arms.
            UnknownNameError: It has none of that name.
        """
        carried = self.arm_facts(arm).tool
        return next((tool for tool in self.facts.tools if tool.name == carried), None)

    def link_of(self, frame: str, arm: str | None = None) -> str:
        """Return the name in the URDF of a frame that an arm shows: `tool0` of a left arm is `tool0_l`.

        Args:
            frame: Name under which the arm shows the frame.
            arm: Name of the arm; None: the first.

        Raises:
            InputError: The robot has no arms.
            UnknownNameError: The robot has no such arm, or the arm shows no such frame.
        """
        facts = self.arm_facts(arm)
        for name in self.tree.nodes:
            if presented_name(facts, name) == frame:
                return name
        raise UnknownNameError("frame", frame, self.arm(arm).frames)

    def T_flange_controller(self, arm: str | None = None) -> Array:
        """Return what the vendor's controller calls the flange, in the arm's flange: (4, 4), metres.

        Args:
            arm: Name of the arm; None: the first.

        Raises:
            InputError: The robot has no arms.
            UnknownNameError: It has none of that name.
        """
        facts = self.arm_facts(arm)
        if not facts.controller_flange:
            return np.eye(4)
        found = self.arm(arm)
        own = found.frames[presented_name(facts, facts.controller_flange)]
        return inverse(found.frames[found.flange].T_joint_frame) @ own.T_joint_frame

    def posture(self, name: str | None = None, arm: str | None = None) -> Array:
        """Return the joints of a named posture, (n,): vendor's counting, radians (metres where a joint slides).

        Args:
            name: Name of the posture; None: the first.
            arm: Name of the arm; None: the first.

        Raises:
            InputError: The robot has no arms.
            UnknownNameError: No posture or arm has that name.
        """
        facts = self.arm_facts(arm)
        postures = {posture.name: posture for posture in facts.postures}
        if name is not None and name not in postures:
            raise UnknownNameError("posture", name, postures)
        return self._joints(facts, facts.postures[0] if name is None else postures[name])

    def label(self, q: ArrayLike, arm: str | None = None) -> str:
        """Return the configuration of an arm in the vendor's words.

        Args:
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).
            arm: Name of the arm; None: the first.

        Raises:
            UnknownNameError: The robot has no such arm.
            InputError: Wrong length, not finite, or beyond a limit; or the robot has no arms.
        """
        found = self.arm(arm)
        return found.describe(found.check_q(q))

    def print_pose(
        self, q: ArrayLike, arm: str | None = None, frame: str | None = None, T_frame_tcp: ArrayLike | None = None
    ) -> PrintedPose:
        """Return the pose of a frame in the base that the vendor's controller uses, as that controller prints it.

        Args:
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).
            arm: Name of the arm; None: the first.
            frame: Name of a frame of the arm; None: the flange. For the flange, that of the controller is meant, unless
                there is a tool on it.
            T_frame_tcp: (4, 4): the point of a tool in the frame, whose pose is printed; None: that of the frame.

        Raises:
            UnknownNameError: The robot has no such arm, or the arm no such frame.
            InputError: Wrong length, not finite, or beyond a limit; or the robot has no arms.
        """
        found = self.arm(arm)
        facts = self.arm_facts(arm)
        q = found.check_q(q)
        if facts.controller_flange and T_frame_tcp is None and frame in (None, found.flange):
            frame = presented_name(facts, facts.controller_flange)
        T = found.fk(q, frame, presented_name(facts, facts.controller_base) if facts.controller_base else None)
        if T_frame_tcp is not None:
            T = T @ np.asarray(T_frame_tcp, dtype=np.float64)
        return self._printers[found.name](T, q)

    def link_poses(self, joints: Mapping[str, float] | None = None) -> dict[str, Array]:
        """Return the pose of every link and frame in the root, (4, 4) in metres, by name.

        Args:
            joints: Positions by joint, radians (metres where a joint slides); others are at zero. Joints that
                follow others need not be given.

        Raises:
            UnknownNameError: The robot has no such joint.
            InputError: A value is not finite.
        """
        joints = {} if joints is None else joints
        known = {edge.name for edge in self.tree.edges if edge.moves}
        for name, value in joints.items():
            if name not in known:
                raise UnknownNameError("joint", name, known)
            if not math.isfinite(value):
                raise InputError(say("robot.joint_not_finite", joint=name, value=str(value)))
        return self.tree.poses(joints)

    def urdf(self, mesh_prefix: str | None = None, *, visuals: bool = True) -> str:
        """Return the robot as URDF, with its tools; loads in ROS, pinocchio, MuJoCo and the browser.

        Args:
            mesh_prefix: What stands before '<link>.glb' in the addresses of meshes; None: the paths of
                the meshes on this machine, which are made now if need be.
            visuals: False leaves the meshes out.

        Raises:
            RobotFileError: Meshes are needed, and a file of the robot cannot be used.
        """
        if not visuals:
            return encode_urdf(self.name, self.tree, None)
        if mesh_prefix is not None:
            return encode_urdf(self.name, self.tree, lambda link: f"{mesh_prefix}{link}.glb")
        paths = self.visual_paths()
        return encode_urdf(self.name, self.tree, lambda link: str(paths[link]))

    def visual_paths(self) -> dict[str, Path]:
        """Return the glTF file of each link that has a visual, in the link's frame.

        They come with the package or the import; where not, the first call makes them and keeps them in the cache.

        Raises:
            RobotFileError: A file of the robot cannot be used.
        """
        return find_visuals(self.folder)

    def collision(self) -> dict[str, tuple[CollisionShape, ...]]:
        """Return the collision shapes of each link, in the link's frame; they contain its visual. As `visual_paths`."""
        return find_collision(self.folder)

    def _joints(self, facts: ArmFacts, posture: PostureFacts) -> Array:
        slides = (self.tree.edge(joint).kind == "prismatic" for joint in facts.joints)
        return np.array(
            [value if slide else math.radians(value) for value, slide in zip(posture.q_deg, slides, strict=True)]
        )


def _rebuild(facts: RobotFacts, folder: Path, imported: bool) -> Robot:
    return Robot(facts, folder, imported=imported)
