/**
 * What browser tests read of the page: `window.openpendant`. Read-only; nothing here moves a robot.
 *
 * No part of the bundle: a browser test runs this in the page before anything else, and the page's own module gives it
 * what it reads. SI and radians; places on the page in CSS pixels.
 */

/** @typedef {import("./src/ui/context").Context} Context */
/** @typedef {import("./src/ui/context").SeenStage} SeenStage */
/** @typedef {import("./src/state/shared/project").Project} Project */
/** @typedef {import("./src/state/shared/project").CheckState} CheckState */
/** @typedef {"X" | "Y" | "Z"} Axis */
/** @typedef {Window & { openpendant?: ReturnType<typeof seen> | undefined }} Page */

/** How far along an arrow of the handle it is grabbed. */
const FAR = 0.53;

/** @param {Context} context */
function seen({ line, project, router, stageSeen, headsetSeen }) {
  const stage = () => stageSeen.value?.stage ?? null;
  const taught = () => stageSeen.value?.teaching.taught.value ?? null;
  const arm = () => taught()?.control ?? null;
  /** The one robot of a cell that is only there to look at it. */
  const robot = () => {
    const { value } = router.route;
    const item = value.page === "robots" ? project.value?.cell.value.robots?.[0] : undefined;
    return item === undefined ? null : { item, view: stage()?.robots.view(item.name) ?? null };
  };
  return {
    /** Where in the page, as the address has it. */
    get route() {
      return location.hash || "#/";
    },
    /** The project that is open; null: none, or not all of it is here yet. */
    get project() {
      const { value } = project;
      return value?.ready.value ? seenProject(value) : null;
    },
    /** The view of that project; null: none. */
    get view() {
      const { value } = stageSeen;
      return value === null ? null : seenView(value, line.live.idle);
    },
    /** What a person sees in a headset; null: nobody wears one here. */
    get headset() {
      const { value } = headsetSeen;
      return value === null ? null : seenHeadset(value);
    },
    /** The robot that is looked at by itself; null: none. */
    get robot() {
      return robot()?.item.model ?? null;
    },
    /** The arm that is taught. */
    get arm() {
      return arm()?.info.name ?? null;
    },
    /** Its joints; of a platform x, y and heading. */
    get q() {
      return arm()?.q.value ?? onFloor(robot()?.item.pose);
    },
    /** The last pose that the server told for exactly these joints; null while it is on its way. */
    get pose() {
      const stance = arm()?.stance.value;
      return stance && stance.q === arm()?.q.value ? stance.answer.pose : null;
    },
    get frame() {
      return arm()?.frame.value ?? null;
    },
    get base() {
      return arm()?.base.value ?? null;
    },
    get connected() {
      return line.link.value === "open" && project.value?.link.value === "open";
    },
    /** True where every question has its answer and nothing moves by itself. */
    get settled() {
      return line.live.idle && arm()?.gliding !== true && stage()?.settled !== false;
    },
    /** True where every body of the robot is there. */
    get complete() {
      const { view } = robot() ?? {};
      return view?.complete === true && (view.info.arms.length === 0 || arm() !== null);
    },
    get dragging() {
      return stage()?.dragging ?? false;
    },
    get framesDrawn() {
      return stage()?.viewport.framesDrawn ?? 0;
    },
    /** What the graphics card holds. */
    get held() {
      return stage()?.viewport.held ?? null;
    },
    /** Where the tool's handle is on the page. */
    get tool() {
      return stage()?.grabOnPage("X", 0) ?? null;
    },
    /** Which part of the handle the pointer is on. */
    get touched() {
      return stage()?.touched ?? null;
    },
    /** Where the ring of an axis, or this far along its arrow (0 to 0.6), can be grabbed. */
    grab: (/** @type {Axis} */ axis, far = FAR) => stage()?.grabOnPage(axis, far) ?? null,
  };
}

/** @param {import("./src/wire/generated").Pose | undefined} pose */
function onFloor(pose) {
  if (pose === undefined) return [0, 0, 0];
  const { xyz, wxyz } = pose;
  return [xyz[0], xyz[1], 2 * Math.atan2(wxyz[3], wxyz[0])];
}

/**
 * @param {SeenStage} seen
 * @param {boolean} idle
 */
