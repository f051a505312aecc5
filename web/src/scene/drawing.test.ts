import { expect, test } from "vitest";
import { drawingOptions, isSoftware, shadowShare } from "./drawing";

test("an address says how fine pictures are", () => {
  expect(drawingOptions("")).toEqual({
    antialias: true,
    handle: true,
    sharpness: 2,
    rate: Infinity,
    light: null,
  });
  expect(drawingOptions("?aa=0&sharp=0.5&rate=10&handle=0&light=room")).toEqual({
    antialias: false,
    handle: false,
    sharpness: 0.5,
    rate: 10,
    light: "room",
  });
  expect(drawingOptions("?sharp=-1&rate=never&light=disco")).toMatchObject({
    sharpness: 2,
    rate: Infinity,
    light: null,
  });
});

test("shadows are as coarse as a coarse picture, and never finer than the finest", () => {
  expect(shadowShare(drawingOptions("?sharp=0.25"))).toBe(0.25);
  expect(shadowShare(drawingOptions("?sharp=1"))).toBe(1);
  expect(shadowShare(drawingOptions(""))).toBe(1);
});

test("software renderers are recognised by name", () => {
  expect(isSoftware("ANGLE (Mesa, llvmpipe (LLVM 15.0.6 256 bits), OpenGL 4.5)")).toBe(true);
  expect(isSoftware("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)")).toBe(
    true,
  );
  expect(isSoftware("ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11, D3D11)")).toBe(true);
  expect(isSoftware("ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)")).toBe(false);
  expect(isSoftware("ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11 vs_5_0 ps_5_0, D3D11)")).toBe(false);
});
