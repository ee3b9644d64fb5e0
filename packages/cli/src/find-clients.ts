// Which coding agents are on this machine, and whether they know us already. Looks at files only; starts nothing.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CLIENTS, type ClientId, clientHomeOf, findProgram, homeOf } from "@jeeves/base";

/** A client on this machine. */
export interface FoundClient {
  readonly title: string;
  /** The word that `jeeves init` knows it by. */
  readonly name: ClientId;
  readonly found: string;
  /** `found` is the client itself: it can be asked for its version. */
  readonly isProgram: boolean;
  /** Its settings name our server. */
  readonly isConnected: boolean;
  /** They say shadow, too, whatever `jeeves on|shadow|off` says (`jeeves init --shadow`). */
  readonly isShadow: boolean;
}

interface ClientSigns {
  /** It is a desktop application: its home shows that it is there, and its program is only a helper. */
  readonly isDesktop?: boolean;
  /** `~/` is the home, `$NAME/` a directory that the variable names, anything else the current directory. */
  readonly settings: readonly string[];
}

const SIGNS: Readonly<Record<ClientId, ClientSigns>> = {
  "claude-code": {
    settings: [
      "$CLAUDE_CONFIG_DIR/.claude.json",
      "~/.claude.json",
      "~/.claude/settings.json",
      ".mcp.json",
      ".claude/settings.json",
    ],
  },
  codex: { settings: ["$CODEX_HOME/config.toml", "~/.codex/config.toml", ".codex/config.toml"] },
  "lm-studio": { isDesktop: true, settings: ["~/.lmstudio/mcp.json"] },
  gemini: { settings: ["~/.gemini/settings.json", ".gemini/settings.json"] },
  opencode: {
    settings: [
      "$XDG_CONFIG_HOME/opencode/opencode",
      "~/.config/opencode/opencode",
      "opencode",
      ".opencode/opencode",
    ].flatMap((file) => [`${file}.json`, `${file}.jsonc`]),
  },
};

/** The clients to name where none was found. */
export const USUAL_CLIENTS: readonly Pick<FoundClient, "title" | "name" | "isConnected">[] = CLIENTS.slice(0, 3).map(
  ({ title, id }) => ({ title, name: id, isConnected: false }),
);

/** The settings that `jeeves init` writes name one of these files. */
const OURS = /mcp-pruner[/\\]+dist[/\\]+index\.js|mcp-research\.js|jeeves[/\\]+bin[/\\]+mcp-|jeeves_hook/;

const SHADOW = /"?JEEVES_MODE"?\s*[:=]\s*"shadow"/;

/** The clients that are installed here, in the table's order. */
export async function findClients(where: {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}): Promise<readonly FoundClient[]> {
  const home = homeOf(where.env);
  const looked = CLIENTS.map(async (client): Promise<readonly FoundClient[]> => {
    const { isDesktop = false, settings } = SIGNS[client.id];
    const dir = clientHomeOf(client, where.env);
    const found = (await findProgram(client.program, where.env)) ?? (isDesktop && existsSync(dir) ? dir : undefined);
    if (found === undefined) return [];
    const contents = settings.map((file) => contentOf(file, { ...where, home })).filter((text) => OURS.test(text));
    return [
      {
        title: client.title,
        name: client.id,
        found,
        isProgram: !isDesktop,
        isConnected: contents.length > 0,
        isShadow: contents.some((text) => SHADOW.test(text)),
      },
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
