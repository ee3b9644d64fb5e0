// The user's own rules for commands in Codex (rules/*.rules): they match how a command begins, and a rewritten command
// begins with ours. So a command that has a word in common with any rule is left as it is: too careful on purpose, because
// a rule that forbids must never be stepped around.
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const MAX_PARENTS = 40;
const SYSTEM_RULES = "/etc/codex/rules";

export async function isRuled(
  command: string,
  { rulesDir, cwd }: { readonly rulesDir: string | undefined; readonly cwd: string | undefined },
): Promise<boolean> {
  const dirs = [SYSTEM_RULES, ...(rulesDir === undefined ? [] : [rulesDir]), ...projectDirs(cwd)];
  const texts = await Promise.all(dirs.map(readRules));
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

async function readRules(dir: string): Promise<string> {
  const names = await readdir(dir).catch(() => []);
  const files = names.filter((name) => name.endsWith(".rules"));
  // Throws where one cannot be read: it may say anything.
  return (await Promise.all(files.map((name) => readFile(join(dir, name), "utf8")))).join("\n");
}
