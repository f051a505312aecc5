/**
 * Lengths follow the person's text size: the sources give CSS pixels at normal size, the page gets rem, of which one is 16.
 * Hairlines stay as thin as they are.
 */

const ROOT_PX = 16;
const HAIRLINE_PX = 4;
const PIXELS = /(?<![\w.])(-?\d*\.?\d+)px\b/g;
const THIN = /^(border(?!-radius)|outline|box-shadow|--shadow)/;

/**
 * @param {string} property
 * @param {string} value
 */
export function inRem(property, value) {
  if (THIN.test(property) || value.includes("url(")) return value;
  return value.replace(PIXELS, (/** @type {string} */ all, /** @type {string} */ px) =>
    Math.abs(Number(px)) <= HAIRLINE_PX ? all : `${Number(px) / ROOT_PX}rem`,
  );
}

/** A plugin of PostCSS, which Vite runs over every style. */
export const rem = {
  postcssPlugin: "rem",
  /** @param {{ readonly prop: string, value: string }} declaration */
  Declaration(declaration) {
    const value = inRem(declaration.prop, declaration.value);
    if (value !== declaration.value) declaration.value = value;
  },
};
