// What every client is given: our server, its tools, its hook. What only one client needs is in that client's module.
import { join, resolve } from "node:path";
import { findBeside } from "@jeeves/base";
import { CliError } from "../cli-error.ts";

/** The name under which a client knows our server, and by which we find our entries again. */
export const SERVER_NAME = "jeeves";

/** What `jeeves init` or `jeeves setup` is asked to write, and where. */
export interface SetUp {
  readonly scope: "user" | "project";
  /** "commands": the shell prefix alone, beside the client's plugin. */
  readonly parts: "hooks" | "tools" | "both" | "commands";
  readonly shadow: boolean;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** The launchers in the user's data directory: client settings name nothing else. */
  readonly serverPath: string;
  readonly researchPath: string;
  readonly execPath: string;
  /** LM Studio starts servers in a directory of its own: what they may see is named to them. */
  readonly roots: readonly string[];
  /** Another settings file than the usual one (LM Studio). */
  readonly file?: string;
  /** Another tool stands before the client's commands, in settings that ours would win over or beside. */
  readonly isPrefixTaken?: boolean;
  /** Prints a warning for the user; the set-up goes on. */
  readonly warn: (words: string) => void;
}

/** The installation that runs now. */
interface OwnFiles {
  /** The directory of the packages. */
  readonly packages: string;
  readonly serverPath: string;
  readonly execPath: string;
}

/** Throws CliError where the server is not built. */
export function findOwnFiles(): OwnFiles {
  const serverPath = findBeside("mcp-pruner/dist/index.js", import.meta.url);
  if (serverPath === undefined)
    throw new CliError("mcp-pruner is not built beside this command", "run npm run build first");
  const packages = resolve(serverPath, "../../..");
  return { packages, serverPath, execPath: join(packages, "cli", "bin", "jeeves-exec") };
}

/**
 * bash is left out: a command that a client allows as an MCP tool would step around the user's own rules for Bash, and
 * around Codex' sandbox.
 */
export function toolsOf({ parts }: SetUp): readonly string[] {
  return parts === "hooks" ? ["recover_text"] : ["read", "grep", "recover_text"];
}

/** The environment of our server, with the tools that it lists. */
export function serverEnv(setUp: SetUp, tools = toolsOf(setUp)): Record<string, string> {
  return {
    MCP_PRUNER_TOOLS: tools.join(",") || "none",
    PRUNER_ENGINE: "embedded",
    ...(setUp.shadow ? { JEEVES_MODE: "shadow" } : {}),
    ...(setUp.env.JEEVES_STATE_DIR ? { JEEVES_STATE_DIR: setUp.env.JEEVES_STATE_DIR } : {}),
  };
}
