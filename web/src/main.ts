/** Starts the page: puts state, scene and interface together in the browser. */

import { mount } from "svelte";
import { Access } from "./state/shared/access";
import { Library } from "./state/shared/library";
import { LiveLine } from "./state/shared/live-line";
import { Notices } from "./state/shared/notices";
import { Pictures } from "./state/shared/pictures";
import { Preferences } from "./state/shared/preferences";
import type { Project } from "./state/shared/project";
import { Router } from "./state/shared/routes";
import { Seat, type SeatMemory } from "./state/shared/seat";
import { Store } from "./state/shared/store";
import { setSaidUnits } from "./state/shared/said";
import { setLanguage } from "./state/texts";
import "./ui/app.css";
import Door from "./ui/access/door.svelte";
import { CommandRegistry } from "./ui/commands";
import type { Context, SeenStage } from "./ui/context";
import type { HeadsetRoom } from "./xr/room";
import * as rest from "./wire/rest";

/** Storage may be forbidden; then nothing is remembered, and nothing else suffers. */
function openMemory(which: "localStorage" | "sessionStorage"): SeatMemory {
  try {
    return window[which];
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  }
}

const { location } = window;
const dial = (path: string): WebSocket =>
  new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);

const router = new Router({
  read: () => location.hash,
  write: (hash, replace) => {
    if (replace) window.history.replaceState(null, "", hash);
    else location.hash = hash;
  },
});

const line = new LiveLine(() => dial("/ws"));

const memory = openMemory("localStorage");
const seat = new Seat(openMemory("sessionStorage"), memory);
/** Nothing of the page imports it; browser tests do, from the bundle as it is served (web/test-hook.js). */
export const context: Context = {
  router,
  line,
  seat,
  preferences: new Preferences(memory, navigator.languages),
  commands: new CommandRegistry(),
  notices: new Notices(),
  library: new Library(rest),
  pictures: new Pictures(memory),
  project: new Store<Project | null>(null),
  dial: (id) => dial(`/ws/projects/${encodeURIComponent(id)}`),
  stageSeen: new Store<SeenStage | null>(null),
  headsetSeen: new Store<HeadsetRoom | null>(null),
  dark: new Store(false),
  drawer: new Store<"left" | "right" | null>(null),
  sheet: new Store<"palette" | "keys" | null>(null),
};

context.preferences.language.subscribe((language) => {
  setLanguage(language);
  document.documentElement.lang = language;
});
for (const unit of [context.preferences.length, context.preferences.angle])
  unit.subscribe(() => {
    const { length, angle } = context.preferences;
    setSaidUnits(length.value, angle.value);
  });
window.addEventListener("hashchange", () => router.follow());
window.addEventListener("pagehide", () => seat.leave());
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted && !seat.comeBack()) location.reload();
});

/** A laptop that wakes or a network that returns need not wait for the next try. */
function reconnect(): void {
  line.again();
  context.project.value?.start();
}
window.addEventListener("online", reconnect);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") reconnect();
});

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the app");
const access = new Access(rest, location.protocol === "https:");
mount(Door, { target, props: { context, access } });
