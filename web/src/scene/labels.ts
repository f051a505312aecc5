/** Labels in the view: short texts that keep their size on the screen. */

import { CanvasTexture, LinearFilter, Sprite, SpriteMaterial, SRGBColorSpace } from "three";

const HEIGHT_PX = 22;
const SCALE = 2;
const FONT = `500 ${12 * SCALE}px "Inter Variable", "Segoe UI", Arial, sans-serif`;

/** Make a label that floats at its parent's origin. Free it with `discard`. */
export function makeLabel(text: string): Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("no canvas to write labels on");
  context.font = FONT;
  const width = Math.ceil(context.measureText(text).width / SCALE) + 14;
  canvas.width = width * SCALE;
  canvas.height = HEIGHT_PX * SCALE;
  context.font = FONT;
  context.textBaseline = "middle";
  context.fillStyle = "rgb(15 19 24 / 0.82)";
  context.beginPath();
  context.roundRect(0, 0, canvas.width, canvas.height, 6 * SCALE);
  context.fill();
  context.fillStyle = "#e6ebf1";
  context.fillText(text, 7 * SCALE, canvas.height / 2 + SCALE);
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  map.minFilter = LinearFilter;
  map.generateMipmaps = false;
  const material = new SpriteMaterial({ map, depthTest: false, sizeAttenuation: false, toneMapped: false });
  const sprite = new Sprite(material);
  // With sizeAttenuation off a sprite of scale 1 is as high as a view of 2·tan(fov/2) at distance 1.
  const perPixel = 0.00082 * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
  sprite.scale.set(width * perPixel, HEIGHT_PX * perPixel, 1);
  sprite.center.set(-0.06, 0.5);
  sprite.renderOrder = 12;
  return sprite;
}
