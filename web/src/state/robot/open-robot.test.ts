import { expect, it } from "vitest";
import type { ArmInfo, InverseAnswer, RobotInfo } from "../../wire/generated";
import { FakeClock } from "../shared/fake-clock";
import { OpenRobot } from "./open-robot";

const arm: ArmInfo = {
  name: "arm",
  title: "Arm",
  base: "base_link",
  flange: "tool0",
  joints: ["a", "b"].map((name) => ({
    name,
    title: name,
    kind: "revolute",
    lower: -3,
    upper: 3,
    velocity: null,
  })),
  postures: [{ name: "home", q: [0.1, 0.2], note: "" }],
  bases: [{ name: "base_link", link: "base_link", note: "" }],
  frames: [{ name: "tool0", link: "tool0", note: "" }],
  tool: null,
  redundancy: null,
  solver: "test",
};
const info: RobotInfo = {
  name: "robot",
  title: "Robot",
  maker: "",
  summary: "",
  convention: "plain",
  inputs: { names: [], ranges: [], example: "" },
  outputs: { names: [], ranges: [], example: "" },
  root: "base_link",
  urdf: "",
  arms: [arm],
  platform: null,
  payload_kg: null,
  reach_m: null,
  notes: [],
  sources: [],
};
const answer: InverseAnswer = {
  type: "inverse",
  id: 1,
  branches: [{ q: [0.5, 0.6], label: "", margin_rad: 1 }],
  reason: null,
  nearest: null,
  nearest_pose: null,
  solve_us: 1,
};

it("does not obey an answer to a drag that was taken back before it came", () => {
  const clock = new FakeClock();
  const answers: ((answer: InverseAnswer, ms: number) => void)[] = [];
  const line = {
    forward: () => undefined,
    inverse: (_: unknown, take: (answer: InverseAnswer, ms: number) => void) => void answers.push(take),
  };
  const robot = new OpenRobot(info, line, clock);
  const [control] = robot.arms;
  robot.history.record("");
  control?.setDragging(true);
  control?.follow({ xyz: [1, 2, 3], wxyz: [1, 0, 0, 0] }, "base_link");
  control?.setDragging(false);
  robot.history.undo();
  for (const take of answers) take(answer, 1);
  clock.advance(1000);
  expect(control?.q.value).toEqual([0.1, 0.2]);
});
