// The user's own rules for commands in Codex (rules/*.rules): they match how a command begins, and a rewritten command
// begins with ours. So a command that has a word in common with any rule is left as it is: too careful on purpose, because
// a rule that forbids must never be bypassed. The same holds where a rules file cannot be read.
import { opendir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { BOOKKEEPING_WAIT_MS, guarded, readPlainFile } from "@jeeves/state";

const MAX_PARENTS = 40;
const MAX_ENTRIES = 1_000;
const MAX_BYTES = 1024 * 1024;
const SYSTEM_RULES = "/etc/codex/rules";

/** Whether a rule may be about the command. Never rejects, and never waits long: others can put files there. */
export async function isRuled(
  command: string,
  { rulesDir, cwd }: { readonly rulesDir: string | undefined; readonly cwd: string | undefined },
): Promise<boolean> {
  const dirs = [SYSTEM_RULES, ...(rulesDir === undefined ? [] : [rulesDir]), ...projectDirs(cwd)];
  const texts = await Promise.all(
    dirs.map((dir) => guarded(dir, BOOKKEEPING_WAIT_MS, () => readRules(dir)).catch(() => undefined)),
  );
  if (texts.includes(undefined)) return true;
  const text = texts.join("\n");
  if (text.trim() === "") return false;
  const words = new Set([...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(([, one, two]) => one ?? two ?? ""));
  return command.split(/[\s;&|<>()'"`$]+/).some((word) => word !== "" && words.has(word));
}

function projectDirs(cwd: string | undefined): string[] {
  const dirs: string[] = [];
  for (let dir = cwd; dir !== undefined && dirs.length < MAX_PARENTS; ) {
    dirs.push(join(dir, ".codex", "rules"));
    const parent = dirname(dir);
    dir = parent === dir ? undefined : parent;
  }
  return dirs;
}

/** Rejects where an entry is not a plain file, is too large or cannot be read. */
async function readRules(dir: string): Promise<string> {
  const texts: string[] = [];
  for (const name of await rulesFilesIn(dir))
    texts.push((await readPlainFile(join(dir, name), { maxBytes: MAX_BYTES }))?.toString("utf8") ?? "");
  return texts.join("\n");
}

async function rulesFilesIn(dir: string): Promise<string[]> {
  const names: string[] = [];
  let entries = 0;
  try {
    for await (const { name } of await opendir(dir)) {
      if (++entries > MAX_ENTRIES) throw new Error(`${dir} has more than ${MAX_ENTRIES} entries`);
      if (name.endsWith(".rules")) names.push(name);
    }
  } catch (error) {
    // Missing files, and files that Codex cannot read either, have no rules.
    if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"].includes(systemCodeOf(error) ?? "")) throw error;
  }
  return names;
}
