/**
 * Arithmetic in number fields: `25.4*3`, `-90+15/2`, `(1+2)*3`, `pi/4`, `1e-3`.
 * Understands + - * / ^ and brackets, a decimal comma, and the signs − × ÷ that people paste.
 */

import { t } from "../texts";

export type Evaluation =
  { readonly ok: true; readonly value: number } | { readonly ok: false; readonly message: string };

const NUMBER = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?/;

/** So much of a wrong text is repeated to the person. */
const QUOTED = 24;

/**
 * Evaluate what a person typed. A wrong text is a value with the reason in it, not an exception.
 * @param suffix The unit of the field, which may stand behind the number.
 */
export function evaluate(text: string, suffix = ""): Evaluation {
  const trimmed = text.trim();
  const quoted = `“${trimmed.length > QUOTED ? `${trimmed.slice(0, QUOTED)}…` : trimmed}”`;
  const source = trimmed
    .slice(0, suffix !== "" && trimmed.endsWith(suffix) ? -suffix.length : undefined)
    .trim()
    .replaceAll(/[−–]/g, "-")
    .replaceAll("×", "*")
    .replaceAll("÷", "/")
    .replaceAll("π", "pi");
  if (source === "") return { ok: false, message: t("number.needed") };
  const parser = new Parser(source);
  const value = parser.parse();
  if (value === null) return { ok: false, message: t("number.wrong", { typed: quoted }) };
  if (!Number.isFinite(value)) return { ok: false, message: t("number.infinite", { typed: quoted }) };
  return { ok: true, value };
}

/** Recursive descent; every rule returns null where the text does not fit. */
class Parser {
  #rest: string;

  constructor(source: string) {
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

  #product(): number | null {
    let left = this.#signed();
    while (left !== null) {
      const sign = this.#take("*") ?? this.#take("/");
      if (sign === null) break;
      const right = this.#signed();
      if (right === null) return null;
      left = sign === "*" ? left * right : left / right;
    }
    return left;
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
