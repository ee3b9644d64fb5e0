// Where everything in the user's data directory is. Client settings name the files in `bin`, and nothing else.
import { join } from "node:path";
import { resolveDataDir } from "@jeeves/state";

/** Paths in the user's data directory. */
export interface DataLayout {
  readonly dir: string;
  readonly bin: string;
  readonly lib: string;
  /** The launcher of client commands. */
  readonly execPath: string;
  /** The launchers of the MCP servers. */
  readonly serverPath: string;
  readonly researchPath: string;
  readonly uninstallPath: string;
  /** The launcher of hooks that are commands. */
  readonly hookPath: string;
  /** What opencode's plugin file loads. */
  readonly pluginPath: string;
  /** A link to the packages of the last `init`. */
  readonly installation: string;
  /** A link to the Node that ran it. */
  readonly node: string;
  /** One note for each settings file that init changed. */
  readonly notes: string;
  /** Directories made for this one, and the state directories in use. */
  readonly record: string;
}

/** The paths for the user of this environment; nothing is made. */
export function dataLayoutOf(env: NodeJS.ProcessEnv): DataLayout {
  const dir = resolveDataDir(env);
  const bin = join(dir, "bin");
  return {
    dir,
    bin,
    lib: join(dir, "lib"),
    execPath: join(bin, "jeeves-exec"),
    serverPath: join(bin, "mcp-pruner"),
    researchPath: join(bin, "mcp-research"),
    uninstallPath: join(bin, "jeeves-uninstall"),
    hookPath: join(bin, "jeeves-hook"),
    pluginPath: join(dir, "lib", "opencode-plugin.mjs"),
    installation: join(dir, "installation"),
    node: join(dir, "node"),
    notes: join(dir, "settings"),
    record: join(dir, "record.json"),
  };
}
