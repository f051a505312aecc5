/** English: the reference. Every key of the page is here. */

import { build } from "./en/build";
import { network } from "./en/network";
import { operate } from "./en/operate";
import { operateSteps } from "./en/operate-steps";
import { page } from "./en/page";
import { program } from "./en/program";
import { robot } from "./en/robot";
import { said } from "./en/said";
import { shell } from "./en/shell";
import { teach } from "./en/teach";
import { tour } from "./en/tour";
import { view } from "./en/view";
import { welcome } from "./en/welcome";

export const en = {
  ...page,
  ...welcome,
  ...network,
  ...shell,
  ...tour,
  ...view,
  ...build,
  ...teach,
  ...program,
  ...operate,
  ...operateSteps,
  ...robot,
  ...said,
};
