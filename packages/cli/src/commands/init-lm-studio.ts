// `jeeves init lm-studio`: the research server in LM Studio's mcp.json. Whatever else stands in the file stays; a file
// that cannot be understood is left alone.
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFileAtomic } from "@jeeves/state";
import { CliError } from "../cli-error.ts";

export interface InitLmStudioOptions {
  readonly root?: readonly string[];
  readonly file?: string;
  readonly print?: boolean;
}

const SERVER_NAME = "jeeves-research";

export async function initLmStudioCommand(options: InitLmStudioOptions): Promise<void> {
  const file = resolve(options.file ?? join(process.env.HOME ?? homedir(), ".lmstudio", "mcp.json"));
  const roots = (options.root ?? ["."]).map((root) => resolve(root));
  const missing = roots.find((root) => !existsSync(root));
  if (missing !== undefined) throw new CliError(`there is no ${missing}`, "name a directory that exists");
  const server = { command: process.execPath, args: [serverPath(), ...roots.flatMap((root) => ["--root", root])] };
  const before = await readConfig(file);
  const config = { ...before, mcpServers: { ...serversOf(before, file), [SERVER_NAME]: server } };
  const text = `${JSON.stringify(config, null, 2)}\n`;
  if (options.print === true) {
    process.stdout.write(text);
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFileAtomic(file, text);
  process.stdout.write(`${SERVER_NAME} is in ${file}; it may search ${roots.join(", ")}\n`);
}

/** Beside this bundle: packages/cli/dist and packages/research/dist. */
function serverPath(): string {
  return fileURLToPath(import.meta.resolve("@jeeves/research/dist/mcp-research.js"));
}

async function readConfig(file: string): Promise<Record<string, unknown>> {
  if (!existsSync(file)) return {};
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below: nobody's file is overwritten because we could not read it.
  }
  throw new CliError(`${file} is no JSON object`, "repair it, or name another file with --file");
}

function serversOf(config: Record<string, unknown>, file: string): object {
  const { mcpServers = {} } = config;
  if (typeof mcpServers === "object" && mcpServers !== null && !Array.isArray(mcpServers)) return mcpServers;
  throw new CliError(`mcpServers in ${file} is no object`, "repair it, or name another file with --file");
}
