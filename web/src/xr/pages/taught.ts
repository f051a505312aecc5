/** Pages on which an arm is taught: its ghost is there as long as the page is open. */

import type { Page, PageParts } from "./page";

/** Open a page with the ghost of the program's arm, whatever is selected. */
export function openTaught(parts: PageParts, page: Page): void {
  const { project, steps, teaching } = parts;
  const { program } = steps;
  project.mode.set("teach");
  if (program !== null) void teaching.choose(program.robot, program.arm ?? "");
  parts.open({
    ...page,
    close: () => {
      page.close?.();
      project.mode.set("program");
    },
  });
}
