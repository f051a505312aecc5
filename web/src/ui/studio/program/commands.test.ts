import { describe, expect, it } from "vitest";
import type { Breakpoints } from "../../../state/program/breakpoints";
import type { StepEditor } from "../../../state/program/steps-editor";
import type { Timeline } from "../../../state/program/timeline";
import { Store } from "../../../state/shared/store";
import { CommandRegistry } from "../../commands";
import { programCommands } from "./commands";

describe("programCommands", () => {
  it("pastes copied steps by Ctrl+V, also into a program that has none", () => {
    let pasted = 0;
    const steps = {
      selected: new Store<readonly string[]>([]),
      copied: new Store<readonly unknown[]>([]),
      program: { name: "empty", robot: "ur", steps: [] },
      paste: () => Promise.resolve(++pasted > 0),
    };
    const none = (): void => undefined;
    const registry = new CommandRegistry();
    registry.register(
      programCommands(
        steps as unknown as StepEditor,
        {} as unknown as Timeline,
        {} as unknown as Breakpoints,
        {
          add: none,
          export: none,
          settings: none,
        },
      ),
    );
    const command = registry.withKey("Ctrl+V");
    expect(command?.blocked?.()).toMatch(/copied/);
    steps.copied.set([{ do: "wait", seconds: 1 }]);
    expect(command?.blocked?.()).toBeNull();
    command?.run();
    expect(pasted).toBe(1);
  });
});
