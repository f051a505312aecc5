"""Bodies made from dimensions: solids, their meshes, glTF files and collision shapes.

Dimensions go in; `Part`s (a smooth-shaded mesh with its material) come out. Metres throughout.
A solid is a signed distance field, so joints between bodies can be real fillets:

    shell = Material("#f26a21", roughness=0.5)
    arm = extrude(belt([(0, 0, 0.05), (0.27, 0, 0.04)]), -0.03, 0.03, fillet=0.012)
    arm = arm.blend(cylinder((0, 0, -0.05), (0, 0, 0.05), 0.045, fillet=0.006), 0.02)
    arm = arm.carve(box((0.10, 0.03, 0.02), 0.005, centre=(0.13, 0, 0.03)), 0.006)
    parts = [
        part(arm.turn("x", 90), shell, cell=0.003, triangles=1500),
        part(lathe([(0.03, 0), (0.03, 0.004), (0, 0.004)]).move(z=0.05), Material("#3a3d40")),
    ]
    Path("arm.glb").write_bytes(encode_glb(parts))

- `sphere, ellipsoid, box, capsule, cone, cylinder, torus, tube, extrude, revolve, loft` make solids;
  `a | b`, `a - b`, `a & b` join sharply, `a.blend(b, k)`, `a.carve(b, k)`, `a.meet(b, k)` with a
  fillet about k wide; `.move(x, y, z)`, `.turn(axis, deg)`, `.mirror(axis)`, `.twin(axis)`, `.grow(d)`.
- `belt` and `rounded` make outlines for `extrude` and `plate`.
- `lathe, plate, screw, bolt_circle` make crisp meshes directly (flanges, caps, screws);
  `lettering` writes names, `draped` lays them on a solid.
- `part(solid or mesh, material, cell, triangles)` makes a part; two materials on one body are two
  parts, for instance `arm` and a band `arm.grow(0.001) & box(...)`.
- `fit_collision(meshes)` puts convex shapes (`Capsule`, `Box`, `Hull`) round the meshes of a link.
- `make_bodies(folder, into)` writes what a folder's `visuals.py` describes as files, named by what they are made from.
"""

from .body_files import VISUALS, BodyFiles, build_parts, make_bodies
from .collision import Box, Capsule, CollisionShape, Hull, contains, decode_collision, encode_collision, outside
from .enclosures import box_round, capsule_round, hull_round
from .fit import fit_collision
from .glb import encode_glb
from .letters import lettering
from .mesh import Material, Mesh, Part, joined
from .mesher import draped, part, skin
from .outlines import Outline, belt, rounded
from .primitives import box, capsule, cone, cylinder, ellipsoid, extrude, loft, revolve, sphere, torus, tube
from .solid import Solid
from .surface import collision_mesh, sample_shape, sample_triangles
from .turned import bolt_circle, lathe, plate, screw

__all__ = [
    "VISUALS",
    "BodyFiles",
    "Box",
    "Capsule",
    "CollisionShape",
    "Hull",
    "Material",
    "Mesh",
    "Outline",
    "Part",
    "Solid",
    "belt",
    "bolt_circle",
    "box",
    "box_round",
    "build_parts",
    "capsule",
    "capsule_round",
    "collision_mesh",
    "cone",
    "contains",
    "cylinder",
    "decode_collision",
    "draped",
    "ellipsoid",
    "encode_collision",
    "encode_glb",
    "extrude",
    "fit_collision",
    "hull_round",
    "joined",
    "lathe",
    "lettering",
    "loft",
    "make_bodies",
    "outside",
    "part",
    "plate",
    "revolve",
    "rounded",
    "sample_shape",
    "sample_triangles",
    "screw",
    "skin",
    "sphere",
    "torus",
    "tube",
]
