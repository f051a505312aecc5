/** Solids: the shapes of a cell as meshes. */

import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  type Group,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  SphereGeometry,
} from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import { PLYLoader } from "three/addons/loaders/PLYLoader.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";
import type { MeshShape, Shape } from "../wire/studio";
import { BODY_LAYER } from "./contact-shadow";

/** The geometry of a shape that needs no file; null for a mesh. */
export function makeGeometry(shape: Shape): BufferGeometry | null {
  switch (shape.type) {
    case "box":
      return new BoxGeometry(...shape.size);
    case "sphere":
      return new SphereGeometry(shape.radius, 48, 24);
    case "cylinder":
      // three's cylinders stand along y, the cell's along z.
      return new CylinderGeometry(shape.radius, shape.radius, shape.length, 48).rotateX(Math.PI / 2);
    case "mesh":
      return null;
  }
}

export function makeMaterial(color: string, opacity: number): MeshStandardMaterial {
  return new MeshStandardMaterial({
    color,
    opacity,
    transparent: opacity < 1,
    depthWrite: opacity >= 0.5,
    roughness: 0.75,
    metalness: 0.05,
  });
}

/** A body that throws shadows and can be outlined. */
export function makeBody(geometry: BufferGeometry, material: MeshStandardMaterial): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = material.opacity >= 0.5;
  mesh.receiveShadow = true;
  mesh.layers.enable(BODY_LAYER);
  return mesh;
}

/** Load a mesh of a project; its numbers times the shape's scale are metres. */
export async function loadMesh(
  project: string,
  shape: MeshShape,
  material: MeshStandardMaterial,
): Promise<Object3D> {
  const path = shape.file.split("/").map(encodeURIComponent).join("/");
  const address = `/api/projects/${encodeURIComponent(project)}/${path}`;
  const node = new Object3D();
  const scale = shape.scale ?? 1;
  node.scale.set(scale, scale, scale);
  const ending = shape.file.slice(shape.file.lastIndexOf(".")).toLowerCase();
  if (ending === ".stl" || ending === ".ply") {
    const geometry = await (ending === ".stl" ? new STLLoader() : new PLYLoader()).loadAsync(address);
    if (!geometry.hasAttribute("normal")) geometry.computeVertexNormals();
    node.add(makeBody(geometry, material));
    return node;
  }
  const group: Group =
    ending === ".obj"
      ? await new OBJLoader().loadAsync(address)
      : (await new GLTFLoader().loadAsync(address)).scene;
  group.traverse((child) => {
    if (!(child instanceof Mesh)) return;
    const mesh = child as Mesh;
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.layers.enable(BODY_LAYER);
    if (ending === ".obj") mesh.material = material;
  });
  // glTF stands Y up; the cell, as robots do, Z up.
  if (ending === ".glb") group.rotation.x = Math.PI / 2;
  node.add(group);
  return node;
}
