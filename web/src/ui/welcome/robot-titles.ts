/** Robots of a cell in a few words. */

/** "UR3E", or "UR3E ×2 + IRB120": each model once. */
export function robotTitles(models: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const model of models) counts.set(model, (counts.get(model) ?? 0) + 1);
  return [...counts].map(([model, count]) => (count > 1 ? `${model} ×${count}` : model)).join(", ");
}
