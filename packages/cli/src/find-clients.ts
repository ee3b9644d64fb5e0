// Which coding agents are on this machine, and whether they know us already. Looks at files only; starts nothing.
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { findProgram } from "@jeeves/workspace";

export interface FoundClient {
  readonly title: string;
  /** The word that `jeeves init` knows it by. */
  readonly name: string;
  readonly found: string;
  /** Its settings name our server. */
  readonly isConnected: boolean;
  /** They say shadow, too, whatever `jeeves on|shadow|off` says (`jeeves init --shadow`). */
  readonly isShadow: boolean;
}

interface ClientSigns {
  readonly title: string;
  readonly name: string;
  readonly program: string;
  /** A directory in the home directory that only this client makes. */
  readonly dir?: string;
  readonly settings: readonly string[];
}

const CLIENTS: readonly ClientSigns[] = [
  {
    title: "Claude Code",
    name: "claude-code",
    program: "claude",
    settings: [
      "$CLAUDE_CONFIG_DIR/.claude.json",
      "~/.claude.json",
      "~/.claude/settings.json",
      ".mcp.json",
      ".claude/settings.json",
    ],
  },
  {
    title: "Codex",
    name: "codex",
    program: "codex",
    settings: ["$CODEX_HOME/config.toml", "~/.codex/config.toml", ".codex/config.toml"],
  },
  {
    title: "LM Studio",
    name: "lm-studio",
    program: "lms",
    dir: ".lmstudio",
    settings: ["~/.lmstudio/mcp.json"],
  },
  {
    title: "Gemini CLI",
    name: "gemini",
    program: "gemini",
    settings: ["~/.gemini/settings.json", ".gemini/settings.json"],
  },
  {
    title: "opencode",
    name: "opencode",
    program: "opencode",
    settings: [
      "$XDG_CONFIG_HOME/opencode/opencode",
      "~/.config/opencode/opencode",
      "opencode",
      ".opencode/opencode",
    ].flatMap((file) => [`${file}.json`, `${file}.jsonc`]),
  },
];

/** To be named where none was found. */
export const USUAL_CLIENTS: readonly Pick<FoundClient, "title" | "name" | "isConnected">[] = CLIENTS.slice(0, 3).map(
  ({ title, name }) => ({ title, name, isConnected: false }),
);

/** The settings that `jeeves init` writes name one of these files. */
const OURS = /mcp-pruner[/\\]+dist[/\\]+index\.js|mcp-research\.js|jeeves[/\\]+bin[/\\]+mcp-|jeeves_hook/;

const SHADOW = /"?JEEVES_MODE"?\s*[:=]\s*"shadow"/;

export async function findClients(where: {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}): Promise<readonly FoundClient[]> {
  const home = where.env.HOME || homedir();
  const looked = CLIENTS.map(async ({ title, name, program, dir, settings }): Promise<readonly FoundClient[]> => {
    const path = await findProgram(program, where.env);
    const found = path ?? (dir !== undefined && existsSync(join(home, dir)) ? join(home, dir) : undefined);
    if (found === undefined) return [];
    const contents = settings.map((file) => contentOf(file, { ...where, home })).filter((text) => OURS.test(text));
    return [
      { title, name, found, isConnected: contents.length > 0, isShadow: contents.some((text) => SHADOW.test(text)) },
    ];
  });
  return (await Promise.all(looked)).flat();
}

function contentOf(
  file: string,
  { env, cwd, home }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly home: string },
): string {
  const named = /^\$(\w+)\/(.*)$/.exec(file);
  const base = named?.[1] === undefined ? undefined : env[named[1]];
  if (named !== null && !base) return "";
  const path =
    base !== undefined
      ? join(base, named?.[2] ?? "")
      : file.startsWith("~/")
        ? join(home, file.slice(2))
        : join(cwd, file);
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}
