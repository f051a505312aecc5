"""Bodies of several robots are made at the same time, each in its own thread."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import trimesh

from openpendant.shapes.foreign import simplify


def test_threads_do_not_get_each_others_triangles() -> None:
    spheres = [trimesh.creation.icosphere(subdivisions=level, radius=1.0 + level) for level in (4, 5, 4, 5)]
    meshes = [(np.asarray(one.vertices), np.asarray(one.faces, dtype=np.int32)) for one in spheres]
    alone = [simplify(vertices, faces, 300) for vertices, faces in meshes]
    with ThreadPoolExecutor(4) as threads:
        work = [threads.submit(simplify, *meshes[n % 4], 300) for n in range(60)]
        for n, one in enumerate(work):
            vertices, faces = one.result()
            assert np.array_equal(vertices, alone[n % 4][0])
            assert np.array_equal(faces, alone[n % 4][1])
