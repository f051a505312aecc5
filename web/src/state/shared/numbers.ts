/** How numbers are written for people: a true minus, a fixed count of decimals, no negative zero. */

export const MINUS = "−";

/** Write `value` with `decimals` digits after the point. */
export function formatNumber(value: number, decimals: number): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const text = Math.abs(value).toFixed(decimals);
  const isZero = !/[1-9]/.test(text);
  return value < 0 && !isZero ? MINUS + text : text;
}

/** Write `value` with about `digits` significant digits, for read-outs of any size. */
export function formatSignificant(value: number, digits = 3): string {
  if (value === 0 || !Number.isFinite(value)) return formatNumber(value, 0);
  const decimals = digits - 1 - Math.floor(Math.log10(Math.abs(value)));
  return formatNumber(value, Math.min(6, Math.max(0, decimals)));
}
