// JEEVES_MCP=research,rudder: servers beside the pruner, which it neither adds nor removes. A server that is unknown or not
// built is reported as an issue, and the run goes on.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { findBeside } from "@jeeves/base";
import { z } from "zod";
import type { McpServerConfig } from "../provider.ts";
import { messageOf } from "../runner-error.ts";

interface KnownServer {
  readonly package: string;
  readonly bin: string;
  /** Its built file beside ours, in an installation that is one npm package. */
  readonly beside: string;
  readonly args: (cwd: string) => readonly string[];
}

const KNOWN: Readonly<Record<string, KnownServer>> = {
  research: {
    package: "@jeeves/research",
    bin: "mcp-research",
    beside: "research/dist/mcp-research.js",
    args: () => [],
  },
  rudder: {
    package: "@jeeves/rudder",
    bin: "rudder-server",
    beside: "rudder/dist/rudder-server.js",
    args: (cwd) => ["--project-root", cwd],
  },
};

interface ExtraServers {
  readonly mcpServers: Readonly<Record<string, McpServerConfig>>;
  readonly issues: readonly { readonly server: string; readonly message: string }[];
}

interface ExtraServersInput {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly from?: string;
}

/**
 * The servers that JEEVES_MCP names, and an issue for each that cannot be started. `from` is the module from which their
 * packages are resolved.
 */
export function buildExtraServers({ env, cwd, from = import.meta.url }: ExtraServersInput): ExtraServers {
  const names = new Set((env.JEEVES_MCP ?? "").split(",").map((name) => name.trim().toLowerCase()));
  // Naming the pruner here is harmless: JEEVES_PRUNER_ENABLED decides about it.
  for (const name of ["", "pruner"]) names.delete(name);
  const mcpServers: Record<string, McpServerConfig> = {};
  const issues: { server: string; message: string }[] = [];
  for (const name of names) {
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
    try {
      if (known === undefined) throw new Error(`unknown; JEEVES_MCP knows ${Object.keys(KNOWN).join(", ")}`);
      mcpServers[name] = { command: "node", args: [findBin(known, from), ...known.args(cwd)] };
    } catch (error) {
      issues.push({ server: name, message: messageOf(error) });
    }
  }
  return { mcpServers, issues };
}

const manifestSchema = z.object({ bin: z.record(z.string(), z.string()) });

/** The path of a server's program, from the `bin` of its package's manifest. Throws where it is missing or not built. */
function findBin(known: KnownServer, from: string): string {
  const places = createRequire(from).resolve.paths(known.package) ?? [];
  const dir = places.map((place) => join(place, known.package)).find((each) => existsSync(join(each, "package.json")));
  const beside = dir === undefined ? findBeside(known.beside, from) : undefined;
  if (beside !== undefined) return beside;
  if (dir === undefined) throw new Error(`${known.package} is not installed`);
  const manifest = manifestSchema.safeParse(JSON.parse(readFileSync(join(dir, "package.json"), "utf8")));
  const bin = manifest.data?.bin[known.bin];
  const path = bin === undefined ? undefined : join(dir, bin);
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new Error(`${known.bin} of ${known.package} is not built`);
  return path;
}
