"""Write parts as binary glTF 2.0, one primitive for each material."""

import json
import struct
from collections.abc import Iterable

import numpy as np

from .mesh import Material, Part, joined


def encode_glb(parts: Iterable[Part], name: str = "body") -> bytes:
    """Return a GLB file: positions, normals and PBR materials, in the frame of the parts.

    glTF readers take metres and the axes as they are; nothing is turned to y-up here, since a
    link's mesh lives in the link's own frame.
    """
    groups: dict[Material, list[Part]] = {}
    for one in parts:
        groups.setdefault(one.material, []).append(one)
    blob = bytearray()
    views: list[dict[str, object]] = []
    accessors: list[dict[str, object]] = []

    def add(array: np.ndarray, kind: str, component: int, target: int, *, bounds: bool = False) -> int:
        raw = array.tobytes()
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(raw), "target": target})
        blob.extend(raw + b"\0" * (-len(raw) % 4))
        accessor: dict[str, object] = {
            "bufferView": len(views) - 1,
            "componentType": component,
            "count": len(array),
            "type": kind,
        }
        if bounds:
            accessor["min"] = [float(v) for v in array.min(axis=0)]
            accessor["max"] = [float(v) for v in array.max(axis=0)]
        accessors.append(accessor)
        return len(accessors) - 1

    primitives: list[dict[str, object]] = []
    for k, members in enumerate(groups.values()):
        mesh = joined(p.mesh for p in members)
        small = len(mesh.vertices) < 65535
        primitives.append(
            {
                "attributes": {
                    "POSITION": add(mesh.vertices.astype("<f4"), "VEC3", 5126, 34962, bounds=True),
                    "NORMAL": add(mesh.normals.astype("<f4"), "VEC3", 5126, 34962),
                },
                "indices": add(
                    mesh.faces.reshape(-1).astype("<u2" if small else "<u4"), "SCALAR", 5123 if small else 5125, 34963
                ),
                "material": k,
            }
        )
    document = {
        "asset": {"version": "2.0", "generator": "OpenPendant"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": name, "mesh": 0}],
        "meshes": [{"name": name, "primitives": primitives}],
        "materials": [_material(m) for m in groups],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(blob)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(blob)
    head = struct.pack("<4sII", b"glTF", 2, total)
    return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob


def _material(material: Material) -> dict[str, object]:
    """Return the glTF entry; its base colour is linear, ours is sRGB as people write it."""
    srgb = np.array([int(material.color[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return {
        "name": material.color,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*(round(float(c), 5) for c in linear), 1.0],
            "metallicFactor": material.metallic,
            "roughnessFactor": material.roughness,
        },
    }
