// What we need of the machine: a state directory that takes files, room in it, ports, a sandbox; and the mode we are in.
import { access, chmod, constants, lstat, mkdtemp, rm, stat, statfs, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { shellQuote, systemCodeOf } from "@jeeves/base";
import { meterFiles, readMeter, readMode } from "@jeeves/cut";
import { findPortHolder } from "@jeeves/kit/http";
import { checkSandbox as lookForSandbox } from "@jeeves/rudder";
import {
  guarded,
  onStateFault,
  resolveStateDir,
  STORE_WAIT_MS,
  type StateFault,
  storeLimitOf,
  waitMsOf,
} from "@jeeves/state";
import { ownCommand } from "../terminal/own-command.ts";
import { bad, type Check, good, note, withFix } from "./check.ts";

const MIB = 1024 * 1024;

/** Whether the state directory takes files, is private and has room for the store. */
export async function checkStateDir(env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const dir = resolveStateDir(env);
  try {
    return await guarded(`${dir} (doctor)`, waitMsOf(env, STORE_WAIT_MS), () => lookAtStateDir(dir, env));
  } catch {
    return [bad("state directory", `${dir} does not answer`, "check the disk that it is on, or set JEEVES_STATE_DIR")];
  }
}

async function lookAtStateDir(dir: string, env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const found = await stat(dir).catch(() => undefined);
  if (found === undefined) return [await checkParent(dir)];
  if (!found.isDirectory())
    return [bad("state directory", `${dir} is a file`, `move it away, or set JEEVES_STATE_DIR`)];
  const checks: Check[] = [];
  try {
    await rm(await mkdtemp(join(dir, ".doctor-")), { recursive: true });
    checks.push(
      (found.mode & 0o077) === 0
        ? good("state directory", dir)
        : withFix(bad("state directory", `${dir} can be read by others`, `chmod 700 ${shellQuote(dir)}`), async () => {
            await chmod(dir, 0o700);
            return `${dir} can be read by you alone`;
          }),
    );
  } catch (error) {
    const why = systemCodeOf(error) ?? String(error);
    checks.push(bad("state directory", `${dir} takes no files (${why})`, "make it writable, or set JEEVES_STATE_DIR"));
  }
  const { bavail, bsize } = await statfs(dir);
  const freeMb = Math.floor((bavail * bsize) / MIB);
  const storeMb = Math.ceil(storeLimitOf(env) / MIB);
  checks.push(
    freeMb >= storeMb
      ? good("room", `${freeMb} MB free`)
      : note("room", `${freeMb} MB free; the store may hold ${storeMb}`, "make room, or lower JEEVES_STORE_MAX_BYTES"),
  );
  return checks;
}

/** The state directory does not exist yet: whether it could be made. */
async function checkParent(dir: string): Promise<Check> {
  let parent = dir;
  while ((await stat(parent).catch(() => undefined)) === undefined && parent !== join(parent, "..")) {
    const link = await lstat(parent).catch(() => undefined);
    if (link !== undefined)
      return bad("state directory", `${parent} is a link that leads nowhere`, "remove it, or set JEEVES_STATE_DIR");
    parent = join(parent, "..");
  }
  const probe = join(parent, `.jeeves-doctor-${process.pid}`);
  try {
    await writeFile(probe, "", { flag: "wx", mode: 0o600 });
    await rm(probe);
    return good("state directory", `${dir} (made when it is needed)`);
  } catch {
    return bad("state directory", `${dir} cannot be made: ${parent} takes no files`, "set JEEVES_STATE_DIR");
  }
}

/** A note where another process has the port. `flag`: the option of `jeeves up` that names another one. */
export async function checkPort(name: string, port: number, flag: string): Promise<Check> {
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => server.close(() => resolve(true)));
  });
  if (isFree) return good(name, `${port} is free`);
  const holder = (await findPortHolder(port)) ?? "another process";
  return note(
    name,
    `${port} is held by ${holder}`,
    `${ownCommand("up")} takes the next free one; ${flag} names another`,
  );
}

/** The sandbox starts a ripgrep of its own choice, so the one that comes with jeeves is no help. */
const PART_WORDS: Readonly<Record<string, string>> = { rg: "rg on PATH" };

/** A note where rudder cannot run agents in a sandbox, with what is missing. */
export async function checkSandbox(env: NodeJS.ProcessEnv): Promise<Check> {
  const { isReady, parts } = await lookForSandbox({ env });
  if (isReady) return good("sandbox", "agents can be put into one");
  const missing = parts.filter((part) => part.isNeeded && !part.isThere);
  return note(
    "sandbox",
    `for \`rudder agent spawn --sandbox\` only; missing: ${missing.map(({ name }) => PART_WORDS[name] ?? name).join(", ")}`,
    missing.map((part) => part.howTo ?? part.name).join("; "),
  );
}

/** calls go on without a meter or a mode that cannot be read, so only this names the file. */
export async function checkMeter(env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const dir = resolveStateDir(env);
  const look = guarded(`${dir} (doctor's meter)`, waitMsOf(env, STORE_WAIT_MS), () => stat(dir));
  // `checkStateDir` reports a directory that is missing or does not answer.
  if (!(await look.catch(() => undefined))?.isDirectory()) return [];
  const faults: StateFault[] = [];
  const stop = onStateFault((fault) => faults.push(fault));
  await readMode(env);
  let entryCount = 0;
  for await (const _ of readMeter(env)) entryCount++;
  stop();
  const checks = faults.map(({ what, path, message }) => bad(what, message, `move ${path} away`));
  for (const file of await meterFiles(env)) {
    if (faults.some(({ path }) => path === file)) continue;
    const isWritable = await access(file, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable)
      checks.push(bad("meter", `${file} cannot be written`, `move it away, or chmod 600 ${shellQuote(file)}`));
  }
  return checks.length > 0 ? checks : [good("meter", `${entryCount} entries`)];
}

/** The mode that holds in this environment; a note unless it is on. */
export async function checkMode(env: NodeJS.ProcessEnv): Promise<Check> {
  const mode = await readMode(env);
  if (mode === "on") return good("mode", "on: cuts are shown");
  const about = mode === "shadow" ? "cuts are counted and nothing is cut" : "nothing is cut";
  // The environment decides where it names a mode.
  const isNamed = env.JEEVES_MODE?.trim().toLowerCase() === mode;
  return note("mode", `${mode}: ${about}`, isNamed ? "unset JEEVES_MODE" : ownCommand("on", env));
}
