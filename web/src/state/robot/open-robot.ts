/** OpenRobot: the robot on the screen, with a control for each of its arms or its platform. */

import type { RobotInfo } from "../../wire/generated";
import { ArmControl, type ArmLine, GLIDE_MS } from "./arm-control";
import type { FrameClock } from "../shared/glide";
import { History } from "../shared/history";
import { PlatformControl } from "./platform-control";
import { Store } from "../shared/store";

interface Snapshot {
  readonly arms: readonly { readonly q: readonly number[]; readonly opening: number }[];
  readonly platform: readonly number[] | null;
}

/** How far the loading of the bodies has come. */
export interface Bodies {
  readonly loaded: number;
  readonly total: number;
  readonly failed: readonly string[];
}

export class OpenRobot {
  readonly arms: readonly ArmControl[];
  readonly platform: PlatformControl | null;
  /** The arm that sliders and gizmo move; null for a robot without arms. */
  readonly active: Store<ArmControl | null>;
  readonly bodies = new Store<Bodies | null>(null);
  readonly history: History<Snapshot>;

  constructor(
    readonly info: RobotInfo,
    line: ArmLine,
    clock: FrameClock,
  ) {
    this.arms = info.arms.map((arm) => new ArmControl(info.name, arm, line, clock));
    this.platform = info.platform === null ? null : new PlatformControl(info.platform, clock);
    this.active = new Store(this.arms[0] ?? null);
    this.history = new History(
      () => this.#read(),
      (snapshot) => this.#write(snapshot),
      () => clock.nowMs(),
    );
  }

  /** Make this arm the one that is moved. */
  activate(name: string): void {
    const arm = this.arms.find((one) => one.info.name === name);
    if (arm === undefined || arm === this.active.value) return;
    this.active.value?.unreached.set(null);
    this.active.set(arm);
    arm.refresh();
  }

  /** Bring the active arm, or the platform, to where it was when it appeared. */
  goHome(): void {
    const arm = this.active.value;
    const home = arm?.info.postures[0];
    this.history.record("");
    if (arm !== null && home !== undefined) arm.glideTo(home.q);
    if (this.platform !== null) this.platform.glideTo(this.platform.home, GLIDE_MS);
  }

  dispose(): void {
    for (const arm of this.arms) arm.dispose();
    this.platform?.dispose();
  }

  #read(): Snapshot {
    return {
      arms: this.arms.map((arm) => ({ q: arm.q.value, opening: arm.opening.value })),
      platform: this.platform?.values.value ?? null,
    };
  }

  #write(snapshot: Snapshot): void {
    snapshot.arms.forEach(({ q, opening }, i) => {
      const arm = this.arms[i];
      arm?.setOpening(opening);
      arm?.glideTo(q, GLIDE_MS / 2);
    });
    if (snapshot.platform !== null) this.platform?.glideTo(snapshot.platform, GLIDE_MS / 2);
  }
}
