import { describe, expect, it } from "vitest";
import { MOST_PICTURES, pictureOf, Pictures } from "./pictures";

const image = (text: string) => `data:image/webp;base64,${btoa(text)}`;

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

describe("Pictures", () => {
  it("remember the newest of each project, and no more than there is room for", () => {
    const own = memory();
    const pictures = new Pictures(own);
    for (let i = 0; i <= MOST_PICTURES; i++) pictures.keep(`p${i}`, image(`${i}`));
    pictures.keep("p3", image("again"));
    const later = new Pictures(own).all.value;
    expect(later).toHaveLength(MOST_PICTURES);
    expect(pictureOf(later, "p0")).toBe("");
    expect(pictureOf(later, "p3")).toBe(image("again"));
    expect(later.at(-1)?.project).toBe("p3");
  });

  it("are pictures and nothing else", () => {
    const own = memory();
    const pictures = new Pictures(own);
    pictures.keep("none", null);
    pictures.keep("text", "data:text/html;base64,AAAA");
    pictures.keep("large", image("x".repeat(60_000)));
    expect(pictures.all.value).toEqual([]);
    own.setItem("openpendant.pictures", JSON.stringify([{ project: "a", data: "https://elsewhere/a.png" }]));
    expect(new Pictures(own).all.value).toEqual([]);
  });
});
