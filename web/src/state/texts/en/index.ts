/** English: the reference. Every key of the page is here. */

import { build } from "./build";
import { headset } from "./headset";
import { network } from "./network";
import { operate } from "./operate";
import { operateSteps } from "./operate-steps";
import { pad } from "./pad";
import { page } from "./page";
import { program } from "./program";
import { robot } from "./robot";
import { said } from "./said";
import { shell } from "./shell";
import { teach } from "./teach";
import { tour } from "./tour";
import { view } from "./view";
import { welcome } from "./welcome";

/** The language in its own words. */
export const title = "English";

export const texts = {
  ...page,
  ...pad,
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
  ...headset,
  ...robot,
  ...said,
};
