// Writes the launchers that client settings name, and points them at this installation. The last init wins.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fallbackStateDir, makeDirs, resolveStateDir, writeFileAtomic } from "@jeeves/state";
import { missingDirs } from "../init/settings-file.ts";
import { hasStub } from "./bare-stub.ts";
import { type DataLayout, dataLayoutOf } from "./data-layout.ts";
import { addToRecord } from "./record.ts";

/** Where a copied file comes from (in packages/cli) and where it goes (in the data directory). */
interface Copy {
  readonly from: string;
  readonly to: string;
  readonly mode: number;
}

const PROGRAM = 0o755;
const TEXT = 0o644;
const PROOF = 42;
const COPIES: readonly Copy[] = [
  // Copied whole, not forwarded to: a broken checkout must not break a command.
  { from: "bin/jeeves-exec.pl", to: "bin/jeeves-exec.pl", mode: TEXT },
  { from: "bin/jeeves-exec", to: "bin/jeeves-exec", mode: PROGRAM },
  { from: "bin/jeeves-hook", to: "bin/jeeves-hook", mode: PROGRAM },
  ...["jeeves-exec-cut", "jeeves-hook-cut", "mcp-pruner", "mcp-research", "jeeves-uninstall"].map((name) => ({
    from: "bin/jeeves-launch",
    to: `bin/${name}`,
    mode: PROGRAM,
  })),
  { from: "bin/start-server.mjs", to: "lib/start-server.mjs", mode: TEXT },
  { from: "dist/opencode-plugin.mjs", to: "lib/opencode-plugin.mjs", mode: TEXT },
  { from: "dist/jeeves-uninstall.mjs", to: "lib/jeeves-uninstall.mjs", mode: TEXT },
];

/** The copied files, by their paths in the data directory. */
export const LAUNCHER_NAMES: readonly string[] = COPIES.map(({ to }) => to);

interface WrittenLaunchers {
  readonly data: DataLayout;
  /** What the launchers started until now. */
  readonly before: string | undefined;
}

/** Throws the file system's own error where the data directory cannot be written. `packages`: the installation. */
export async function writeLaunchers(packages: string, env: NodeJS.ProcessEnv): Promise<WrittenLaunchers> {
  const data = dataLayoutOf(env);
  const before = await readlink(data.installation).catch(() => undefined);
  const dirs = missingDirs(join(data.dir, "-"));
  for (const dir of [data.bin, data.lib]) await makeDirs(dir, { mode: 0o700 });
  const stateDir = resolveStateDir(env);
  const madeStateDirs = missingDirs(join(stateDir, "-"));
  const isRecordLost = existsSync(data.execPath) && !existsSync(data.record);
  const wasInProject = isRecordLost || (await hasStub(env));
  const tmpDirs = [dirname(fallbackStateDir(env))];
  await addToRecord(data.record, { dirs, stateDirs: [stateDir], madeStateDirs, tmpDirs, wasInProject });
  for (const { from, to, mode } of COPIES) {
    const content = await readFile(join(packages, "cli", from));
    const path = join(data.dir, to);
    // A launcher that is right is left alone: a command may be starting it.
    if (!content.equals(await readFile(path).catch(() => Buffer.alloc(0))))
      await writeFileAtomic(path, content, { mode });
  }
  checkThatItRuns(data.execPath, env);
  await pointTo(data.installation, packages);
  await pointTo(data.node, process.execPath);
  return { data, before };
}

/** Names of launchers that are missing or differ from what this installation would write. */
export async function staleLaunchers(packages: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const data = dataLayoutOf(env);
  const stale: string[] = [];
  for (const { from, to } of COPIES) {
    const [wanted, found] = await Promise.all(
      [join(packages, "cli", from), join(data.dir, to)].map((path) => readFile(path).catch(() => undefined)),
    );
    if (wanted !== undefined && (found === undefined || !wanted.equals(found))) stale.push(to);
  }
  return stale;
}

/** Where programs cannot run (a noexec mount), a client whose prefix is the launcher could run no command at all. */
function checkThatItRuns(path: string, { PATH, HOME, SHELL }: NodeJS.ProcessEnv): void {
  const { error, status } = spawnSync(path, [`exit ${PROOF}`], { env: { PATH, HOME, SHELL }, stdio: "ignore" });
  if (status === PROOF) return;
  const why = error === undefined ? `exit code ${status}, not ${PROOF}` : error.message;
  throw Object.assign(new Error(`${path} does not run commands: ${why}`), { code: "ENOEXEC" });
}

/** A link appears whole: there is no moment without one. */
async function pointTo(link: string, target: string): Promise<void> {
  const temporary = `${link}.tmp-${process.pid}-${randomBytes(6).toString("hex")}`;
  await symlink(target, temporary);
  try {
    await rename(temporary, link);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
