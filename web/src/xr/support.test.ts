import { expect, it } from "vitest";
import { askSupport } from "./support";

const having = (...kinds: string[]) => ({
  isSessionSupported: (kind: string) => Promise.resolve(kinds.includes(kind)),
});

it("prefers virtual reality", async () => {
  expect(await askSupport(having("immersive-ar", "immersive-vr"), true)).toEqual({ kind: "immersive-vr" });
  expect(await askSupport(having("immersive-ar"), true)).toEqual({ kind: "immersive-ar" });
});

it("says why there is none", async () => {
  expect(await askSupport(having("inline"), true)).toEqual({ why: "headset.why.none" });
  expect(await askSupport(undefined, true)).toEqual({ why: "headset.why.browser" });
  expect(await askSupport(having("immersive-vr"), false)).toEqual({ why: "headset.why.insecure" });
});

it("takes a refusal for none", async () => {
  const refusing = { isSessionSupported: () => Promise.reject(new Error("permissions policy")) };
  expect(await askSupport(refusing, true)).toEqual({ why: "headset.why.none" });
});
