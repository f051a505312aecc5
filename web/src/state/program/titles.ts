/** What people call programs and steps, in sentences that name them by their file and their id. */

import type { SaidMessage } from "../../wire/generated";
import type { Program } from "../../wire/studio";
import type { Words } from "../shared/said";
import { numbersOf } from "./steps";

type Value = SaidMessage["values"][string];
type Programs = Readonly<Record<string, Program>>;

export const titleOf = (program: Program): string =>
  program.title === undefined || program.title === "" ? program.name : program.title;

/** The title of a program that may be gone by now. */
export function titleOfNamed(name: string, programs: Programs): string {
  const program = programs[name];
  return program === undefined ? name : titleOf(program);
}

/** A sentence with the titles of programs in place of their names, and the numbers of steps in place of their ids. */
export function withTitles(words: Words, programs: Programs): Words {
  return typeof words === "string" ? words : titled(words, programs, undefined);
}

function titled(words: SaidMessage, programs: Programs, inside: Program | undefined): SaidMessage {
  const named = words.values["program"];
  const program = (typeof named === "string" ? programs[named] : undefined) ?? inside;
  const values = Object.fromEntries(
    Object.entries(words.values).map(([key, value]): [string, Value] => {
      if (typeof value === "object") return [key, titled(value, programs, program)];
      if (key === "program" && typeof value === "string") return [key, titleOfNamed(value, programs)];
      if (key === "step" && program !== undefined)
        return [key, numbersOf(program).get(String(value)) ?? value];
      return [key, value];
    }),
  );
  return { ...words, values };
}
