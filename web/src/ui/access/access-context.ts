/** How parts of the page reach who may do what. */

import { getContext, setContext } from "svelte";
import type { Access } from "../../state/shared/access";

const KEY = Symbol("access");

export function provideAccess(access: Access): void {
  setContext(KEY, access);
}

export function useAccess(): Access {
  return getContext<Access>(KEY);
}
