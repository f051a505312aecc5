/** Robots of a cell in a few words. */

/** "UR3e", or "UR3e ×2, IRB 120": each model once. */
export function robotTitles(models: readonly string[], titles: ReadonlyMap<string, string>): string {
  const counts = new Map<string, number>();
  for (const model of models) counts.set(model, (counts.get(model) ?? 0) + 1);
  return [...counts]
    .map(([model, count]) => `${titles.get(model) ?? model}${count > 1 ? ` ×${count}` : ""}`)
    .join(", ");
}
