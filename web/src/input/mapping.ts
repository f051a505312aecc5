/**
 * Mapping: makes what an arm shall do of the samples of one device. It knows no robot: what it gives fits any arm, and one
 * mapping drives one arm, so that a device with two hands has two of them.
 */

import type { JogCommand } from "../state/operate/jog";
import type { ControlName, Sample } from "./device";
import { valueOf } from "./device";
import { CLOSES_AT, DeadMan, OPENS_AT } from "./dead-man";
import { SampleGuard } from "./sample-guard";

/** What a person wants of one arm at the moment of a sample. */
export interface Wish {
  /** Of the sample. */
  readonly atMs: number;
  /** Whether the dead-man switch is held. Without it a robot does not move; a ghost may. */
  readonly held: boolean;
  /** What the arm shall do; null: nothing. */
  readonly command: JogCommand | null;
  /** Controls other than those of motion that were pressed or let go since the last wish, oldest first. */
  readonly presses: readonly Press[];
}

export interface Press {
  readonly control: ControlName;
  /** False: let go. */
  readonly down: boolean;
}

/** A wish for nothing. */
export function noWish(atMs: number): Wish {
  return { atMs, held: false, command: null, presses: [] };
}

export abstract class Mapping {
  readonly #guard = new SampleGuard();
  readonly #deadMan = new DeadMan();
  #down = new Set<ControlName>();
  /** Controls that were down when the device was lost: they count after they were let go. */
  #stuck: Set<ControlName> | null = null;

  /** Any of these is the dead-man switch. */
  protected abstract readonly deadMan: readonly ControlName[];
  /** Controls whose presses are reported. */
  protected abstract readonly buttons: readonly ControlName[];

  /** What the arm shall do by a sample that counts. `held`: whether the dead-man switch is. */
  protected abstract commandOf(sample: Sample, held: boolean): JogCommand | null;

  /** The next sample, in order; null: it is no newer than the last one, and changes nothing. */
  take(sample: Sample): Wish | null {
    const verdict = this.#guard.look(sample);
    if (verdict === "old") return null;
    if (verdict === "lost") {
      const presses = [...this.#down].map((control) => ({ control, down: false }));
      this.release();
      return { ...noWish(Number.isFinite(sample.atMs) ? sample.atMs : 0), presses };
    }
    const pressed = Math.max(0, ...this.deadMan.map((control) => valueOf(sample, control) ?? 0));
    const held = this.#deadMan.take(pressed);
    const presses = this.#look(sample);
    return { atMs: sample.atMs, held, command: this.commandOf(sample, held), presses };
  }

  /** Let go of everything: the page has lost the focus, the robot has ended the motion. Has to be pressed again. */
  release(): void {
    this.#deadMan.release();
    this.#down = new Set();
    this.#stuck = null;
  }

  #look(sample: Sample): readonly Press[] {
    const presses: Press[] = [];
    const first = this.#stuck === null;
    const stuck = this.#stuck ?? new Set();
    this.#stuck = stuck;
    for (const control of this.buttons) {
      const value = valueOf(sample, control) ?? 0;
      if (value <= OPENS_AT) {
        stuck.delete(control);
        if (this.#down.delete(control)) presses.push({ control, down: false });
      } else if (value >= CLOSES_AT) {
        if (first) stuck.add(control);
        else if (!stuck.has(control) && !this.#down.has(control)) {
          this.#down.add(control);
          presses.push({ control, down: true });
        }
      }
    }
    return presses;
  }
}
