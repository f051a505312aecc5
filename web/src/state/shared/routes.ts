/** Where in the page a person is. The address holds it (after the #), so that it can be kept and sent. */

import { Store } from "./store";

export type Route =
  | { readonly page: "welcome" }
  /** The robots of the catalogue; "" is the first. */
  | { readonly page: "robots"; readonly name: string }
  | { readonly page: "project"; readonly id: string };

/** The part of the browser that is used; tests bring their own. */
export interface AddressBar {
  readonly read: () => string;
  readonly write: (hash: string, replace: boolean) => void;
}

export function parseRoute(hash: string): Route {
  const [, page = "", name = ""] = /^#?\/?([^/]*)\/?(.*)$/.exec(hash) ?? [];
  const plain = decode(name);
  if (page === "robots") return { page: "robots", name: plain };
  if (page === "projects" && plain !== "") return { page: "project", id: plain };
  return { page: "welcome" };
}

export function writeRoute(route: Route): string {
  switch (route.page) {
    case "welcome":
      return "#/";
    case "robots":
      return route.name === "" ? "#/robots" : `#/robots/${encodeURIComponent(route.name)}`;
    case "project":
      return `#/projects/${encodeURIComponent(route.id)}`;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

export class Router {
  readonly route: Store<Route>;

  constructor(private readonly bar: AddressBar) {
    this.route = new Store(parseRoute(bar.read()));
  }

  /** Go to a place; `replace` leaves no trace in the browser's history. */
  go(route: Route, replace = false): void {
    const hash = writeRoute(route);
    if (hash !== this.bar.read()) this.bar.write(hash, replace);
    this.follow();
  }

  /** The address has changed. */
  follow(): void {
    const next = parseRoute(this.bar.read());
    if (writeRoute(next) !== writeRoute(this.route.value)) this.route.set(next);
  }
}
