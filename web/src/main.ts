/** Starts the page: puts state, scene and interface together in the browser. */

import { mount } from "svelte";
import type { Stage } from "./scene/stage";
import { browserClock } from "./state/glide";
import { type Memory, Preferences } from "./state/preferences";
import { Session } from "./state/session";
import { Store } from "./state/store";
import { installTestHook } from "./test-hook";
import "./ui/app.css";
import App from "./ui/app.svelte";
import type { Context } from "./ui/context";
import { fetchRobot, fetchRobots } from "./wire/rest";

/** Storage may be forbidden; then nothing is remembered, and nothing else suffers. */
function openMemory(): Memory {
  try {
    return window.localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined };
  }
}

/** The robot's name in the address; "" where there is none that can be read. */
function readAddress(): string {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return "";
  }
}

const { location } = window;
const session = new Session({
  makeSocket: () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`),
  fetchRobots,
  fetchRobot,
  clock: browserClock,
  readAddress,
  writeAddress: (name) => {
    const hash = `#${encodeURIComponent(name)}`;
    if (location.hash === "") window.history.replaceState(null, "", hash);
    else if (location.hash !== hash) location.hash = hash;
  },
});

const context: Context = {
  session,
  preferences: new Preferences(openMemory()),
  stage: new Store<Stage | null>(null),
  dark: new Store(false),
  drawer: new Store<"left" | "right" | null>(null),
  sheetOpen: new Store(false),
};

window.addEventListener("hashchange", () => {
  const name = readAddress();
  if (name !== "") void session.choose(name);
});
// A laptop that wakes or a network that returns need not wait for the next try.
window.addEventListener("online", () => session.live.connect());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") session.live.connect();
});

installTestHook(context);
const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the app");
mount(App, { target, props: { context } });
void session.start();
