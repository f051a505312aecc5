import { describe, expect, it } from "vitest";
import { keyName } from "./commands";

const press = (key: string, modifiers: Partial<KeyboardEvent> = {}): string =>
  keyName({
    key,
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
  });
});
