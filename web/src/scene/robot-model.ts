/** RobotModel: a robot's URDF with its bodies, as objects of three.js below one node (Z up). */

import { type Box3, type Group, LoadingManager, Mesh, Object3D } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import URDFLoader, { type URDFJoint, type URDFRobot } from "urdf-loader";
import { t } from "../state/texts";
import type { ArmInfo, RobotInfo } from "../wire/generated";
import { RequestError } from "../wire/rest";
import { BODY_LAYER } from "./contact-shadow";
import { discard } from "./discard";
import { StickFigure } from "./stick-figure";

export interface LoadProgress {
  readonly loaded: number;
  readonly total: number;
  readonly failed: readonly string[];
}

export class RobotModel {
  readonly node = new Object3D();
  readonly #robot: URDFRobot;
  readonly #figure: StickFigure;
  #disposed = false;

  /** Fetch and read the URDF. The bodies arrive later; `progress` tells how many there are. */
  static async load(
    info: RobotInfo,
    signal: AbortSignal,
    progress: (state: LoadProgress) => void,
  ): Promise<RobotModel> {
    const address = new URL(info.urdf, `${window.location.origin}/`);
    const response = await fetch(address, { signal });
    if (!response.ok) {
      const why = t("view.notLoaded", { title: info.title, status: response.status });
      throw new RequestError(why, false, response.status);
    }
    return new RobotModel(await response.text(), address, progress);
  }

  private constructor(urdf: string, address: URL, progress: (state: LoadProgress) => void) {
    const bodies = new GLTFLoader();
    const loader = new URDFLoader(new LoadingManager());
    const failed: string[] = [];
    let loaded = 0;
    let total = 0;
    const step = (): void => {
      if (this.#disposed) return;
      loaded++;
      if (loaded === total && failed.length === 0) this.#figure.dispose();
      progress({ loaded, total, failed });
    };
    loader.loadMeshCb = (path, _manager, _material, done) => {
      total++;
      bodies.load(
        new URL(path, address).href,
        ({ scene }: { scene: Group }) => {
          if (this.#disposed) {
            discard(scene);
            return;
          }
          scene.traverse(castShadow);
          done(scene);
          step();
        },
        undefined,
        () => {
          failed.push(path.slice(path.lastIndexOf("/") + 1));
          step();
        },
      );
    };
    this.#robot = loader.parse(urdf);
    for (const joint of Object.values(this.#robot.joints)) joint.ignoreLimits = true;
    this.#figure = new StickFigure(Object.values(this.#robot.joints));
    this.node.add(this.#robot);
    if (total === 0) this.#figure.dispose();
    progress({ loaded, total, failed });
  }

  /** Turn or slide a joint; radians or metres. */
  setJoint(name: string, value: number): void {
    this.#robot.joints[name]?.setJointValue(value);
  }

  link(name: string): Object3D | undefined {
    return this.#robot.links[name];
  }

  joint(name: string): Object3D | undefined {
    return this.#robot.joints[name];
  }

  get links(): Readonly<Record<string, Object3D>> {
    return this.#robot.links;
  }

  /** Make `box` hold all bodies, without what else hangs on the links; empty while none is there. */
  measure(box: Box3): Box3 {
    box.makeEmpty();
    this.node.updateMatrixWorld(true);
    this.node.traverse((object) => {
      if (object.layers.isEnabled(BODY_LAYER)) box.expandByObject(object);
    });
    return box;
  }

  /** Another robot with the same bodies; whoever makes it frees nothing but its own materials. */
  twin(): URDFRobot {
    return this.#robot.clone(true);
  }

  /** The arm that carries this object, or undefined. */
  armOf(object: Object3D, arms: readonly ArmInfo[]): ArmInfo | undefined {
    for (let node: Object3D | null = object; node !== null && node !== this.node; node = node.parent) {
      const name = (node as Partial<URDFJoint>).isURDFJoint === true ? (node as URDFJoint).urdfName : null;
      const arm =
        name === null ? undefined : arms.find(({ joints }) => joints.some((joint) => joint.name === name));
      if (arm !== undefined) return arm;
    }
    return undefined;
  }

  dispose(): void {
    this.#disposed = true;
    this.#figure.dispose();
    discard(this.node);
  }
}

function castShadow(object: Object3D): void {
  if (!(object instanceof Mesh)) return;
  object.layers.enable(BODY_LAYER);
  object.castShadow = true;
  object.receiveShadow = true;
}
