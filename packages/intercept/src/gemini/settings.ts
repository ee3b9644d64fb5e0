// Whether Gemini's read_file may be called in all sessions here: settings, policies and agents can disable it. In doubt the
// answer is no, and the result stays as it is.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "@jeeves/base";
import { BOOKKEEPING_WAIT_MS, guarded, readPlainFile } from "@jeeves/state";

/** Where Gemini's settings are. */
export interface GeminiPlaces {
  /** The user's directory: ~/.gemini. */
  readonly home: string;
  readonly cwd: string;
  readonly systemDir?: string;
}

const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 200;

/** Whether read_file may be called. Never rejects. */
export async function canReadFile({ home, cwd, systemDir = "/etc/gemini-cli" }: GeminiPlaces): Promise<boolean> {
  const dirs = [systemDir, home, join(cwd, ".gemini")];
  try {
    for (const dir of dirs) {
      if (await takesAway(await textOf(join(dir, "settings.json")))) return false;
      for (const policy of await textsIn(join(dir, "policies"), ".toml")) if (/read_file|\*/.test(policy)) return false;
      for (const agent of await textsIn(join(dir, "agents"), ".md"))
        if (/^tools:/m.test(agent) && !/\bread_file\b|\*/.test(agent)) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** `tools.exclude` and `tools.core`; at the top level in earlier versions. */
async function takesAway(text: string): Promise<boolean> {
  if (!/read_file|ReadFile|"core"|"coreTools"/.test(text)) return false;
  const settings = await parse(text);
  if (!isRecord(settings)) return true;
  const { tools = {}, excludeTools, coreTools } = settings;
  const { exclude = excludeTools, core = coreTools } = isRecord(tools) ? tools : {};
  const names = (list: unknown) => JSON.stringify(list ?? []);
  const isListed = /read_file|ReadFileTool/;
  return isListed.test(names(exclude)) || (Array.isArray(core) && !isListed.test(names(core)));
}

/** Settings may have comments. Their parser is loaded only for those, because every hook call is a new process. */
async function parse(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { parseJsonc } = await import("@jeeves/workspace");
    return parseJsonc(text);
  }
}

async function textsIn(dir: string, ending: string): Promise<string[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith(ending));
  if (names.length > MAX_FILES) throw new Error(`${dir} has more than ${MAX_FILES} files`);
  return Promise.all(names.map((name) => textOf(join(dir, name))));
}

async function textOf(path: string): Promise<string> {
  const bytes = await guarded(path, BOOKKEEPING_WAIT_MS, () => readPlainFile(path, { maxBytes: MAX_BYTES }));
  return bytes?.toString("utf8") ?? "";
}
