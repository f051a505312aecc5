import { describe, expect, it } from "vitest";
import css from "./app.css?raw";

/** The colours of one theme. */
function tokensOf(theme: string): Map<string, string> {
  const block = new RegExp(`data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? "";
  const fixed = /:root \{([^}]*)\}/.exec(css)?.[1] ?? "";
  return new Map(
    [...(fixed + block).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}

/** Relative luminance, as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe.each(["dark", "light"])("the %s theme", (theme) => {
  const tokens = tokensOf(theme);
  const get = (name: string): string => {
    const value = tokens.get(name);
    if (value === undefined) throw new Error(`no colour --${name}`);
    return value;
  };
  const words = ["text", "dim", "faint", "accent", "warn", "stop", "run"];
  const grounds = ["panel", "raised"];

  it.each(words.flatMap((word) => grounds.map((ground) => [word, ground] as const)))(
    "reads --%s on --%s",
    (word, ground) => {
      expect(contrast(get(word), get(ground))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it("reads on what is selected and on filled buttons", () => {
    for (const word of ["text", "dim", "accent"])
      expect(contrast(get(word), get("sel"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(get("on-fill"), get("fill"))).toBeGreaterThanOrEqual(4.5);
  });
});
