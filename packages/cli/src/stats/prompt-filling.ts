// What fills the starting prompt: its parts by name and size where transcripts tell them (Claude Code 2.1.325 and later),
// memory files by name and size, MCP servers by name. Looks at the projects that paid most for it.
import { dirname, join } from "node:path";
import { CLIENTS, type ClientTraits, clientHomeFileOf, clientHomeOf, isRecord } from "@jeeves/base";
import { estimateTokens } from "@jeeves/cut";
import { BOOKKEEPING_WAIT_MS, guarded, readPlainFile, waitMsOf } from "@jeeves/state";
import type { Account } from "./account.ts";
import { groupBy } from "./groups.ts";

const MAX_PROJECTS = 3;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_SERVERS = 30;
const MAX_PARTS = 40;

/** A part of the prompt, and its mean size over the sessions that tell, in estimated tokens. */
interface PromptPart {
  readonly name: string;
  readonly size: number;
}

/** A memory file, and its size in estimated tokens. */
interface MemoryFile {
  readonly path: string;
  readonly size: number;
}

/** What is known about the starting prompt. */
export interface PromptFilling {
  /** The median of the first prompts, in tokens; undefined where no session began in the period. */
  readonly firstPrompt: number | undefined;
  /** The largest first. */
  readonly parts: readonly PromptPart[];
  readonly files: readonly MemoryFile[];
  readonly servers: readonly { readonly client: string; readonly names: readonly string[] }[];
}

/** Reads the files that the clients of these sessions put into every prompt. */
export async function findPromptFilling(accounts: readonly Account[], env: NodeJS.ProcessEnv): Promise<PromptFilling> {
  const prompts = accounts.flatMap(({ firstPrompt }) => (firstPrompt === undefined ? [] : [firstPrompt]));
  const files = new Map<string, MemoryFile>();
  const servers: { client: string; names: readonly string[] }[] = [];
  for (const traits of CLIENTS) {
    const own = accounts.filter(({ client, hasTranscript }) => hasTranscript && client === traits.id);
    if (own.length === 0) continue;
    const projects = groupBy(own, "project")
      .sort((a, b) => b.sums.starting - a.sums.starting)
      .slice(0, MAX_PROJECTS)
      .map(({ name }) => name);
    for (const path of placesOf(traits.memory, traits, projects, env)) {
      const text = await readText(path, env);
      if (text !== undefined && text.trim() !== "") files.set(path, { path, size: estimateTokens(text) });
    }
    const names = new Set<string>();
    for (const path of placesOf(traits.servers, traits, projects, env))
      for (const name of serversIn((await readText(path, env)) ?? "", path, projects)) names.add(name);
    if (names.size > 0) servers.push({ client: traits.title, names: [...names].sort().slice(0, MAX_SERVERS) });
  }
  return {
    firstPrompt: medianOf(prompts),
    parts: partsOf(accounts),
    files: [...files.values()].sort((a, b) => b.size - a.size),
    servers,
  };
}

const PART_NAMES = { system: "system prompt", tool: "tool", server: "MCP server", note: "" } as const;

function partsOf(accounts: readonly Account[]): PromptPart[] {
  const telling = accounts.filter(({ filling = [] }) => filling.length > 0);
  const sums = new Map<string, number>();
  for (const { filling = [] } of telling)
    for (const { part, name, tokens } of filling) {
      const words = `${PART_NAMES[part]} ${name}`.trim();
      sums.set(words, (sums.get(words) ?? 0) + tokens);
    }
  return [...sums]
    .map(([name, tokens]) => ({ name, size: Math.round(tokens / telling.length) }))
    .sort((a, b) => b.size - a.size)
    .slice(0, MAX_PARTS);
}

function placesOf(
  named: ClientTraits["memory"],
  traits: ClientTraits,
  projects: readonly string[],
  env: NodeJS.ProcessEnv,
): string[] {
  if (named === undefined) return [];
  const home = clientHomeOf(traits, env);
  const users = named.user.map((name) => join(home, name));
  const beside = (named === traits.servers ? clientHomeFileOf(traits, env) : undefined) ?? [];
  const own = projects
    .filter((dir) => dir.startsWith("/"))
    .flatMap((dir) => named.project.map((name) => join(dir, name)));
  return [...new Set([users, beside, own].flat())];
}

/** undefined for anything that is no small regular file, and for what does not answer. */
async function readText(path: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const read = () => readPlainFile(path, { maxBytes: MAX_FILE_BYTES });
  const bytes = await guarded(dirname(path), waitMsOf(env, BOOKKEEPING_WAIT_MS), read).catch(() => undefined);
  return bytes?.toString("utf8");
}

/** `mcpServers` of JSON, at the top or below the project, or `[mcp_servers.NAME]` of TOML. */
function serversIn(text: string, path: string, projects: readonly string[]): string[] {
  if (path.endsWith(".toml"))
    return [...text.matchAll(/^\s*\[mcp_servers\.(?:"([^"\n]+)"|([\w-]+))\]/gm)].map(([, a, b]) => a ?? b ?? "");
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isRecord(settings)) return [];
  const { projects: byProject } = settings;
  const own = projects.map((dir) => (isRecord(byProject) ? byProject[dir] : undefined));
  return [settings, ...own].flatMap((each) =>
    isRecord(each) && isRecord(each.mcpServers) ? Object.keys(each.mcpServers) : [],
  );
}

function medianOf(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
