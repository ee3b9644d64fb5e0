// Where an agent is installed. The SDKs are optional: nobody who runs Codex needs Claude's hundreds of megabytes, so
// they are looked for when a run starts, and their absence is said together with the line that ends it.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findProgram, traitsOf } from "@jeeves/base";
import { RunnerError } from "../runner-error.ts";

export interface AgentPlaces {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Ours first, then where we were called, then the project: a project's own packages are the least trusted. */
function packageRoots({ cwd }: AgentPlaces): readonly string[] {
  return [import.meta.url, process.cwd(), cwd].map((place) =>
    place.startsWith("file:") ? place : pathToFileURL(join(place, "package.json")).href,
  );
}

/** The file of an installed package's entry, or of `subpath` in it. */
function findModule(name: string, places: AgentPlaces): string | undefined {
  for (const root of packageRoots(places)) {
    try {
      return createRequire(root).resolve(name);
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

export function findClaudeSdk(places: AgentPlaces): string {
  const found = findModule("@anthropic-ai/claude-agent-sdk", places);
  if (found !== undefined) return found;
  throw new RunnerError("agent_missing", "the Claude Agent SDK is not installed", {
    hint: "npm install @anthropic-ai/claude-agent-sdk",
  });
}

/** The program and the arguments that come before ours. */
export async function findCodex(
  places: AgentPlaces,
): Promise<{ readonly command: string; readonly args: readonly string[] }> {
  const onPath = await findProgram(traitsOf("codex").program, places.env);
  if (onPath !== undefined) return { command: onPath, args: [] };
  const launcher = findModule("@openai/codex/bin/codex.js", places);
  if (launcher !== undefined && existsSync(launcher)) return { command: process.execPath, args: [launcher] };
  throw new RunnerError("agent_missing", "codex is neither on the PATH nor installed as a package", {
    hint: "npm install --global @openai/codex",
  });
}
