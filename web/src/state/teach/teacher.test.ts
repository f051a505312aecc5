import { describe, expect, it } from "vitest";
import type { ArmInfo, ForwardReply, InverseReply, Pose, RobotInfo } from "../../wire/generated";
import type { ForwardQuestion, InverseQuestion } from "../../wire/live";
import type { Cell } from "../../wire/studio";
import type { ArmLine } from "./arm-control";
import { FakeClock } from "../shared/fake-clock";
import type { Project } from "../shared/project";
import { Store } from "../shared/store";
import { Teaching } from "./teacher";

const joint = { title: "", kind: "revolute", lower: -3, upper: 3, velocity: null } as const;
const arm = (name: string): ArmInfo => ({
  name,
  title: name,
  base: "base",
  flange: "tool0",
  joints: ["a", "b", "c"].map((each) => ({ ...joint, name: each })),
  postures: [{ name: "home", q: [0, 0, 0], note: "" }],
  bases: [{ name: "base", link: "base", note: "" }],
  frames: [{ name: "tool0", link: "tool0", note: "" }],
  tool: null,
  redundancy: null,
  solver: "test",
});
const robot = (name: string, ...arms: string[]) =>
  ({ name, root: "base", arms: arms.map(arm) }) as unknown as RobotInfo;
const cell: Cell = {
  name: "c",
  robots: [
    { name: "twin", model: "yumi" },
    { name: "single", model: "ur3e" },
  ],
  points: [
    // Taught at z 0.4, edited since.
    {
      name: "moved",
      robot: "single",
      q: [0.1, 0.2, 0.4],
      pose: { xyz: [0.1, 0.2, 0.5], wxyz: [1, 0, 0, 0] },
    },
  ],
};

/** A server whose arms stand where their joints say: the tool is at q, and the joints for a pose are its xyz. */
class Server implements ArmLine {
  readonly asked: InverseQuestion[] = [];
  #waiting: (() => void)[] = [];

  forward(question: () => ForwardQuestion, answered: (answer: ForwardReply, ms: number) => void): void {
    const { q } = question();
    const pose: Pose = { xyz: [q[0] ?? 0, q[1] ?? 0, q[2] ?? 0], wxyz: [1, 0, 0, 0] };
    this.#waiting.push(() => answered({ pose } as ForwardReply, 1));
  }

  inverse(question: () => InverseQuestion, answered: (answer: InverseReply, ms: number) => void): void {
    const asked = question();
    this.asked.push(asked);
    const branches = [{ q: asked.pose.xyz, label: "", margin_rad: 1 }];
    this.#waiting.push(() =>
      answered({ branches, reason: null, nearest: null } as unknown as InverseReply, 1),
    );
  }

  answer(): void {
    for (let round = 0; round < 20; round++) for (const one of this.#waiting.splice(0)) one();
  }
}

function open() {
  const server = new Server();
  const clock = new FakeClock();
  const fetched = new Map<string, (info: RobotInfo) => void>();
  const snaps: ((pose: Pose) => void)[] = [];
  const project = {
    mode: new Store("build"),
    cell: new Store(cell),
    history: new Store({ undo: [] as readonly string[], redo: [] as readonly string[] }),
    selection: new Store<readonly string[]>([]),
    openProgram: new Store(null),
    programs: new Store({}),
    complain: () => undefined,
    socket: { ask: () => new Promise(() => undefined) },
  };
  const teaching = new Teaching(project as unknown as Project, {
    line: server,
    clock,
    fetchRobot: (name) => new Promise((resolve) => fetched.set(name, resolve)),
    findSnap: () => new Promise((resolve) => snaps.push(resolve)),
  });
  const come = async (info: RobotInfo) => {
    fetched.get(info.name)?.(info);
    await Promise.resolve();
    await Promise.resolve();
    server.answer();
  };
  return { teaching, server, clock, come, snaps, project };
}

