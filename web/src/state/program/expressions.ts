/**
 * Arithmetic in number fields: `25.4*3`, `-90+15/2`, `(1+2)*3`, `pi/4`, `1e-3`.
 * Understands + - * / ^ and brackets, a decimal comma, and the signs − × ÷ that people paste.
 */

import { getLanguage, t } from "../texts";

export type Evaluation =
  { readonly ok: true; readonly value: number } | { readonly ok: false; readonly message: string };

const NUMBER = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?/;

/** So many of the units that fit are named where another one was typed. */
const SHOWN = 4;
const listed = (units: readonly string[]): string =>
  new Intl.ListFormat(getLanguage(), { type: "disjunction" }).format(units);

/** A word that may be a unit. */
const UNIT = /^(?:[\p{L}%]+(?:\/s)?|°(?:\/s)?|")/u;

/** So much of a wrong text is repeated to the person. */
const QUOTED = 24;

type Kind = Readonly<Record<string, number>>;
const LENGTHS: Kind = { mm: 0.001, cm: 0.01, m: 1, in: 0.0254, inch: 0.0254, '"': 0.0254, ft: 0.3048 };
const ANGLES: Kind = { "°": Math.PI / 180, deg: Math.PI / 180, rad: 1 };
const perSecond = (kind: Kind): Kind =>
  Object.fromEntries(Object.entries(kind).map(([unit, factor]) => [`${unit}/s`, factor]));

/** Units that can be typed in a field, by the kind of quantity that it holds. */
const KINDS: readonly Kind[] = [
  LENGTHS,
  ANGLES,
  perSecond(LENGTHS),
  perSecond(ANGLES),
  { s: 1, ms: 0.001, min: 60 },
  { kg: 1, g: 0.001, lb: 0.45359237 },
];

/** What a unit behind a number makes of it, in a field with this unit. */
function factorsOf(suffix: string): Kind {
  const kind = KINDS.find((one) => Object.hasOwn(one, suffix));
  if (kind === undefined) return suffix === "" ? {} : { [suffix]: 1 };
  const own = kind[suffix] ?? 1;
  return Object.fromEntries(Object.entries(kind).map(([unit, factor]) => [unit, factor / own]));
}

/**
 * Evaluate what a person typed. A wrong text is a value with the reason in it, not an exception.
 * @param suffix The unit of the field. It may stand behind a number, and so may others of its kind: `10 cm`, `0.5 in`.
 */
export function evaluate(text: string, suffix = ""): Evaluation {
  const trimmed = text.trim();
  const quoted = `“${trimmed.length > QUOTED ? `${trimmed.slice(0, QUOTED)}…` : trimmed}”`;
  const source = trimmed
    .replaceAll(/[−–]/g, "-")
    .replaceAll("×", "*")
    .replaceAll("÷", "/")
    .replaceAll("π", "pi");
  if (source === "") return { ok: false, message: t("number.needed") };
  const factors = factorsOf(suffix);
  const value = new Parser(source, factors).parse();
  if (value === null && hasOtherUnit(source, factors))
    return {
      ok: false,
      message: t("number.otherUnit", { typed: quoted, units: listed(Object.keys(factors).slice(0, SHOWN)) }),
    };
  if (value === null) return { ok: false, message: t("number.wrong", { typed: quoted }) };
  if (!Number.isFinite(value)) return { ok: false, message: t("number.infinite", { typed: quoted }) };
  return { ok: true, value };
}

/** Whether it would be a number in a field of another kind. */
function hasOtherUnit(source: string, factors: Kind): boolean {
  if (Object.keys(factors).length < 2) return false;
  return KINDS.some((kind) => new Parser(source, kind).parse() !== null);
}

/** Recursive descent; every rule returns null where the text does not fit. */
class Parser {
  #rest: string;

  constructor(
    source: string,
    private readonly factors: Kind,
  ) {
    this.#rest = source;
  }

  parse(): number | null {
    const value = this.#sum();
    this.#skipSpace();
    return this.#rest === "" ? value : null;
  }

  #sum(): number | null {
    let left = this.#product();
    while (left !== null) {
      const sign = this.#take("+") ?? this.#take("-");
      if (sign === null) break;
      const right = this.#product();
      if (right === null) return null;
      left = sign === "+" ? left + right : left - right;
    }
    return left;
  }

  /** A product with a unit, which is that of the whole: `pi/2 rad` is a right angle. */
  #product(): number | null {
    let left = this.#signed();
    let factor = this.#unit();
    while (left !== null) {
      const sign = this.#take("*") ?? this.#take("/");
      if (sign === null) break;
      const right = this.#signed();
      if (right === null) return null;
      left = sign === "*" ? left * right : left / right;
      factor *= this.#unit();
    }
    return left === null ? null : left * factor;
  }

  #signed(): number | null {
    if (this.#take("+") !== null) return this.#signed();
    if (this.#take("-") !== null) {
      const value = this.#signed();
      return value === null ? null : -value;
    }
    return this.#power();
  }

  #power(): number | null {
    const base = this.#atom();
    if (base === null || this.#take("^") === null) return base;
    const exponent = this.#signed();
    return exponent === null ? null : base ** exponent;
  }

  #unit(): number {
    this.#skipSpace();
    const [unit] = UNIT.exec(this.#rest) ?? [];
    const known = [unit, unit?.toLowerCase()].find(
      (one) => one !== undefined && Object.hasOwn(this.factors, one),
    );
    if (unit === undefined || known === undefined) return 1;
    this.#rest = this.#rest.slice(unit.length);
    return this.factors[known] ?? 1;
  }

  #atom(): number | null {
    if (this.#take("(") !== null) {
      const value = this.#sum();
      return this.#take(")") === null ? null : value;
    }
    if (this.#take("pi") !== null) return Math.PI;
    const digits = NUMBER.exec(this.#rest)?.[0];
    if (digits === undefined) return null;
    this.#rest = this.#rest.slice(digits.length);
    return Number(digits.replace(",", "."));
  }

  #take(token: string): string | null {
    this.#skipSpace();
    if (!this.#rest.toLowerCase().startsWith(token)) return null;
    this.#rest = this.#rest.slice(token.length);
    this.#skipSpace();
    return token;
  }

  #skipSpace(): void {
    this.#rest = this.#rest.trimStart();
  }
}
