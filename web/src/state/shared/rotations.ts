/** Ways to write a rotation with numbers. Quaternions are (w, x, y, z), angles in radians. */

export type Quaternion = readonly [number, number, number, number];
export type Vector = readonly [number, number, number];
export type RotationStyle = "rpy" | "quaternion" | "vector" | "zyz";

/** The rows of the rotation matrix of a unit quaternion. */
function matrixOf([w, x, y, z]: Quaternion): readonly [Vector, Vector, Vector] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** Return a·b: first b, then a. */
export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  const [aw, ax, ay, az] = a;
  const [bw, bx, by, bz] = b;
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

export function aboutAxis(axis: "x" | "y" | "z", angle: number): Quaternion {
  const c = Math.cos(angle / 2);
  const s = Math.sin(angle / 2);
  return [c, axis === "x" ? s : 0, axis === "y" ? s : 0, axis === "z" ? s : 0];
}

/** Nearer than this to the pole the outer two angles are not separate; the last one is then taken as 0. */
const POLE = 1e-9;

/** Roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll). */
export function toRpy(q: Quaternion): Vector {
  const R = matrixOf(q);
  const cosPitch = Math.hypot(R[0][0], R[1][0]);
  const pitch = Math.atan2(-R[2][0], cosPitch);
  if (cosPitch < POLE) return [0, pitch, Math.atan2(-R[0][1], R[1][1])];
  return [Math.atan2(R[2][1], R[2][2]), pitch, Math.atan2(R[1][0], R[0][0])];
}

export function fromRpy([roll, pitch, yaw]: Vector): Quaternion {
  return multiply(multiply(aboutAxis("z", yaw), aboutAxis("y", pitch)), aboutAxis("x", roll));
}

/** Angles of R = Rz(a) Ry(b) Rz(c), as V+ counts yaw, pitch and roll. */
export function toZyz(q: Quaternion): Vector {
  const R = matrixOf(q);
  const sinB = Math.hypot(R[0][2], R[1][2]);
  const b = Math.atan2(sinB, R[2][2]);
  if (sinB < POLE) {
    const turn = Math.atan2(R[1][0], R[1][1]);
    return R[2][2] > 0 ? [turn, 0, 0] : [turn, Math.PI, 0];
  }
  return [Math.atan2(R[1][2], R[0][2]), b, Math.atan2(R[2][1], -R[2][0])];
}

export function fromZyz([a, b, c]: Vector): Quaternion {
  return multiply(multiply(aboutAxis("z", a), aboutAxis("y", b)), aboutAxis("z", c));
}

/** Axis times angle, with the angle in 0 to π. */
export function toVector([w, x, y, z]: Quaternion): Vector {
  const sign = w < 0 ? -1 : 1;
  const sine = Math.hypot(x, y, z);
  if (sine < 1e-12) return [2 * sign * x, 2 * sign * y, 2 * sign * z];
  const scale = (sign * 2 * Math.atan2(sine, sign * w)) / sine;
  return [x * scale, y * scale, z * scale];
}

export function fromVector([x, y, z]: Vector): Quaternion {
  const angle = Math.hypot(x, y, z);
  if (angle < 1e-12) return normalise([1, x / 2, y / 2, z / 2]);
  const scale = Math.sin(angle / 2) / angle;
  return [Math.cos(angle / 2), x * scale, y * scale, z * scale];
}

export function normalise([w, x, y, z]: Quaternion): Quaternion {
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}

/**
 * Set one component of a unit quaternion and let the other three follow, so that its length stays 1.
 * `value` must be between −1 and 1.
 */
export function withComponent(q: Quaternion, index: number, value: number): Quaternion {
  const rest = Math.hypot(...q.filter((_, i) => i !== index));
  const room = Math.sqrt(Math.max(0, 1 - value * value));
  // Where the other three are all zero any direction will do; the next one takes it all.
  const next = (index + 1) % 4;
  const set = (i: number): number =>
    i === index ? value : rest > 1e-12 ? ((q[i] ?? 0) * room) / rest : i === next ? room : 0;
  return [set(0), set(1), set(2), set(3)];
}

/** How a rotation is written: the names of its numbers, long and short. */
export interface StyleWords {
  readonly names: readonly string[];
  readonly short: readonly string[];
  /** True where the numbers are angles. */
  readonly angular: boolean;
}

export const ROTATION_STYLES: Readonly<Record<RotationStyle, StyleWords>> = {
  rpy: {
    names: ["roll", "pitch", "yaw"],
    short: ["R", "P", "Y"],
    angular: true,
  },
  quaternion: {
    names: ["w", "x", "y", "z"],
    short: ["w", "x", "y", "z"],
    angular: false,
  },
  vector: { names: ["rx", "ry", "rz"], short: ["rx", "ry", "rz"], angular: true },
  zyz: { names: ["first z", "y", "second z"], short: ["Z", "Y′", "Z″"], angular: true },
};

/** Return the numbers of a rotation in the style. */
export function writeRotation(q: Quaternion, style: RotationStyle): readonly number[] {
  switch (style) {
    case "rpy":
      return toRpy(q);
    case "quaternion":
      return q;
    case "vector":
      return toVector(q);
    case "zyz":
      return toZyz(q);
  }
}

/** Return the rotation after one of its numbers has been set by hand. */
export function editRotation(q: Quaternion, style: RotationStyle, index: number, value: number): Quaternion {
  const edited = (numbers: Vector): Vector => {
    const [a, b, c] = numbers;
    return [index === 0 ? value : a, index === 1 ? value : b, index === 2 ? value : c];
  };
  switch (style) {
    case "rpy":
      return fromRpy(edited(toRpy(q)));
    case "quaternion":
      return withComponent(q, index, value);
    case "vector":
      return fromVector(edited(toVector(q)));
    case "zyz":
      return fromZyz(edited(toZyz(q)));
  }
}
