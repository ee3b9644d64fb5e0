// Whether a running session still uses the launchers. Clients read their settings when they start: without its shell
// prefix, every command of a session that goes on would fail.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { dataLayoutOf } from "./data-layout.ts";

const PREFIX = "CLAUDE_CODE_SHELL_PREFIX";

/** Looks for servers that a launcher started, and for the shell prefix in the environment of this user's processes. */
export async function areLaunchersInUse(env: NodeJS.ProcessEnv): Promise<boolean> {
  const { execPath, lib } = dataLayoutOf(env);
  if (env[PREFIX] === execPath) return true;
  const server = Buffer.from(join(lib, "start-server.mjs"));
  const prefix = Buffer.from(`${PREFIX}=${execPath}\0`);
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    // Processes of other users, and those that have just ended, cannot be read.
    const [words, surroundings] = await Promise.all(
      ["cmdline", "environ"].map((name) => readFile(`/proc/${pid}/${name}`).catch(() => Buffer.alloc(0))),
    );
    if (words?.includes(server) || surroundings?.includes(prefix)) return true;
  }
  if (pids.length > 0) return false;
  const listed = await promisify(execFile)("ps", ["-axww", "-o", "command="]).catch(() => ({ stdout: "" }));
  return listed.stdout.includes(server.toString());
}
