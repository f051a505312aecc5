import { describe, expect, it } from "vitest";
import { fit, search } from "./fuzzy";

describe("search", () => {
  const titles = ["Go to Build", "Go to Program", "Save the project", "Show reach", "Añadir robot"];
  const find = (wanted: string): readonly string[] => search(wanted, titles, (title) => title);

  it("takes letters in order, from anywhere in the title", () => {
    expect(find("gtp")[0]).toBe("Go to Program");
    expect(find("svpr")).toEqual(["Save the project"]);
    expect(find("xyz")).toEqual([]);
  });

  it("puts whole pieces and starts of words first", () => {
    expect(find("pro")).toEqual(["Go to Program", "Save the project"]);
    expect(search("to", ["Photo", "Go to Build"], (title) => title)[0]).toBe("Go to Build");
    expect(find("reach")).toEqual(["Show reach"]);
    expect(find("")).toEqual(titles);
  });

  it("does not ask for accents or capitals", () => {
    expect(find("anadir ROBOT")).toEqual(["Añadir robot"]);
    expect(fit("É", "e")).not.toBeNull();
  });
});
