// Whether a running session still uses the launchers. Clients read their settings when they start: without its shell
// prefix, every command of a session that goes on would fail.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { homeOf, traitsOf, withAbsolutePath } from "@jeeves/base";
import { dataLayoutOf } from "./data-layout.ts";

const CLAUDE = traitsOf("claude-code");
const PREFIX = "CLAUDE_CODE_SHELL_PREFIX";
const IN_USE = "a running session uses it";
/** Claude Code takes the prefix from its settings into its own process, where it cannot be seen from outside. */
const MAY_BE_IN_USE = "Claude Code is running, and may have its path from the settings";

/** Why the launchers must stay; undefined where no process of this user needs them. */
export async function whyInUse(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { execPath, lib } = dataLayoutOf(env);
  if (env[PREFIX] === execPath) return IN_USE;
  const server = join(lib, "start-server.mjs");
  let why: string | undefined;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    // Processes of other users, and those that have just ended, cannot be read.
    const [name = "", words = "", surroundings = ""] = await Promise.all(
      ["comm", "cmdline", "environ"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
    );
    if (words.includes(server) || `\0${surroundings}`.includes(`\0${PREFIX}=${execPath}\0`)) return IN_USE;
    // A session with another home has other settings.
    const isOurs = `\0${surroundings}`.includes(`\0HOME=${homeOf(env)}\0`);
    if (isOurs && isClaudeCode(name.trim(), words.split("\0"))) why = MAY_BE_IN_USE;
  }
  if (pids.length > 0) return why;
  const listed = await promisify(execFile)("ps", ["-xww", "-o", "command="], { env: withAbsolutePath(env) }).catch(
    () => ({ stdout: "" }),
  );
  if (listed.stdout.includes(server)) return IN_USE;
  return listed.stdout.split("\n").some((line) => isClaudeCode("", line.split(" "))) ? MAY_BE_IN_USE : undefined;
}

/** By the name that it gives its process, or by its program: `claude`, or a script of its npm packages. */
function isClaudeCode(name: string, [program = "", script = ""]: readonly string[]): boolean {
  const isScript = /[\\/]@anthropic-ai[\\/]claude-(?:code|agent-sdk)[^\\/]*[\\/]/.test(`${program} ${script}`);
  return isScript || [name, program, script].some((each) => basename(each) === CLAUDE.program);
}
