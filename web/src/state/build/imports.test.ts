import { describe, expect, test } from "vitest";
import type { RobotSummary } from "../../wire/generated";
import { RequestError, type Taken } from "../../wire/rest";
import { isRobotFile, RobotImport, scaleOf } from "./imports";

const crane = { name: "crane", title: "crane" } as RobotSummary;

describe("files", () => {
  test("are meshes or robots by their endings", () => {
    expect(["a.urdf", "A.ZIP", "b.xacro"].every(isRobotFile)).toBe(true);
    expect(["a.stl", "b.glb", "urdf"].some((name) => name !== "urdf" && isRobotFile(name))).toBe(false);
  });

  test("of glTF are in metres whatever was chosen", () => {
    expect(scaleOf("a.stl", "mm")).toBe(0.001);
    expect(scaleOf("a.stl", "m")).toBe(1);
    expect(scaleOf("a.GLTF", "mm")).toBe(1);
  });
});

describe("a robot", () => {
  const file = new File([], "crane.zip");

  test("is there when it has come", async () => {
    const arrived: string[] = [];
    const coming = new RobotImport(
      () => Promise.resolve(crane),
      ({ name }) => arrived.push(name),
    );
    const done = coming.take(file);
    expect(coming.now.value).toEqual({ state: "coming", file: "crane.zip" });
    // A second one waits until the first is there.
    await coming.take(file);
    await done;
    expect(coming.now.value).toEqual({ state: "there", robot: crane });
    expect(arrived).toEqual(["crane"]);
  });

  test("of a name that is taken is asked about, and then replaced or kept beside", async () => {
    const asked: Taken[] = [];
    const coming = new RobotImport(
      (_, taken) => {
        asked.push(taken);
        return taken === "refuse"
          ? Promise.reject(new RequestError("already there", false, 409))
          : Promise.resolve(crane);
      },
      () => undefined,
    );
    await coming.take(file);
    expect(coming.now.value).toEqual({ state: "taken", file });
    await coming.take(file, "replace");
    expect(asked).toEqual(["refuse", "replace"]);
    expect(coming.now.value?.state).toBe("there");
  });

  test("that cannot be used is refused with the reason", async () => {
    const coming = new RobotImport(
      () => Promise.reject(new RequestError("crane.urdf, line 3: no mesh", false, 422)),
      () => undefined,
    );
    await coming.take(file);
    expect(coming.now.value).toMatchObject({ state: "refused", file: "crane.zip" });
    coming.forget();
    expect(coming.now.value).toBeNull();
  });
});
