// Where an agent is installed: its program on the PATH (absolute entries only), or a package. They are looked for when a
// run starts; where one is missing, the error names the command that installs it outside of the user's project.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findProgram, traitsOf } from "@jeeves/base";
import { RunnerError } from "../runner-error.ts";

const CLAUDE_SDK = "@anthropic-ai/claude-agent-sdk";

/** Where to look for an agent: the PATH of `env`, and the packages that can be resolved from `cwd`. */
export interface AgentPlaces {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Ours first, then where we were called, then the project: a project's own packages are the least trusted. */
function packageRoots({ cwd }: AgentPlaces): readonly string[] {
  return [import.meta.url, ...[process.cwd(), cwd].map((place) => pathToFileURL(join(place, "package.json")).href)];
}

/** The file of an installed package's entry, or of `subpath` in it. */
function findModule(name: string, roots: readonly string[]): string | undefined {
  for (const root of roots) {
    try {
      return createRequire(root).resolve(name);
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

/** Claude Code's own program, or the entry of the Agent SDK. */
interface FoundClaude {
  readonly kind: "program" | "sdk";
  readonly path: string;
}

/** The SDK installed beside us comes first, then the user's own program, then an SDK that is only in the project. */
export async function findClaude(places: AgentPlaces): Promise<FoundClaude> {
  const [own = "", ...others] = packageRoots(places);
  const besideUs = findModule(CLAUDE_SDK, [own]);
  if (besideUs !== undefined) return { kind: "sdk", path: besideUs };
  const { program, install = "", title } = traitsOf("claude-code");
  const onPath = await findProgram(program, places.env);
  if (onPath !== undefined) return { kind: "program", path: onPath };
  const inProject = findModule(CLAUDE_SDK, others);
  if (inProject !== undefined) return { kind: "sdk", path: inProject };
  throw new RunnerError("agent_missing", `${title} is not installed: there is no ${program} on the PATH`, {
    hint: install,
  });
}

/** The program and the arguments that come before ours. */
export async function findCodex(
  places: AgentPlaces,
): Promise<{ readonly command: string; readonly args: readonly string[] }> {
  const onPath = await findProgram(traitsOf("codex").program, places.env);
  if (onPath !== undefined) return { command: onPath, args: [] };
  const launcher = findModule("@openai/codex/bin/codex.js", packageRoots(places));
  if (launcher !== undefined && existsSync(launcher)) return { command: process.execPath, args: [launcher] };
  throw new RunnerError("agent_missing", "codex is neither on the PATH nor installed as a package", {
    hint: traitsOf("codex").install ?? "",
  });
}
