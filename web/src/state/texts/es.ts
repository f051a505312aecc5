/** Spanish. */

import { build } from "./es/build";
import { network } from "./es/network";
import { operate } from "./es/operate";
import { operateSteps } from "./es/operate-steps";
import { page } from "./es/page";
import { program } from "./es/program";
import { robot } from "./es/robot";
import { said } from "./es/said";
import { shell } from "./es/shell";
import { teach } from "./es/teach";
import { tour } from "./es/tour";
import { view } from "./es/view";
import { welcome } from "./es/welcome";

export const es = {
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
