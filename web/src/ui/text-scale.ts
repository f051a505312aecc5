/** How much larger than usual the page's texts are, by the person's choice and the browser's. */
export function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
