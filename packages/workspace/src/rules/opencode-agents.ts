// Where opencode looks for agents and modes that are Markdown files.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const MAX_FILES = 1_000;
const MAX_DEPTH = 20;

interface AgentFile {
  readonly path: string;
  /** The agent's name, unless the file gives another. */
  readonly name: string;
}

/** `agent`, `agents` (at any depth), `mode` and `modes` in one of opencode's directories; modes come last. */
export async function findAgentFiles(
  dir: string,
): Promise<{ readonly files: readonly AgentFile[]; readonly isComplete: boolean }> {
  const files: AgentFile[] = [];
  let isComplete = true;

  async function walk(at: string, prefix: string, depth: number): Promise<void> {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(at, entry.name);
      const kind = entry.isSymbolicLink() ? await stat(path).catch(() => entry) : entry;
      if (kind.isDirectory()) {
        if (depth > 0) await walk(path, `${prefix}${entry.name}/`, depth - 1);
        else if (prefix.split("/").length > MAX_DEPTH) isComplete = false;
      } else if (entry.name.endsWith(".md") && kind.isFile()) {
        if (files.length < MAX_FILES) files.push({ path, name: `${prefix}${entry.name.slice(0, -3)}` });
        else isComplete = false;
      }
      if (!isComplete) return;
    }
  }

  for (const name of ["agent", "agents"]) await walk(join(dir, name), "", MAX_DEPTH);
  for (const name of ["mode", "modes"]) await walk(join(dir, name), "", 0);
  return { files, isComplete };
}
