// Whether a running session still uses the launchers. Clients read their settings when they start: without its shell
// prefix, every command of a session that goes on would fail.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { CLIENTS, type ClientTraits, homeOf, PROC, withAbsolutePath } from "@jeeves/base";
import { dataLayoutOf } from "./data-layout.ts";

/** The clients whose settings name `jeeves-exec`. */
const PREFIXED = CLIENTS.filter(({ shellPrefix }) => shellPrefix !== undefined);
const IN_USE = "a running session uses it";

/** Why the launchers must stay; undefined where no process of this user needs them. */
export async function whyInUse(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { execPath, lib } = dataLayoutOf(env);
  if (PREFIXED.some(({ shellPrefix = "" }) => env[shellPrefix] === execPath)) return IN_USE;
  const server = join(lib, "start-server.mjs");
  let why: string | undefined;
  const pids = (await readdir(PROC).catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    // Processes of other users, and those that have just ended, cannot be read.
    const [name = "", words = "", surroundings = ""] = await Promise.all(
      ["comm", "cmdline", "environ"].map((file) => readFile(`${PROC}/${pid}/${file}`, "utf8").catch(() => "")),
    );
    const has = (variable = "", value = "") => `\0${surroundings}`.includes(`\0${variable}=${value}\0`);
    if (words.includes(server) || PREFIXED.some(({ shellPrefix }) => has(shellPrefix, execPath))) return IN_USE;
    // A session with another home has other settings.
    if (has("HOME", homeOf(env))) why = mayBeInUse(name.trim(), words.split("\0")) ?? why;
  }
  if (pids.length > 0) return why;
  const listed = await promisify(execFile)("ps", ["-xww", "-o", "command="], { env: withAbsolutePath(env) }).catch(
    () => ({ stdout: "" }),
  );
  if (listed.stdout.includes(server)) return IN_USE;
  return listed.stdout
    .split("\n")
    .map((line) => mayBeInUse("", line.split(" ")))
    .find((found) => found !== undefined);
}

/** A client takes the prefix from its settings into its own process, where it cannot be seen from outside. */
function mayBeInUse(name: string, words: readonly string[]): string | undefined {
  const client = PREFIXED.find((each) => isProcessOf(each, name, words));
  return client && `${client.title} is running, and may have its path from the settings`;
}

/** By the name that it gives its process, or by its program, or as a script of its npm packages. */
function isProcessOf(client: ClientTraits, name: string, [program = "", script = ""]: readonly string[]): boolean {
  const isScript = client.packages?.test(`${program} ${script}`) ?? false;
  return isScript || [name, program, script].some((each) => basename(each) === client.program);
}
