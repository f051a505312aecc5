/**
 * Weld presets: how a tool stands to a face or an edge of a box of the cell. The same angles as the server's weld
 * paths: z points at the work, x along the weld. World, metres and radians. Pure.
 */

import type { Pose } from "../wire/generated";
import type { Cell } from "../wire/studio";
import { invert, poseInWorld, turn } from "./cell-geometry";
import type { Quaternion, Vector } from "./rotations";

export interface WeldPreset {
  readonly id: "square" | "fillet" | "lap" | "vertical";
  /** Between the tool and the surface. */
  readonly angle: number;
  /** How far the tool leans back against the direction of the weld. */
  readonly travel: number;
}

const DEGREE = Math.PI / 180;

export const WELD_PRESETS: readonly WeldPreset[] = [
  { id: "square", angle: 90 * DEGREE, travel: 0 },
  { id: "fillet", angle: 45 * DEGREE, travel: 10 * DEGREE },
  { id: "lap", angle: 60 * DEGREE, travel: 10 * DEGREE },
  { id: "vertical", angle: 45 * DEGREE, travel: -15 * DEGREE },
];

const add = (a: Vector, b: Vector, k = 1): Vector => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (a: Vector, k: number): Vector => [k * a[0], k * a[1], k * a[2]];
const unit = (a: Vector): Vector => times(a, 1 / Math.hypot(...a));

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The unit quaternion of a rotation by its columns. */
export function fromColumns(x: Vector, y: Vector, z: Vector): Quaternion {
  const trace = x[0] + y[1] + z[2];
  const pick: readonly [number, number, number, number] = [
    1 + trace,
    1 + x[0] - y[1] - z[2],
    1 - x[0] + y[1] - z[2],
    1 - x[0] - y[1] + z[2],
  ];
  const best = pick.indexOf(Math.max(...pick));
  const s = 2 * Math.sqrt(pick[best] ?? 1);
  const [a, b, c] = [(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s];
  const [d, e, f] = [(y[0] + x[1]) / s, (z[0] + x[2]) / s, (z[1] + y[2]) / s];
  switch (best) {
    case 0:
      return [s / 4, a, b, c];
    case 1:
      return [a, s / 4, d, e];
    case 2:
      return [b, d, s / 4, f];
    default:
      return [c, e, f, s / 4];
  }
}

/** How a tool stands that leans towards `out` by `angle` from the surface with the normal `up`. */
export function torch(along: Vector, up: Vector, out: Vector, angle: number, travel: number): Quaternion {
  const lean = times(add(times(out, Math.cos(angle)), up, Math.sin(angle)), -1);
  const z = add(times(lean, Math.cos(travel)), along, Math.sin(travel));
  const x = unit(add(along, z, -dot(along, z)));
  return fromColumns(x, cross(z, x), z);
}

/** One of a box's twelve edges, or the nearest point of one of its faces. */
interface Spot {
  readonly point: Vector;
  readonly distance: number;
}

interface Edge extends Spot {
  readonly along: Vector;
  /** The two faces that meet there; the first one looks up more. */
  readonly up: Vector;
  readonly out: Vector;
}

interface Face extends Spot {
  readonly normal: Vector;
}

const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

function boxOf(cell: Cell, name: string): { readonly pose: Pose; readonly half: Vector } | null {
  const item = (cell.objects ?? []).find((one) => one.name === name);
  const pose = poseInWorld(cell, name);
  if (item?.shape.type !== "box" || pose === undefined) return null;
  return { pose, half: times(item.shape.size, 0.5) };
}

function nearest<T extends Spot>(all: readonly T[]): T | null {
  return all.reduce<T | null>(
    (best, one) => (best === null || one.distance < best.distance ? one : best),
    null,
  );
}

/** The point of a face of a box that is nearest to `from`; null where `name` is no box. */
export function nearestFace(cell: Cell, name: string, from: Vector): Face | null {
  const box = boxOf(cell, name);
  if (box === null) return null;
  const { pose, half } = box;
  const local = turn(invert(pose).wxyz, add(from, pose.xyz, -1));
  const faces = AXES.flatMap((axis, i) =>
    [1, -1].map((sign): Face => {
      const at = local.map((value, k) =>
        k === i ? sign * (half[k] ?? 0) : Math.min(half[k] ?? 0, Math.max(-(half[k] ?? 0), value)),
      );
      const inside: Vector = [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0];
      const point = add(turn(pose.wxyz, inside), pose.xyz);
      return {
        point,
        normal: turn(pose.wxyz, times(axis, sign)),
        distance: Math.hypot(...add(point, from, -1)),
      };
    }),
  );
  return nearest(faces);
}

/** The point of an edge of a box that is nearest to `from`; null where `name` is no box. */
export function nearestEdge(cell: Cell, name: string, from: Vector): Edge | null {
  const box = boxOf(cell, name);
  if (box === null) return null;
  const { pose, half } = box;
  const local = turn(invert(pose).wxyz, add(from, pose.xyz, -1));
  const edges: Edge[] = [];
  for (const [i, j, k] of [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ] as const)
    for (const a of [1, -1])
      for (const b of [1, -1]) {
        const at: [number, number, number] = [0, 0, 0];
        at[i] = Math.min(half[i], Math.max(-half[i], local[i]));
        at[j] = a * half[j];
        at[k] = b * half[k];
        const point = add(turn(pose.wxyz, at), pose.xyz);
        const normals = [
          turn(pose.wxyz, times(AXES[j] ?? [0, 0, 0], a)),
          turn(pose.wxyz, times(AXES[k] ?? [0, 0, 0], b)),
        ].sort((m, n) => n[2] - m[2]);
        const [up = [0, 0, 1], out = [1, 0, 0]] = normals;
        edges.push({
          point,
          along: turn(pose.wxyz, AXES[i] ?? [1, 0, 0]),
          up,
          out,
          distance: Math.hypot(...add(point, from, -1)),
        });
      }
  return nearest(edges);
}

/** The pose that puts the tool's point onto the nearest face of a box, its z square into it. */
export function snapToFace(cell: Cell, name: string, tool: Pose, off = 0): Pose | null {
  const face = nearestFace(cell, name, tool.xyz);
  return face === null ? null : standOn(add(face.point, face.normal, off), face.normal, tool);
}

/** The pose with the tool's point at a place, its z square into the surface, turned as little as can be. */
export function standOn(at: Vector, normal: Vector, tool: Pose): Pose {
  const z = times(unit(normal), -1);
  const wanted = turn(tool.wxyz, [1, 0, 0]);
  const flat = add(wanted, z, -dot(wanted, z));
  const across = Math.hypot(...flat) > 0.05 ? flat : cross(turn(tool.wxyz, [0, 1, 0]), z);
  const x = unit(across);
  return { xyz: at, wxyz: fromColumns(x, cross(z, x), z) };
}

/** The pose that puts the tool's point onto the nearest edge of a box, at the angles of a preset. */
export function snapToEdge(cell: Cell, name: string, tool: Pose, preset: WeldPreset): Pose | null {
  const edge = nearestEdge(cell, name, tool.xyz);
  if (edge === null) return null;
  const { along, up, out, point } = edge;
  // Of the two ways along the edge, the one that turns the tool less.
  const way = dot(turn(tool.wxyz, [1, 0, 0]), along) < 0 ? times(along, -1) : along;
  return { xyz: point, wxyz: torch(way, up, out, preset.angle, preset.travel) };
}