describe("Teaching", () => {
  it("lets go of the old arm at once when another is chosen", async () => {
    const { teaching, server, come } = open();
    void teaching.choose("twin", "left");
    await come(robot("yumi", "left", "right"));
    expect(teaching.taught.value?.arm).toBe("left");
    const old = teaching.taught.value?.control;
    // The other arm of the same robot is known: it is there at once.
    void teaching.choose("twin", "right");
    expect(teaching.taught.value?.arm).toBe("right");
    server.answer();
    server.asked.length = 0;
    teaching.nudge([0.01, 0, 0], [0, 0, 0], "world");
    expect(server.asked.map((asked) => asked.arm)).toEqual(["right"]);
    server.answer();
    expect(old?.q.value).toEqual([0, 0, 0]);
    // Another robot has to be fetched; until then a jog goes nowhere, and going back is possible.
    server.asked.length = 0;
    void teaching.choose("single");
    expect(teaching.choice.value).toEqual({ robot: "single", arm: "" });
    teaching.nudge([0.01, 0, 0], [0, 0, 0], "world");
    expect(server.asked).toEqual([]);
    void teaching.choose("twin", "left");
    await come(robot("ur3e", "arm"));
    expect(teaching.taught.value).toBeNull();
    await come(robot("yumi", "left", "right"));
    expect(teaching.choice.value).toEqual({ robot: "twin", arm: "left" });
  });

  it("adds jogs and typed numbers to where it is going, not to where it is on the way", async () => {
    const { teaching, server, clock, come } = open();
    void teaching.choose("single");
    await come(robot("ur3e", "arm"));
    for (let i = 0; i < 3; i++) teaching.nudge([0.01, 0, 0], [0, 0, 0], "world");
    expect(teaching.goal.value?.xyz[0]).toBeCloseTo(0.03, 12);
    server.answer();
    expect(teaching.tcp.value?.xyz[0]).toBeCloseTo(0.03, 12);
    teaching.goToPose({ xyz: [0.5, 0, 0], wxyz: [1, 0, 0, 0] });
    server.answer();
    clock.advance(200);
    server.answer();
    expect(teaching.tcp.value?.xyz[0]).toBeLessThan(0.5);
    expect(teaching.goal.value?.xyz[0]).toBe(0.5);
    clock.advance(500);
    server.answer();
    expect(teaching.goal.value).toBe(teaching.tcp.value);
  });

  it("goes to where a point is now, in the posture that is nearest to how it was taught", async () => {
    const { teaching, server, clock, come } = open();
    void teaching.choose("single");
    await come(robot("ur3e", "arm"));
    server.asked.length = 0;
    teaching.goTo("moved");
    expect(server.asked).toMatchObject([{ pose: { xyz: [0.1, 0.2, 0.5] }, seed: [0.1, 0.2, 0.4] }]);
    server.answer();
    clock.advance(500);
    server.answer();
    expect(teaching.tcp.value?.xyz[2]).toBe(0.5);
  });

  it("goes to the surface that was meant last, and no other arm goes there", async () => {
    const { teaching, come, snaps } = open();
    const pose = (x: number): Pose => ({ xyz: [x, 0, 0], wxyz: [1, 0, 0, 0] });
    void teaching.choose("single");
    await come(robot("ur3e", "arm"));
    const asked = [0, 1, 2].map(() => teaching.snap({ to: "face", tool: pose(0) }));
    snaps[1]?.(pose(0.2));
    await asked[1];
    expect(teaching.goal.value?.xyz[0]).not.toBe(0.2);
    snaps[2]?.(pose(0.3));
    await asked[2];
    expect(teaching.goal.value?.xyz[0]).toBe(0.3);
    const late = teaching.snap({ to: "face", tool: pose(0) });
    void teaching.choose("twin", "left");
    await come(robot("yumi", "left", "right"));
    snaps[3]?.(pose(0.4));
    await late;
    expect(teaching.goal.value?.xyz[0]).not.toBe(0.4);
  });

  it("teaches where it comes to rest, to the last digit", async () => {
    const { teaching, server, clock, come } = open();
    void teaching.choose("single");
    await come(robot("ur3e", "arm"));
    // A motion so small that its last frames differ from its end by less than anybody would see.
    teaching.goToPose({ xyz: [0.00009, 0, 0], wxyz: [1, 0, 0, 0] });
    const point = teaching.asPoint("p", "world");
    server.answer();
    clock.advance(300);
    server.answer();
    clock.advance(500);
    server.answer();
    expect((await point)?.pose.xyz[0]).toBe(0.00009);
    expect((await point)?.q).toEqual([0.00009, 0, 0]);
  });

  it("knows where the TCP is while another frame in another base is looked at", async () => {
    const { teaching, server, come } = open();
    void teaching.choose("single");
    await come(robot("ur3e", "arm"));
    const control = teaching.taught.value?.control;
    control?.chooseFrame("elsewhere");
    server.answer();
    server.asked.length = 0;
    control?.setJoint(0, 0.3);
    server.answer();
    expect(control?.stance.value?.frame).toBe("elsewhere");
    expect(teaching.tcp.value?.xyz[0]).toBe(0.3);
    teaching.goToPose({ xyz: [0.5, 0, 0], wxyz: [1, 0, 0, 0] });
    expect(server.asked.at(-1)).toMatchObject({ frame: "tool0", base: "base" });
  });

  it("takes back moves of the ghost, but none from before the last edit", async () => {
    const { teaching, server, clock, come, project } = open();
    void teaching.choose("single");
    await come(robot("ur3e", "arm"));
    const q = () => teaching.taught.value?.control.q.value[0];
    const settle = () => {
      server.answer();
      clock.advance(1000);
      server.answer();
    };
    teaching.goToPose({ xyz: [0.2, 0, 0], wxyz: [1, 0, 0, 0] });
    settle();
    project.history.set({ undo: ["a point"], redo: [] });
    expect(teaching.moves.canUndo.value).toBe(false);
    teaching.goToPose({ xyz: [0.4, 0, 0], wxyz: [1, 0, 0, 0] });
    settle();
    expect(q()).toBe(0.4);
    teaching.moves.undo();
    settle();
    expect(q()).toBe(0.2);
    expect(teaching.moves.canUndo.value).toBe(false);
    teaching.moves.redo();
    settle();
    expect(q()).toBe(0.4);
    teaching.goHome();
    settle();
    expect(q()).toBe(0);
  });

  it("does not obey an answer to a drag that was taken back before it came", async () => {
    const { teaching, server, clock, come } = open();
    void teaching.choose("single");
    await come(robot("ur3e", "arm"));
    teaching.setDragging(true);
    teaching.follow({ xyz: [0.3, 0, 0], wxyz: [1, 0, 0, 0] });
    teaching.setDragging(false);
    teaching.moves.undo();
    server.answer();
    clock.advance(1000);
    server.answer();
    expect(teaching.taught.value?.control.q.value).toEqual([0, 0, 0]);
  });

  it("goes from arm to arm of a robot", async () => {
    const { teaching, come } = open();
    void teaching.choose("twin", "left");
    await come(robot("yumi", "left", "right"));
    teaching.chooseNext();
    expect(teaching.taught.value?.arm).toBe("right");
    teaching.chooseNext();
    expect(teaching.taught.value?.arm).toBe("left");
  });
});
