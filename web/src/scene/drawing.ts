/** How a picture is drawn: as the address asks, and simpler where the processor draws what a graphics card should. */

export interface DrawingOptions {
  readonly antialias: boolean;
  /** Show the handle at the tool. */
  readonly handle: boolean;
  /** Most pixels drawn for a CSS pixel, along each side. */
  readonly sharpness: number;
  /** Most pictures in a second. */
  readonly rate: number;
  /** Light of a room with its reflections, or of a plain sky; null: as the machine can. */
  readonly light: "room" | "plain" | null;
}

const SOFTWARE = /llvmpipe|softpipe|swiftshader|software|basic render/i;

/**
 * Read what an address asks for: `?aa=0`, `?sharp=0.5`, `?rate=10`, `?handle=0` (pictures of the robot alone),
 * `?light=room`.
 */
export function drawingOptions(query: string): DrawingOptions {
  const wanted = new URLSearchParams(query);
  const sharp = Number(wanted.get("sharp") ?? 2);
  const rate = Number(wanted.get("rate") ?? Infinity);
  const light = wanted.get("light");
  return {
    antialias: wanted.get("aa") !== "0",
    handle: wanted.get("handle") !== "0",
    sharpness: sharp > 0 ? sharp : 2,
    rate: rate > 0 ? rate : Infinity,
    light: light === "room" || light === "plain" ? light : null,
  };
}

/** Return how fine shadows are, as a share of the finest along each side: not finer than a picture of few pixels. */
export function shadowShare(options: DrawingOptions): number {
  return Math.min(1, options.sharpness);
}

/** Return whether a renderer of this name is a program and not a graphics card. */
export function isSoftware(renderer: string): boolean {
  return SOFTWARE.test(renderer);
}
