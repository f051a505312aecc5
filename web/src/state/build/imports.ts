/** Files that people bring into a cell: what they are, in which unit, and the robots that come of them. */

import type { RobotSummary } from "../../wire/generated";
import { RequestError, type Taken } from "../../wire/rest";
import { inWords } from "../shared/library";
import { Store } from "../shared/store";

/** What the chooser offers. */
export const MESH_FILES = ".stl,.obj,.glb,.gltf,.ply";
export const ROBOT_FILES = ".urdf,.zip";

export type Units = "mm" | "m";

const endingOf = (file: string): string => file.slice(file.lastIndexOf(".") + 1).toLowerCase();

export function isRobotFile(file: string): boolean {
  return ["urdf", "zip", "xacro", "xml"].includes(endingOf(file));
}

/** What the numbers of a mesh are multiplied with to be metres. glTF is always in metres. */
export function scaleOf(file: string, units: Units): number {
  return units === "m" || ["glb", "gltf"].includes(endingOf(file)) ? 1 : 0.001;
}

export type RobotComing =
  | { readonly state: "coming"; readonly file: string }
  /** An imported robot has that name; the person chooses. */
  | { readonly state: "taken"; readonly file: File }
  | { readonly state: "refused"; readonly file: string; readonly message: string }
  | { readonly state: "there"; readonly robot: RobotSummary };

/** A robot that is imported from a URDF or a zip. */
export class RobotImport {
  readonly now = new Store<RobotComing | null>(null);

  constructor(
    private readonly call: (file: File, taken: Taken) => Promise<RobotSummary>,
    private readonly arrived: (robot: RobotSummary) => void,
  ) {}

  async take(file: File, taken: Taken = "refuse"): Promise<void> {
    if (this.now.value?.state === "coming") return;
    this.now.set({ state: "coming", file: file.name });
    try {
      const robot = await this.call(file, taken);
      this.now.set({ state: "there", robot });
      this.arrived(robot);
    } catch (error) {
      if (error instanceof RequestError && error.status === 409) this.now.set({ state: "taken", file });
      else this.now.set({ state: "refused", file: file.name, message: inWords(error) });
    }
  }

  forget(): void {
    this.now.set(null);
  }
}
