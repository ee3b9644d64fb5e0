// Clients that are set up without us: by a command of their own, or by a file that their users write.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, homeOf } from "@jeeves/base";
import { CliError } from "../cli-error.ts";

interface ByOwnCommand {
  /** What its user may type after `jeeves init`. */
  readonly names: readonly string[];
  readonly title: string;
  /** What sets it up. */
  readonly way: string;
  /** The program that shows that it is here, and the files that may name our server. */
  readonly program?: string;
  readonly files?: { readonly home: string; readonly project?: string };
}

const SERVER = '"jeeves": { "command": "mcp-pruner" }';

const CLIENTS: readonly ByOwnCommand[] = [
  {
    names: ["copilot", "copilot-cli"],
    title: "Copilot CLI",
    way: "copilot mcp add jeeves --env MCP_PRUNER_TOOLS=read,grep,recover_text -- mcp-pruner",
    program: "copilot",
    files: { home: ".copilot/mcp-config.json" },
  },
  {
    names: ["vscode", "vs-code"],
    title: "VS Code",
    way: `{ "servers": { ${SERVER} } } in .vscode/mcp.json of the project`,
    program: "code",
    files: { home: ".config/Code/User/mcp.json", project: ".vscode/mcp.json" },
  },
  {
    names: ["cursor"],
    title: "Cursor",
    way: `{ "mcpServers": { ${SERVER} } } in .cursor/mcp.json of the project`,
    program: "cursor",
    files: { home: ".cursor/mcp.json", project: ".cursor/mcp.json" },
  },
  {
    names: ["claude-desktop"],
    title: "Claude Desktop",
    way: "open the .mcpb bundle of npm run package with it",
  },
];

/** Names for which `jeeves init` writes nothing, and only prints how that client is set up. */
export const MANUAL_CLIENTS: readonly string[] = CLIENTS.flatMap(({ names }) => names);

/** Throws a CliError that names how this client is set up. */
export function refuseManualClient(name: string): never {
  const { title = name, way = "" } = CLIENTS.find(({ names }) => names.includes(name)) ?? {};
  throw new CliError(`jeeves init does not write the settings of ${title}; nothing was written`, `its own way: ${way}`);
}

/** A client on this machine that is set up without us. */
export interface FoundManualClient extends Pick<ByOwnCommand, "title" | "way"> {
  /** A settings file of its own names our server. */
  readonly isConnected: boolean;
}

/** Those whose programs are on PATH. Looks at files only. */
export async function findManualClients({
  env,
  cwd,
}: {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}): Promise<readonly FoundManualClient[]> {
  const looked = CLIENTS.map(async ({ title, way, program, files }): Promise<readonly FoundManualClient[]> => {
    if (program === undefined || files === undefined || (await findProgram(program, env)) === undefined) return [];
    const places = [join(homeOf(env), files.home), ...(files.project === undefined ? [] : [join(cwd, files.project)])];
    const texts = await Promise.all(places.filter(existsSync).map((path) => readFile(path, "utf8").catch(() => "")));
    return [{ title, way, isConnected: texts.some((text) => text.includes("mcp-pruner")) }];
  });
  return (await Promise.all(looked)).flat();
}
