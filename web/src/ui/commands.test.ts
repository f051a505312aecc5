import { describe, expect, it } from "vitest";
import { type Command, CommandRegistry, keyName, TypedFields } from "./commands";

const press = (key: string, modifiers: Partial<KeyboardEvent> = {}): string =>
  keyName({
    key,
    code: "",
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...modifiers,
  } as KeyboardEvent);

describe("keyName", () => {
  it("names letters, signs and combinations as they are written on keys", () => {
    expect(press("w")).toBe("W");
    expect(press("?", { shiftKey: true })).toBe("?");
    expect(press("z", { ctrlKey: true })).toBe("Ctrl+Z");
    expect(press("Z", { metaKey: true, shiftKey: true })).toBe("Ctrl+Shift+Z");
    expect(press("W", { shiftKey: true })).toBe("Shift+W");
    expect(press("Escape")).toBe("Escape");
    expect(press("Escape", { shiftKey: true })).toBe("Shift+Escape");
    expect(press("¡", { altKey: true, code: "Digit1" })).toBe("Alt+1");
  });
});

describe("CommandRegistry", () => {
  const command = (id: string, key: string): Command => ({
    id,
    title: () => id,
    group: "page",
    keys: [key],
    run: () => undefined,
  });

  it("finds the newest command of a key, and the older one again when that has gone", () => {
    const registry = new CommandRegistry();
    registry.register([command("page.d", "D"), command("page.k", "K")]);
    const leave = registry.register([command("panel.d", "D")]);
    expect(registry.withKey("D")?.id).toBe("panel.d");
    expect(registry.withKey("K")?.id).toBe("page.k");
    leave();
    expect(registry.withKey("D")?.id).toBe("page.d");
    expect(registry.withId("panel.d")).toBeUndefined();
    expect(registry.withKey("Q")).toBeUndefined();
  });
});

describe("TypedFields", () => {
  const command = (whileTyping: Command["whileTyping"]): Command => ({
    id: "edit.undo",
    title: () => "",
    group: "edit",
    run: () => undefined,
    ...(whileTyping === undefined ? {} : { whileTyping }),
  });

  it("undoes an edit from a field whose text was taken, and typing in one that is being written", () => {
    const fields = new TypedFields();
    const field = new EventTarget();
    expect(fields.yieldsTo(field, command("settled"))).toBe(true);
    fields.note(field);
    expect(fields.yieldsTo(field, command("settled"))).toBe(false);
    expect(fields.yieldsTo(new EventTarget(), command("settled"))).toBe(true);
    fields.settle(field);
    expect(fields.yieldsTo(field, command("settled"))).toBe(true);
    expect(fields.yieldsTo(field, command(undefined))).toBe(false);
    expect(fields.yieldsTo(field, command(true))).toBe(true);
  });
});
