// Where a client keeps its settings and sessions.
import { basename, join } from "node:path";
import type { ClientTraits } from "./clients.ts";
import { homeOf } from "./home.ts";

/** The client's own directory. */
export function clientHomeOf({ home }: ClientTraits, env: NodeJS.ProcessEnv): string {
  const named = home.variable === undefined ? undefined : env[home.variable];
  if (named) return named;
  const parent = home.parentVariable === undefined ? undefined : env[home.parentVariable];
  return parent ? join(parent, basename(home.folder)) : join(homeOf(env), home.folder);
}
