import { describe, expect, it } from "vitest";
import { parseRoute, type Route, Router, writeRoute } from "./routes";

describe("routes", () => {
  const routes: readonly Route[] = [
    { page: "welcome" },
    { page: "robots", name: "" },
    { page: "robots", name: "ur3e" },
    { page: "robots", name: "a/b ü" },
    { page: "project", id: "bench_2" },
  ];

  it.each(routes)("are read as they are written: %o", (route) => {
    expect(parseRoute(writeRoute(route))).toEqual(route);
  });

  it("lead to the welcome page where they mean nothing", () => {
    for (const hash of ["", "#", "#/", "#/nowhere", "#/projects", "#/projects/"])
      expect(parseRoute(hash)).toEqual({ page: "welcome" });
    expect(parseRoute("#/robots/%E0%A4%A")).toEqual({ page: "robots", name: "" });
  });
});

describe("Router", () => {
  it("writes where it goes, and follows the address", () => {
    const bar = { hash: "#/robots", replaced: 0 };
    const router = new Router({
      read: () => bar.hash,
      write: (hash, replace) => {
        bar.hash = hash;
        bar.replaced += Number(replace);
      },
    });
    const seen: Route[] = [];
    router.route.subscribe((route) => seen.push(route));
    router.go({ page: "robots", name: "ur3e" }, true);
    router.go({ page: "robots", name: "ur3e" });
    bar.hash = "#/projects/bench";
    router.follow();
    router.follow();
    expect(seen.map(writeRoute)).toEqual(["#/robots", "#/robots/ur3e", "#/projects/bench"]);
    expect(bar.replaced).toBe(1);
  });
});
