/** Steps in a few words; names of things stand between `**`. Speed and zone are shown beside them. */

import type { Action, GoTo, InlinePoint, Offset, PickPart, PlacePart, Program } from "../../wire/studio";
import { formatNumber, MINUS } from "../shared/numbers";
import { asSentence } from "../shared/sentences";
import { findStep, listIn } from "./steps";
import { t } from "../texts";

const bold = (name: string): string => `**${name}**`;

/** What a step of a program does, as one line without marks; empty: there is no such step. */
export function stepSentence(program: Program | undefined, id: string): string {
  const found = program === undefined ? null : findStep(program, id);
  return found === null ? "" : asSentence(stepWords(found[0]).replaceAll("**", ""));
}

/** What steps of a kind do. */
export const kindWords = (kind: Action["do"]): string => t(`step.kind.${kind}`);

/** What a step does. */
export function stepWords(action: Action): string {
  switch (action.do) {
    case "go to":
      return goTo(action);
    case "move axis":
      return t("step.moveAxis", { q: bold(action.q.map((one) => degrees(one)).join("  ")) });
    case "tool":
      return t(`step.tool.${action.state}`);
    case "pick":
    case "place":
      return handling(action);
    case "wait":
      return t("step.wait", { seconds: bold(plain(action.seconds)) });
    case "set output":
      return t((action.value ?? true) ? "step.output.on" : "step.output.off", {
        signal: bold(action.signal),
      });
    case "wait input": {
      const key = (action.value ?? true) ? "step.input.on" : "step.input.off";
      const longest = action.timeout_s ?? null;
      const most = longest === null ? "" : t("step.input.most", { seconds: plain(longest) });
      return t(key, { signal: bold(action.signal) }) + most;
    }
    case "speed":
      return t("step.speed", { percent: bold(plain(action.percent)) });
    case "set":
      return t("step.set", { name: bold(action.name), value: bold(minus(String(action.value))) });
    case "comment":
      return action.text;
    case "call":
      return t("step.call", { program: bold(action.program) });
    case "group":
      return bold(action.title === "" ? t("step.group") : action.title);
    case "repeat": {
      const times = action.times ?? null;
      return times === null ? t("step.repeat.ever") : t("step.repeat", { count: times });
    }
    case "while":
      return t("step.while", { condition: bold(action.condition) });
    case "if":
      return t("step.if", { condition: bold(action.condition) });
  }
}

function goTo(action: GoTo): string {
  const how = action.how ?? "joint";
  const via = action.via ?? null;
  const words = t(`step.goTo.${how}`, {
    to: bold(targetName(action.to)),
    via: via === null ? "?" : bold(targetName(via)),
  });
  const offset = action.offset ?? null;
  const tool = action.tool ?? "";
  const beside = offset === null ? "" : `, ${offsetWords(offset)}`;
  return words + beside + (tool === "" ? "" : t("step.goTo.tool", { tool: bold(tool) }));
}

function handling(action: PickPart | PlacePart): string {
  const part = action.part === "" ? t(`step.${action.do}.any`) : bold(action.part);
  const words = t(`step.${action.do}`, { part });
  const at = action.at ?? null;
  const offset = action.offset ?? null;
  const there = at === null ? words : t("step.handling.at", { words, at: bold(targetName(at)) });
  return offset === null ? there : `${there}, ${offsetWords(offset)}`;
}

export function targetName(target: string | InlinePoint): string {
  if (typeof target === "string") return target;
  return `(${target.pose.xyz.map((value) => formatNumber(1000 * value, 0)).join(", ")})`;
}

function offsetWords(offset: Offset): string {
  const parts = offset.by.flatMap((value, i) =>
    value === 0 || value === "0"
      ? []
      : [
          `${typeof value === "number" ? `${signed(1000 * value)} mm` : minus(`(${value}) m`)} ${"xyz"[i] ?? ""}`,
        ],
  );
  const by = parts.length === 0 ? "0 mm" : parts.join(" ");
  return offset.axes === "tool" ? t("step.offset.tool", { by }) : by;
}

/** So many steps are inside it. */
export function countInside(action: Action): number {
  return listIn(action, "steps").length + (action.do === "if" ? listIn(action, "otherwise").length : 0);
}

const minus = (text: string): string => text.replaceAll("-", MINUS);
const plain = (value: number): string => minus(String(Math.round(value * 1000) / 1000));
const signed = (value: number): string => (value > 0 ? `+${plain(value)}` : plain(value));
const degrees = (value: number): string => `${formatNumber((value * 180) / Math.PI, 0)}°`;

/** A speed as people say it: `v200` is 200 mm/s. */
export function speedWords(speed: string): string {
  if (speed === "vmax" || speed === "100%") return t("step.fullSpeed");
  const known = /^v(\d+)$/.exec(speed);
  return known === null ? speed.replace(/(\d)%$/, "$1 %") : `${known[1] ?? ""} mm/s`;
}

/** Words in two kinds: as they are, and the names between `**`. */
export function wordParts(words: string): readonly { readonly text: string; readonly name: boolean }[] {
  return words
    .split("**")
    .map((text, i) => ({ text, name: i % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
