// Which coding agents are on this machine, and whether they are connected to us. Looks at files only; starts nothing.
import { existsSync, readFileSync, statSync } from "node:fs";
import { CLIENTS, type ClientId, clientHomeOf, findProgram, projectSettingsOf, userSettingsOf } from "@jeeves/base";

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
  /** They run in shadow, whatever `jeeves on|shadow|off` has set (`jeeves init --shadow`). */
  readonly isShadow: boolean;
}

/** The clients to name where none was found. */
export const KNOWN_CLIENTS: readonly Pick<FoundClient, "title" | "name" | "isConnected">[] = CLIENTS.map(
  ({ title, id }) => ({ title, name: id, isConnected: false }),
);

/** One of these paths is in all settings that `jeeves init` writes. */
const OURS =
  /mcp-pruner[/\\]+dist[/\\]+index\.js|mcp-research\.js|jeeves[/\\]+bin[/\\]+(?:mcp-|jeeves-hook)|jeeves_hook/;

const SHADOW = /"?JEEVES_MODE"?\s*[:=]\s*["']?shadow\b/;

/** The clients that are installed here, in the table's order. */
export async function findClients(where: {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}): Promise<readonly FoundClient[]> {
  const looked = CLIENTS.map(async (client): Promise<readonly FoundClient[]> => {
    const { isDesktop = false } = client;
    const dir = clientHomeOf(client, where.env);
    const found = (await findProgram(client.program, where.env)) ?? (isDesktop && existsSync(dir) ? dir : undefined);
    if (found === undefined) return [];
    const files = [...userSettingsOf(client, where.env), ...projectSettingsOf(client, where.cwd)];
    const contents = files.map(contentOf).filter((text) => OURS.test(text));
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

function contentOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}
