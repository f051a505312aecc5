import { Mesh, MeshStandardMaterial, Object3D } from "three";
import { describe, expect, it } from "vitest";
import { BODY_LAYER } from "./contact-shadow";
import { XRay, XRAY_OPACITY } from "./x-ray";

function body(material: MeshStandardMaterial): Mesh {
  const mesh = new Mesh(undefined, material);
  mesh.layers.enable(BODY_LAYER);
  return mesh;
}

describe("XRay", () => {
  it("lets bodies be seen through, and gives back exactly what they looked like", () => {
    const solid = new MeshStandardMaterial();
    const glass = new MeshStandardMaterial({ opacity: 0.1, transparent: true, depthWrite: false });
    const sign = new MeshStandardMaterial();
    const node = new Object3D();
    node.add(body(solid), body(glass), new Mesh(undefined, sign));
    const xray = new XRay();
    xray.show(node);
    xray.show(node);
    expect([solid.opacity, solid.transparent, solid.depthWrite]).toEqual([XRAY_OPACITY, true, false]);
    expect(glass.opacity).toBe(0.1);
    expect(sign.opacity, "what is no body is left alone").toBe(1);
    xray.hide();
    expect([solid.opacity, solid.transparent, solid.depthWrite]).toEqual([1, false, true]);
    expect([glass.opacity, glass.transparent, glass.depthWrite]).toEqual([0.1, true, false]);
  });
});
