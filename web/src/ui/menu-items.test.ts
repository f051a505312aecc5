import { describe, expect, it } from "vitest";
import { type Command, CommandRegistry } from "./commands";
import { itemOf, menuOf, tidy } from "./menu-items";

const command = (id: string, more: Partial<Command> = {}): Command => ({
  id,
  title: () => id,
  group: "program",
  run: () => undefined,
  ...more,
});

describe("menuOf", () => {
  it("offers the commands that are there, with lines between those that are", () => {
    const registry = new CommandRegistry();
    registry.register([command("a"), command("c")]);
    const ids = (list: readonly string[]) => menuOf(registry, list).map((one) => one?.id ?? "-");
    expect(ids(["-", "a", "-", "b", "-", "c", "-"])).toEqual(["a", "-", "c"]);
    expect(ids(["b", "-"])).toEqual([]);
  });

  it("does what the command does, shows its key where it is used, and says why it cannot", () => {
    let ran = 0;
    const item = itemOf(
      command("program.cut", {
        keys: ["F1"],
        keysHere: "Ctrl+X",
        blocked: () => "Nothing.",
        run: () => ran++,
      }),
    );
    expect(item).toMatchObject({ id: "program-cut", keys: "Ctrl+X", disabled: true, hint: "Nothing." });
    item.run();
    expect(ran).toBe(1);
    expect(itemOf(command("x", { keys: ["F1", "F2"] }))).toMatchObject({ keys: "F1", disabled: false });
  });

  it("leaves out lines that divide nothing", () => {
    const item = itemOf(command("a"));
    expect(tidy([null, item, null, null, item, null])).toEqual([item, null, item]);
    expect(tidy([null, null])).toEqual([]);
  });
});
