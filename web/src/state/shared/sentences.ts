/** What the server says, as a person reads it. */

import { RequestError } from "../../wire/rest";
import { MINUS } from "./numbers";
import { type Words, wordsOf } from "./said";
import { t } from "../texts";

/** Names such as `fill_bin`, `ur3e`, `part.stl` or `table › x` are written as they are. */
const NAME = /^(?:\S*[\d_/\\]|\S+\.\w|[^:]* › )/;

/** In the person's language, with a true minus, a capital letter and a full stop. */
export function asSentence(said: Words): string {
  const text = wordsOf(said).replaceAll(/-(?=\d)/g, MINUS);
  const start = NAME.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return start === "" || /[.!?…]$/.test(start) ? start : `${start}.`;
}

/** Why a request was not answered, in the person's language. */
export function requestProblem(error: RequestError): string {
  if (error.unreachable) return t("page.noServer");
  const why = wordsOf(error.said ?? error.message);
  return why === "" ? t("page.status", { status: error.status }) : why;
}

/** Why something failed, in the person's language; `otherwise` where the server did not say. */
export function problemOf(error: unknown, otherwise: string): string {
  return error instanceof RequestError ? requestProblem(error) : otherwise;
}