function seenView({ stage, teaching, measuring, view }, idle) {
  const taught = teaching.taught.value;
  const from = measuring.from.value?.at;
  const to = measuring.to.value?.at;
  return {
    /** True where every robot has its bodies, and nothing moves by itself. */
    settled: stage.settled && idle && (!teaching.showing || taught?.control.resting !== false),
    dragging: stage.dragging,
    touched: stage.touched,
    hover: view.hover.value,
    framesDrawn: stage.viewport.framesDrawn,
    held: stage.viewport.held,
    /** Null while fewer than two places are chosen. */
    measured: from && to ? Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) : null,
    /** The arm that is taught: its joints, and its TCP in the world. */
    taught: taught && {
      robot: taught.robot,
      arm: taught.arm,
      q: taught.control.q.value,
      tcp: teaching.tcp.value,
      nearest: teaching.nearness.value?.near?.b ?? null,
      touches: teaching.nearness.value?.touches ?? false,
    },
    toolTilt: stage.toolView.tilt,
    /** Joints of a robot as it is drawn. */
    joints: (/** @type {string} */ robot) => {
      const drawn = stage.robots.view(robot);
      const angle = (/** @type {string} */ name) =>
        /** @type {{ angle: number } | undefined} */ (drawn?.model.joint(name))?.angle ?? NaN;
      return (drawn?.info.arms ?? []).flatMap(({ joints }) => joints.map(({ name }) => angle(name)));
    },
    /** Where a thing is drawn, in the cell's world; a run or a drag may have brought it there. */
    drawn: (/** @type {string} */ name) => stage.objects.get(name)?.position.toArray() ?? null,
    /** Where a thing is on the page. */
    at: (/** @type {string} */ name) => stage.onPage(name),
    /** Where a place of the cell's world is on the page. */
    spot: (/** @type {[number, number, number]} */ ...at) => stage.spotOnPage(...at),
    grab: (/** @type {Axis} */ axis, far = FAR) => stage.grabOnPage(axis, far),
  };
}

/** @param {import("./src/xr/room").HeadsetRoom} room */
function seenHeadset(room) {
  const { node, scale } = room.rig;
  return {
    page: room.menus.page?.name ?? null,
    /** What the hands' rays meet: a panel, "handle", a thing of the cell, or "nothing". */
    aims: { left: room.aimOf("left"), right: room.aimOf("right") },
    /** Where the person stands in three's axes, and how large they are. */
    stands: { at: node.position.toArray(), yaw: 2 * Math.atan2(node.quaternion.y, node.quaternion.w), scale },
    vignette: room.vignette,
    panels: room.panels.filter(({ shown }) => shown).map(seenPanel),
  };
}

/** @param {import("./src/xr/panel").Panel} panel */
function seenPanel({ name, mesh, height, layout, presses }) {
  mesh.updateMatrix();
  /** Where a place of the panel is, in the space it hangs in: of all but the clock, the headset's. */
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    mesh.position
      .clone()
      .set(x / layout.width - 0.5, 0.5 - y / layout.height, 0)
      .applyMatrix4(mesh.matrix)
      .toArray();
  return {
    name,
    height,
    at: mesh.position.toArray(),
    words: layout.placed.flatMap(({ element }) => (element.kind === "button" ? [] : [element.text])),
    buttons: layout.placed.flatMap(({ element, x, y, width, height: high }) => {
      if (element.kind !== "button") return [];
      const { id, text, on = false, blocked = "" } = element;
      return [{ id, text, on, blocked, look: presses.look(id), at: at(x + width / 2, y + high / 2) }];
    }),
  };
}

/** @param {Project} project */
function seenProject(project) {
  const { operation } = project;
  return {
    id: project.id,
    seq: project.seq,
    link: project.link.value,
    saved: project.saved.value.state,
    mode: project.mode.value,
    selection: project.selection.value,
    openProgram: project.openProgram.value,
    openStep: project.openStep.value,
    cell: project.cell.value,
    programs: project.programs.value,
    people: project.people.value.map(({ name }) => name),
    history: project.history.value,
    /** By program: "checking", "clear", or the first step that fails. */
    checks: Object.fromEntries(
      Object.entries(project.checks.value).map(([name, check]) => [name, verdict(check)]),
    ),
    /** The robots that run, as the server told last. */
    operating: operation.now.value,
    /** By robot/arm. */
    joints: operation.joints.value,
    /** What has happened, oldest first. */
    events: operation.events.value,
  };
}

/** @param {CheckState} check */
function verdict(check) {
  if (check.state === "checking") return "checking";
  const { report, summary } = check.checked;
  if (report === null) return summary;
  return report.clear ? "clear" : (report.first_failing ?? "start");
}

// Declared now: a test may look before the page has started.
/** @type {Page} */ (window).openpendant = undefined;
document.addEventListener("DOMContentLoaded", async () => {
  // They have run by now; to import them once more gives what they export.
  for (const script of document.querySelectorAll("script[type=module]")) {
    if (!(script instanceof HTMLScriptElement)) continue;
    const { context } = /** @type {{ context?: Context }} */ (await import(script.src));
    if (context !== undefined) /** @type {Page} */ (window).openpendant = seen(context);
  }
});
