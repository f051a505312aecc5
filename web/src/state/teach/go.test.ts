import { expect, test } from "vitest";
import type { ArmInfo, InverseReply, RobotInfo } from "../../wire/generated";
import type { InverseQuestion } from "../../wire/live";
import type { Cell, FromClient } from "../../wire/studio";
import { FakeClock } from "../shared/fake-clock";
import { Jogging } from "../operate/jog";
import { dictionaryOf, setLanguage } from "../texts";
import { goToPoint } from "./go";

const pose = { xyz: [0, 0, 0.1], wxyz: [1, 0, 0, 0] } as const;
const q = [0, 1];
const cell: Cell = {
  name: "c",
  robots: [{ name: "ur3e", model: "ur3e", pose: { xyz: [0, 0, 0.5], wxyz: [1, 0, 0, 0] } }],
  frames: [{ name: "bench", pose: { xyz: [1, 0, 0], wxyz: [1, 0, 0, 0] } }],
  points: [
    { name: "own", pose, robot: "ur3e", q },
    { name: "moved", pose, frame: "bench", robot: "ur3e", q },
    { name: "other", pose, robot: "yumi", arm: "left", q },
    { name: "free", pose, frame: "bench" },
  ],
};
const arm = { name: "arm", joints: [{}, {}], bases: [{ name: "root" }], base: "foot", flange: "flange" };
const info = { name: "ur3e", root: "root", arms: [arm] } as unknown as RobotInfo;

function made(answer: Partial<InverseReply>) {
  const told: FromClient[] = [];
  const asked: InverseQuestion[] = [];
  const said: string[] = [];
  const clock = new FakeClock();
  const jogging = new Jogging(
    { act: () => Promise.resolve(true), send: (message) => told.push(message) > 0 },
    clock,
  );
  let reply = (): void => undefined;
  const hold = async (point: string): Promise<void> => {
    goToPoint(
      { cell, point, robot: "ur3e", info, arm: arm as unknown as ArmInfo, share: 0.3 },
      "go",
      jogging,
      {
        inverse: (question, answered) => {
          asked.push(question());
          reply = () => answered({ branches: [], reason: null, nearest: null, ...answer } as InverseReply);
        },
      },
      (sentence) => said.push(sentence),
    );
    await Promise.resolve();
    await Promise.resolve();
  };
  const intents = (): unknown[] => told.map((message) => (message.type === "intend" ? message.intent : null));
  return { hold, clock, jogging, intents, asked, said, reply: () => reply() };
}

test("a robot goes to where a point is now; the taught joints only choose the posture", async () => {
  const target = [0.1, 0.9];
  const branches = [{ q: target, label: "", margin_rad: 1 }];
  const { hold, clock, jogging, intents, asked, reply } = made({ branches });
  await hold("moved");
  expect(asked).toMatchObject([{ pose: { xyz: [1, 0, -0.4] }, seed: q, base: "root", frame: "flange" }]);
  clock.advance(48, 16);
  expect(intents()).toEqual([]);
  reply();
  clock.advance(16, 16);
  expect(intents()).toMatchObject([
    { type: "joints", target, scale: 0.3, stamp_ns: 64_000_000, clutch: true, dead_man: true },
  ]);
  jogging.end();
  expect(intents().at(-1)).toMatchObject({ clutch: false, dead_man: false });
});

test("where the arm does not reach the point, it says why and does not move", async () => {
  const { hold, clock, jogging, intents, said, reply } = made({ reason: "too far" });
  await hold("own");
  reply();
  clock.advance(50);
  expect(said).toEqual(["too far"]);
  expect(jogging.held.value).toBeNull();
  expect(intents()).toMatchObject([{ clutch: false, linear: [0, 0, 0] }]);
});

test("it says why in the person's language", async () => {
  const said = { code: "pose.orientation", text: "the position can be had, …", values: {} };
  const { hold, said: told, reply } = made({ reason: said.text, said });
  await hold("own");
  setLanguage("de");
  reply();
  setLanguage("en");
  expect(told).toEqual([dictionaryOf("de").texts["said.pose.orientation"]]);
});

test("a robot goes straight to points without joints of its own", async () => {
  for (const [name, x] of [
    ["other", 0],
    ["free", 1],
  ] as const) {
    const { hold, clock, intents, asked } = made({});
    await hold(name);
    clock.advance(10);
    expect(intents()).toMatchObject([{ type: "pose", frame: "world", pose: { xyz: [x, 0, 0.1] } }]);
    expect(asked).toEqual([]);
  }
  const { hold, jogging } = made({});
  await hold("nobody");
  expect(jogging.held.value).toBeNull();
});
