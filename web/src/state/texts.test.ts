import { parse } from "svelte/compiler";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { chooseLanguage, dictionaryOf, fill, LANGUAGES, setLanguage, t, type Text } from "./texts";

const sources: Readonly<Record<string, string>> = import.meta.glob("../**/*.{ts,svelte}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const own = Object.entries(sources).filter(
  ([path]) =>
    // What the check of devices finds is for who writes a device, and fake pads are for tests.
    !path.startsWith("./texts/") && !path.includes(".test.") && !/\/(check-device|fake-pads)\.ts$/.test(path),
);
const code = own.map(([, text]) => text).join("\n");

const places = (text: Text): string[] =>
  [
    ...new Set(
      Object.values(typeof text === "string" ? { other: text } : text)
        .join(" ")
        .match(/\{\w+/g),
    ),
  ].sort();

describe("the catalogue", () => {
  const en = dictionaryOf("en").texts as Readonly<Record<string, Text>>;

  it.each(Object.entries(LANGUAGES))("in %s has every key, with the same places", (_, { texts }) => {
    const there = texts as Readonly<Record<string, Text>>;
    expect(Object.keys(there).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(there))
      expect([key, places(text)]).toEqual([key, places(en[key] ?? "")]);
  });

  it("has English, Spanish and German", () => {
    expect(Object.keys(LANGUAGES).sort()).toEqual(["de", "en", "es"]);
  });

  it("has no key that the page does not use", () => {
    // A key may be put together: t(`shell.mode.${mode}`).
    const patterns = [...code.matchAll(/`((?:\w+\.)+[^`]*\$\{[^`]*)`/g)].map(
      ([, inside = ""]) =>
        new RegExp(
          `^${inside
            .split(/\$\{[^}]*\}/)
            .map((part) => part.replaceAll(".", "\\."))
            .join("[\\w. -]+")}$`,
        ),
    );
    const unused = Object.keys(en).filter(
      (key) =>
        !code.includes(`"${key}"`) && !code.includes(`'${key}'`) && !patterns.some((one) => one.test(key)),
    );
    expect(unused).toEqual([]);
  });
});

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly value?: unknown;
}

/** Words that are the same in every language. */
const UNIVERSAL = new Set(["OpenPendant", "Esc", "Ctrl", "Alt", "Shift", "mm", "TCP"]);
const SPOKEN = new Set(["aria-label", "title", "placeholder", "alt", "label"]);

/** Words of the text that should come from the catalogue. */
const wordsIn = (text: string): string[] =>
  (text.match(/\p{L}{3,}/gu) ?? []).filter((word) => !UNIVERSAL.has(word));

/** What a component says by itself: its texts outside of <kbd> and <code>, and its spoken attributes. */
function saidBy(node: unknown, said: string[]): void {
  if (Array.isArray(node)) {
    for (const one of node) saidBy(one, said);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const { type, name = "", data = "", value } = node as Node;
  if (type === "Text") said.push(...wordsIn(data));
  if (type === "Attribute") {
    if (SPOKEN.has(name)) saidBy(value, said);
    return;
  }
  if (type === "StyleDirective") return;
  if (type === "RegularElement" && (name === "kbd" || name === "code")) return;
  for (const [key, child] of Object.entries(node)) if (key !== "metadata") saidBy(child, said);
}

describe("components", () => {
  const components = own.filter(([path]) => path.endsWith(".svelte"));

  it.each(components)("%s says nothing but what is in the catalogue", (_, source) => {
    const said: string[] = [];
    saidBy(parse(source, { modern: true }).fragment, said);
    expect(said).toEqual([]);
  });
});

/** Pieces of programs and of style sheets, not sentences. */
const CODE = [
  /void main\(\)/,
  /^\(prefers-/,
  /px "/,
  /\[[\w-]+(=|\])/,
  /^\.?\w+ \.?\w+ \.?\w+ \.?\w+ \.?\w+ /,
];
/** Names of nodes, and keys of what is under way. */
const SHOWN_TO_NOBODY = new Set(["z-up world", "probe ⟨⟩", "output ⟨⟩"]);
/** Two words, or one beside a place that is filled. */
const SENTENCE = /(\p{L}{2,}[,.:;]?|⟨⟩) +(\p{L}{2,}|⟨⟩)/u;
const UNIT = /(?<!\p{L})(?:px|mm|kg|ms|µs)(?!\p{L})/gu;

const parseScript = (path: string, source: string): ts.SourceFile => {
  const [, script = ""] = path.endsWith(".svelte")
    ? (/<script[^>]*>([^]*?)<\/script>/.exec(source) ?? [])
    : ["", source];
  return ts.createSourceFile(path, script, ts.ScriptTarget.Latest, true);
};

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

function textOf(node: ts.Node): string {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return "";
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("⟨⟩");
}

/** `new Error("…")` tells a programmer; what a person is to read has its own kind. */
const isPlainError = ({ parent }: ts.Node): boolean =>
  ts.isNewExpression(parent) && parent.expression.getText() === "Error";

describe("sources", () => {
  const scripts = own
    .filter(([path]) => !path.endsWith("/generated.ts") && !path.endsWith("/studio.ts"))
    .map(([path, source]) => [path, parseScript(path, source)] as const);
  /** Words of closed sets, as "go to", which the page tells by their own texts. */
  const kinds = new Set<string>();
  for (const [path, source] of own)
    walk(parseScript(path, source), (node) => {
      if (ts.isLiteralTypeNode(node)) kinds.add(textOf(node.literal));
    });

  it.each(scripts)("%s says nothing but what is in the catalogue", (_, script) => {
    const said: string[] = [];
    walk(script, (node) => {
      const text = textOf(node);
      if (!SENTENCE.test(text) || !/\p{L}{2,}/u.test(text.replaceAll(UNIT, ""))) return;
      if (ts.isLiteralTypeNode(node.parent) || isPlainError(node)) return;
      if (kinds.has(text) || SHOWN_TO_NOBODY.has(text) || CODE.some((one) => one.test(text))) return;
      said.push(text);
    });
    expect(said).toEqual([]);
  });
});

describe("t", () => {
  it("fills places and chooses the form for a number", () => {
    expect(t("shell.goMode", { mode: "Teach" })).toBe("Go to Teach");
    expect(t("welcome.programs", { count: 1 })).toBe("1 program");
    expect(t("welcome.programs", { count: 0 })).toBe("0 programs");
    expect(fill("{a} {b}", { a: 1 }, "en")).toBe("1 {b}");
  });

  it("speaks the language that was chosen", () => {
    setLanguage("es");
    expect(t("welcome.programs", { count: 2 })).toBe("2 programas");
    setLanguage("en");
    expect(chooseLanguage(["xx-XX", "es-CO", "en"])).toBe("es");
    expect(chooseLanguage(["de-AT"])).toBe("de");
    expect(chooseLanguage(["xx"])).toBe("en");
  });
});
