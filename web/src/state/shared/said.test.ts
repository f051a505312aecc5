import { afterEach, describe, expect, it } from "vitest";
import type { SaidMessage } from "../../wire/generated";
import { numberIn, setSaidUnits, withoutPlace, wordsIn, wordsOf } from "./said";
import { asSentence } from "./sentences";
import { setLanguage } from "../texts";

const said = (code: string, values: SaidMessage["values"] = {}, text = ""): SaidMessage => ({
  code,
  values,
  text,
});

describe("wordsOf", () => {
  afterEach(() => setLanguage("en"));

  it("says in each language what has a code", () => {
    const held = said("control.held_by", { name: "Bob", robot: "ur3e" });
    expect(wordsOf(held)).toBe("Bob has control of ur3e; ask for it, or take over");
    setLanguage("es");
    expect(wordsOf(held)).toBe("Bob tiene el control de ur3e; pídelo o tómalo");
    setLanguage("de");
    expect(wordsOf(held)).toBe("Bob hat die Bedienhoheit über ur3e; darum bitten oder sie übernehmen");
  });

  it("writes numbers as the English says, also inside another sentence", () => {
    setLanguage("es");
    const contact = said("check.touches", { a: "ur3e/forearm", b: "fence" });
    const place = { x_mm: 900.4, y_mm: 0, z_mm: -100.2 };
    const why = said("check.contact_along", { contact, share_percent: 40.4, ...place });
    expect(wordsOf(said("run.not_clear", { program: "pick", why }))).toBe(
      "pick no pasa la comprobación: ur3e/forearm toca fence al 40 % del camino, en (900, 0, −100) mm",
    );
  });

  it("leaves what has no code, or one that it does not know, as the server wrote it", () => {
    setLanguage("es");
    expect(wordsOf("something new")).toBe("something new");
    expect(wordsOf(said("from.tomorrow", {}, "something newer"))).toBe("something newer");
    expect(asSentence(said("run.none"))).toBe("No se ejecuta ningún programa.");
  });
});

describe("withoutPlace", () => {
  const why = said(
    "fault.mass",
    { mass_kg: 900, most_kg: 500 },
    "900 kg is out of range; allowed: 0 to 500 kg",
  );
  const fault = said("edit.fault", { item: "cup", pointer: "/mass_kg", why }, "cup/mass_kg: 900 kg; …");

  it("leaves the place out where it is seen", () => {
    expect(wordsOf(withoutPlace(fault, ["cup"]))).toBe("900 kg is out of range; allowed: 0 to 500 kg");
    expect(wordsOf(withoutPlace(fault))).toBe("900 kg is out of range; allowed: 0 to 500 kg");
  });

  it("names a place elsewhere, and leaves other reasons alone", () => {
    expect(wordsOf(withoutPlace(fault, ["arm"]))).toBe(
      "cup › mass: 900 kg is out of range; allowed: 0 to 500 kg",
    );
    expect(withoutPlace(why)).toBe(why);
    expect(withoutPlace("of a server without codes: /steps/0")).toBe("of a server without codes: /steps/0");
  });
});

describe("in the person's units", () => {
  afterEach(() => setSaidUnits("m", "rad"));
  const why = said("fault.too_far", { value_m: 1e8, most_m: 50 }, "1e+08 m is out of range");
  const guess = said("fault.millimetres", { why, write_m: 1e5 });
  const fault = said("edit.fault", { item: "block 1", pointer: "/pose/xyz/0", why: guess });

  it("says lengths and angles as the field does, without a guess at the unit", () => {
    setSaidUnits("mm", "deg");
    expect(asSentence(withoutPlace(fault, ["block 1"]))).toBe(
      "100000000000 mm is out of range; allowed: at most 50000 mm from the origin.",
    );
    const joint = { joint: "elbow", value_rad: Math.PI, low_rad: -Math.PI / 2, high_rad: Math.PI / 2 };
    expect(wordsOf(said("fault.joint_limit", joint))).toBe("elbow is at 180°; its limits are −90° to 90°");
  });

  it("names a place by words, and leaves names as they are written", () => {
    setSaidUnits("in", "deg");
    const size = said("edit.fault", { item: "table", pointer: "/shape/size/2", why });
    expect(asSentence(size)).toMatch(/^table › shape › size › z: 3937010000 in is out of range/);
    expect(asSentence("broken.urdf, line 2: no robot")).toBe("broken.urdf, line 2: no robot.");
    expect(asSentence("tables/leg: too long")).toBe("tables/leg: too long.");
  });
});

describe("wordsIn", () => {
  afterEach(() => setLanguage("en"));

  it("takes the code that came beside a text", () => {
    setLanguage("de");
    const told = wordsIn(["move a", "my own"], [said("title.move", { name: "a" }), null]);
    expect(told.map(wordsOf)).toEqual(["a bewegen", "my own"]);
    expect(wordsIn(["move a"])).toEqual(["move a"]);
  });
});

describe("numberIn", () => {
  it.each([
    [12.345, ".1f", "12.3"],
    [2, "g", "2"],
    [0.012345, ".3g", "0.0123"],
    [90, "+d", "+90"],
    [-90, "+d", "-90"],
  ])("writes %s as %s", (value, form, wanted) => expect(numberIn(value, form)).toBe(wanted));
});
