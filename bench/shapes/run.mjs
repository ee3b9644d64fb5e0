// Programs whose outputs are cut: what they print, however they end.
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/setup.mjs";

export { root };
export const NODE = process.execPath;
const MAX_BUFFER = 1 << 28;
const TIMEOUT_MS = 120_000;

/** A program of node_modules. */
export const bin = (name) => join(root, "node_modules/.bin", name);

/** What a program prints; "" where there is no such program, or where it fails and that was not expected. */
export function run(
  program,
  args,
  { anyStatus = false, stderr = false, env = {}, input, linkModules, cwd = root } = {},
) {
  if (linkModules !== undefined && !existsSync(join(linkModules, "node_modules")))
    symlinkSync(join(root, "node_modules"), join(linkModules, "node_modules"));
  const { npm_config_nodedir: _, ...own } = process.env;
  const done = spawnSync(program, args, {
    ...{ cwd, input, encoding: "utf8", maxBuffer: MAX_BUFFER, timeout: TIMEOUT_MS },
    env: { ...own, NO_COLOR: "1", LC_ALL: "C.UTF-8", COLUMNS: "160", ...env },
  });
  if (done.error !== undefined || (done.status !== 0 && !anyStatus)) return "";
  return stderr ? done.stderr : done.stdout;
}
