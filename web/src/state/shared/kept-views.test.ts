import { expect, test } from "vitest";
import { KeptViews } from "./kept-views";

function memory(start: Readonly<Record<string, string>> = {}) {
  const kept = new Map(Object.entries(start));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

const at = (name: string) => ({ name, target: [0, 0, 1], offset: [2, 0, 0] }) as const;

test("views are there again after a reload, each project has its own", () => {
  const kept = memory();
  const views = new KeptViews(kept, "a");
  views.keep(at(" from the door "));
  views.keep(at("from the door"));
  views.keep(at("  "));
  expect(views.all.value.map(({ name }) => name)).toEqual(["from the door"]);
  expect(new KeptViews(kept, "a").all.value).toEqual(views.all.value);
  expect(new KeptViews(kept, "b").all.value).toEqual([]);
  views.forget("from the door");
  expect(new KeptViews(kept, "a").all.value).toEqual([]);
});

test("what was damaged is left out", () => {
  const odd = JSON.stringify([at("fine"), { name: "no" }, 3, { ...at("nan"), target: [0, 0, null] }]);
  const read = (text: string): readonly string[] =>
    new KeptViews(memory({ "openpendant.views.a": text }), "a").all.value.map(({ name }) => name);
  expect(read(odd)).toEqual(["fine"]);
  expect(read("{")).toEqual([]);
});
