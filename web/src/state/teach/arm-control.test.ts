import { describe, expect, it } from "vitest";
import type { ArmInfo, Branch, ForwardReply, InverseReply, JointInfo, Pose } from "../../wire/generated";
import type { ForwardQuestion, InverseQuestion } from "../../wire/live";
import { ArmControl } from "./arm-control";
import { FakeClock } from "../shared/fake-clock";

const joint = (name: string): JointInfo => ({
  name,
  title: name,
  kind: "revolute",
  lower: -3,
  upper: 3,
  velocity: null,
});

function info(redundancy: string | null): ArmInfo {
  return {
    name: "arm",
    title: "Arm",
    base: "base_link",
    flange: "tool0",
    joints: [joint("a"), joint("b")],
    postures: [{ name: "home", q: [0.1, 0.2], note: "" }],
    bases: [{ name: "base_link", link: "base_link", note: "" }],
    frames: [{ name: "tool0", link: "tool0_l", note: "" }],
    tool: null,
    redundancy,
    solver: "test",
  };
}

const somewhere: Pose = { xyz: [1, 2, 3], wxyz: [1, 0, 0, 0] };
const emptyStance: ForwardReply = {
  type: "forward",
  id: 1,
  pose: somewhere,
  vendor: { title: "", text: "" },
  configuration: "",
  manipulability: 1,
  singularities: [],
};
const branch = (q: readonly number[], label: string): Branch => ({ q, label, margin_rad: 1 });

function harness(redundancy: string | null = null) {
  const clock = new FakeClock();
  const forward: { ask: () => ForwardQuestion; take: (answer: ForwardReply, ms: number) => void }[] = [];
  const inverse: {
    ask: () => InverseQuestion;
    take: (answer: InverseReply, ms: number) => void;
    drop: () => void;
  }[] = [];
  const arm = new ArmControl(
    "robot",
    info(redundancy),
    {
      forward: (ask, take) => forward.push({ ask, take }),
      inverse: (ask, take, drop) => inverse.push({ ask, take, drop }),
    },
    clock,
  );
  const newest = <T>(list: T[]): T => {
    const one = list.at(-1);
    if (one === undefined) throw new Error("nothing was asked");
    return one;
  };
  /** Answer the newest question about the pose; return the question. */
  const tellPose = (pose = somewhere): ForwardQuestion => {
    const { ask, take } = newest(forward);
    const question = ask();
    take({ ...emptyStance, pose }, 1);
    return question;
  };
  /** Answer the newest question about joints; return the question. */
  const tellJoints = (answer: Partial<InverseReply>): InverseQuestion => {
    const { ask, take } = newest(inverse);
    const question = ask();
    take(
      {
        type: "inverse",
        id: 1,
        branches: [],
        reason: null,
        nearest: null,
        nearest_pose: null,
        solve_us: 5,
        ...answer,
      },
      2,
    );
    return question;
  };
  return { arm, clock, forward, inverse, tellPose, tellJoints };
}

describe("ArmControl", () => {
  it("starts at home and asks for the pose of every change", () => {
    const { arm, tellPose } = harness();
    expect(arm.q.value).toEqual([0.1, 0.2]);
    arm.setJoint(1, 0.5);
    expect(tellPose()).toMatchObject({ q: [0.1, 0.5], frame: "tool0", base: "base_link" });
    expect(arm.stance.value?.answer.pose).toEqual(somewhere);
  });

  it("asks for branches when it rests, and keeps them in a fixed order", () => {
    const { arm, tellPose, tellJoints } = harness();
    arm.refresh();
    tellPose();
    const question = tellJoints({ branches: [branch([0.1, 0.2], "b"), branch([1, 1], "a")] });
    expect(question).toMatchObject({ pose: somewhere, seed: [0.1, 0.2], redundancy: null });
    expect(arm.branches.value.map(({ label }) => label)).toEqual(["a", "b"]);
    expect(arm.currentBranch).toBe(1);
  });

  it("follows a drag from where it is, with the nearest branch", () => {
    const { arm, tellJoints } = harness();
    arm.setDragging(true);
    arm.follow(somewhere, "base_link");
    tellJoints({ branches: [branch([0.15, 0.25], "b"), branch([2, 2], "a")] });
    expect(arm.q.value).toEqual([0.15, 0.25]);
    arm.follow(somewhere, "base_link");
    expect(tellJoints({ branches: [branch([0.2, 0.3], "b")] }).seed).toEqual([0.15, 0.25]);
  });

  it("does not let the question for branches take the place of the last wish", () => {
    const { arm, inverse, tellPose, tellJoints } = harness();
    arm.setDragging(true);
    arm.follow(somewhere, "base_link");
    arm.setDragging(false);
    const asked = inverse.length;
    tellPose();
    expect(inverse.length).toBe(asked);
    tellJoints({ branches: [branch([0.15, 0.25], "b")] });
    tellPose();
    expect(inverse.length).toBe(asked + 1);
  });

  it("goes to the nearest pose and says why where the wish cannot be had", () => {
    const { arm, tellJoints } = harness();
    arm.follow(somewhere, "base_link");
    tellJoints({ reason: "too far", nearest: branch([0.3, 0.4], "") });
    expect(arm.q.value).toEqual([0.3, 0.4]);
    expect(arm.unreached.value).toMatchObject({ pose: somewhere, reason: "too far", elsewhere: false });
    arm.setJoint(0, 0);
    expect(arm.unreached.value).toBeNull();
  });

  it("shows a jump to another branch as a short motion, seeding from where it will be", () => {
    const { arm, clock, tellJoints } = harness();
    arm.follow(somewhere, "base_link");
    tellJoints({ branches: [branch([2, 2], "a")] });
    expect(arm.q.value).toEqual([0.1, 0.2]);
    expect(arm.gliding).toBe(true);
    arm.follow(somewhere, "base_link");
    expect(tellJoints({ branches: [branch([2, 2], "a")] }).seed).toEqual([2, 2]);
    clock.advance(500);
    expect(arm.q.value).toEqual([2, 2]);
  });

  it("swings the elbow in small steps to where it was sent, holding one pose", () => {
    const { arm, inverse, tellPose, tellJoints } = harness("b");
    arm.refresh();
    tellPose();
    tellJoints({ branches: [branch([0.1, 0.2], "a")] });
    arm.swing(0.3);
    arm.endSwing();
    const steps: number[] = [];
    const before = inverse.length;
    while (steps.length < 10 && inverse.length === before + steps.length) {
      const wanted = inverse.at(-1)?.ask().redundancy ?? NaN;
      steps.push(wanted);
      expect(tellJoints({ branches: [branch([0.1, wanted], "a")] }).pose).toEqual(somewhere);
    }
    expect(steps.at(-1)).toBeCloseTo(0.3, 12);
    expect(steps.length).toBe(2);
    expect(arm.q.value[1]).toBeCloseTo(0.3, 12);
  });

  it("stops a swing where the arm would have to jump", () => {
    const { arm, tellPose, tellJoints } = harness("b");
    arm.refresh();
    tellPose();
    tellJoints({ branches: [branch([0.1, 0.2], "a")] });
    arm.swing(1);
    tellJoints({ branches: [branch([2.5, 0.26], "c")] });
    expect(arm.q.value).toEqual([0.1, 0.2]);
    expect(arm.unreached.value?.reason).toBe("b cannot turn further while the tool stays here.");
  });

  it("adds to where a typed pose leads, not to a pose on the way", () => {
    const { arm, clock, tellPose, tellJoints } = harness();
    arm.refresh();
    tellPose();
    arm.goTo(somewhere, "base_link");
    expect(arm.aim.value?.pose).toEqual(somewhere);
    tellJoints({ branches: [branch([0.3, 0.4], "a")] });
    clock.advance(200);
    tellPose({ xyz: [0.5, 2, 3], wxyz: [1, 0, 0, 0] });
    expect(arm.gliding).toBe(true);
    expect(arm.aim.value?.pose).toEqual(somewhere);
    clock.advance(500);
    tellPose();
    expect(arm.q.value).toEqual([0.3, 0.4]);
    expect(arm.aim.value).toBeNull();
  });

  it("takes back a typed pose that has no answer", () => {
    const { arm, inverse, tellPose, tellJoints } = harness();
    arm.goTo(somewhere, "base_link");
    inverse.at(-1)?.drop();
    expect(arm.aim.value).toBeNull();
    const asked = inverse.length;
    arm.refresh();
    tellPose();
    expect(inverse.length, "branches are asked for again").toBe(asked + 1);
    tellJoints({ branches: [branch([0.3, 0.4], "a")] });
  });

  it("keeps a typed pose that cannot be had, so that one number of it can be corrected", () => {
    const { arm, clock, tellPose, tellJoints } = harness();
    const far: Pose = { ...somewhere, xyz: [9, 2, 3] };
    arm.goTo(far, "base_link");
    tellJoints({ reason: "too far", nearest: branch([0.3, 0.4], "") });
    clock.advance(500);
    tellPose({ xyz: [0.6, 0.2, 0.1], wxyz: [0, 1, 0, 0] });
    expect(arm.q.value, "it goes as near as it can").toEqual([0.3, 0.4]);
    expect(arm.aim.value?.pose, "no other number has changed").toEqual(far);
    arm.goTo(somewhere, "base_link");
    tellJoints({ branches: [branch([0.1, 0.2], "a")] });
    expect(arm.unreached.value).toBeNull();
    clock.advance(500);
    tellPose(somewhere);
    expect(arm.aim.value).toBeNull();
    arm.goTo(far, "base_link");
    tellJoints({ reason: "too far", nearest: null });
    arm.setJoint(0, 0);
    expect(arm.aim.value, "what is done next is the wish").toBeNull();
  });

  it("stays where it is when a step is out of reach, and says why", () => {
    const { arm, tellJoints } = harness();
    arm.step(somewhere, "base_link");
    tellJoints({ reason: "too far", nearest: branch([0.3, 0.4], "") });
    expect(arm.q.value).toEqual([0.1, 0.2]);
    expect(arm.aim.value).toBeNull();
    expect(arm.unreached.value?.reason).toBe("too far");
    arm.step(somewhere, "base_link");
    tellJoints({ branches: [branch([0.15, 0.2], "a")] });
    expect(arm.q.value).toEqual([0.15, 0.2]);
    expect(arm.unreached.value).toBeNull();
  });

  it("ignores the answer to a wish after the person has done something else", () => {
    const { arm, tellJoints } = harness();
    arm.setDragging(true);
    arm.follow(somewhere, "base_link");
    arm.setJoint(0, 0.7);
    tellJoints({ reason: "too far", nearest: branch([2, 2], "") });
    expect(arm.q.value).toEqual([0.7, 0.2]);
    expect(arm.unreached.value).toBeNull();
  });

  it("looks for another posture when the hand lets go where this one ends", () => {
    const { arm, inverse, tellJoints } = harness();
    arm.setDragging(true);
    arm.follow(somewhere, "base_link");
    tellJoints({ reason: "this posture ends here", nearest: branch([0.3, 0.4], "") });
    const asked = inverse.length;
    arm.setDragging(false);
    expect(inverse.length).toBe(asked + 1);
    const question = tellJoints({ branches: [branch([2, 2], "a")] });
    expect(question).toMatchObject({ pose: somewhere });
    expect(question.follow).toBeUndefined();
    expect(arm.unreached.value).toMatchObject({ reason: "this posture ends here", elsewhere: true });
    expect(arm.q.value, "and stays until told").toEqual([0.3, 0.4]);
  });

  it("says for which frame a pose is, also where another was chosen meanwhile", () => {
    const { arm, forward } = harness();
    arm.refresh();
    const { ask, take } = forward[0] ?? {};
    ask?.();
    arm.chooseFrame("tcp");
    take?.({ ...emptyStance, pose: somewhere }, 1);
    expect(arm.stance.value?.frame).toBe("tool0");
  });

  it("lets go of a swing whose question is dropped", () => {
    const { arm, inverse, tellPose, tellJoints } = harness("b");
    arm.refresh();
    tellPose();
    tellJoints({ branches: [branch([0.1, 0.2], "a")] });
    arm.swing(0.3);
    inverse.at(-1)?.drop();
    arm.swing(0.25);
    expect(inverse.at(-1)?.ask().redundancy).toBeCloseTo(0.25, 12);
  });
});
